//! Learners without tensors, each beside the agent it yields.
//!
//! Nothing here reads files: agents get what they learned as bytes, in their options.

mod cursor;
pub mod evolve;
pub mod header;
pub mod ilp;
pub mod parallel;
pub mod q_table;
pub mod trees;
