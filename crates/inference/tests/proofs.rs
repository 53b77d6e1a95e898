//! Every explanation is checked by code that shares nothing with the ladder.
//!
//! A premise set entails a fact if nothing satisfies it together with the opposite, and none of
//! it can be left out if without any one premise something does. [`fits`] decides both by trying
//! mines on the cells that the premises see. `cargo xtask proofs --positions N` checks more
//! positions than the test.

use deminer_game::{
    Action, Board, Cell, ClueRule, Face, Form, GameSeed, Premise, Rng, Rules, Shape, Start, View,
};
use deminer_inference::deduce::{Fact, prove_all};
use deminer_inference::oracle::Oracle;
use deminer_inference::proof::{Explanation, conflict, explain_from};

const CLUES: [ClueRule; 6] = [
    ClueRule::Exact,
    ClueRule::Exact,
    ClueRule::Blind(0.2),
    ClueRule::Optimistic,
    ClueRule::Cautious,
    ClueRule::CautiousDegree,
];

/// A position of a game: any shape, clue rule, start and number of flags.
fn position(rng: &mut Rng) -> View {
    let form = Form::ALL[rng.below(3)];
    let shape = Shape::new(form, 2 + rng.below(8), 2 + rng.below(7)).unwrap();
    let mines = rng.below(1 + shape.size() / 3);
    let rules = Rules::starting(shape.clone(), mines, Start::ALL[rng.below(3)]).unwrap();
    let rules = rules.with_clues(CLUES[rng.below(6)]).with_cascade(rng.below(2) == 0);
    let mut board = Board::dealt(rules, GameSeed { seed: rng.bits(), game: 0 });
    let openings = 1 + rng.below(shape.size());
    for _ in 0..openings {
        let cell = shape.nth(rng.below(shape.size())).unwrap();
        if board.hides_mine(cell) && rng.below(4) == 0 {
            board.act(Action::Flag(cell));
        } else if !board.hides_mine(cell) {
            board.act(Action::Open(cell));
        }
    }
    board.view().clone()
}

/// A clue that must be satisfied.
struct Demand {
    admitted: u16,
    mines: u32,
    open: u32,
}

impl Demand {
    /// Whether some number of mines in the cells left to fill is admitted.
    fn can_be_met(&self) -> bool {
        (self.mines..=self.mines + self.open).any(|count| self.admitted >> count & 1 == 1)
    }
}

/// Whether mines can be put on the covered cells so that all premises hold, and this cell is a
/// mine or not.
fn fits(view: &View, premises: &[Premise], supposed: Option<(Cell, bool)>) -> bool {
    let mut demands = Vec::new();
    let mut cells: Vec<Cell> = Vec::new();
    let mut seen_by: Vec<Vec<usize>> = Vec::new();
    let mut total = false;
    for premise in premises {
        let clue = match *premise {
            Premise::Clue(clue) => clue,
            Premise::MineTotal => {
                total = true;
                continue;
            }
            Premise::Mine(_) | Premise::Safe(_) => panic!("an explanation rests on what is seen"),
        };
        let Face::Open { clue: admitted, .. } = view.face(clue) else { panic!("no clue") };
        let mut demand = Demand { admitted: admitted.mask(), mines: 0, open: 0 };
        for &near in view.shape().neighbors(clue) {
            match view.face(near) {
                Face::Mine => demand.mines += 1,
                Face::Open { .. } => {}
                Face::Covered | Face::Flagged => {
                    demand.open += 1;
                    let known = cells.iter().position(|&cell| cell == near);
                    let place = known.unwrap_or_else(|| {
                        cells.push(near);
                        seen_by.push(Vec::new());
                        cells.len() - 1
                    });
                    seen_by[place].push(demands.len());
                }
            }
        }
        demands.push(demand);
    }
    if !demands.iter().all(Demand::can_be_met) {
        return false;
    }
    let mut fixed: Vec<Option<bool>> = vec![None; cells.len()];
    if let Some((cell, mine)) = supposed {
        match cells.iter().position(|&other| other == cell) {
            Some(place) => fixed[place] = Some(mine),
            None => {
                cells.push(cell);
                seen_by.push(Vec::new());
                fixed.push(Some(mine));
            }
        }
    }
    let shown = view.shown_mines().count();
    let rest = view.covered_count() - cells.len();
    let budget = total.then(|| view.rules().mines().checked_sub(shown).map(|left| (left, rest)));
    match budget {
        Some(None) => false,
        Some(Some(bounds)) => fill(&mut demands, &seen_by, &fixed, 0, 0, Some(bounds)),
        None => fill(&mut demands, &seen_by, &fixed, 0, 0, None),
    }
}

/// Fills the cells from `place` on, with `mines` mines before it. With bounds, the mines must
/// leave no more than there is room for.
fn fill(
    demands: &mut [Demand],
    seen_by: &[Vec<usize>],
    fixed: &[Option<bool>],
    place: usize,
    mines: usize,
    bounds: Option<(usize, usize)>,
) -> bool {
    if let Some((left, rest)) = bounds
        && (mines > left || left - mines > rest + (seen_by.len() - place))
    {
        return false;
    }
    let Some(clues) = seen_by.get(place) else { return true };
    for mine in [false, true] {
        if fixed[place].is_some_and(|held| held != mine) {
            continue;
        }
        for &clue in clues {
            demands[clue].open -= 1;
            demands[clue].mines += u32::from(mine);
        }
        let possible = clues.iter().all(|&clue| demands[clue].can_be_met());
        let mines = mines + usize::from(mine);
        let found = possible && fill(demands, seen_by, fixed, place + 1, mines, bounds);
        for &clue in clues {
            demands[clue].open += 1;
            demands[clue].mines -= u32::from(mine);
        }
        if found {
            return true;
        }
    }
    false
}

/// The premises without one.
fn without(premises: &[Premise], left_out: usize) -> Vec<Premise> {
    let mut fewer = premises.to_vec();
    fewer.remove(left_out);
    fewer
}

/// All clues that a smaller proof might use, and the mine total.
fn all_premises(view: &View) -> Vec<Premise> {
    let clues = view.opened().iter().map(|&cell| Premise::Clue(cell));
    clues.chain([Premise::MineTotal]).collect()
}

fn check(view: &View, explanation: &Explanation) {
    let Explanation { cell, fact, premises, minimum, .. } = explanation;
    let opposite = Some((*cell, *fact == Fact::Safe));
    assert!(!fits(view, premises, opposite), "{explanation:?} does not follow:\n{view}");
    for left_out in 0..premises.len() {
        let fewer = without(premises, left_out);
        assert!(fits(view, &fewer, opposite), "{explanation:?}: too many premises:\n{view}");
    }
    // Pairs are tried all, larger sets would be too many.
    if !minimum || !(2..=3).contains(&premises.len()) {
        return;
    }
    let all = all_premises(view);
    for (number, &one) in all.iter().enumerate() {
        assert!(fits(view, &[one], opposite), "{one:?} alone proves {explanation:?}:\n{view}");
        for &other in all[..number].iter().filter(|_| premises.len() == 3) {
            let both = [one, other];
            assert!(fits(view, &both, opposite), "{both:?} prove {explanation:?}:\n{view}");
        }
    }
}

#[test]
fn every_explanation_is_entailed_and_irreducible() {
    let positions = std::env::var("DEMINER_POSITIONS").map_or(1500, |text| text.parse().unwrap());
    let mut rng = Rng::new(24);
    let (mut explained, mut minimal, mut complete) = (0u64, 0u64, 0u64);
    let mut of_size = [0u64; 6];
    for _ in 0..positions {
        let view = position(&mut rng);
        if view.is_fresh() {
            continue;
        }
        let steps = prove_all(&view);
        for step in &steps {
            let cell = step.conclusion.cell;
            let explanation = explain_from(&view, &steps, cell).expect("it is proved");
            assert_eq!(explanation.fact, step.conclusion.fact);
            check(&view, &explanation);
            explained += 1;
            minimal += u64::from(explanation.minimum);
            of_size[explanation.premises.len().min(5)] += 1;
        }
        // Where all layouts can be listed, nothing that they agree on is missing.
        let Ok(oracle) = Oracle::of(&view, 3000) else { continue };
        for cell in view.covered() {
            let proved = steps.iter().find(|step| step.conclusion.cell == cell);
            let proved = proved.map(|step| step.conclusion.fact);
            assert_eq!(proved, oracle.fact(cell), "{cell:?} of\n{view}");
        }
        complete += 1;
    }
    println!(
        "{positions} positions: {explained} explanations entailed and irreducible, {minimal} of \
         them said to be the smallest; by number of premises {of_size:?} (the last: 5 or more); \
         {complete} positions compared with all layouts"
    );
    assert!(explained as usize > positions && complete as usize > positions / 10);
}

#[test]
fn every_conflict_is_one_and_needs_all_its_premises() {
    let positions = std::env::var("DEMINER_POSITIONS").map_or(1500, |text| text.parse().unwrap());
    let mut rng = Rng::new(25);
    let (mut conflicts, mut possible) = (0u64, 0u64);
    for _ in 0..positions {
        let view = position(&mut rng);
        if view.is_fresh() || view.opened().is_empty() {
            continue;
        }
        // Another clue in place of one, or another mine total.
        let mut faces = view.faces().to_vec();
        let mut rules = view.rules().clone();
        let shape = view.shape();
        let open = view.opened();
        if rng.below(4) == 0 {
            let start = Start::Unsafe;
            rules = Rules::starting(shape.clone(), rng.below(shape.size()), start).unwrap();
            rules = rules.with_clues(view.rules().clues());
        } else {
            let [one, other] = [0, 1].map(|_| open[rng.below(open.len())]);
            faces[one.index()] = faces[other.index()];
        }
        let rules = rules.with_start(Start::Unsafe).unwrap();
        let view = View::from_faces(rules, faces).unwrap();
        let all = all_premises(&view);
        match conflict(&view) {
            None => {
                assert!(fits(&view, &all, None), "a conflict is not seen:\n{view}");
                possible += 1;
            }
            Some(premises) => {
                assert!(!fits(&view, &premises, None), "{premises:?} fit:\n{view}");
                for left_out in 0..premises.len() {
                    let fewer = without(&premises, left_out);
                    assert!(fits(&view, &fewer, None), "{premises:?}: too many:\n{view}");
                }
                conflicts += 1;
            }
        }
    }
    println!("{positions} positions: {conflicts} conflicts, {possible} possible");
    assert!(conflicts as usize > positions / 10 && possible as usize > positions / 10);
}
