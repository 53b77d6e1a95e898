//! Neural networks that play Minesweeper: encoding, training and play.
//!
//! [`nets`] describes networks, [`train`] trains them, [`artifact`] reads and writes them,
//! [`models`] chooses the one that plays a board, and [`forward`] runs it. Gradients and kernels
//! are our own. Teachers, files and progress belong to the lab.

mod agents;
pub mod artifact;
pub mod encode;
pub mod forward;
mod kernels;
pub mod models;
pub mod nets;
pub mod train;
pub mod weights;

use deminer_game::Entry;

pub use agents::player;
use agents::{full_board, sla, windowed};

/// The agents of this crate.
pub const ROSTER: &[Entry] = &[
    full_board::MLP,
    full_board::MLP_WIDE,
    full_board::ENN,
    full_board::ENN_WIDE,
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
