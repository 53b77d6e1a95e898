//! How far a game came, as H. Zhang, H. Wu, S. Li and Z. Xu, "MineSweeper, Inference-Informed
//! Action" (2018), reckon it.

use deminer_game::{Board, Cell, Face, State};

/// What a player has made of a board when the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Completion {
    /// Cells of the board.
    pub cells: usize,
    /// Mines of the board.
    pub mines: usize,
    /// Safe cells opened.
    pub opened: usize,
    /// Flags put.
    pub flags: usize,
    /// Flags on safe cells.
    pub wrong_flags: usize,
    /// Whether every safe cell is open.
    pub won: bool,
}

impl Completion {
    /// Of a board as it is left.
    pub fn of(board: &Board) -> Self {
        let view = board.view();
        let wrong = |&cell: &Cell| {
            view.face(cell) == Face::Flagged
                && board.layout().is_none_or(|layout| !layout.is_mine(cell))
        };
        Self {
            cells: view.shape().size(),
            mines: view.rules().mines(),
            opened: view.opened().len(),
            flags: view.flag_count(),
            wrong_flags: view.shape().cells().filter(wrong).count(),
            won: board.state() == State::Won,
        }
    }

    /// The share of the safe cells that are open.
    pub fn open_rate(&self) -> f64 {
        share(self.opened, self.cells - self.mines)
    }

    /// The paper's completion: the largest of the shares of all cells open or flagged, of mines
    /// flagged, and of safe cells open. Wrong flags count.
    pub fn ratio(&self) -> f64 {
        share(self.opened + self.flags, self.cells)
            .max(share(self.flags, self.mines))
            .max(self.open_rate())
            .min(1.0)
    }

    /// Whether at least 99 % are complete, without a wrong flag: what the paper seems to count
    /// as a victory.
    pub fn is_near_victory(&self) -> bool {
        self.wrong_flags == 0 && self.ratio() >= 0.99
    }
}

/// All of nothing is complete.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}
