//! Learning from a teacher's games.
//!
//! Games are played in portions, so that memory holds one portion at a time whatever the number
//! of games; a set of one portion is played once, larger ones again in every epoch. A portion is
//! learned from in slabs, between which a run can stop.

use std::sync::atomic::AtomicBool;

use deminer_game::{GameSeed, Purpose, Rng, Rules};
use deminer_neural::nets::Sight;
use deminer_neural::train::{Length, Samples, Trainer};

use super::checkpoint::{Saved, State};
use super::data::TeacherGames;
use super::{LESSON_SEED, Mark, NetworkOrder, TRIAL_SEED};
use crate::train::{Step, TrainError};

/// Games of a portion.
const PORTION: u64 = 1_000;

/// Batches of a slab.
const SLAB: usize = 32;

/// Points of a learning curve.
const MARKS: f64 = 60.0;

/// Samples that validation looks at, and games played for them.
const VALIDATED: usize = 2_048;
const VALIDATION_GAMES: u64 = 100;

/// A network that learns from a teacher's games.
pub(super) struct Supervised {
    rules: Vec<Rules>,
    pub trainer: Trainer,
    pub state: State,
    /// The newest progress.
    pub latest: Mark,
    /// The portion being learned from.
    portion: Option<Portion>,
    validation: Samples,
}

impl Supervised {
    pub fn begin(
        order: &NetworkOrder,
        saved: Saved,
        stop: &AtomicBool,
    ) -> Result<Self, TrainError> {
        let Saved { trainer, state, .. } = saved;
        let latest = state.marks.last().copied().unwrap_or_default();
        let validation = Samples::new(1, 1, 1);
        let rules = order.rules()?;
        let mut supervised = Self { rules, trainer, state, latest, portion: None, validation };
        let last = supervised.rules.len() as u64 - 1;
        let games = supervised.games(order, last, order.seed ^ TRIAL_SEED);
        supervised.validation =
            games.samples(0..VALIDATION_GAMES, order.threads, stop)?.thinned(VALIDATED);
        Ok(supervised)
    }

    /// The games of a portion: boards take turns.
    fn games<'a>(&'a self, order: &'a NetworkOrder, portion: u64, seed: u64) -> TeacherGames<'a> {
        TeacherGames {
            roster: &order.roster,
            teacher: &order.recipe.teacher,
            rules: &self.rules[(portion % self.rules.len() as u64) as usize],
            at: order.recipe.at,
            seed,
            windows: order.design.sight == Sight::Window,
            targets: order.recipe.targets,
        }
    }

    fn portions(order: &NetworkOrder) -> u64 {
        order.recipe.games.div_ceil(PORTION).max(1)
    }

    /// The share done.
    fn done(&self, order: &NetworkOrder) -> f64 {
        let State { epoch, portion, slab, samples, .. } = &self.state;
        match order.recipe.length {
            Length::Samples(total) => *samples as f64 / total as f64,
            Length::Epochs(epochs) => {
                let slabs = self.portion.as_ref().map_or(1, Portion::slabs);
                let within = *slab as f64 / slabs as f64;
                (*epoch as f64 + (*portion as f64 + within) / Self::portions(order) as f64)
                    / epochs as f64
            }
        }
    }

    /// Learns from the next slab. Stopped in the middle of it, nothing has changed.
    pub fn step(&mut self, order: &NetworkOrder, stop: &AtomicBool) -> Result<Step, TrainError> {
        if self.done(order) >= 1.0 {
            return Ok(Step::Over);
        }
        self.prepare(order, stop)?;
        let trainer = &self.trainer;
        let before = (self.state.clone(), trainer.weights.clone(), trainer.adam.clone());
        let step = self.learn(order, stop);
        if step.is_none() {
            (self.state, self.trainer.weights, self.trainer.adam) = before;
        }
        step.ok_or(TrainError::Stopped)
    }

    fn learn(&mut self, order: &NetworkOrder, stop: &AtomicBool) -> Option<Step> {
        let before = self.done(order);
        let recipe = &order.recipe;
        let rate = recipe.rate * recipe.schedule.factor(self.state.epoch, before);
        let mut rng = self.rng(order, self.state.slab + 1);
        let portion = self.portion.as_ref().expect("a portion is prepared");
        let chosen = portion.slab(self.state.slab);
        let samples = &portion.samples;
        let loss = self.trainer.learn_unless(stop, samples, chosen, rate, &mut rng)?;
        self.state.tally.0 += loss * chosen.len() as f64;
        self.state.tally.1 += chosen.len() as u64;
        self.state.samples += chosen.len() as u64;
        self.state.slab += 1;
        if self.state.slab == portion.slabs() {
            (self.state.slab, self.state.portion) = (0, self.state.portion + 1);
        }
        if self.state.portion == Self::portions(order) {
            (self.state.portion, self.state.epoch) = (0, self.state.epoch + 1);
        }
        let done = self.done(order);
        let is_mark = self.mark(before, done, stop)?;
        Some(match done >= 1.0 {
            true => Step::Over,
            false if is_mark => Step::Mark,
            false => Step::Going,
        })
    }

    /// Updates the progress; whether the learning curve got a point. None if it was stopped.
    fn mark(&mut self, before: f64, done: f64, stop: &AtomicBool) -> Option<bool> {
        let loss = self.state.tally.0 / self.state.tally.1.max(1) as f64;
        let samples = self.state.samples;
        self.latest = Mark { done: done.min(1.0), samples, loss, validation: None };
        let due = (before * MARKS) as u64 != (done * MARKS) as u64 || self.state.marks.is_empty();
        if due {
            self.latest.validation = Some(self.trainer.validate_unless(stop, &self.validation)?);
            self.state.marks.push(self.latest);
            self.state.tally = (0.0, 0, 0);
        }
        Some(due)
    }

    /// Random numbers of this portion, by purpose.
    fn rng(&self, order: &NetworkOrder, purpose: u64) -> Rng {
        let seed = GameSeed { seed: order.seed, game: self.state.epoch }.derive(Purpose::Lab);
        let seed = GameSeed { seed, game: self.state.portion }.derive(Purpose::Lab);
        GameSeed { seed, game: purpose }.rng(Purpose::Lab)
    }

    /// Plays the games of the portion that is due, unless that was done, and shuffles its samples.
    fn prepare(&mut self, order: &NetworkOrder, stop: &AtomicBool) -> Result<(), TrainError> {
        let due = self.state.portion;
        let samples = match self.portion.take() {
            Some(held) if held.number == due && self.state.slab > 0 => {
                self.portion = Some(held);
                return Ok(());
            }
            Some(held) if held.number == due => held.samples,
            _ => self.play(order, due, stop)?,
        };
        let mut shuffled: Vec<usize> = (0..samples.len()).collect();
        self.rng(order, 0).shuffle(&mut shuffled);
        let slab = order.recipe.batch * SLAB;
        self.portion = Some(Portion { number: due, samples, order: shuffled, slab });
        Ok(())
    }

    fn play(
        &self,
        order: &NetworkOrder,
        portion: u64,
        stop: &AtomicBool,
    ) -> Result<Samples, TrainError> {
        let first = portion * PORTION;
        let games = first..(first + PORTION).min(order.recipe.games);
        let played = self.games(order, portion, order.seed ^ LESSON_SEED);
        let samples = played.samples(games.clone(), order.threads, stop)?;
        if samples.len() < 2 {
            let (count, board) = (games.end - games.start, played.rules.size());
            let teacher = &order.recipe.teacher;
            return Err(TrainError::NoSamples(format!("{count} games of `{teacher}` on {board}")));
        }
        Ok(samples)
    }
}

/// Samples of some games, in the order in which they are learned from.
struct Portion {
    number: u64,
    samples: Samples,
    order: Vec<usize>,
    /// Samples of a slab.
    slab: usize,
}

impl Portion {
    fn slabs(&self) -> u64 {
        self.order.len().div_ceil(self.slab) as u64
    }

    fn slab(&self, number: u64) -> &[usize] {
        let from = number as usize * self.slab;
        &self.order[from..(from + self.slab).min(self.order.len())]
    }
}
