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

use deminer_game::{Cell, View};

/// Whether a cell touches an open one.
fn touches_open(view: &View, cell: Cell) -> bool {
    view.shape().neighbors(cell).iter().any(|&near| view.face(near).clue().is_some())
}
