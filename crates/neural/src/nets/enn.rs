//! The hourglass of Lubarski, Samujło and Wszeborowski: dense layers that narrow to a fifth of
//! the board and widen again.

use deminer_game::Size;

use super::{Design, Layer, Net, Variant, cells};
use crate::encode::Encoding;
use crate::train::Recipe;

/// The widths of the hidden layers as shares of the cells of the board.
const SHARES: [f64; 7] = [0.8, 0.6, 0.4, 0.2, 0.4, 0.6, 0.8];

/// Judges all cells of a board at once.
pub(super) const FULL: Design =
    Design { name: "enn-full", build: |variant, size| build(variant, size, 1), ..super::mlp::FULL };

/// The same with layers three times as wide; not in the paper. Ten channels hold more than one
/// number did, and a fifth of the board cannot even say which cells are open.
pub(super) const FULL_WIDE: Design = Design {
    name: "enn-full-wide",
    build: |_, size| build(Variant::Repaired, size, 3),
    recipe: |_| Recipe::of_boards(Variant::Repaired),
    ..FULL
};

fn build(variant: Variant, size: Size, scale: usize) -> Net {
    let cells = cells(size);
    let (encoding, in_play) = match variant {
        Variant::Orig => (Encoding::ScaledBoard, Encoding::Ordinal),
        Variant::Repaired => (Encoding::OneHot10, Encoding::OneHot10),
    };
    let hidden = SHARES.map(|share| ((share * (scale * cells) as f64) as usize).max(1));
    let layers = Net::dense(cells * encoding.channels(), &hidden, cells, |width| match variant {
        Variant::Orig => vec![Layer::Relu, Layer::Dropout(0.3), Layer::BatchNorm(width)],
        Variant::Repaired => vec![Layer::Relu, Layer::BatchNorm(width)],
    });
    Net { in_play, ..Net::of_board(encoding, size, layers) }
}
