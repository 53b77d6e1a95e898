//! Exact counts of layouts, and the odds that follow from them.

mod cache;
mod counter;
mod engine;
mod key;
mod mixture;
mod number;
mod order;
mod region;

pub use engine::{Engine, Odds, OddsError};
pub(crate) use region::{Group, Need, Region};
