//! Evolution: populations of genomes, their breeding, fitness and replacement.
//!
//! One core ([`Evolution`]) serves three kinds of genome, after J. Park, J. Liou, E. Bray,
//! E. Pyon and D. Francesconi, "Solving Minesweeper Using Genetic Algorithm and Genetic
//! Programming", 2021:
//!
//! - [`ga`]: mines on the frontier as bits, evolved anew for every move, and its improvement
//!   [`ga_plus`];
//! - [`gp`]: trees of simple checks that fill in a field whose numbers are all seen;
//! - [`quartetti`]: programs that walk over a board, mark and uncover.
//!
//! A genome is data: it can be printed, drawn, kept in a file and read again.

mod artifact;
mod engine;
pub mod ga;
pub mod ga_plus;
pub mod gp;
mod placing;
pub mod quartetti;
mod tree;

pub use crate::parallel::in_order;
pub use artifact::{Artifact, Branch, LabeledTree};
pub use engine::{Evolution, EvolutionState, Member, Problem, Replacement, Row, Scheme, Settings};
pub use tree::{Symbol, Tree};

#[cfg(test)]
mod tests;
