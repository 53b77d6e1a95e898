//! Records: everything needed to see a match again.

use thiserror::Error;

use crate::{Action, Board, Effect, GameSeed, Layout, Outcome, Rules, State, Turn, Why};

/// Who made a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum By {
    /// The match: its first click.
    Start,
    /// The player.
    Agent,
}

/// One action of a record.
#[derive(Clone, PartialEq, Debug)]
pub struct Move {
    /// Who made it.
    pub by: By,
    /// What was done.
    pub action: Action,
    /// Why.
    pub why: Why,
    /// How long the player took to decide, in microseconds, where it was measured.
    pub micros: Option<u64>,
    /// The layout put in place just before the action, where the lab redrew it.
    pub redrawn: Option<Layout>,
}

impl Move {
    /// The move of a turn, without times.
    pub fn of(turn: &Turn) -> Self {
        Self {
            by: turn.by,
            action: turn.decision.action,
            why: turn.decision.why.clone(),
            micros: None,
            redrawn: None,
        }
    }
}

/// A finished match: rules, seed, moves with their reasons, outcome. It replays exactly.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// Who played, as an agent spec or a person's name.
    pub player: String,
    /// The rules.
    pub rules: Rules,
    /// The seed the board was dealt from; none if its layout came from elsewhere.
    pub seed: Option<GameSeed>,
    /// The layout of the first opening; none if nothing was opened.
    pub layout: Option<Layout>,
    /// The moves, the first click included.
    pub moves: Vec<Move>,
    /// How it ended.
    pub outcome: Outcome,
}

/// A record does not tell a possible match.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordError {
    /// Neither seed nor layout.
    #[error("the record opens cells but has neither a seed nor a layout")]
    NoLayout,
    /// The layout does not belong to the rules.
    #[error("the record's layout has another shape or number of mines than its rules")]
    Rules,
    /// The seed deals another layout.
    #[error("the record's seed deals another layout than the one it stores")]
    Layout,
    /// A redrawn layout does not fit.
    #[error("move {0}: the redrawn layout does not fit what was seen")]
    Redraw(usize),
    /// The moves end otherwise than the record says.
    #[error("the record says {said}, but its moves {done}")]
    Outcome {
        /// The outcome stored.
        said: Outcome,
        /// What the moves lead to.
        done: &'static str,
    },
}

impl Record {
    /// The board before the first move.
    pub fn board(&self) -> Result<Board, RecordError> {
        match (self.seed, &self.layout) {
            (Some(seed), _) => Ok(Board::dealt(self.rules.clone(), seed)),
            (None, Some(layout)) => {
                Board::laid(self.rules.clone(), layout.clone(), 0).map_err(|_| RecordError::Rules)
            }
            (None, None) => Err(RecordError::NoLayout),
        }
    }

    /// Plays the record again and hands over the board after each move, with what the move did.
    /// Returns the last board.
    ///
    /// # Errors
    /// If the record contradicts itself: seed and layout, or moves and outcome.
    pub fn replay(&self, mut see: impl FnMut(&Move, Effect, &Board)) -> Result<Board, RecordError> {
        let mut board = self.board()?;
        let mut dealt = false;
        for (number, step) in self.moves.iter().enumerate() {
            if let Some(layout) = &step.redrawn {
                board.redraw(layout.clone()).map_err(|_| RecordError::Redraw(number))?;
            }
            let effect = board.act(step.action);
            if !dealt && board.layout().is_some() {
                dealt = true;
                if step.redrawn.is_none() && board.layout() != self.layout.as_ref() {
                    return Err(RecordError::Layout);
                }
            }
            see(step, effect, &board);
        }
        let done = match board.state() {
            State::Won => "win",
            State::Lost(_) => "lose",
            State::Fresh | State::Live => "leave the game open",
        };
        let agrees = match self.outcome {
            Outcome::Won => board.state() == State::Won,
            Outcome::Lost => matches!(board.state(), State::Lost(_)),
            Outcome::Stuck | Outcome::Undecided => {
                matches!(board.state(), State::Fresh | State::Live)
            }
        };
        if !agrees {
            return Err(RecordError::Outcome { said: self.outcome, done });
        }
        Ok(board)
    }
}
