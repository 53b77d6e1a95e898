//! The dense networks of Lubarski, Samujło and Wszeborowski: hidden layers 50-100-50-25.
//!
//! The original gives them one number a cell, in which a covered cell is "more than 8", and
//! scales it in training but not in play. Repaired, each code has a channel of its own, and the
//! hidden layers stay as they are.

use deminer_game::{Size, Window};

use super::{Boards, Design, Layer, Net, Sight, Variant, cells};
use crate::encode::Encoding;
use crate::train::Recipe;

const HIDDEN: [usize; 4] = [50, 100, 50, 25];

/// Judges all cells of a board at once.
pub(super) const FULL: Design = Design {
    name: "mlp-full",
    sight: Sight::Board,
    build: full,
    recipe: Recipe::of_boards,
    boards: &["7x7x5", "10x10x10", "20x20x20"],
    boards_are: Boards::Each,
};

/// The same with more numbers in each hidden layer on larger boards; not in the paper.
pub(super) const FULL_WIDE: Design = Design {
    name: "mlp-full-wide",
    build: |_, size| repaired(size, HIDDEN.map(|width| width * cells(size).div_ceil(25))),
    recipe: |_| Recipe::of_boards(Variant::Repaired),
    ..FULL
};

/// Judges the cell in the middle of a window.
pub(super) const WINDOW: Design = Design {
    name: "mlp-5x5",
    sight: Sight::Window,
    build: window,
    recipe: Recipe::of_windows,
    ..FULL
};

fn full(variant: Variant, size: Size) -> Net {
    if variant == Variant::Repaired {
        return repaired(size, HIDDEN);
    }
    let (encoding, in_play) = (Encoding::ScaledBoard, Encoding::Ordinal);
    let layers = layers(variant, cells(size), &HIDDEN, cells(size));
    Net { in_play, ..Net::of_board(encoding, size, layers) }
}

fn repaired(size: Size, hidden: [usize; 4]) -> Net {
    let (cells, encoding) = (cells(size), Encoding::OneHot10);
    let layers = layers(Variant::Repaired, cells * encoding.channels(), &hidden, cells);
    Net::of_board(encoding, size, layers)
}

fn window(variant: Variant, _: Size) -> Net {
    let (encoding, in_play) = match variant {
        Variant::Orig => (Encoding::ScaledWindow, Encoding::Ordinal),
        Variant::Repaired => (Encoding::OneHot11, Encoding::OneHot11),
    };
    let layers = layers(variant, Window::AREA * encoding.channels(), &HIDDEN, 1);
    Net { in_play, ..Net::of_window(encoding, layers) }
}

fn layers(variant: Variant, inputs: usize, hidden: &[usize], outputs: usize) -> Vec<Layer> {
    Net::dense(inputs, hidden, outputs, |width| match variant {
        Variant::Orig => vec![Layer::BatchNorm(width), Layer::Relu, Layer::Dropout(0.3)],
        Variant::Repaired => vec![Layer::BatchNorm(width), Layer::Relu],
    })
}
