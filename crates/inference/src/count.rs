//! Exact counts of layouts, and the odds that follow from them.

mod counter;
mod engine;
mod key;
mod mixture;
mod number;
mod region;

pub use engine::{Engine, Odds, OddsError};
pub(crate) use region::{Group, Need, Region};
