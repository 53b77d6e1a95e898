//! Learners without tensors, each beside the agent it yields.
//!
//! Nothing here reads files: agents get what they learned as bytes, in their options.
//!
//! ```
//! use deminer_learn::ilp::{Target, Theory};
//!
//! let theory = Theory::read(Theory::PUBLISHED)?;
//! for (name, rule) in theory.named() {
//!     println!("{name}: {rule}");
//! }
//! assert_eq!(theory.of(Target::Safe).count() + theory.of(Target::Mine).count(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
