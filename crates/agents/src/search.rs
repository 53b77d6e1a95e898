//! The parts of the strongest player: lookahead, endgame search, 50/50s, win estimate.

pub mod endgame;
mod fifty_fifty;
mod fifty_fifty_relief;
mod foresight;
mod judge;
pub(crate) mod lookahead;
mod safe_openings;
pub mod win_estimate;

pub use fifty_fifty::{FiftyFifty, fifty_fifties};
pub use foresight::{Prospect, Weighed};
pub use judge::{Judge, Judgment, SUREST, Settings};
