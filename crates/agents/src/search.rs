//! Looking ahead: what the strongest players are made of.

mod ahead;
pub mod endgame;
mod judge;
pub mod outlook;
mod relief;

pub use judge::{Judge, Judgement, Settings};
