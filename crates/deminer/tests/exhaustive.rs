//! Compares win chances reported as exact, by analysis and coach, with exhaustive play.
//!
//! What is tried here shares no code with the search: layouts are listed one by one, a position is
//! the set of those that fit it, and every cell is opened in every set.

use std::collections::HashMap;

use deminer::analysis::AnalyzeOptions;
use deminer::{
    Action, Board, Cell, FirstClick, GameSeed, Match, Rng, Rules, Shape, Start, View, review,
};
use deminer_game::Form;

/// All layouts that fit a view, as bits by cell.
fn layouts(view: &View) -> Vec<u32> {
    let cells = view.shape().size();
    let fits = |mined: &u32| {
        let is_mine = |cell: Cell| mined >> cell.index() & 1 == 1;
        mined.count_ones() as usize == view.rules().mines()
            && view.opened().iter().all(|&cell| {
                let near = view.shape().neighbors(cell).iter();
                let mines = near.filter(|&&near| is_mine(near)).count();
                let clue = view.face(cell).clue().expect("an open cell");
                !is_mine(cell) && clue.admits(mines as u8)
            })
    };
    (0u32..1 << cells).filter(fits).collect()
}

/// Optimal play by trying every cell.
struct Player {
    shape: Shape,
    known: HashMap<Vec<u32>, usize>,
}

impl Player {
    /// In how many of these layouts the best play wins. Cells that are open already are safe and
    /// the same in all of them, so they are never worth a try.
    fn wins(&mut self, layouts: &[u32]) -> usize {
        if layouts.len() < 2 {
            return layouts.len();
        }
        if let Some(&wins) = self.known.get(layouts) {
            return wins;
        }
        let cells: Vec<Cell> = self.shape.cells().collect();
        // One layout can always be won: by opening what is safe in it.
        let wins = cells.into_iter().map(|cell| self.after(layouts, cell)).max();
        let wins = wins.unwrap_or(0).max(1);
        self.known.insert(layouts.to_vec(), wins);
        wins
    }

    /// In how many of them opening this cell and the best play after it win; 0 if it gives no
    /// information.
    fn after(&mut self, layouts: &[u32], cell: Cell) -> usize {
        let mut parts: [Vec<u32>; 9] = Default::default();
        for &layout in layouts.iter().filter(|layout| *layout >> cell.index() & 1 == 0) {
            let near = self.shape.neighbors(cell).iter();
            let mines = near.filter(|near| layout >> near.index() & 1 == 1).count();
            parts[mines].push(layout);
        }
        if parts.iter().any(|part| part.len() == layouts.len()) {
            return 0;
        }
        parts.iter().map(|part| self.wins(part)).sum()
    }
}

/// A game on a board of at most 20 cells with few layouts, some safe cells open.
fn small_board(rng: &mut Rng) -> Board {
    let form = Form::ALL[rng.below(3)];
    let shape = Shape::new(form, 3 + rng.below(3), 3 + rng.below(2)).unwrap();
    let mines = 1 + rng.below(4);
    let rules = Rules::starting(shape.clone(), mines, Start::Safe).unwrap();
    let rules = rules.with_cascade(rng.below(2) == 0);
    let mut board = Board::dealt(rules, GameSeed { seed: rng.bits(), game: 0 });
    for _ in 0..1 + rng.below(4) {
        let cell = shape.nth(rng.below(shape.size())).unwrap();
        if board.view().is_fresh() || !board.hides_mine(cell) {
            board.act(Action::Open(cell));
        }
    }
    board
}

#[test]
fn exact_win_chances_are_those_of_exhaustive_play() {
    let mut rng = Rng::new(31);
    let (mut positions, mut moves) = (0, 0);
    while positions < 120 {
        let board = small_board(&mut rng);
        let view = board.view();
        let layouts = layouts(view);
        if board.state().outcome().is_some() || !(2..=60).contains(&layouts.len()) {
            continue;
        }
        let mut player = Player { shape: view.shape().clone(), known: HashMap::new() };
        let analysis = AnalyzeOptions::default().analyze(view).unwrap();
        let best = analysis.best.expect("a cell to open");
        assert!(best.exact, "{view}");
        let share = |wins: usize| wins as f64 / layouts.len() as f64;
        let expected = share(player.wins(&layouts));
        assert!((best.win.unwrap() - expected).abs() < 1e-9, "{:?} {expected}\n{view}", best.win);
        for one in best.weighed.iter().filter(|one| one.safety < 1.0) {
            let told = one.win.expect("all are weighed");
            let expected = share(player.after(&layouts, one.cell));
            assert!((told - expected).abs() < 1e-9, "{one:?} {expected}\n{view}");
            moves += 1;
        }
        positions += 1;
    }
    assert!(moves > 100, "{moves}");
}

#[test]
fn the_coach_tells_the_win_chances_of_exhaustive_play() {
    let mut compared = 0;
    for game in 0..40 {
        let form = Form::ALL[game as usize % 3];
        let shape = Shape::new(form, 4, 4).unwrap();
        let rules = Rules::starting(shape.clone(), 3, Start::Safe).unwrap();
        let spec = deminer::agent("random").unwrap();
        let game = Match::new(rules, FirstClick::Corner, GameSeed { seed: 5, game });
        let record = deminer::play::record_game(&spec, game, |_, _| {}).unwrap();
        let reviewed = review(&record).unwrap();
        let mut views = Vec::new();
        record.retrace(|made, _| views.push(made.before.clone())).unwrap();
        for (view, looked) in views.iter().zip(&reviewed.moves) {
            let (Some(told), false) = (looked.win_before, view.is_fresh()) else { continue };
            let layouts = layouts(view);
            if layouts.len() > 200 {
                continue;
            }
            let mut player = Player { shape: shape.clone(), known: HashMap::new() };
            let expected = player.wins(&layouts) as f64 / layouts.len() as f64;
            assert!((told - expected).abs() < 1e-9, "{told} {expected}\n{view}");
            if let (Some(risk), Action::Open(cell)) = (looked.risk, looked.action) {
                let mined = layouts.iter().filter(|layout| *layout >> cell.index() & 1 == 1);
                let expected = mined.count() as f64 / layouts.len() as f64;
                assert!((risk - expected).abs() < 1e-9, "{risk} {expected}\n{view}");
            }
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}
