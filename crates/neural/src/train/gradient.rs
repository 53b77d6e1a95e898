//! The interface of gradient implementations.

use deminer_game::Rng;

use super::{Loss, Samples};
use crate::nets::Net;
use crate::weights::Weights;

/// How the loss of a batch changes with each weight.
pub trait Gradients {
    /// Loss and gradients of a batch in training: numbers are dropped, batches are normed.
    fn slope(
        &mut self,
        net: &Net,
        weights: &Weights,
        batch: &Samples,
        loss: Loss,
        rng: &mut Rng,
    ) -> Slope;

    /// What the network says of a batch as in play.
    fn answers(&mut self, net: &Net, weights: &Weights, batch: &Samples) -> Vec<f32>;
}

/// The loss of a batch and where it leads.
pub struct Slope {
    /// The loss.
    pub loss: f32,
    /// One array for each of the network's, empty where nothing is learned.
    pub gradients: Weights,
    /// New running means and variances, by the place of their array.
    pub statistics: Vec<(usize, Vec<f32>)>,
}

/// How much a batch changes running means and variances.
pub const NORM_MOMENTUM: f32 = 0.1;
