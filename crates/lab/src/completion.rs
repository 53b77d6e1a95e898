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

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Layout, Rules};

    use super::*;

    /// Opens the cells written `o` and flags those written `F`, as drawn on a layout.
    fn check(layout: &str, moves: &str) -> Completion {
        let layout: Layout = layout.parse().unwrap();
        let rules = Rules::new(layout.shape().clone(), layout.total()).unwrap();
        let mut board = Board::laid(rules.with_cascade(false), layout, 0).unwrap();
        let symbols: Vec<&str> = moves.split_whitespace().collect();
        for cell in board.view().shape().cells() {
            match symbols[cell.index()] {
                "o" => board.act(Action::Open(cell)),
                "F" => board.act(Action::Flag(cell)),
                _ => continue,
            };
        }
        Completion::of(&board)
    }

    #[test]
    fn the_largest_of_three_shares_counts() {
        let layout = "* . . .\n. . . .\n. . . *";
        let some = check(layout, "- o o -\n- - - -\n- - - -");
        assert_eq!((some.opened, some.flags, some.wrong_flags), (2, 0, 0));
        assert_eq!((some.open_rate(), some.ratio()), (0.2, 0.2));
        let flags = check(layout, "F o o -\n- - - -\n- - - -");
        assert_eq!((flags.open_rate(), flags.ratio()), (0.2, 0.5));
        let both = check(layout, "F o o o\no o o o\no F - -");
        assert_eq!((both.ratio(), both.wrong_flags), (1.0, 1));
        assert!(!both.is_near_victory() && !both.won);
    }

    #[test]
    fn a_victory_is_near_when_all_mines_are_flagged() {
        let layout = "* . . .\n. . . .\n. . . *";
        assert!(check(layout, "F - - -\n- - - -\n- - o F").is_near_victory());
        let won = check(layout, "- o o o\no o o o\no o o -");
        assert!(won.won && won.is_near_victory());
    }

    #[test]
    fn a_board_without_mines_has_none_to_flag() {
        let none = check(". . .\n. . .", "- - -\n- - -");
        assert_eq!((none.open_rate(), none.ratio()), (0.0, 1.0));
    }
}
