//! What a view proves, and the mine probabilities of the other cells. Agents decide what to do
//! with it.

#[cfg(test)]
mod boards;
mod class;

pub mod constraints;
pub mod deduce;
mod fringe;
pub mod odds;
pub mod oracle;
pub mod proof;
pub mod relations;
