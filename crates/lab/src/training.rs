//! Training networks: teachers play, networks learn, runs survive being stopped.
//!
//! Everything random follows from the seed, and everything a run needs to go on is in its
//! checkpoint, so a run that was killed ends with the same bits as one that was not.

mod checkpoint;
mod course;
mod data;
mod school;
mod teacher;

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

use deminer_game::{Rules, RulesError, Size};
use deminer_neural::artifact::{self, Header, Precision, TRUTH};
use deminer_neural::nets::{Boards, Design, Net, Sight, Variant};
use deminer_neural::shelf;
use deminer_neural::train::{Labels, Recipe, Trainer};
use thiserror::Error;

use crate::report::{Axis, Chart, ChartPoint, Series, Source};
use crate::roster::Spec;
use crate::run::{Estimator, RunError, Tournament};

pub use checkpoint::CheckpointError;
pub(crate) use data::is_frontier;
pub(crate) use teacher::Teacher;
pub use teacher::TeacherError;

/// A network to be trained.
#[derive(Clone, Debug)]
pub struct Order {
    /// Which network.
    pub design: &'static Design,
    /// As its authors had it, or repaired.
    pub variant: Variant,
    /// For which boards: one, or several where the design takes them by stages or by turns.
    pub boards: Vec<Size>,
    /// How.
    pub recipe: Recipe,
    /// The run's seed.
    pub seed: u64,
    /// Threads on which teachers play.
    pub threads: NonZero<usize>,
    /// Games on boards not seen in training, played at the end.
    pub trial: u64,
    /// The command, for the artifact's header.
    pub command: String,
}

/// A network cannot be trained.
#[derive(Debug, Error)]
pub enum TrainError {
    /// Board and start do not go together.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The teacher cannot teach.
    #[error(transparent)]
    Teacher(#[from] TeacherError),
    /// The checkpoint belongs to another run, or is damaged.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The teacher's games gave nothing to learn from.
    #[error("{games} games of `{teacher}` on {board} gave no samples: it has no estimates there")]
    NoSamples {
        /// Games played.
        games: u64,
        /// Who played them.
        teacher: String,
        /// On which board.
        board: Size,
    },
    /// The trial could not be played.
    #[error(transparent)]
    Trial(#[from] RunError),
}

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// The share of the training that is done.
    pub done: f64,
    /// Samples learned from.
    pub samples: u64,
    /// The mean loss since the last report.
    pub loss: f64,
    /// The loss on samples not learned from, or the share of self-played games won.
    pub validation: Option<f64>,
}

/// A point of the learning curve.
pub type Mark = Progress;

/// A trained network.
#[derive(Clone, Debug)]
pub struct Trained {
    /// What it is and how well it does.
    pub header: Header,
    /// The artifact.
    pub file: Vec<u8>,
    /// How the loss fell.
    pub curve: Chart,
    /// Learned numbers.
    pub parameters: usize,
    /// Samples learned from.
    pub samples: u64,
}

/// What a training came to.
#[derive(Clone, Debug)]
pub enum Ended {
    /// The network is trained.
    Trained(Box<Trained>),
    /// It was stopped; the checkpoint takes it up again.
    Stopped,
}

/// Where checkpoints go and come from.
pub struct Checkpoints<'a> {
    /// The one to go on from.
    pub resume: Option<Vec<u8>>,
    /// Keeps one; called about once a minute and when stopped.
    pub save: &'a mut dyn FnMut(&[u8]),
}

impl Order {
    /// The name of its artifact: the network, whose it is, who taught it where that may differ,
    /// and the board where each has its own.
    pub fn name(&self) -> String {
        let mut name = self.design.name.to_owned();
        if self.variant == Variant::Orig {
            name += "-orig";
        }
        if self.labels() == Some(Labels::Teacher) {
            name = format!("{name}-{}", self.recipe.teacher);
        }
        if self.design.boards_are == Boards::Each {
            name = format!("{name}-{}", self.board());
        }
        name
    }

    /// The board it is trained for in the end.
    fn board(&self) -> Size {
        *self.boards.last().expect("an order names a board")
    }

    fn labels(&self) -> Option<Labels> {
        self.recipe.curriculum.as_ref().map(|curriculum| curriculum.labels)
    }

    /// The rules on each board.
    fn rules(&self) -> Result<Vec<Rules>, RulesError> {
        self.boards.iter().map(|&size| Rules::of(size)?.with_start(self.recipe.start)).collect()
    }

    /// All that decides the result, in words; a checkpoint of other words is another run's.
    fn words(&self) -> String {
        let boards: Vec<String> = self.boards.iter().map(Size::to_string).collect();
        let (design, variant) = (self.design.name, self.variant.name());
        format!("{design} {variant} {} seed {} {:?}", boards.join(" "), self.seed, self.recipe)
    }

    fn net(&self) -> Net {
        (self.design.build)(self.variant, self.board())
    }

    /// Trains the network. `see` is told how it goes; `stop` ends the run after a checkpoint.
    pub fn train(
        &self,
        mut checkpoints: Checkpoints,
        stop: &AtomicBool,
        see: &mut dyn FnMut(&Progress),
    ) -> Result<Ended, TrainError> {
        match self.learn(&mut checkpoints, stop, see)? {
            Some((trainer, marks)) => Ok(Ended::Trained(Box::new(self.finish(&trainer, &marks)?))),
            None => Ok(Ended::Stopped),
        }
    }

    /// Learns, and no more: the network and its learning curve; nothing when it was stopped.
    pub(crate) fn learn(
        &self,
        checkpoints: &mut Checkpoints,
        stop: &AtomicBool,
        see: &mut dyn FnMut(&Progress),
    ) -> Result<Option<(Trainer, Vec<Mark>)>, TrainError> {
        match &self.recipe.curriculum {
            None => course::run(self, checkpoints, stop, see),
            Some(curriculum) => school::run(self, curriculum, checkpoints, stop, see),
        }
    }

    /// Writes the artifact, plays the trial with it and writes it again with what was measured.
    fn finish(&self, trainer: &Trainer, marks: &[Mark]) -> Result<Trained, TrainError> {
        let parameters = trainer.net().parameters();
        let precision = if parameters > HALVED { Precision::Half } else { Precision::Single };
        let samples = marks.last().map_or(0, |mark| mark.samples);
        let mut header = Header {
            net: self.design.name.to_owned(),
            variant: self.variant,
            board: self.board(),
            teacher: match self.labels() {
                Some(Labels::Truth) => TRUTH.to_owned(),
                _ => self.recipe.teacher.clone(),
            },
            data: self.data(samples),
            seed: self.seed,
            command: self.command.clone(),
            metrics: Default::default(),
        };
        let write =
            |header: &Header| artifact::write(header, trainer.net(), trainer.weights(), precision);
        if let Some(last) = marks.last() {
            header.metrics.insert("loss".into(), rounded(last.loss));
            let name = if self.labels().is_some() { "self-play wins" } else { "validation loss" };
            last.validation.map(|value| header.metrics.insert(name.into(), rounded(value)));
        }
        header.metrics.insert("samples".into(), samples as f64);
        if self.trial > 0 {
            shelf::put(&self.name(), &write(&header)).expect("what was just written can be read");
            for rules in self.rules()? {
                let name = format!("wins on {}", rules.size());
                header.metrics.insert(name, rounded(self.try_out(rules)?));
            }
            header.metrics.insert("trial games".into(), self.trial as f64);
        }
        let file = write(&header);
        let curve = self.curve(marks);
        Ok(Trained { header, file, curve, parameters, samples })
    }

    /// The share of games won on boards that training never sees: those of another seed.
    fn try_out(&self, rules: Rules) -> Result<f64, TrainError> {
        let tournament = Tournament {
            agents: vec![self.spec()],
            rules,
            at: self.recipe.at,
            seed: self.seed ^ TRIAL_SEED,
            games: 0..self.trial,
            estimator: Estimator::Plain,
            measures: Vec::new(),
        };
        let results = tournament.run(self.threads, &AtomicBool::new(false), |_| {})?;
        Ok(results.tallies[0].rate())
    }

    /// The agent that plays it.
    fn spec(&self) -> Spec {
        let mut options = Vec::new();
        if self.variant == Variant::Orig {
            options.push("orig".to_owned());
        }
        if self.labels() == Some(Labels::Teacher) {
            options.push(format!("teacher={}", self.recipe.teacher));
        }
        let text = format!("{}:{}", self.design.name, options.join(","));
        text.trim_end_matches(':').parse().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Rules and games learned from, in words.
    fn data(&self, samples: u64) -> String {
        let boards: Vec<String> = self.boards.iter().map(Size::to_string).collect();
        let (boards, start) = (boards.join(", "), self.recipe.start);
        let games = match &self.recipe.curriculum {
            Some(curriculum) => format!("{} games of its own on each of", curriculum.games),
            None => format!("{} games of {} on", self.recipe.games, self.recipe.teacher),
        };
        format!("{games} {boards}, start {start}; {samples} samples seen")
    }

    fn curve(&self, marks: &[Mark]) -> Chart {
        let series = |name: &str, value: &dyn Fn(&Mark) -> Option<f64>| {
            let point = |mark: &Mark| {
                let across = mark.samples as f64 / 1e6;
                Some(ChartPoint { across, up: value(mark)?, interval: None })
            };
            let points = marks.iter().filter_map(point).collect();
            Series { name: name.to_owned(), source: Source::Ours, points }
        };
        let validation = if self.labels().is_some() { "games won" } else { "validation" };
        Chart {
            title: format!("{}: loss while learning", self.name()),
            across: Axis::Number("million samples".into()),
            up: Axis::Number(format!("{:?}", self.recipe.loss)),
            series: vec![
                series("training", &|mark| Some(mark.loss)),
                series(validation, &|mark| mark.validation),
            ],
        }
    }
}

/// Networks with more numbers than this are kept in 16 bits each.
const HALVED: usize = 500_000;

/// Set the boards of training, and those of trials and validation, apart from each other and from
/// those of every tournament with a seed of usual size: what is measured was never learned from.
const LESSON_SEED: u64 = 0x6c65_7373_6f6e_0000;
pub(crate) const TRIAL_SEED: u64 = 0x7472_6961_6c00_0000;

/// Four digits are enough for a header.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// Whether the run should stop.
fn is_stopped(stop: &AtomicBool) -> bool {
    stop.load(Ordering::Relaxed)
}

/// Whether the network sees windows.
fn sees_windows(design: &Design) -> bool {
    design.sight == Sight::Window
}
