//! Learning from a teacher's games.
//!
//! Games are played in portions, so that memory holds one portion at a time whatever the number
//! of games; a set of one portion is played once, larger ones again in every epoch. A portion is
//! learned from in slabs, between which a run can stop.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use deminer_game::{GameSeed, Purpose, Rng, Rules};
use deminer_neural::train::{Length, Samples, Trainer};

use super::checkpoint::{self, Place};
use super::data::{Games, Take};
use super::{
    Checkpoints, LESSON_SEED, Mark, Order, Progress, TRIAL_SEED, TrainError, is_stopped,
    sees_windows,
};

/// Games of a portion.
const PORTION: u64 = 1_000;

/// Batches of a slab.
const SLAB: usize = 32;

/// Points of a learning curve.
const MARKS: f64 = 60.0;

/// Samples that validation looks at, and games played for them.
const VALIDATED: usize = 2_048;
const VALIDATION_GAMES: u64 = 100;

/// How often a checkpoint is kept.
pub(super) const KEEP_EVERY: Duration = Duration::from_secs(60);

/// The trained network and its learning curve; none if it was stopped.
pub(super) type Taught = Option<(Trainer, Vec<Mark>)>;

pub(super) fn run(
    order: &Order,
    checkpoints: &mut Checkpoints,
    stop: &AtomicBool,
    see: &mut dyn FnMut(&Progress),
) -> Result<Taught, TrainError> {
    let mut course = Course::begin(order, checkpoints.resume.as_deref())?;
    let mut kept = Instant::now();
    loop {
        let ended = course.slab(see)?;
        if ended {
            return Ok(Some((course.trainer, course.place.marks())));
        }
        let stopped = is_stopped(stop);
        if stopped || kept.elapsed() > KEEP_EVERY {
            let words = order.words();
            (checkpoints.save)(&checkpoint::write(&words, &course.place, &course.trainer, None));
            kept = Instant::now();
        }
        if stopped {
            return Ok(None);
        }
    }
}

struct Course<'a> {
    order: &'a Order,
    rules: Vec<Rules>,
    trainer: Trainer,
    place: Place,
    /// The portion being learned from.
    portion: Option<Portion>,
    validation: Samples,
}

impl<'a> Course<'a> {
    fn begin(order: &'a Order, resume: Option<&[u8]>) -> Result<Self, TrainError> {
        let rules = order.rules()?;
        let (trainer, place) = match resume {
            None => (Trainer::new(order.net(), &order.recipe, order.seed), Place::default()),
            Some(file) => {
                let resumed = checkpoint::read(file, &order.words(), order.net(), &order.recipe)?;
                (resumed.trainer, resumed.place)
            }
        };
        let mut course =
            Self { order, rules, trainer, place, portion: None, validation: Samples::new(1, 1, 1) };
        let last = course.rules.len() as u64 - 1;
        let all = course
            .games(last, order.seed ^ TRIAL_SEED)
            .samples(0..VALIDATION_GAMES, order.threads)?;
        course.validation = all.thinned(VALIDATED);
        Ok(course)
    }

    /// The games of a portion: boards take turns.
    fn games(&self, portion: u64, seed: u64) -> Games<'_> {
        Games {
            teacher: &self.order.recipe.teacher,
            rules: &self.rules[(portion % self.rules.len() as u64) as usize],
            at: self.order.recipe.at,
            seed,
            take: if sees_windows(self.order.design) { Take::Windows } else { Take::Board },
            targets: self.order.recipe.targets,
        }
    }

    fn portions(&self) -> u64 {
        self.order.recipe.games.div_ceil(PORTION).max(1)
    }

    /// The share done.
    fn done(&self) -> f64 {
        let Place { epoch, portion, slab, samples, .. } = &self.place;
        match self.order.recipe.length {
            Length::Samples(total) => *samples as f64 / total as f64,
            Length::Epochs(epochs) => {
                let slabs = self.portion.as_ref().map_or(1, Portion::slabs);
                let within = *slab as f64 / slabs as f64;
                (*epoch as f64 + (*portion as f64 + within) / self.portions() as f64)
                    / epochs as f64
            }
        }
    }

    /// Learns from the next slab; whether that was the last.
    fn slab(&mut self, see: &mut dyn FnMut(&Progress)) -> Result<bool, TrainError> {
        self.prepare()?;
        let before = self.done();
        let recipe = &self.order.recipe;
        let rate = recipe.rate * recipe.schedule.factor(self.place.epoch, before);
        let mut rng = self.rng(self.place.slab + 1);
        let portion = self.portion.as_ref().expect("a portion is prepared");
        let chosen = portion.slab(self.place.slab);
        let loss = self.trainer.learn(&portion.samples, chosen, rate, &mut rng);
        self.place.tally.0 += loss * chosen.len() as f64;
        self.place.tally.1 += chosen.len() as u64;
        self.place.samples += chosen.len() as u64;
        self.place.slab += 1;
        if self.place.slab == portion.slabs() {
            (self.place.slab, self.place.portion) = (0, self.place.portion + 1);
        }
        if self.place.portion == self.portions() {
            (self.place.portion, self.place.epoch) = (0, self.place.epoch + 1);
        }
        let done = self.done();
        self.report(before, done, see);
        Ok(done >= 1.0)
    }

    /// Tells how it goes; the learning curve gets a point now and then.
    fn report(&mut self, before: f64, done: f64, see: &mut dyn FnMut(&Progress)) {
        let loss = self.place.tally.0 / self.place.tally.1.max(1) as f64;
        let mut progress =
            Progress { done: done.min(1.0), samples: self.place.samples, loss, validation: None };
        if (before * MARKS) as u64 != (done * MARKS) as u64 || self.place.marks.is_empty() {
            progress.validation = Some(self.trainer.validate(&self.validation));
            self.place.mark(progress);
            self.place.tally = (0.0, 0, 0);
        }
        see(&progress);
    }

    /// Random numbers of this portion, by purpose.
    fn rng(&self, purpose: u64) -> Rng {
        let seed = GameSeed { seed: self.order.seed, game: self.place.epoch }.derive(Purpose::Lab);
        let seed = GameSeed { seed, game: self.place.portion }.derive(Purpose::Lab);
        GameSeed { seed, game: purpose }.rng(Purpose::Lab)
    }

    /// Plays the games of the portion that is due, unless they are at hand, and puts its samples
    /// in order.
    fn prepare(&mut self) -> Result<(), TrainError> {
        let due = self.place.portion;
        let samples = match self.portion.take() {
            Some(held) if held.number == due && self.place.slab > 0 => {
                self.portion = Some(held);
                return Ok(());
            }
            Some(held) if held.number == due => held.samples,
            _ => self.play(due)?,
        };
        let mut order: Vec<usize> = (0..samples.len()).collect();
        self.rng(0).shuffle(&mut order);
        let slab = self.order.recipe.batch * SLAB;
        self.portion = Some(Portion { number: due, samples, order, slab });
        Ok(())
    }

    fn play(&self, portion: u64) -> Result<Samples, TrainError> {
        let first = portion * PORTION;
        let games = first..(first + PORTION).min(self.order.recipe.games);
        let played = self.games(portion, self.order.seed ^ LESSON_SEED);
        let samples = played.samples(games.clone(), self.order.threads)?;
        if samples.len() < 2 {
            return Err(TrainError::NoSamples {
                games: games.end - games.start,
                teacher: self.order.recipe.teacher.clone(),
                board: played.rules.size(),
            });
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
