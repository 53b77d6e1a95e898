//! The engine against the oracle, on random small boards of every shape and clue rule.

use deminer_game::{
    Action, Board, Cell, ClueRule, Form, GameSeed, Layout, Rng, Rules, Shape, Start, View,
};
use num_traits::ToPrimitive;

use super::counter::{Counter, Tally};
use super::narrow::Narrow;
use super::{Engine, ExactOdds, GroupedRegion, OddsError};
use crate::boards::{CLUES, open_some};
use crate::deduce::{Fact, SinglePoint};
use crate::fringe::Fringe;
use crate::oracle::Oracle;

const BUDGET: usize = 10_000_000;

/// A random position: a board of at most 18 cells, some of its safe cells open.
fn position(rng: &mut Rng) -> View {
    let form = Form::ALL[rng.below(3)];
    let clues = CLUES[rng.below(6)];
    let width = 1 + rng.below(6);
    let height = 1 + rng.below(18 / width);
    let shape = Shape::new(form, width, height).unwrap();
    let mines = rng.below(shape.size());
    // The oracle uses only what is seen; with exact clues this includes all that an open start implies.
    let starts = if clues == ClueRule::Exact { 3 } else { 2 };
    let start = Start::ALL[rng.below(starts)];
    let rules = Rules::starting(shape.clone(), mines, start).unwrap().with_clues(clues);
    let rules = rules.with_cascade(rng.below(2) == 0);
    let mut board = Board::dealt(rules, GameSeed { seed: rng.bits(), game: 0 });
    let mut cells: Vec<Cell> = shape.cells().collect();
    rng.shuffle(&mut cells);
    let openings = rng.below(shape.size() + 1);
    for cell in cells.into_iter().take(openings) {
        if !board.hides_mine(cell) {
            board.act(Action::Open(cell));
        }
    }
    board.view().clone()
}

/// Compares everything the engine says of a view with the oracle; gives the greatest error.
fn check(engine: &mut Engine, view: &View) -> f64 {
    let oracle = Oracle::of(view, 1 << 20).expect("small boards have few layouts");
    let exact = ExactOdds::of(view, BUDGET);
    let odds = match engine.odds(view) {
        Ok(odds) => odds.clone(),
        Err(error) => {
            assert_eq!((error, oracle.layouts()), (OddsError::Contradiction, 0), "{view}");
            assert_eq!(exact.unwrap_err(), OddsError::Contradiction);
            return 0.0;
        }
    };
    let exact = exact.expect("the engine found odds");
    assert_eq!(exact.layouts().to_u64(), Some(oracle.layouts()), "{view}");
    if let Some(log) = odds.log10_layouts() {
        let error = (log - (oracle.layouts() as f64).log10()).abs();
        assert!(error < 1e-9, "{view}: {log}");
    }
    let mut worst = 0.0f64;
    let mut sum = view.shown_mines().count() as f64;
    for cell in view.covered() {
        let (found, expected) = (odds.mine(cell).unwrap(), oracle.mine(cell).unwrap());
        let fraction = exact.mine(cell).unwrap().to_f64();
        worst = worst.max((found - expected).abs()).max((fraction - expected).abs());
        assert_eq!(odds.fact(cell), oracle.fact(cell), "{cell:?} of\n{view}");
        sum += found;
        if let Some(counts) = oracle.counts(cell) {
            let around = engine.around(view, cell).expect("the cell may be safe");
            for (found, expected) in around.into_iter().zip(counts) {
                worst = worst.max((found - expected).abs());
            }
        } else {
            assert_eq!(engine.around(view, cell), Err(OddsError::Contradiction), "{view}");
        }
    }
    assert!((sum - view.rules().mines() as f64).abs() < 1e-9, "risks sum to the mines: {view}");
    worst
}

/// `DEMINER_BOARDS=100000 cargo test --release -p deminer-inference oracle` compares more boards.
#[test]
fn the_engine_agrees_with_the_oracle() {
    let boards = std::env::var("DEMINER_BOARDS").map_or(1500, |text| text.parse().unwrap());
    let mut rng = Rng::new(2026);
    let mut engine = Engine::default();
    let mut worst = 0.0f64;
    for _ in 0..boards {
        let view = position(&mut rng);
        worst = worst.max(check(&mut engine, &view));
    }
    println!("{boards} boards, greatest error {worst:e}");
    assert!(worst <= 1e-12, "{worst:e}");
}

/// What all layouts of any number of mines that fit a view say of its covered cells; none if
/// there are none.
fn whatever_the_total(view: &View) -> Option<Vec<Option<Fact>>> {
    let oracles: Vec<Oracle> = (0..=view.shape().size())
        .map(|mines| {
            let rules = Rules::new(view.shape().clone(), mines).unwrap();
            let rules = rules.with_clues(view.rules().clues());
            let view = View::from_faces(rules, view.faces().to_vec()).unwrap();
            Oracle::of(&view, 1 << 20).unwrap()
        })
        .filter(|oracle| oracle.layouts() > 0)
        .collect();
    let agreed = |cell| {
        let first = oracles[0].fact(cell);
        first.filter(|_| oracles.iter().all(|oracle| oracle.fact(cell) == first))
    };
    (!oracles.is_empty()).then(|| view.covered().map(agreed).collect())
}

#[test]
fn clues_alone_prove_what_holds_whatever_the_mine_total() {
    let mut rng = Rng::new(12);
    let mut engine = Engine::default();
    let (mut proved, mut by_total) = (0, 0);
    for _ in 0..400 {
        let view = position(&mut rng);
        let facts = engine.facts_of_clues(&view).unwrap();
        let found: Vec<Option<Fact>> = view.covered().map(|cell| facts.get(cell)).collect();
        assert_eq!(Some(&found), whatever_the_total(&view).as_ref(), "{view}");
        proved += found.iter().flatten().count();
        let odds = engine.odds(&view).unwrap();
        by_total += view.covered().filter(|&cell| odds.fact(cell) != facts.get(cell)).count();
    }
    assert!(proved > 400 && by_total > 40, "{proved} {by_total}");
    // Two mines around one covered cell.
    let view: View = "mines 1\n2 #".parse().unwrap();
    assert_eq!(engine.facts_of_clues(&view), Err(OddsError::Contradiction));
}

#[test]
fn an_engine_that_follows_a_game_says_what_one_look_does() {
    let mut rng = Rng::new(8);
    let (mut following, mut looking) = (Engine::default(), Engine::default());
    for game in 0..120 {
        let clues = [ClueRule::Exact, ClueRule::Blind(0.2), ClueRule::Optimistic][rng.below(3)];
        let shape = Shape::new(Form::ALL[rng.below(3)], 11, 8).unwrap();
        let rules = Rules::starting(shape.clone(), 16, Start::ALL[rng.below(3)]).unwrap();
        let mut board = Board::dealt(rules.with_clues(clues), GameSeed { seed: 5, game });
        let mut known = SinglePoint::new(&shape);
        for _ in 0..20 {
            let cell = shape.nth(rng.below(shape.size())).unwrap();
            if board.hides_mine(cell) {
                continue;
            }
            board.act(Action::Open(cell));
            let view = board.view();
            known.update(view);
            let (found, expected) = (following.odds_knowing(view, &known), looking.odds(view));
            let (found, expected) = (found.unwrap(), expected.unwrap());
            for cell in shape.cells() {
                let (found, expected) = (found.mine(cell), expected.mine(cell));
                assert_eq!(found.is_some(), expected.is_some());
                let error = found.unwrap_or(0.0) - expected.unwrap_or(0.0);
                assert!(error.abs() <= 1e-12, "{view}");
            }
        }
    }
}

#[test]
fn typed_positions_may_contradict_themselves() {
    let mut rng = Rng::new(7);
    let mut engine = Engine::default();
    let mut contradictions = 0;
    for _ in 0..600 {
        let symbols = ['#', '#', '#', '.', '1', '2', '3', '?', '*', 'F'];
        let mut row = || (0..5).map(|_| symbols[rng.below(10)]).collect::<String>();
        let rows = [row(), row(), row()].join("\n");
        let view: View = format!("mines {}\n{rows}", rng.below(9)).parse().unwrap();
        check(&mut engine, &view);
        contradictions += usize::from(engine.odds(&view).is_err());
    }
    assert!((100..590).contains(&contradictions), "{contradictions}");
}

#[test]
fn samples_fit_the_view_and_come_as_often_as_the_odds_say() {
    const SAMPLES: usize = 2000;
    let mut rng = Rng::new(31);
    let mut engine = Engine::default();
    let (mut worst, mut cells) = (0.0f64, 0);
    for _ in 0..60 {
        let view = position(&mut rng);
        let odds = engine.odds(&view).unwrap().clone();
        let mut seen = vec![0usize; view.shape().size()];
        for _ in 0..SAMPLES {
            let layout = engine.sample(&view, None, &mut rng).unwrap();
            assert_eq!(layout.total(), view.rules().mines());
            for &cell in view.opened() {
                let clue = view.face(cell).clue().unwrap();
                assert!(!layout.is_mine(cell) && clue.admits(layout.count(cell)), "{view}");
            }
            layout.mines().for_each(|mine| seen[mine.index()] += 1);
        }
        for cell in view.covered() {
            let risk = odds.mine(cell).unwrap();
            let share = seen[cell.index()] as f64 / SAMPLES as f64;
            if odds.fact(cell).is_some() {
                assert_eq!(share, risk);
                continue;
            }
            worst = worst.max((share - risk).abs() / (risk * (1.0 - risk) / SAMPLES as f64).sqrt());
            cells += 1;
        }
    }
    // Of several hundred deviates the greatest is expected near 3.2.
    assert!(cells > 200 && worst < 4.6, "{worst} of {cells}");
}

#[test]
fn a_probed_cell_is_safe_in_every_sample() {
    let mut rng = Rng::new(5);
    let view: View = "mines 3\n# # # #\n# 1 2 #\n# # # #".parse().unwrap();
    let mut engine = Engine::default();
    for cell in view.covered() {
        for _ in 0..50 {
            let layout = engine.sample(&view, Some(cell), &mut rng).unwrap();
            assert!(!layout.is_mine(cell));
        }
    }
}

/// A lattice of clues: every other cell of every other row open.
fn lattice(width: usize, height: usize, seed: u64) -> View {
    let shape = Shape::new(Form::Rect, width, height).unwrap();
    let open = |cell: &Cell| {
        let (row, column) = shape.position(*cell);
        row % 2 == 1 && column % 2 == 1
    };
    let mut order: Vec<Cell> = shape.cells().filter(|cell| !open(cell)).collect();
    Rng::new(seed).shuffle(&mut order);
    let mines = shape.size() * 3 / 10;
    let layout = Layout::new(shape.clone(), order.into_iter().take(mines)).unwrap();
    let rules = Rules::new(shape.clone(), mines).unwrap().with_cascade(false);
    let mut board = Board::laid(rules, layout, 0).unwrap();
    for cell in shape.cells().filter(open) {
        board.act(Action::Open(cell));
    }
    board.view().clone()
}

#[test]
fn wide_lattices_are_counted_in_floats_and_in_whole_numbers_alike() {
    let view = lattice(13, 11, 3);
    let odds = Engine::default().odds(&view).unwrap().clone();
    let exact = ExactOdds::of(&view, 100_000_000).unwrap();
    for cell in view.covered() {
        let error = odds.mine(cell).unwrap() - exact.mine(cell).unwrap().to_f64();
        assert!(error.abs() < 1e-12, "{error:e}");
    }
}

/// What a count says of a region: totals by number of mines, then the share of mines in each
/// group by number of mines.
fn summary(region: GroupedRegion<'_>, tally: &Tally, arena: &[f64]) -> (usize, Vec<f64>) {
    let mut numbers = tally.totals(arena).to_vec();
    for group in 0..region.groups.len() {
        let both = tally.mines(arena, group).iter().zip(tally.safe(arena, group));
        numbers.extend(both.map(|(mines, safe)| mines / (mines + safe).max(1.0)));
    }
    (tally.low, numbers)
}

/// Views of half-open boards with some clue rule, cut into regions.
fn regions_of_random_boards(rng: &mut Rng, boards: u64, mut see: impl FnMut(&View, &Fringe)) {
    let mut fringe = Fringe::default();
    for seed in 0..boards {
        let clues = [ClueRule::Exact, ClueRule::Blind(0.2), ClueRule::Cautious][rng.below(3)];
        let shape = Shape::new(Form::ALL[rng.below(3)], 14, 9).unwrap();
        let rules = Rules::new(shape.clone(), 24).unwrap().with_clues(clues);
        let mut board = Board::dealt(rules, GameSeed { seed, game: 0 });
        let cells = 1 + rng.below(25);
        open_some(&mut board, rng, cells);
        fringe.read(board.view(), &SinglePoint::of(board.view()), None);
        see(board.view(), &fringe);
    }
}

#[test]
fn narrow_regions_are_counted_like_any() {
    let (mut narrow, mut counter) = (Narrow::default(), Counter::<1, f64>::default());
    let (mut regions, mut largest) = (0, 0);
    regions_of_random_boards(&mut Rng::new(77), 150, |view, fringe| {
        for span in fringe.regions() {
            let region = fringe.region(span);
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            let Ok(tally) = narrow.count(region, span.cells, &mut ours) else { continue };
            let any = counter.count(region, None, BUDGET, &mut theirs).unwrap();
            let (low, numbers) = summary(region, &tally, &ours);
            let (any_low, any_numbers) = summary(region, &any, &theirs);
            assert_eq!((low, numbers.len()), (any_low, any_numbers.len()), "{view}");
            for (found, expected) in numbers.iter().zip(any_numbers) {
                assert!((found - expected).abs() <= 1e-12 * expected, "{view}");
            }
            regions += 1;
            largest = largest.max(region.groups.len());
        }
    });
    assert!(regions > 300 && largest > 25, "{regions} {largest}");
}

#[test]
fn a_bound_on_mines_leaves_out_what_lies_beyond() {
    let (mut bounded, mut counter) = (Counter::<1, f64>::default(), Counter::<1, f64>::default());
    let mut cut = 0;
    regions_of_random_boards(&mut Rng::new(78), 60, |view, fringe| {
        for span in fringe.regions() {
            let region = fringe.region(span);
            let mut all = Vec::new();
            let Ok(tally) = counter.count(region, None, BUDGET, &mut all) else { continue };
            for most in [tally.low.checked_sub(1), Some(tally.low), Some(tally.low + 2)] {
                let Some(most) = most else { continue };
                let mut some = Vec::new();
                bounded.set(None, most as u16);
                let few = bounded.count(region, None, BUDGET, &mut some).unwrap();
                let len = (most + 1 - tally.low).min(tally.len);
                assert_eq!(few.len, len, "{view}");
                cut += usize::from(few.len < tally.len);
                let same = |found: &[f64], expected: &[f64]| {
                    for (found, expected) in found.iter().zip(&expected[..len]) {
                        assert!((found - expected).abs() <= 1e-12 * expected, "{most} of\n{view}");
                    }
                };
                same(few.totals(&some), tally.totals(&all));
                for group in (0..region.groups.len()).filter(|_| len > 0) {
                    same(few.mines(&some, group), tally.mines(&all, group));
                    same(few.safe(&some, group), tally.safe(&all, group));
                }
            }
        }
    });
    assert!(cut > 200, "{cut}");
}

#[test]
fn what_is_too_wide_says_so_and_is_sampled_with_an_honest_error() {
    let view = lattice(15, 13, 8);
    let exact = Engine::default().odds(&view).unwrap().clone();
    let mut hasty = Engine::new(20_000);
    assert!(matches!(hasty.odds(&view), Err(OddsError::TooWide(_))));
    let sampled = hasty.sampled_odds(&view, &mut Rng::new(1)).unwrap().clone();
    let error = sampled.standard_error().expect("not exact");
    assert!(!sampled.is_exact() && exact.is_exact());
    let mut worst = 0.0f64;
    for cell in view.covered() {
        worst = worst.max((sampled.mine(cell).unwrap() - exact.mine(cell).unwrap()).abs());
        assert_eq!(sampled.fact(cell), exact.fact(cell), "a sample proves nothing new");
    }
    assert!(worst < 6.0 * error + 1e-3 && error < 0.05, "{worst} with error {error}");
}

/// The coefficient of x^mines in (1 + x + x²/3)^pairs · (1 + x)^sea, as a float and the binary
/// logarithm of a factor.
fn coefficient(pairs: usize, sea: usize, mines: usize) -> (f64, f64) {
    let (mut product, mut scale) = (vec![1.0f64], 0.0);
    let pair = std::iter::repeat_n(&[1.0, 1.0, 1.0 / 3.0][..], pairs);
    let single = std::iter::repeat_n(&[1.0, 1.0][..], sea);
    for factor in pair.chain(single) {
        let mut next = vec![0.0; product.len() + factor.len() - 1];
        for (i, a) in product.iter().enumerate() {
            for (j, b) in factor.iter().enumerate() {
                next[i + j] += a * b;
            }
        }
        next.truncate(mines + 1);
        let most = next.iter().copied().fold(0.0, f64::max);
        next.iter_mut().for_each(|value| *value /= most);
        scale += most.log2();
        product = next;
    }
    (product[mines], scale)
}

#[test]
fn totals_that_plain_floats_cannot_hold_keep_their_odds() {
    // Many separate pairs of cells, each with an optimistic 0 between them, and one cell of the
    // sea for each: all ways together leave the range of the floats, with a typical number of
    // mines, with hardly any and with many.
    for (pairs, mines) in [(300, 5), (300, 300), (300, 620), (300, 700)] {
        let rows = "#0#?#?\n??????\n".repeat(pairs);
        let view: View = format!("mines {mines}\nclues optimistic\n{rows}").parse().unwrap();
        let odds = Engine::default().odds(&view).unwrap().clone();
        let sum: f64 = view.covered().map(|cell| odds.mine(cell).unwrap()).sum();
        assert!((sum - mines as f64).abs() < 1e-9, "{sum}");
        let (with, with_scale) = coefficient(pairs, pairs - 1, mines - 1);
        let (all, all_scale) = coefficient(pairs, pairs, mines);
        let expected = with / all * (with_scale - all_scale).exp2();
        let sea = odds.mine(view.shape().nth(4).unwrap()).unwrap();
        assert!((sea - expected).abs() < 1e-9, "{mines} mines: {sea} is not {expected}");
    }
}

/// A board with a share of its safe cells opened at random, nothing concluded.
fn revealed(width: usize, height: usize, mines: usize, percent: usize, seed: u64) -> View {
    let shape = Shape::new(Form::Rect, width, height).unwrap();
    let rules = Rules::starting(shape.clone(), mines, Start::Unsafe).unwrap().with_cascade(false);
    let layout = Layout::deal(&rules, seed, shape.nth(0).unwrap());
    let mut safe: Vec<Cell> = shape.cells().filter(|&cell| !layout.is_mine(cell)).collect();
    Rng::new(seed).shuffle(&mut safe);
    let mut board = Board::laid(rules, layout, 0).unwrap();
    for &cell in &safe[..safe.len() * percent / 100] {
        board.act(Action::Open(cell));
    }
    board.view().clone()
}

#[test]
fn large_regions_keep_the_mine_total() {
    for (width, height, mines, percent) in
        [(64, 64, 819, 15), (64, 64, 819, 40), (100, 100, 2000, 25), (160, 160, 5000, 22)]
    {
        let view = revealed(width, height, mines, percent, 3);
        let odds = Engine::default().odds(&view).unwrap().clone();
        let sum: f64 = view.covered().map(|cell| odds.mine(cell).unwrap()).sum();
        assert!((sum - mines as f64).abs() < 1e-6, "{width}x{height}, {percent} % open: {sum}");
    }
}
