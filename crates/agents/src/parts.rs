//! Code that several players share.

pub mod least_risk;
pub mod local_odds;
pub mod moves;
#[cfg(test)]
pub mod pictures;
pub mod risk;
pub mod safe_queue;
