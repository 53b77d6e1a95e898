//! The weights of a network.

use deminer_game::Rng;

use crate::nets::{Layer, Net};

/// An array of a network, not yet filled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Its name: the places of its layer, then what it is.
    pub name: String,
    /// Its extents, the slowest first.
    pub shape: Vec<usize>,
    /// Whether it follows the gradient; running means and variances do not.
    pub learned: bool,
    /// How it begins.
    start: Start,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    /// Random, for sums of this many terms.
    Random(usize),
    Zero,
    One,
}

impl Slot {
    /// Numbers in it.
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }
}

/// The arrays of a network, in the order of its layers:
/// dense `weight` [inputs, outputs] and `bias`; convolution `weight` [to, from, side, side] and
/// `bias`; batch norm `scale`, `shift`, `mean`, `variance`.
pub fn plan(net: &Net) -> Vec<Slot> {
    let mut slots = Vec::new();
    plan_layers(&net.layers, "", &mut slots);
    slots
}

fn plan_layers(layers: &[Layer], place: &str, slots: &mut Vec<Slot>) {
    for (at, layer) in layers.iter().enumerate() {
        let mut add = |what: &str, shape: Vec<usize>, learned: bool, start: Start| {
            slots.push(Slot { name: format!("{place}{at}.{what}"), shape, learned, start });
        };
        match layer {
            &Layer::Dense { inputs, outputs } => {
                add("weight", vec![inputs, outputs], true, Start::Random(inputs));
                add("bias", vec![outputs], true, Start::Random(inputs));
            }
            &Layer::Convolution { from, to, side } => {
                let terms = Start::Random(from * side * side);
                add("weight", vec![to, from, side, side], true, terms);
                add("bias", vec![to], true, terms);
            }
            &Layer::BatchNorm(width) => {
                add("scale", vec![width], true, Start::One);
                add("shift", vec![width], true, Start::Zero);
                add("mean", vec![width], false, Start::Zero);
                add("variance", vec![width], false, Start::One);
            }
            Layer::Residual(inner) => plan_layers(inner, &format!("{place}{at}."), slots),
            Layer::Dropout(_) | Layer::Relu => {}
        }
    }
}

/// How weights begin: drawn evenly around zero, so far at most.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Spread {
    /// One over the square root of the number of terms.
    ByTerms,
    /// The same everywhere.
    Fixed(f32),
}

/// The arrays of a network, in the order of [`plan`].
#[derive(Clone, PartialEq, Debug)]
pub struct Weights(pub Vec<Vec<f32>>);

impl Weights {
    /// Random weights to begin with.
    pub fn random(net: &Net, spread: Spread, rng: &mut Rng) -> Self {
        let fill = |slot: &Slot, rng: &mut Rng| match slot.start {
            Start::Zero => vec![0.0; slot.size()],
            Start::One => vec![1.0; slot.size()],
            Start::Random(terms) => {
                let reach = match spread {
                    Spread::ByTerms => 1.0 / (terms as f32).sqrt(),
                    Spread::Fixed(reach) => reach,
                };
                (0..slot.size()).map(|_| reach * (2.0 * rng.unit() as f32 - 1.0)).collect()
            }
        };
        Self(plan(net).iter().map(|slot| fill(slot, rng)).collect())
    }

    /// All zero, of the same sizes.
    pub fn zeros(net: &Net) -> Self {
        Self(plan(net).iter().map(|slot| vec![0.0; slot.size()]).collect())
    }
}
