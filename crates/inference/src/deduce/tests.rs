use deminer_game::{Action, Board, Face, Form, GameSeed, Purpose, Rules, Shape, View};

use super::*;
use crate::boards;
use crate::oracle::Oracle;
use crate::proof::{blank, only};

/// Small views of games in progress on every shape under every clue rule, with now and then a
/// flag or a mine shown; the same ones for a seed.
pub(crate) fn random_views(seed: u64, each: u64) -> impl Iterator<Item = View> {
    const SIZES: [(usize, usize, usize); 4] = [(5, 4, 4), (7, 3, 5), (4, 5, 6), (9, 2, 4)];
    Form::ALL.into_iter().flat_map(move |form| {
        boards::CLUES.into_iter().flat_map(move |clues| {
            (0..each).map(move |game| {
                let (width, height, mines) = SIZES[game as usize % SIZES.len()];
                let shape = Shape::new(form, width, height).unwrap();
                let rules = Rules::new(shape, mines).unwrap().with_clues(clues);
                random_view(rules, GameSeed { seed, game })
            })
        })
    })
}

fn random_view(rules: Rules, seed: GameSeed) -> View {
    let mut rng = seed.rng(Purpose::Agent);
    let mut board = Board::dealt(rules.clone(), seed);
    let mut order: Vec<Cell> = rules.shape().cells().collect();
    rng.shuffle(&mut order);
    let open = 2 + rng.below(9);
    for &cell in order.iter().take(open) {
        if !board.layout().is_some_and(|layout| layout.is_mine(cell)) {
            board.act(Action::Open(cell));
        }
    }
    let layout = board.layout().unwrap().clone();
    let mut faces = board.view().faces().to_vec();
    for (face, cell) in faces.iter_mut().zip(rules.shape().cells()) {
        match rng.below(10) {
            0 if layout.is_mine(cell) => *face = Face::Mine,
            1 if face.is_covered() => *face = Face::Flagged,
            _ => {}
        }
    }
    View::from_faces(rules, faces).unwrap()
}

pub(crate) fn oracle(view: &View) -> Oracle {
    Oracle::of(view, 100_000).unwrap()
}

#[test]
fn the_rules_prove_what_the_boards_say() {
    for block in boards::small() {
        let view: View = block.position.parse().unwrap();
        let check = |rule: &str, fact: &dyn Fn(Cell) -> Option<Fact>| {
            if let Some(expected) = block.answers.get(rule) {
                println!("{rule}: {}", block.name);
                boards::check_facts(&view, fact, expected);
            }
        };
        for rung in Rung::ALL {
            let mut facts = Facts::of(&view);
            facts.learn_all(prove(&view, rung).iter().map(|step| &step.conclusion));
            check(rung.name(), &|cell| facts.get(cell));
        }
        let oracle = oracle(&view);
        check("proved", &|cell| oracle.fact(cell));
        let equations = Equations::of(&view, &Facts::of(&view)).conclusions;
        check("equations", &|cell| {
            equations.iter().find(|found| found.cell == cell).map(|found| found.fact)
        });
        let unique = Elimination::of(&view);
        check("unique", &|cell| unique.fact(cell));
    }
}

/// Conclusions agree with the oracle, are about unknown cells, one each, and their premises
/// alone entail them.
pub(crate) fn check_sound(rule: &str, view: &View, facts: &Facts, conclusions: &[Conclusion]) {
    let truth = oracle(view);
    let mut facts = facts.clone();
    for Conclusion { cell, fact, premises } in conclusions {
        assert_eq!(truth.fact(*cell), Some(*fact), "{rule} {cell:?}\n{view}");
        let mut faces = only(view, &clues_of(premises)).faces().to_vec();
        for premise in premises {
            match *premise {
                Premise::Mine(cell) => {
                    assert_eq!(facts.get(cell), Some(Fact::Mine));
                    faces[cell.index()] = Face::Mine;
                }
                Premise::Safe(cell) => {
                    assert_eq!(facts.get(cell), Some(Fact::Safe));
                    faces[cell.index()] = blank(view, cell);
                }
                Premise::Clue(_) | Premise::MineTotal => {}
            }
        }
        let reduced = View::from_faces(view.rules().clone(), faces).unwrap();
        let all = all_of(reduced.opened(), premises.contains(&Premise::MineTotal));
        let opposite = Some((*cell, fact.opposite()));
        let refuted = satisfiable(&reduced, &all, opposite, 100_000) == Some(false);
        assert!(refuted, "{rule} {cell:?} {fact:?} does not follow from {premises:?}\n{view}");
        assert!(facts.learn(*cell, *fact), "{rule} finds {cell:?} again\n{view}");
    }
}

/// Whether mines can be placed so that each premise admits them, supposing a fact about a cell. All
/// open cells are safe, also those whose clues are not used. None if the nodes run out first.
pub(crate) fn satisfiable(
    view: &View,
    premises: &[Premise],
    suppose: Option<(Cell, Fact)>,
    nodes: usize,
) -> Option<bool> {
    let question = Question { view, facts: &Facts::of(view), suppose };
    match question.ask(premises, &mut { nodes }) {
        Answer::Fits(_) => Some(true),
        Answer::Impossible => Some(false),
        Answer::Unknown => None,
    }
}

/// These clues and, if asked for, the mine total.
fn all_of(clues: &[Cell], total: bool) -> Vec<Premise> {
    let total = total.then_some(Premise::MineTotal);
    clues.iter().copied().map(Premise::Clue).chain(total).collect()
}

#[test]
fn every_rule_is_sound() {
    for view in random_views(1, 40) {
        let facts = Facts::of(&view);
        // From the raw view, and from what single clues prove, which harder rules build on.
        let mut further = facts.clone();
        further.learn_all(prove(&view, Rung::SingleClue).iter().map(|step| &step.conclusion));
        for facts in [facts, further] {
            for rule in RULES {
                check_sound(rule.name, &view, &facts, &(rule.find)(&view, &facts, view.opened()));
            }
            check_sound("equations", &view, &facts, &Equations::of(&view, &facts).conclusions);
        }
    }
}

#[test]
fn the_ladder_proves_all_that_follows() {
    let mut rungs = [0; Rung::ALL.len()];
    for view in random_views(2, 120) {
        let truth = oracle(&view);
        let mut facts = Facts::of(&view);
        for step in prove_all(&view) {
            rungs[step.rung as usize] += 1;
            facts.learn(step.conclusion.cell, step.conclusion.fact);
        }
        for cell in view.covered() {
            assert_eq!(facts.get(cell), truth.fact(cell), "{cell:?}\n{view}");
        }
    }
    assert!(rungs.iter().all(|&steps| steps > 0), "{rungs:?}");
}

#[test]
fn satisfiable_is_what_some_layout_satisfies() {
    for view in random_views(3, 30) {
        let mut rng = GameSeed { seed: 3, game: view.opened().len() as u64 }.rng(Purpose::Agent);
        let mut asked = view.opened().to_vec();
        rng.shuffle(&mut asked);
        asked.truncate(rng.below(asked.len() + 1));
        let truth = oracle(&only(&view, &asked));
        for cell in view.covered() {
            for fact in [Fact::Safe, Fact::Mine] {
                let fits = truth.layouts() > 0 && truth.fact(cell) != Some(fact.opposite());
                let found = satisfiable(&view, &all_of(&asked, true), Some((cell, fact)), 100_000);
                assert_eq!(found, Some(fits), "{cell:?} {fact:?} {asked:?}\n{view}");
            }
        }
    }
}

#[test]
fn too_few_nodes_tell_nothing() {
    let view: View = "mines 3\n# # # #\n# 1 2 #\n# # # #".parse().unwrap();
    let all = all_of(view.opened(), true);
    assert_eq!(satisfiable(&view, &all, None, 0), None);
    assert_eq!(satisfiable(&view, &all, None, 100), Some(true));
}
