//! One network for boards of any size: convolutions all the way, and the density of mines as a
//! plane beside what is seen.
//!
//! No dense layer and no coordinates, so what it learns on one board it knows on all. Each
//! residual block widens what a cell sees by two cells on every side.

use super::{Boards, Design, Layer, Net, Output, Sight};
use crate::encode::Encoding;
use crate::train::Recipe;

/// Judges all cells of a board at once.
pub(super) const DESIGN: Design = Design {
    name: "convnet",
    sight: Sight::AnyBoard,
    build: |_, _| build(),
    recipe: Recipe::of_any_board,
    boards: &["9x9x10", "16x16x40", "30x16x99"],
    boards_are: Boards::Mixed,
};

const CHANNELS: usize = 32;
const BLOCKS: usize = 4;

fn build() -> Net {
    let encoding = Encoding::Density;
    let convolution = |from, to, side| Layer::Convolution { from, to, side };
    let block = || {
        let inner = vec![
            convolution(CHANNELS, CHANNELS, 3),
            Layer::Relu,
            convolution(CHANNELS, CHANNELS, 3),
        ];
        [Layer::Residual(inner), Layer::Relu]
    };
    let layers = [convolution(encoding.channels(), CHANNELS, 5), Layer::Relu]
        .into_iter()
        .chain((0..BLOCKS).flat_map(|_| block()))
        .chain([convolution(CHANNELS, 1, 1)])
        .collect();
    Net { encoding, in_play: encoding, extent: None, layers, output: Output::Sigmoid }
}
