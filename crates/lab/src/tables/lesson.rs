//! Networks that studies train.

use deminer_game::Size;
use deminer_neural::nets::{Design, Variant};
use deminer_neural::train::{Recipe, Trainer};

use super::Work;
use crate::training::{Checkpoints, Mark, Order};

/// The share of a study's time that training takes; games follow.
const LEARNING: f64 = 0.95;

impl Work<'_> {
    /// Trains a network on boards that can be played: it and its learning curve; nothing if it was
    /// stopped.
    pub(super) fn teach(
        &self,
        design: &'static Design,
        variant: Variant,
        boards: Vec<Size>,
        recipe: &Recipe,
    ) -> Option<(Trainer, Vec<Mark>)> {
        let order = Order {
            design,
            variant,
            boards,
            recipe: recipe.clone(),
            seed: self.seed,
            threads: self.threads,
            trial: 0,
            command: String::new(),
        };
        let mut checkpoints = Checkpoints { resume: None, save: &mut |_| () };
        let mut see = |mark: &Mark| (self.progress)(LEARNING * mark.done, "learning");
        let learned = order.learn(&mut checkpoints, self.stop, &mut see);
        learned.expect("these boards can be played")
    }
}
