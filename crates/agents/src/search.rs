//! Looking ahead: what the strongest players are made of.

pub mod endgame;
