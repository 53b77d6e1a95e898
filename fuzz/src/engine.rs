//! The engine against brute force, against whole numbers, and against itself.

use deminer::analysis::{AnalyzeOptions, Conflict};
use deminer_game::{Cell, Premise, View};
use deminer_inference::deduce::{Fact, SinglePoint};
use deminer_inference::odds::{Engine, ExactOdds, OddsError};
use deminer_inference::oracle::Oracle;

use crate::board::{Draws, act, board, position};

const BUDGET: usize = 2_000_000;

/// Odds, facts, proofs, clue chances and conflicts of a small board, against all its layouts.
pub fn analysis(bytes: &[u8]) {
    let view = position(&mut Draws(bytes), 16);
    let Ok(oracle) = Oracle::of(&view, 1 << 14) else { return };
    // Symbols that the rules never show have no odds.
    if oracle.layouts() > 0 && oracle.weight() == 0.0 {
        return;
    }
    let around = view.covered().next();
    let options = AnalyzeOptions { proofs: true, exact: true, around, budget: BUDGET, marks: true };
    let analysis = match options.analyze(&view) {
        Ok(analysis) => analysis,
        Err(Conflict { premises }) => {
            assert_eq!(oracle.layouts(), 0, "{view}");
            return check_conflict(&view, &premises);
        }
    };
    assert!(oracle.layouts() > 0, "no layout fits, but there are odds:\n{view}");
    // With a promise to the first click, layouts with a mine there are none.
    if view.promised().is_empty() {
        let all = |fact| {
            let certain = view.covered().filter(|&cell| oracle.fact(cell) == Some(fact));
            certain.collect::<Vec<Cell>>()
        };
        assert_eq!(
            (&analysis.safe, &analysis.mines),
            (&all(Fact::Safe), &all(Fact::Mine)),
            "{view}"
        );
        let exact = analysis.exact.as_ref().expect("small boards are counted");
        assert_eq!(exact.layouts().to_string(), oracle.layouts().to_string(), "{view}");
        for cell in view.covered() {
            let expected = oracle.mine(cell).expect("a layout fits");
            let found = analysis.mine_probability(cell).expect("covered cells have odds");
            assert!((found - expected).abs() < 1e-9, "{cell:?} {found} {expected}\n{view}");
            let fraction = exact.mine(cell).expect("covered cells have odds").to_f64();
            assert!((fraction - expected).abs() < 1e-9, "{cell:?} {fraction} {expected}\n{view}");
        }
        if let (Some(found), Some(cell)) = (analysis.around, around) {
            let expected = oracle.counts(cell).expect("the cell can be safe");
            let near = found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-9);
            assert!(near, "{cell:?} {found:?} {expected:?}\n{view}");
        }
    }
    let proved = analysis.proofs.iter().flatten().map(|proof| (proof.cell, proof.fact));
    for (cell, fact) in proved {
        let certain = if fact == Fact::Safe { &analysis.safe } else { &analysis.mines };
        assert!(certain.contains(&cell), "{cell:?} is not {fact}\n{view}");
    }
    for pair in analysis.marks.iter().flat_map(|marks| &marks.fifty_fifty) {
        assert!(pair.iter().all(|&cell| oracle.fact(cell).is_none()), "{pair:?}\n{view}");
    }
    if let Some(best) = &analysis.best {
        assert!(view.face(best.cell).is_covered(), "{view}");
        assert!(best.win.is_none_or(|win| (0.0..=1.0).contains(&win)), "{view}");
    }
}

/// Nothing fits all the premises, and something fits them without any one of them.
fn check_conflict(view: &View, premises: &[Premise]) {
    if premises.is_empty() {
        // The nodes ran out, or the promise of the start is what does not fit.
        assert!(!view.promised().is_empty(), "a conflict without premises:\n{view}");
        return;
    }
    let covered: Vec<Cell> = view.covered().collect();
    let fits = |premises: &[Premise]| {
        (0u32..1 << covered.len()).any(|mined| {
            let is_mine = |cell: Cell| match covered.iter().position(|&other| other == cell) {
                Some(place) => mined >> place & 1 == 1,
                None => view.shown_mines().any(|mine| mine == cell),
            };
            premises.iter().all(|premise| match *premise {
                Premise::Clue(clue) => {
                    let near = view.shape().neighbors(clue).iter();
                    let mines = near.filter(|&&near| is_mine(near)).count();
                    view.face(clue).clue().is_some_and(|clue| clue.admits(mines as u8))
                }
                Premise::MineTotal => {
                    let mines = view.shape().cells().filter(|&cell| is_mine(cell)).count();
                    mines == view.rules().mines()
                }
                Premise::Mine(cell) => is_mine(cell),
                Premise::Safe(cell) => !is_mine(cell),
            })
        })
    };
    assert!(!fits(premises), "{premises:?} fit:\n{view}");
    for left_out in 0..premises.len() {
        let mut fewer = premises.to_vec();
        fewer.remove(left_out);
        assert!(fits(&fewer), "{premises:?}: number {left_out} is not needed:\n{view}");
    }
}

/// Floats against big integers on boards too large for brute force.
pub fn whole_numbers(bytes: &[u8]) {
    let view = position(&mut Draws(bytes), 140);
    let mut engine = Engine::new(BUDGET);
    let floats = engine.odds(&view).cloned();
    let exact = ExactOdds::of(&view, 10 * BUDGET);
    let gave_up = |error: &OddsError| !matches!(error, OddsError::Contradiction);
    let (floats, exact) = match (floats, exact) {
        (Ok(floats), Ok(exact)) => (floats, exact),
        (Err(one), Err(other)) => {
            assert!(one == other || gave_up(&one) || gave_up(&other), "{one} {other}\n{view}");
            return;
        }
        (Ok(_), Err(error)) | (Err(error), Ok(_)) => {
            assert!(gave_up(&error), "{error}\n{view}");
            return;
        }
    };
    let mut sum = view.shown_mines().count() as f64;
    for cell in view.covered() {
        let (found, fraction) = (floats.mine(cell).expect("odds"), exact.mine(cell).expect("odds"));
        assert!((found - fraction.to_f64()).abs() < 1e-9, "{cell:?} {found} {fraction}\n{view}");
        let certain = fraction.numerator == fraction.denominator;
        let expected = match fraction.numerator.bits() {
            0 => Some(Fact::Safe),
            _ if certain => Some(Fact::Mine),
            _ => None,
        };
        assert_eq!(floats.fact(cell), expected, "{cell:?} {fraction}\n{view}");
        sum += found;
    }
    assert!((sum - view.rules().mines() as f64).abs() < 1e-6, "{sum}\n{view}");
}

/// An engine that follows a game against one that sees each position for the first time.
pub fn following(bytes: &[u8]) {
    let mut draws = Draws(bytes);
    let mut board = board(&mut draws, 140);
    let mut following = Engine::new(BUDGET);
    let mut known = SinglePoint::new(board.view().shape());
    for _ in 0..40 {
        if !draws.any() {
            break;
        }
        act(&mut board, &mut draws);
        let view = board.view();
        known.update(view);
        let found = following.odds_knowing(view, &known).cloned();
        let expected = Engine::new(BUDGET).odds(view).cloned();
        let (found, expected) = match (found, expected) {
            (Ok(found), Ok(expected)) => (found, expected),
            (Err(OddsError::TooWide(_)), _) | (_, Err(OddsError::TooWide(_))) => continue,
            (found, expected) => {
                assert_eq!(found.err(), expected.err(), "{view}");
                continue;
            }
        };
        for cell in view.covered() {
            let (one, other) = (found.mine(cell), expected.mine(cell));
            let (one, other) = (one.expect("odds"), other.expect("odds"));
            assert!((one - other).abs() < 1e-9, "{cell:?} {one} {other}\n{view}");
            assert_eq!(found.fact(cell), expected.fact(cell), "{cell:?}\n{view}");
        }
    }
}
