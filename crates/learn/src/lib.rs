//! Learners without tensors, each beside the agent it yields.
//!
//! Nothing here reads files: the lab finds artifacts and passes their bytes in; those that are
//! shipped are part of the program.

pub mod evolve;
pub mod header;
pub mod ilp;
pub mod q_table;
pub mod trees;

use deminer_game::BuildError;

/// Nothing of this name is among what is shipped.
fn not_shipped(what: &str, name: &str, shipped: &[(&str, &str)]) -> BuildError {
    let names: Vec<&str> = shipped.iter().map(|(name, _)| *name).collect();
    BuildError(format!("no {what} `{name}` is shipped, only {}", names.join(", ")).into())
}
