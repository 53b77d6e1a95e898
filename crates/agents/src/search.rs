//! Looking ahead: what the strongest players are made of.

mod ahead;
pub mod endgame;
mod fifty_fifty;
mod foresight;
mod judge;
pub mod outlook;
mod relief;

pub use fifty_fifty::{FiftyFifty, fifty_fifties};
pub use foresight::{Prospect, Weighed};
pub use judge::{Judge, Judgment, SUREST, Settings};
