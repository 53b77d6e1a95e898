//! Games that go on after every mine, for commands that measure the judge of the agent `best`.

use deminer_agents::search::{Judge, Settings};
use deminer_game::{Action, Board, Cell, GameSeed, Purpose, Rng, Rules, State, View};
use deminer_inference::deduce::{Fact, SinglePoint};
use deminer_inference::odds::Engine;

/// Plays with a judge until the game is solved. After a mine it draws a new layout in which the
/// cell is safe, and plays on.
pub struct Survivor {
    judge: Judge,
    known: SinglePoint,
    engine: Engine,
}

impl Survivor {
    pub fn new(rules: &Rules, settings: Settings) -> Self {
        let known = SinglePoint::new(rules.shape());
        Self { judge: Judge::new(settings), known, engine: Engine::default() }
    }

    /// Plays a game as usual, and returns whether it is won.
    pub fn wins(&mut self, mut board: Board, first: Cell, seed: GameSeed) -> bool {
        let mut rng = seed.rng(Purpose::Lab);
        self.known.reset(board.view().shape());
        board.act(Action::Open(first));
        while !matches!(board.state(), State::Won | State::Lost(_)) {
            self.known.update(board.view());
            let fresh = self.known.fresh().filter(|&(_, fact)| fact == Fact::Safe);
            let mut cells: Vec<Cell> = fresh.map(|(cell, _)| cell).collect();
            if cells.is_empty() {
                let judged = self.judge.find_best(board.view(), &self.known, &mut rng);
                let judged = judged.expect("a dealt board has layouts");
                cells = judged.safe;
                if cells.is_empty() {
                    cells.push(judged.moves[0].cell);
                }
            }
            open(&mut board, &cells);
        }
        board.state() == State::Won
    }

    /// Plays a game and returns the probability that all its guesses succeed. Calls `see` for each
    /// guess: the position before, the board after, the cell, and the probability so far.
    pub fn play(
        &mut self,
        mut board: Board,
        first: Cell,
        seed: GameSeed,
        see: impl FnMut(&View, &Board, Cell, f64),
    ) -> f64 {
        board.act(Action::Open(first));
        self.play_on(board, &mut seed.rng(Purpose::Lab), see)
    }

    /// The same from a board that is played already.
    pub fn play_on(
        &mut self,
        mut board: Board,
        rng: &mut Rng,
        mut see: impl FnMut(&View, &Board, Cell, f64),
    ) -> f64 {
        self.known.reset(board.view().shape());
        let mut survived = 1.0;
        while board.state() != State::Won {
            self.known.update(board.view());
            let fresh = self.known.fresh().filter(|&(_, fact)| fact == Fact::Safe);
            let mut safe: Vec<Cell> = fresh.map(|(cell, _)| cell).collect();
            if safe.is_empty() {
                let judged = self.judge.find_best(board.view(), &self.known, rng);
                let judged = judged.expect("a dealt board has layouts");
                if judged.solved {
                    return survived * judged.win.expect("what is solved has a win");
                }
                safe = judged.safe;
                if safe.is_empty() {
                    let guess = judged.moves[0];
                    survived *= guess.safety;
                    let before = board.view().clone();
                    self.guess(&mut board, guess.cell, rng);
                    see(&before, &board, guess.cell, survived);
                }
            }
            open(&mut board, &safe);
        }
        survived
    }

    /// Opens a cell as if it were safe.
    fn guess(&mut self, board: &mut Board, cell: Cell, rng: &mut Rng) {
        if board.hides_mine(cell) {
            let layout = self.engine.sample(board.view(), Some(cell), rng);
            board.redraw(layout.expect("the cell may be safe")).expect("the same rules");
        }
        board.act(Action::Open(cell));
    }
}

/// Opens cells, but for those that a cascade has opened meanwhile.
fn open(board: &mut Board, cells: &[Cell]) {
    for &cell in cells {
        if board.view().face(cell).is_covered() {
            board.act(Action::Open(cell));
        }
    }
}
