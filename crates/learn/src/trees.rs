//! Decision trees that imitate an agent, and that a person can read.
//!
//! Another agent is watched: what it sees around each covered cell and what it believes of it
//! becomes [`Samples`]. [`grow()`] finds the questions about the 5x5 window that tell its beliefs
//! apart best; the [`Tree`] can be read as nested conditions, drawn, kept as text and played.
//!
//! The way of K. Lubarski, B. Samujło and K. Wszeborowski, "Neural Networks in solving
//! Minesweeper", who explained a convolutional network so: entropy, depth 8, four classes of
//! risk, the 25 codes of a window.

mod agent;
mod artifact;
mod code;
mod features;
mod grow;
mod judge;
mod prune;
mod samples;
mod tree;
mod words;

pub use agent::{ENTRY, TreePlayer};
pub use artifact::{Artifact, Origin};
pub use code::Language;
pub use features::{Codes, Column, Features, Meaning};
pub use grow::{Growth, grow};
pub use judge::{Fidelity, Judged, cross_validate, fidelity, fidelity_by_depth, judge_nodes};
pub use prune::prune;
pub use samples::{Class, Samples, Tally};
pub use tree::{Criterion, Node, Split, Test, Tree};
pub use words::{Condition, conditions};

#[cfg(test)]
mod tests;
