//! The networks and their layers.

mod cnn;
mod convnet;
mod enn;
mod linear;
mod mlp;
mod sla;

use deminer_game::{Size, Window};

use crate::encode::Encoding;
use crate::train::Recipe;

/// Every network that can be trained.
pub const DESIGNS: &[Design] = &[
    mlp::FULL,
    mlp::FULL_WIDE,
    enn::FULL,
    enn::FULL_WIDE,
    cnn::FULL,
    mlp::WINDOW,
    cnn::WINDOW,
    linear::REGRESSION,
    linear::MACHINE,
    sla::SMALL,
    sla::LARGE_A,
    sla::LARGE_B,
    sla::MSLA,
    convnet::DESIGN,
];

/// The design of this name.
pub fn find(name: &str) -> Option<&'static Design> {
    DESIGNS.iter().find(|design| design.name == name)
}

/// A network by name: how it is built and how it is trained.
#[derive(Clone, Copy, Debug)]
pub struct Design {
    /// The name, which its agent has too.
    pub name: &'static str,
    /// What it sees at once.
    pub sight: Sight,
    /// Its layers, as the paper's authors built them or repaired, for boards of this size.
    pub build: fn(Variant, Size) -> Net,
    /// Its default training settings.
    pub recipe: fn(Variant) -> Recipe,
    /// The boards it is trained for when none is asked for.
    pub boards: &'static [&'static str],
    /// What several boards mean.
    pub boards_are: Boards,
}

/// What several boards mean in training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boards {
    /// A network for each.
    Each,
    /// Stages of one network's training.
    Stages,
    /// One network for all, trained on them by turns.
    Mixed,
}

/// What a network sees at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// The 5x5 window around the cell it judges; plays on boards of any size.
    Window,
    /// A whole board of one size; judges all its cells.
    Board,
    /// A whole board of any size.
    AnyBoard,
}

/// Whose network it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// With the flaws of the paper's own program.
    Orig,
    /// Without them.
    #[default]
    Repaired,
}
deminer_game::words!(Variant, "a variant": Orig = "orig", Repaired = "repaired");

impl Variant {
    pub(crate) fn choose<T>(self, orig: T, repaired: T) -> T {
        match self {
            Variant::Orig => orig,
            Variant::Repaired => repaired,
        }
    }
}

fn cells(size: Size) -> usize {
    size.width * size.height
}

/// A network without its weights.
#[derive(Clone, PartialEq, Debug)]
pub struct Net {
    /// What it is given in training.
    pub encoding: Encoding,
    /// What it is given in play: not the same in some of the originals.
    pub in_play: Encoding,
    /// Rows and columns of what it sees; none where any board will do.
    pub extent: Option<(usize, usize)>,
    /// From what is seen to one number for each cell judged.
    pub layers: Vec<Layer>,
    /// What becomes of these numbers.
    pub output: Output,
}

/// One step of a network.
#[derive(Clone, PartialEq, Debug)]
pub enum Layer {
    /// Every output is a weighed sum of all inputs.
    Dense {
        /// Numbers in.
        inputs: usize,
        /// Numbers out.
        outputs: usize,
    },
    /// Every cell's output is a weighed sum over the square around it; nothing lies beyond the
    /// border.
    Convolution {
        /// Channels in.
        from: usize,
        /// Channels out.
        to: usize,
        /// Cells on a side of the square, an odd number.
        side: usize,
    },
    /// This many numbers, or channels, brought to mean 0 and variance 1, then scaled and shifted.
    BatchNorm(usize),
    /// In training each number is dropped with this probability and the others are scaled up.
    Dropout(f32),
    /// What is negative becomes zero.
    Relu,
    /// What goes in is added to what these layers make of it.
    Residual(Vec<Layer>),
}

/// What becomes of the last layer's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Output {
    /// They are the answer.
    Plain,
    /// They are squeezed between 0 and 1.
    Sigmoid,
}

impl Net {
    /// Sees a 5x5 window and gives a number between 0 and 1.
    fn of_window(encoding: Encoding, layers: Vec<Layer>) -> Self {
        let extent = Some((Window::SIDE, Window::SIDE));
        Self { encoding, in_play: encoding, extent, layers, output: Output::Sigmoid }
    }

    /// Sees a whole board and gives a number between 0 and 1 for each cell.
    fn of_board(encoding: Encoding, size: Size, layers: Vec<Layer>) -> Self {
        Self { extent: Some((size.height, size.width)), ..Self::of_window(encoding, layers) }
    }

    /// The share of numbers that its dropout layers drop in training, if it has such layers.
    pub fn dropout(&self) -> Option<f32> {
        let share = |layer: &Layer| match layer {
            Layer::Dropout(share) => Some(*share),
            _ => None,
        };
        self.layers.iter().find_map(share)
    }

    /// The same, with dropout layers that drop this share. They stay where they are, even if they
    /// drop nothing: arrays are named by the places of their layers.
    pub fn dropping(mut self, share: f32) -> Self {
        for layer in &mut self.layers {
            if let Layer::Dropout(dropped) = layer {
                *dropped = share;
            }
        }
        self
    }

    /// Dense layers, the hidden ones of these widths, each followed by what `after` gives for its
    /// width.
    fn dense(
        mut inputs: usize,
        hidden: &[usize],
        outputs: usize,
        after: impl Fn(usize) -> Vec<Layer>,
    ) -> Vec<Layer> {
        let mut layers = Vec::new();
        for &width in hidden {
            layers.push(Layer::Dense { inputs, outputs: width });
            layers.extend(after(width));
            inputs = width;
        }
        layers.push(Layer::Dense { inputs, outputs });
        layers
    }

    /// The learned numbers it has.
    pub fn parameters(&self) -> usize {
        crate::weights::plan(self)
            .iter()
            .filter(|array| array.learned)
            .map(|array| array.shape.iter().product::<usize>())
            .sum()
    }
}
