//! Adam (Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015), with weight decay
//! added to the gradient as the papers' library does it.

use crate::nets::Net;
use crate::weights::Weights;

const FIRST: f64 = 0.9;
const SECOND: f64 = 0.999;
const EPSILON: f32 = 1e-8;

/// The optimizer and what it remembers.
#[derive(Clone, PartialEq, Debug)]
pub struct Adam {
    /// Weight decay.
    pub decay: f32,
    /// Steps made.
    pub steps: u64,
    /// Running means of gradients.
    pub mean: Weights,
    /// Running means of their squares.
    pub square: Weights,
}

impl Adam {
    /// Remembers nothing.
    pub fn new(net: &Net, decay: f64) -> Self {
        let (mean, square) = (Weights::zeros(net), Weights::zeros(net));
        Self { decay: decay as f32, steps: 0, mean, square }
    }

    /// One step down the slope, for the arrays that are learned.
    pub fn step(
        &mut self,
        weights: &mut Weights,
        gradients: &Weights,
        learned: &[bool],
        rate: f64,
    ) {
        self.steps += 1;
        let power = i32::try_from(self.steps).unwrap_or(i32::MAX);
        let first = 1.0 - FIRST.powi(power);
        let second = (1.0 - SECOND.powi(power)).sqrt();
        // Both corrections go into one factor; epsilon grows with the second.
        let (rate, epsilon) = ((rate * second / first) as f32, EPSILON * second as f32);
        let (keep, keep_square) = (FIRST as f32, SECOND as f32);
        let moments = self.mean.0.iter_mut().zip(&mut self.square.0);
        let arrays = weights.0.iter_mut().zip(&gradients.0).zip(moments).zip(learned);
        for (((weights, gradients), (means, squares)), _) in arrays.filter(|(_, learned)| **learned)
        {
            let numbers = weights.iter_mut().zip(gradients).zip(means.iter_mut().zip(squares));
            for ((weight, gradient), (mean, square)) in numbers {
                let gradient = gradient + self.decay * *weight;
                *mean = keep * *mean + (1.0 - keep) * gradient;
                *square = keep_square * *square + (1.0 - keep_square) * gradient * gradient;
                *weight -= rate * *mean / (square.sqrt() + epsilon);
            }
        }
    }
}
