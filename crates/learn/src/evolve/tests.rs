//! The core on problems small enough to follow, and the same run with and without a stop.

use std::num::NonZero;

use deminer_game::{Rng, View};
use deminer_inference::constraints::Constraints;

use super::gp::{self, Field};
use super::placing::{Crossover, PartOfFrontier, Parts, Placement, Placing};
use super::{Evolution, Member, Problem, Replacement, Row, Scheme, Settings, quartetti};

const ONE: NonZero<usize> = NonZero::<usize>::MIN;

fn settings(scheme: Scheme, population: usize) -> Settings {
    Settings { scheme, population, distinct: false, seed: 5 }
}

/// The frontier of a position, and parts of it.
fn frontier(position: &str, parts: Parts) -> (Constraints, Vec<PartOfFrontier>) {
    let view: View = position.parse().unwrap();
    let mut frontier = Constraints::default();
    frontier.read(&view, |_| None);
    let parts = parts.of(&frontier, view.shape());
    (frontier, parts)
}

/// Mines on the whole frontier of a position.
fn placing(position: &str) -> Placing {
    let (frontier, parts) = frontier(position, Parts::Whole);
    let (cells, clues) = &parts[0];
    Placing::new(&frontier, cells, clues)
}

/// One clue of 1 and one of 2 that share two cells.
fn two_clues() -> Placing {
    placing("mines 3\n# # # #\n# 1 2 #\n# # # #")
}

/// The errors of a placement, counted from its mines.
fn slow_errors(placing: &Placing, placement: &Placement) -> u32 {
    let error = |clue: &deminer_inference::constraints::Constraint| {
        let mines = clue.cells.iter().filter(|&&gene| placement.mine(gene.into())).count();
        (i32::from(clue.need.low()) - mines as i32).unsigned_abs()
    };
    placing.clues.iter().map(error).sum()
}

#[test]
fn errors_kept_by_flips_are_the_errors_counted_anew() {
    let position =
        "mines 9\n# # # # # # #\n# 1 2 # 3 1 #\n# # # # # # #\n# 2 # 1 # # #\n# # # # # # #";
    let crossovers =
        [Crossover::OnePoint, Crossover::KPoint(3), Crossover::Uniform, Crossover::Patch];
    for crossover in crossovers {
        for repair in [0, 3] {
            let mut placing = Placing { crossover, repair, ..placing(position) };
            placing.weights =
                placing.clues.iter().map(|clue| 9 - clue.cells.len() as u16).collect();
            let mut rng = Rng::new(3);
            let mut parents = [placing.random(&mut rng), placing.random(&mut rng)];
            let mut children = parents.clone();
            for _ in 0..200 {
                placing.breed([&parents[0], &parents[1]], &mut children, &mut rng);
                for child in &children {
                    assert_eq!(child.errors, slow_errors(&placing, child), "{child:?}");
                    let mines = (0..placing.genes()).filter(|&gene| child.mine(gene)).count();
                    assert_eq!(usize::from(child.mines), mines);
                }
                std::mem::swap(&mut parents, &mut children);
            }
        }
    }
}

#[test]
fn crossover_only_exchanges_and_mutation_changes_one_in_n() {
    let placing = two_clues();
    let mut rng = Rng::new(1);
    let none = placing.empty();
    let mut children = [none.clone(), none.clone()];
    let mut mines = 0;
    for _ in 0..4000 {
        placing.breed([&none, &none], &mut children, &mut rng);
        mines += u32::from(children[0].mines);
    }
    // One change each on average; the standard error is 1/63.
    assert!((f64::from(mines) / 4000.0 - 1.0).abs() < 0.08, "{mines}");
}

#[test]
fn regions_of_a_frontier_share_no_clue() {
    let (_, parts) = frontier("mines 2\n# 1 . 1 #\n# 1 . 1 #", Parts::Regions);
    assert_eq!(parts.len(), 2);
    assert!(parts.iter().all(|(cells, clues)| (cells.len(), clues.len()) == (2, 2)));
}

#[test]
fn parts_that_touch_nothing_else_share_clues_that_see_both() {
    let position = "mines 2\n# 2 #\n# 2 #";
    let sizes = |kind| {
        let (_, parts) = frontier(position, kind);
        parts.iter().map(|(cells, clues)| (cells.len(), clues.len())).collect::<Vec<_>>()
    };
    assert_eq!(sizes(Parts::Regions), [(4, 2)]);
    assert_eq!(sizes(Parts::Touching), [(2, 2), (2, 2)]);
    let (frontier, parts) = frontier(position, Parts::Touching);
    let part = Placing::new(&frontier, &parts[0].0, &parts[0].1);
    // Each part is asked for both mines.
    assert_eq!(part.clues[0].cells.len(), 2);
    assert_eq!(part.empty().errors, 4);
}

#[test]
fn a_steady_state_fits_mines_to_clues() {
    let scheme = Scheme::Steady(Replacement::WorseOfTwo);
    let mut run = Evolution::new(two_clues(), settings(scheme, 20), ONE);
    while !run.perfect() {
        run.step(ONE);
        assert!(run.state().iteration < 10_000, "two clues are soon met");
    }
    assert_eq!(run.state().best.genome.errors, 0);
}

#[test]
fn replacements_take_the_places_they_should() {
    let field = Field::deal(6, 7, 5, &mut Rng::new(2));
    for replacement in [Replacement::Closest, Replacement::Worst] {
        let problem = gp::Breeding::paper(field.clone(), 5);
        let scheme = Scheme::Steady(replacement);
        let settings = Settings { distinct: true, ..settings(scheme, 12) };
        let mut run = Evolution::new(problem, settings, ONE);
        let worst = |members: &[Member<_>]| {
            members.iter().map(|member| member.fitness).fold(f64::INFINITY, f64::min)
        };
        for _ in 0..60 {
            let before = run.state().members.clone();
            run.step(ONE);
            // No child replaces a fitter member.
            assert!(worst(&run.state().members) >= worst(&before));
            for (old, new) in before.iter().zip(&run.state().members) {
                assert!(new.fitness >= old.fitness, "{replacement:?}");
            }
        }
    }
}

/// A run with a stop in the middle is the run without one.
fn check_resume<P: Problem + Clone>(problem: P, settings: Settings)
where
    P::Genome: PartialEq + std::fmt::Debug,
{
    let mut whole = Evolution::new(problem.clone(), settings, ONE);
    (0..5).for_each(|_| whole.step(ONE));
    let state = whole.state().clone();
    let mut resumed = Evolution::resume(problem.clone(), settings, state.clone()).unwrap();
    let threads = NonZero::new(3).unwrap();
    for _ in 0..5 {
        whole.step(ONE);
        resumed.step(threads);
    }
    assert_eq!(whole.row(), resumed.row());
    assert_eq!(whole.state(), resumed.state());
    let larger = Settings { population: settings.population + 1, ..settings };
    let error = Evolution::resume(problem, larger, state).err();
    assert!(error.is_some_and(|error| error.starts_with("the population has")));
}

#[test]
fn every_kind_of_run_can_be_taken_up_again() {
    check_resume(two_clues(), settings(Scheme::Steady(Replacement::WorseOfTwo), 10));
    let field = Field::deal(5, 6, 3, &mut Rng::new(1));
    let trees = gp::Breeding::paper(field, 5);
    check_resume(trees.clone(), settings(Scheme::MuPlusLambda(6), 8));
    let stochastic = gp::Breeding { stochastic: true, ..trees };
    check_resume(stochastic, settings(Scheme::Steady(Replacement::Closest), 8));
    let generational = Scheme::Generational { copied: 0.1, tournament: 3 };
    check_resume(quartetti::Breeding::new(4, 5), settings(generational, 30));
}

#[test]
fn rows_have_a_number_for_each_column() {
    let field = Field::deal(5, 6, 3, &mut Rng::new(1));
    let scheme = Scheme::Steady(Replacement::Worst);
    let run = Evolution::new(gp::Breeding::paper(field, 5), settings(scheme, 7), ONE);
    let row = run.row();
    assert_eq!(row.csv().split(',').count(), Row::COLUMNS.len());
    assert!(row.worst <= row.mean && row.mean <= row.best && row.diversity <= 1.0);
}
