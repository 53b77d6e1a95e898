//! The solver against a player who tries everything on real boards, and against known optima.

use std::collections::HashMap;

use deminer_game::{Action, Board, Cell, Effect, Face, Layout, Rng, Rules, Start, State, View};
use deminer_inference::odds::{Engine, Layouts};

use super::*;
use crate::parts::pictures::small_board;

fn solve(view: &View, limit: usize) -> Result<Solved, Unsolved> {
    let (mut engine, mut layouts) = (Engine::default(), Layouts::default());
    layouts.list(view, engine.odds(view).unwrap(), limit).unwrap();
    Endgame::new(1_000_000).weigh(view, &layouts)
}

/// Compares the probability of winning from a position, as a fraction, and the best cell.
fn check(position: &str, (won, of): (u32, u32), (row, column): (usize, usize)) {
    let view: View = position.parse().unwrap();
    let solved = solve(&view, 1000).unwrap();
    assert!(
        (solved.win - f64::from(won) / f64::from(of)).abs() < 1e-12,
        "{} {position}",
        solved.win
    );
    assert_eq!(view.shape().position(solved.best), (row, column), "{position}");
}

#[test]
fn positions_are_won_as_often_as_can_be() {
    // Even choices.
    check("mines 1\n# 1\n# 1", (1, 2), (0, 0));
    check("mines 2\n# 1 ? 1 #\n# 1 ? 1 #", (1, 4), (0, 0));
    // A safe cell that shows something new is opened first.
    check("mines 1\n# # #\n# 1 1", (1, 1), (0, 0));
    // A guess that shows something new is better than a dead one.
    check("mines 1\n# # #\n# 1 ?", (3, 4), (0, 0));
    check("mines 1\n# #\n# 1\n# ?", (3, 4), (0, 0));
    // Safe cells come first, and a finished game is over.
    check("mines 1\n# 1 #\n1 1 #", (1, 1), (0, 2));
    let view: View = "mines 1\n# 1".parse().unwrap();
    assert_eq!(solve(&view, 10), Err(Unsolved::Over));
}

#[test]
fn uncertain_clues_are_refused() {
    let view: View = "mines 1\nclues cautious\n# 8 #".parse().unwrap();
    let solved = Endgame::new(10).solve(&view, &Layouts::default());
    assert_eq!(solved, Err(Unsolved::Uncertain));
}

#[test]
fn a_search_that_is_too_long_says_so() {
    let view = View::new(Rules::of("4x4x4".parse().unwrap()).unwrap());
    let (mut engine, mut layouts) = (Engine::default(), Layouts::default());
    layouts.list(&view, engine.odds(&view).unwrap(), 2000).unwrap();
    assert_eq!(Endgame::new(100).solve(&view, &layouts), Err(Unsolved::Budget(100)));
}

/// Optima published nowhere, but found before by another program of ours: first click in the
/// corner, which is safe.
#[test]
fn small_boards_are_won_as_often_as_known() {
    for (board, percent) in
        [("4x4x2", "97.14"), ("4x4x3", "87.91"), ("5x4x2", "97.08"), ("5x4x3", "89.16")]
    {
        let view = View::new(Rules::of(board.parse().unwrap()).unwrap());
        let solved = solve(&view, 5000).unwrap();
        let corner = solved.alternatives.iter().find(|tried| tried.cell.index() == 0).unwrap();
        assert_eq!(format!("{:.2}", 100.0 * corner.win.unwrap()), percent, "{board}");
    }
}

/// All layouts, played with nothing but the rules: what the best play wins.
struct Plodder {
    known: HashMap<Vec<Face>, usize>,
}

impl Plodder {
    /// How many of these boards, which all look the same, the best play wins.
    fn value(&mut self, boards: &[Board]) -> usize {
        let key = boards[0].view().faces().to_vec();
        if let Some(&won) = self.known.get(&key) {
            return won;
        }
        let moves: Vec<Cell> = boards[0].view().openable().collect();
        let best = moves.into_iter().map(|cell| self.open(boards, cell)).max().unwrap_or(0);
        self.known.insert(key, best);
        best
    }

    /// How many of these boards the best play wins that opens this cell.
    fn open(&mut self, boards: &[Board], cell: Cell) -> usize {
        let mut next: HashMap<Vec<Face>, Vec<Board>> = HashMap::new();
        let mut won = 0;
        for board in boards {
            let mut board = board.clone();
            match board.act(Action::Open(cell)) {
                Effect::Exploded(_) => {}
                Effect::Opened(_) if board.state() == State::Won => won += 1,
                Effect::Opened(_) => {
                    next.entry(board.view().faces().to_vec()).or_default().push(board);
                }
                other => panic!("an opening opens: {other:?}"),
            }
        }
        won + next.values().map(|boards| self.value(boards)).sum::<usize>()
    }
}

/// Boards of all layouts that fit a view, each played up to it.
fn boards(view: &View, layouts: &Layouts) -> Vec<Board> {
    let shape = view.shape();
    (0..layouts.len())
        .map(|layout| {
            let mines = shape.cells().filter(|&cell| layouts.has_mine(layout, cell));
            let layout = Layout::new(shape.clone(), mines).unwrap();
            let mut board = Board::laid(view.rules().clone(), layout, 0).unwrap();
            for &cell in view.opened() {
                board.act(Action::Open(cell));
            }
            assert_eq!(board.view().faces(), view.faces());
            board
        })
        .collect()
}

#[test]
fn every_move_wins_what_trying_everything_wins() {
    let mut rng = Rng::new(3);
    let (mut engine, mut layouts) = (Engine::default(), Layouts::default());
    let mut endgame = Endgame::new(1_000_000);
    let (mut solved, mut guesses) = (0, 0);
    while solved < 300 {
        let board = small_board(&mut rng, &["exact"], Start::Unsafe);
        let view = board.view();
        let Ok(()) = layouts.list(view, engine.odds(view).unwrap(), 24) else { continue };
        let boards = boards(view, &layouts);
        let total = boards.len() as f64;
        let weighed = match endgame.weigh(view, &layouts) {
            Ok(weighed) => weighed,
            Err(Unsolved::Over) => continue,
            Err(other) => panic!("{other}\n{view}"),
        };
        let mut plodder = Plodder { known: HashMap::new() };
        for tried in &weighed.alternatives {
            let won = plodder.open(&boards, tried.cell) as f64 / total;
            assert_eq!(tried.win, Some(won), "{:?} of\n{view}", tried.cell);
        }
        let best = plodder.value(&boards) as f64 / total;
        let quick = endgame.solve(view, &layouts).unwrap();
        assert_eq!((weighed.win, quick.win), (best, best), "{view}");
        for tried in quick.alternatives {
            let exact = weighed.alternatives.iter().find(|other| other.cell == tried.cell).unwrap();
            assert!(tried.win.is_none_or(|win| Some(win) == exact.win), "{view}");
        }
        solved += 1;
        guesses += usize::from(weighed.alternatives[0].safety < 1.0);
    }
    assert!(guesses > 100, "{guesses}");
}

#[test]
fn a_narrow_search_wins_nearly_as_much_and_never_more() {
    let (mut engine, mut layouts) = (Engine::default(), Layouts::default());
    let mut endgame = Endgame::new(1_000_000);
    let (mut narrowly, mut fully) = ((0.0, 0), (0.0, 0));
    for (mines, corner) in [(3, 1), (4, 1), (4, 2), (5, 1), (5, 3), (6, 2)] {
        let rows = format!("{corner} # # # #\n# # # # #\n# # # # #\n# # # # #");
        let view: View = format!("mines {mines}\n{rows}").parse().unwrap();
        layouts.list(&view, engine.odds(&view).unwrap(), 10_000).unwrap();
        let full = endgame.within(1_000_000, usize::MAX).solve(&view, &layouts).unwrap();
        fully = (fully.0 + full.win, fully.1 + endgame.nodes());
        let mut narrow = |wide| endgame.within(1_000_000, wide).solve(&view, &layouts).unwrap();
        // Sets that are not wide are searched in full.
        let same = narrow(layouts.len());
        assert_eq!((same.best, same.win), (full.best, full.win), "{view}");
        let narrow = narrow(8);
        assert!(narrow.win <= full.win, "{} of {} in\n{view}", narrow.win, full.win);
        narrowly = (narrowly.0 + narrow.win, narrowly.1 + endgame.nodes());
    }
    assert!(narrowly.0 > 0.97 * fully.0, "{narrowly:?} of {fully:?}");
    assert!(2 * narrowly.1 < fully.1, "{narrowly:?} of {fully:?}");
}

#[test]
fn on_a_fresh_board_one_cell_stands_for_those_alike() {
    for form in Form::ALL {
        for (width, height, mines) in [(4, 4, 3), (5, 3, 3), (3, 4, 2)] {
            let shape = Shape::new(form, width, height).unwrap();
            let view = View::new(Rules::starting(shape, mines, Start::Unsafe).unwrap());
            let (mut engine, mut layouts) = (Engine::default(), Layouts::default());
            layouts.list(&view, engine.odds(&view).unwrap(), 2000).unwrap();
            let all = Endgame::new(1_000_000).weigh(&view, &layouts).unwrap();
            let best = Endgame::new(1_000_000).solve(&view, &layouts).unwrap();
            assert_eq!((best.win, best.best), (all.win, all.best), "{form} {width}x{height}");
            for told in best.alternatives.iter().filter(|told| told.win.is_some()) {
                let other = all.alternatives.iter().find(|other| other.cell == told.cell);
                assert_eq!(other.unwrap().win, told.win);
            }
        }
    }
}

#[test]
fn the_first_click_on_a_small_torus_is_found_within_bounds() {
    let shape = Shape::new(Form::Torus, 5, 5).unwrap();
    let view = View::new(Rules::starting(shape, 5, Start::Unsafe).unwrap());
    let (mut engine, mut layouts) = (Engine::default(), Layouts::default());
    layouts.list(&view, engine.odds(&view).unwrap(), SMALL as usize).unwrap();
    let mut endgame = Endgame::new(SMALL_NODES);
    let solved = endgame.search(&view, &layouts, Depth::Best);
    assert!(solved.unwrap().win > 0.59);
    assert!(endgame.nodes() < 1_500_000 && endgame.known.len() <= MOST_REMEMBERED);
}
