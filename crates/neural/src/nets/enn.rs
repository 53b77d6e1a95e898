//! The hourglass of Lubarski, Samujło and Wszeborowski: dense layers that narrow to a fifth of
//! the board and widen again.

use deminer_game::Size;

use super::{Design, Layer, Net, Variant};
use crate::encode::Encoding;

/// The widths of the hidden layers as shares of the input.
const SHARES: [f64; 7] = [0.8, 0.6, 0.4, 0.2, 0.4, 0.6, 0.8];

/// Judges all cells of a board at once.
pub(super) const FULL: Design = Design { name: "enn-full", build, ..super::mlp::FULL };

fn build(variant: Variant, size: Size) -> Net {
    let cells = size.width * size.height;
    let (encoding, in_play, scale) = match variant {
        Variant::Orig => (Encoding::ScaledBoard, Encoding::Ordinal, 1),
        // Shares of three numbers a cell: ten channels hold more than one number did, and a
        // fifth of the board could not even say which cells are open.
        Variant::Repaired => (Encoding::OneHot10, Encoding::OneHot10, 3),
    };
    let hidden = SHARES.map(|share| ((share * (scale * cells) as f64) as usize).max(1));
    let layers = Net::dense(cells * encoding.channels(), &hidden, cells, |width| match variant {
        Variant::Orig => vec![Layer::Relu, Layer::Dropout(0.3), Layer::BatchNorm(width)],
        Variant::Repaired => vec![Layer::Relu, Layer::BatchNorm(width)],
    });
    Net { in_play, ..Net::of_board(encoding, size, layers) }
}
