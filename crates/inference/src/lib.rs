//! What a view proves, and how likely the rest is. Decides nothing: agents do.

pub mod deduce;
