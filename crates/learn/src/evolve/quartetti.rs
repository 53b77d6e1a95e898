//! Evolved programs that walk over a board, mark and uncover, trained on boards with one mine.
//!
//! After C. Quartetti, "Evolving a Program to Play the Game Minesweeper", 2000: a program is a
//! tree over the eight directions and "here", with functions that move, mark, uncover, do one
//! thing after another, ask whether a cell is covered and count the mines around one, and with
//! two functions of its own that evolve beside it. It is run again and again until the board is
//! cleared, a mine is uncovered, 500 actions are spent or nothing changes any more. Fitness is
//! play on all boards of 6x6 with one mine.
//!
//! Rules are those of the game as everywhere here, which the paper's review leaves open: the
//! first cell, the top left corner, is uncovered beforehand and no mine lies there (on that one
//! board the mine lies to its right), and an uncovered zero uncovers its neighbors.

mod agent;
mod breeding;
mod grid;
mod machine;
mod operation;

pub use agent::{ENTRY, QuartettiPlayer};
pub use breeding::{Breeding, Genome};
pub use grid::{Game, Grid};
pub use machine::{Code, Machine};
pub use operation::Operation;

#[cfg(test)]
mod tests;
