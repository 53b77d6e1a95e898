//! Training: one contract for all learners, one list of them, one loop that runs them.
//!
//! A learner works in [steps](Learner::step). Between two steps the loop reports progress, writes
//! a checkpoint now and then, and stops when asked to. Everything random follows from the seed
//! and a checkpoint holds everything a learner needs, so a training that was stopped ends with
//! the same file as one that was not.

mod choices;
mod files;
mod gp;
mod kept;
mod mio;
mod network;
mod q_table;
mod quartetti;
mod tree;

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use std::{fmt, io};

use deminer_game::{BuildError, HexWindowError, RulesError};
use deminer_neural::nets;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::disk::Disk;
use crate::tournament::RunError;
use deminer::roster::RefusalError;

pub use deminer_neural::train::EXACT;

pub use choices::{Choices, LearnerOption, OptionError, Takes};
pub use files::{CheckpointError, train};
pub use kept::{KeptTraining, train_into};
pub use mio::{serve, write_aleph};
pub(crate) use network::{LESSON_SEED, Network, NetworkOrder, TRIAL_SEED, Teacher, is_frontier};
pub(crate) use tree::Demonstration;

/// A learner in the list of learners.
#[derive(Clone, Copy)]
pub struct LearnerEntry {
    /// The name: a subcommand of `deminer train`.
    pub name: &'static str,
    /// What it makes, in one line.
    pub about: &'static str,
    /// How it learns, for the help.
    pub details: &'static str,
    /// Commands to try, for the help.
    pub examples: &'static str,
    /// Author, title and year of the paper it comes from.
    pub paper: Option<&'static str>,
    /// The options it takes, group by group.
    pub options: &'static [&'static [LearnerOption]],
    /// The extension of its artifacts.
    pub extension: &'static str,
    /// Options of a training that takes a second, for tests.
    pub small: &'static [(&'static str, &'static str)],
    /// Splits an order into the trainings it asks for, each with the usual name of its artifact.
    pub split: fn(&Choices) -> Result<NamedRuns, TrainError>,
    /// Refuses options that cannot be trained with, before any work.
    pub check: fn(&Choices) -> Result<(), TrainError>,
    /// Makes a learner: a new one, or one that continues from a checkpoint.
    pub begin: Begin,
}

/// Trainings, each with the usual name of its artifact.
pub type NamedRuns = Vec<(String, Choices)>;

/// Makes a learner from options and what a checkpoint saved.
pub type Begin = fn(&Choices, Option<&[u8]>, &Context) -> Result<Box<dyn Learner>, TrainError>;

/// Every learner. Each network is one.
pub static LEARNERS: LazyLock<Vec<LearnerEntry>> = LazyLock::new(|| {
    let others = [tree::ENTRY, gp::ENTRY, quartetti::ENTRY, q_table::ENTRY, mio::ENTRY];
    others.into_iter().chain(nets::DESIGNS.iter().map(network::entry)).collect()
});

/// The learner of this name.
pub fn find(name: &str) -> Option<&'static LearnerEntry> {
    LEARNERS.iter().find(|entry| entry.name == name)
}

/// Something that learns.
pub trait Learner {
    /// Does one piece of work. A learner that is stopped in the middle of a piece leaves
    /// everything as it was before.
    fn step(&mut self, context: &mut Context) -> Result<Step, TrainError>;

    /// How far it is and how well it does.
    fn progress(&self) -> Progress;

    /// Everything needed to continue.
    fn checkpoint(&self) -> Vec<u8>;

    /// Makes the artifact, when all is learned.
    fn finish(&self, context: &mut Context) -> Result<Made, TrainError>;
}

/// What came of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// There is more to do.
    Going,
    /// There is more to do, and the progress is worth a point of the learning curve.
    Mark,
    /// All is learned.
    Over,
}

/// What a learner works with.
pub struct Context<'a> {
    /// Threads to use. They change the time that learning takes, never what is learned.
    pub threads: NonZero<usize>,
    /// Stops the training; a checkpoint is written first.
    pub stop: &'a Arc<AtomicBool>,
    /// Where its files are kept.
    pub disk: Disk,
    /// Receives what happens.
    pub tell: &'a mut dyn FnMut(Event),
}

impl Context<'_> {
    /// Whether the training should stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Says something.
    pub fn note(&mut self, text: impl fmt::Display) {
        (self.tell)(Event::Note { text: text.to_string() });
    }
}

/// What happens in a training: one JSON document for each with `deminer train --events json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// How far the training is.
    Progress(Progress),
    /// A sentence, or several lines.
    Note {
        /// The text.
        text: String,
    },
}

/// How far a training is.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Progress {
    /// How much is done.
    pub done: u64,
    /// Of how much.
    pub total: u64,
    /// What is counted: `games`, `rounds`.
    pub things: String,
    /// How well it does.
    pub numbers: Vec<Number>,
}

/// A number with a name.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Number {
    /// What it measures: `loss`, `fidelity`, `best`.
    pub name: String,
    /// The number.
    pub value: f64,
    /// How to write it.
    pub unit: Unit,
}

/// How a number is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// With four decimals.
    Plain,
    /// As a percentage.
    Share,
    /// As a whole number.
    Count,
}

impl Progress {
    /// Counts what is done.
    pub fn new(done: u64, total: u64, things: &str) -> Self {
        Self { done, total, things: things.to_owned(), numbers: Vec::new() }
    }

    /// Adds a number, unless it is not finite.
    #[must_use]
    pub fn with(mut self, name: &str, value: f64, unit: Unit) -> Self {
        if value.is_finite() {
            self.numbers.push(Number { name: name.to_owned(), value, unit });
        }
        self
    }

    /// The share that is done.
    pub fn share(&self) -> f64 {
        if self.total == 0 { 0.0 } else { self.done as f64 / self.total as f64 }
    }

    /// The numbers in words: `loss 0.2100, validation 0.2500`.
    pub fn words(&self) -> String {
        let words = |Number { name, value, unit }: &Number| match unit {
            Unit::Plain => format!("{name} {value:.4}"),
            Unit::Share => format!("{name} {:.0} %", 100.0 * value),
            Unit::Count => format!("{name} {value:.0}"),
        };
        self.numbers.iter().map(words).collect::<Vec<_>>().join(", ")
    }
}

/// What a training made.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Made {
    /// The artifact.
    pub artifact: Vec<u8>,
    /// Further files.
    pub files: Vec<(MadeFile, Vec<u8>)>,
    /// What to tell of it.
    pub report: String,
    /// The artifact in words, for where it is not written to a file.
    pub text: String,
}

/// Where a further file goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MadeFile {
    /// Beside the artifact, with this extension.
    Beside(&'static str),
    /// Where the user asked for it.
    At(String),
}

/// A network, a tree or anything else cannot be trained.
#[derive(Debug, Error)]
pub enum TrainError {
    /// An option is unknown, wrong, or does not go with the others.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// Board and start do not go together.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// An agent cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// An agent does not play these rules.
    #[error(transparent)]
    Refusal(#[from] RefusalError),
    /// Hexagons have no windows.
    #[error(transparent)]
    Hex(#[from] HexWindowError),
    /// The checkpoint belongs to another run, or is damaged.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// An agent to imitate has no estimates.
    #[error("agent `{0}` gives no estimates, so there is nothing to imitate")]
    Silent(String),
    /// The teacher's games gave nothing to learn from.
    #[error("{0} gave no samples: it has no estimates there")]
    NoSamples(String),
    /// The games at the end could not be played.
    #[error(transparent)]
    Trial(#[from] RunError),
    /// It was stopped.
    #[error("stopped")]
    Stopped,
    /// Another process trains the same.
    #[error(
        "{0} is being trained by another deminer ({1}): wait until it ends, or choose another --out"
    )]
    InUse(String, String),
    /// The example server cannot be used.
    #[error("{0}")]
    Server(String),
    /// A file cannot be read or written.
    #[error("cannot write {0}: {1}")]
    File(String, io::Error),
}

/// Time from checkpoint to checkpoint.
const KEEP_EVERY: Duration = Duration::from_secs(60);

/// The least time from report to report, but for marks.
const TELL_EVERY: Duration = Duration::from_millis(200);

/// Lets a learner work until all is learned or it is stopped; whether all is learned. `save`
/// gets a checkpoint once a minute and when the training is stopped.
pub fn learn(
    learner: &mut dyn Learner,
    context: &mut Context,
    save: &mut dyn FnMut(Vec<u8>) -> Result<(), TrainError>,
) -> Result<bool, TrainError> {
    let (mut saved, mut told) = (Instant::now(), Instant::now());
    loop {
        let step = match learner.step(context) {
            // A lost server costs nothing that was learned.
            Err(error @ TrainError::Server(_)) => {
                save(learner.checkpoint())?;
                return Err(error);
            }
            Err(TrainError::Stopped) => {
                save(learner.checkpoint())?;
                return Ok(false);
            }
            step => step?,
        };
        if step != Step::Going || told.elapsed() > TELL_EVERY {
            (context.tell)(Event::Progress(learner.progress()));
            told = Instant::now();
        }
        if step == Step::Over {
            return Ok(true);
        }
        let stopped = context.is_stopped();
        if stopped || saved.elapsed() > KEEP_EVERY {
            save(learner.checkpoint())?;
            saved = Instant::now();
        }
        if stopped {
            return Ok(false);
        }
    }
}

/// State as JSON, for checkpoints.
fn pack(state: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(state).expect("states of learners are plain data")
}

/// Reads state from a checkpoint.
fn unpack<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Result<T, CheckpointError> {
    serde_json::from_slice(bytes).map_err(CheckpointError::damaged)
}
