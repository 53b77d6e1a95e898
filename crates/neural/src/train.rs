//! Training: samples, the loss, and the steps that lower it.
//!
//! Gradients ([`Gradients`]) and what is done with them are plain numbers in one thread, so a run
//! can be stopped anywhere, written down and taken up again to the same bits.

mod adam;
mod backprop;
mod gradient;
mod recipe;
mod samples;
mod self_play;

pub use adam::Adam;
pub use backprop::Backprop;
pub use gradient::{Gradients, NORM_MOMENTUM, Slope};
pub use recipe::{Curriculum, EXACT, Labels, Length, Recipe, Schedule, Targets};
pub use samples::Samples;
pub use self_play::{Judgment, Lesson, SelfPlay};

use std::sync::atomic::{AtomicBool, Ordering};

use deminer_game::Rng;

use crate::nets::Net;
use crate::weights::{Weights, plan};

/// What is made small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// The mean squared difference.
    SquaredError,
    /// How far an answer is from the right side: a mine should get 1 or more, a safe cell 0 or
    /// less; a risk between is both in part.
    Hinge,
    /// The mean cross entropy of answer and target. Only for answers
    /// between 0 and 1.
    CrossEntropy,
}

/// A network in training.
pub struct Trainer {
    /// The network.
    pub net: Net,
    /// Its weights.
    pub weights: Weights,
    /// The optimizer and what it remembers.
    pub adam: Adam,
    /// What is made small.
    pub loss: Loss,
    batch: usize,
    symmetric: bool,
    learned: Vec<bool>,
    gradients: Backprop,
    /// Numbers of a batch, kept for the next.
    scratch: Samples,
}

impl Trainer {
    /// A network with random weights.
    pub fn new(net: Net, recipe: &Recipe, seed: u64) -> Self {
        let weights = Weights::random(&net, recipe.spread, &mut Rng::new(seed));
        let adam = Adam::new(&net, recipe.decay);
        Self::resumed(net, recipe, weights, adam)
    }

    /// A network taken up where it was left.
    pub fn resumed(net: Net, recipe: &Recipe, weights: Weights, adam: Adam) -> Self {
        Self {
            learned: plan(&net).iter().map(|slot| slot.learned).collect(),
            net,
            weights,
            adam,
            loss: recipe.loss,
            batch: recipe.batch,
            symmetric: recipe.symmetric,
            gradients: Backprop::default(),
            scratch: Samples::default(),
        }
    }

    /// Learns from these samples in this order, batch by batch, at this learning rate, and
    /// gives the mean loss. A last batch of a single sample is left out: it has no variance.
    pub fn learn(&mut self, samples: &Samples, order: &[usize], rate: f64, rng: &mut Rng) -> f64 {
        let going = AtomicBool::new(false);
        self.learn_unless(&going, samples, order, rate, rng).expect("the flag is never set")
    }

    /// Like [`learn`](Self::learn), but ends with nothing after the batch in which `stop` is set:
    /// some batches are learned then.
    pub fn learn_unless(
        &mut self,
        stop: &AtomicBool,
        samples: &Samples,
        order: &[usize],
        rate: f64,
        rng: &mut Rng,
    ) -> Option<f64> {
        let ways = deminer_game::symmetries(samples.width(), samples.height());
        let ways = if self.symmetric { &ways[..] } else { &ways[..1] };
        let (mut sum, mut count) = (0.0, 0);
        for batch in order.chunks(self.batch).filter(|batch| batch.len() > 1) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            self.scratch.fill(samples, batch, ways, rng);
            let slope =
                self.gradients.slope(&self.net, &self.weights, &self.scratch, self.loss, rng);
            self.adam.step(&mut self.weights, &slope.gradients, &self.learned, rate);
            slope.statistics.into_iter().for_each(|(at, values)| self.weights.0[at] = values);
            sum += f64::from(slope.loss) * batch.len() as f64;
            count += batch.len();
        }
        Some(sum / count.max(1) as f64)
    }

    /// The mean loss on samples that are not learned from.
    pub fn validate(&mut self, samples: &Samples) -> f64 {
        self.validate_unless(&AtomicBool::new(false), samples).expect("the flag is never set")
    }

    /// Like [`validate`](Self::validate), but ends with nothing once `stop` is set.
    pub fn validate_unless(&mut self, stop: &AtomicBool, samples: &Samples) -> Option<f64> {
        let order: Vec<usize> = (0..samples.len()).collect();
        let identity = &deminer_game::symmetries(samples.width(), samples.height())[..1];
        let (mut sum, mut count) = (0.0, 0);
        for batch in order.chunks(VALIDATED_AT_ONCE) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            self.scratch.fill(samples, batch, identity, &mut Rng::new(0));
            let loss = self.gradients.loss(&self.net, &self.weights, &self.scratch, self.loss);
            sum += f64::from(loss) * batch.len() as f64;
            count += batch.len();
        }
        Some(sum / count.max(1) as f64)
    }
}

/// Validation samples in one batch: few, so that training stops soon when asked.
const VALIDATED_AT_ONCE: usize = 128;
