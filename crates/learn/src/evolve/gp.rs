//! Trees of simple checks that fill in a field, evolved.
//!
//! A [`Field`] shows all its numbers; every other cell is unknown: a mine, an empty cell that
//! touches a number, or one that touches none. A [`Tree`](super::Tree) of checks over offsets is
//! evaluated at every unknown cell, bottom-up, and edits one shared copy of the field; how much
//! of it is right in the end is the tree's fitness.
//!
//! After J. Park, J. Liou, E. Bray, E. Pyon and D. Francesconi. Where a check is passed by both of
//! its arguments or by none the paper returns one at random; here the coin's stream belongs to
//! the tree, so that a tree is always worth the same (`stochastic` tosses anew). Beyond the paper:
//! a penalty for cells left unknown, one for size, cells that keep what is proved of them, many
//! fields at once with offsets that fit every field, and play.

mod agent;
mod breeding;
mod check;
mod component;
mod field;
mod fill;
mod training;

pub use agent::{ENTRY, GpPlayer};
pub use breeding::{Breeding, Growth, Reach};
pub use check::{Check, Node, Offset};
pub use component::by_components;
pub use field::{Code, Field};
pub use fill::{Filler, Program};
pub use training::{Log, Training, TrainingPlan, TrainingState};

#[cfg(test)]
mod tests;
