//! Exact counts of layouts, and the odds that follow from them.

mod cache;
mod counter;
mod engine;
mod exact;
mod key;
mod layouts;
mod mixture;
mod narrow;
mod number;
mod order;
mod region;
#[cfg(test)]
mod tests;

pub use engine::{Engine, Odds, OddsError};
pub use exact::{ExactOdds, Fraction};
pub use layouts::{Layouts, Unlisted};
pub(crate) use region::{CellGroup, GroupedClue, GroupedRegion, SmallList};
