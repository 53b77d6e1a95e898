//! Looking ahead: what the strongest players are made of.

pub mod ahead;
pub mod endgame;
pub mod judge;
pub mod value;
