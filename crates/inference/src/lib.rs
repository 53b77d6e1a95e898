//! What a view proves, and how likely the rest is. Decides nothing: agents do.

#[cfg(test)]
mod boards;
pub mod deduce;
