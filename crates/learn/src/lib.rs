//! Learners without tensors, each beside the agent it yields.
//!
//! Nothing here reads files: the lab finds artifacts and passes their bytes in; those that are
//! shipped are part of the program.

pub mod evolve;
pub mod header;
pub mod ilp;
pub mod trees;
