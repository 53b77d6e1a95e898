//! Help that a player took: moves undone, hints, odds.

use crate::Move;

/// Help that a player took during a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Help {
    /// Moves taken back, one by one, in the order in which they were undone.
    pub undone: Vec<Undone>,
    /// Hints, in the order in which they were asked for.
    pub hints: Vec<HintTaken>,
    /// Whether the odds were shown.
    pub odds: bool,
}

/// A move that was undone.
///
/// Undo takes back the last move of a line. What the line was, later moves say: as much of the
/// line before the next undo as `at` says, and this move. The line after the last undo is that
/// of the record.
///
/// ```text
/// played    a b c, undo c, undo b, d e, undo e, f
/// moves     a d f
/// undone    c at 2, b at 1, e at 2       lines: a b c, a b, a d e, a d f
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Undone {
    /// How many moves were left after it was taken back.
    pub at: usize,
    /// The move.
    pub step: Move,
}

/// A hint that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HintTaken {
    /// How many moves there were at that time.
    pub at: usize,
    /// The last step of the hint that was asked for, from 1.
    pub level: u8,
}

impl Help {
    /// The steps of a hint.
    pub const HINT_LEVELS: u8 = 4;

    /// Whether the player took none.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}
