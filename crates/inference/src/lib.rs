//! What a view proves, and how likely the rest is. Decides nothing: agents do.

#[cfg(test)]
mod boards;
mod class;
pub mod count;
pub mod deduce;
mod fringe;
pub mod frontier;
mod need;
pub mod oracle;
pub mod proof;
pub mod relations;
