//! Neural players of Minesweeper: how they see, how they learn, how they play.
//!
//! Networks are described by [`nets`], learn in [`train`], are written by [`artifact`], lie
//! ready on the [`shelf`] and play through [`forward`]. Gradients and kernels are our own. Who
//! teaches them, where files lie and what a run prints is the lab's business.

mod agents;
pub mod artifact;
pub mod encode;
pub mod forward;
pub mod nets;
mod product;
pub mod shelf;
pub mod train;
pub mod weights;

use deminer_game::Entry;

use agents::{full_board, sla, windowed};
pub use agents::{player, player_of, unfit};

/// The agents of this crate.
pub const ROSTER: &[Entry] = &[
    full_board::MLP,
    full_board::ENN,
    full_board::CNN,
    full_board::CONVNET,
    windowed::MLP,
    windowed::CNN,
    windowed::REGRESSION,
    windowed::MACHINE,
    sla::SMALL,
    sla::LARGE_A,
    sla::LARGE_B,
    sla::MSLA,
];
