//! Neural networks that play Minesweeper: encoding, training and play.
//!
//! [`nets`] describes networks, [`train`] trains them, [`artifact`] reads and writes them,
//! [`models`] chooses the one that plays a board, and [`forward`] runs it. Gradients and kernels
//! are our own. Teachers, files and progress belong to the lab.
//!
//! ```
//! use deminer_game::{Rng, View};
//! use deminer_neural::encode;
//! use deminer_neural::forward::Forward;
//! use deminer_neural::nets::{self, Variant};
//! use deminer_neural::weights::{Spread, Weights};
//!
//! let design = nets::find("convnet").expect("a design");
//! let net = (design.build)(Variant::Repaired, "4x3x3".parse()?);
//! let untrained = Weights::random(&net, Spread::ByTerms, &mut Rng::new(1));
//! let view: View = "mines 3\n# # # #\n# 1 2 #\n# # # #".parse()?;
//! let mut forward = Forward::new(&net, &untrained);
//! let answers = forward.run(&encode::board(&view), 4, 0.3);
//! assert_eq!(answers.len(), 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
