//! The convolutional networks of Lubarski, Samujło and Wszeborowski: three 5x5 convolutions of
//! 25, 25 and 64 channels, then a dense layer of 512.
//!
//! The original window network learns that cells outside the board are not covered, but in play
//! they are marked as covered; the original network for the whole board has no final sigmoid. The authors' program drops three
//! numbers in ten in training, but with so few steps of fifty games neither network then learns as
//! much as theirs did. So both drop nothing; the window network keeps the layers, for trainings
//! that do.

use deminer_game::{Size, Window};

use super::{Design, Layer, Net, Output, Variant};
use crate::encode::Encoding;
use crate::train::Recipe;

const CHANNELS: [usize; 3] = [25, 25, 64];
const SIDE: usize = 5;
const DENSE: usize = 512;

/// Judges all cells of a board at once.
pub(super) const FULL: Design = Design {
    name: "cnn-full",
    build: full,
    recipe: Recipe::of_boards_by_convolution,
    ..super::mlp::FULL
};

/// Judges the cell in the middle of a window.
pub(super) const WINDOW: Design = Design {
    name: "cnn-5x5",
    build: window,
    recipe: Recipe::of_windows_by_convolution,
    ..super::mlp::WINDOW
};

fn full(variant: Variant, size: Size) -> Net {
    let (cells, encoding) = (size.width * size.height, Encoding::OneHot10);
    let layers = layers(&[Layer::Relu], encoding.channels(), cells, cells);
    let output = variant.choose(Output::Plain, Output::Sigmoid);
    Net { output, ..Net::of_board(encoding, size, layers) }
}

fn window(variant: Variant, _: Size) -> Net {
    let (in_play, after): (_, &[Layer]) = match variant {
        Variant::Orig => (Encoding::OneHot11Blurred, &[Layer::Relu, Layer::Dropout(0.0)]),
        Variant::Repaired => (Encoding::OneHot11, &[Layer::Relu]),
    };
    let encoding = Encoding::OneHot11;
    let layers = layers(after, encoding.channels(), Window::AREA, 1);
    Net { in_play, ..Net::of_window(encoding, layers) }
}

/// The three convolutions and the dense layer, each with these after it, and the output.
fn layers(after: &[Layer], channels: usize, cells: usize, outputs: usize) -> Vec<Layer> {
    let mut layers = Vec::new();
    let mut from = channels;
    for to in CHANNELS {
        layers.push(Layer::Convolution { from, to, side: SIDE });
        layers.extend_from_slice(after);
        from = to;
    }
    layers.push(Layer::Dense { inputs: from * cells, outputs: DENSE });
    layers.extend_from_slice(after);
    layers.push(Layer::Dense { inputs: DENSE, outputs });
    layers
}
