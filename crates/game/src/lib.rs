//! The rules of Minesweeper: legal moves, what the player sees, and how one match is played.
//!
//! Everything else in deminer uses this crate. It has shapes of boards, layouts dealt from seeds,
//! exact and uncertain clues, the player's [`View`], and the [`Agent`] contract.
//! It reads no files, no clocks and no ambient randomness: seeds and text are passed in.
//!
//! ```
//! use deminer_game::{FirstClick, GameSeed, Match, Rules, Size};
//!
//! let rules = Rules::of("9x9x10".parse::<Size>()?)?;
//! let game = Match::new(rules, FirstClick::Corner, GameSeed { seed: 7, game: 0 });
//! println!("{}", game.board().view());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent;
mod artifacts;
mod board;
mod cell;
mod clicks;
mod clue;
mod help;
mod layout;
mod measures;
mod notation;
mod play;
mod record;
mod retrace;
mod rng;
mod roster;
mod rules;
mod shape;
pub mod stop;
mod view;
mod window;
mod words;
mod zini;

pub use agent::{Action, Agent, Alternative, Decision, Estimates, Premise, Proof, Why};
pub use artifacts::{ArtifactKind, Artifacts};
pub use board::{Board, Effect, Idle, RedrawError, State};
pub use cell::{Cell, CellSet};
pub use clicks::{ClickParts, Opening};
pub use clue::{Clue, ClueKind, ClueRule, ParseClueRuleError, Shown};
pub use help::{Help, HintTaken, Undone};
pub use layout::{Layout, LayoutError};
pub use measures::{Clicks, GameMeasures};
pub use notation::ParseError;
pub use play::{FirstClick, Match, Outcome, ParseAtError, Turn};
pub use record::{Move, MovedBy, Record, RecordError};
pub use retrace::{Played, Retraced};
pub use rng::{GameSeed, Purpose, Rng};
pub use roster::{BuildError, Entry, Kind, OptionEntry, Options, Supports, Value, Values, is_run};
pub use rules::{ParseSizeError, Rules, RulesError, Size, Start};
pub use shape::{Form, MAX_CELLS, OutsideError, Shape, ShapeError, symmetries};
pub use view::{Face, View, ViewError};
pub use window::{HexWindowError, Window};
pub use words::{UnknownWord, Words};
