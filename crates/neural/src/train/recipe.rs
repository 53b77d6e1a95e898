//! The default training settings of each network.
//!
//! The originals follow their papers. The repaired ones share one plan: soft answers of the
//! exact odds, cross entropy, squares turned eight ways, a learning rate that falls to nothing,
//! and a budget in samples, the same for every size of board.

use deminer_game::{FirstClick, Start};

use super::Loss;
use crate::nets::Variant;
use crate::weights::Spread;

/// How a network is trained.
#[derive(Clone, PartialEq, Debug)]
pub struct Recipe {
    /// Who plays the games learned from, and whose beliefs are the answers; an agent's spec or
    /// `exact`. Unused where a network learns from the true layouts of its own games.
    pub teacher: String,
    /// Games the teacher plays.
    pub games: u64,
    /// What the first opened cell is promised, in training and in trial.
    pub start: Start,
    /// Where the first click goes.
    pub at: FirstClick,
    /// When training ends.
    pub length: Length,
    /// Samples of a step.
    pub batch: usize,
    /// The learning rate at the start.
    pub rate: f64,
    /// How it changes.
    pub schedule: Schedule,
    /// Weight decay.
    pub decay: f64,
    /// What is made small.
    pub loss: Loss,
    /// How weights begin.
    pub spread: Spread,
    /// Whether samples are turned and mirrored.
    pub symmetric: bool,
    /// The share of numbers that the network's dropout layers drop, if not the design's.
    pub dropout: Option<f32>,
    /// What the answers are made of.
    pub targets: Targets,
    /// For networks that learn from games of their own.
    pub curriculum: Option<Curriculum>,
}

/// When training ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// After all samples have been seen so often.
    Epochs(u64),
    /// After this many samples, seen before or not.
    Samples(u64),
}

/// How a learning rate changes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Schedule {
    /// Multiplied by a factor after every given number of epochs.
    Steps(u64, f64),
    /// Falls along a half cosine to nothing at the end.
    Fall,
    /// Stays.
    Level,
}

impl Schedule {
    /// The factor at this epoch, with this share of the training done.
    pub fn factor(self, epoch: u64, done: f64) -> f64 {
        match self {
            Schedule::Steps(every, times) => times.powf((epoch / every) as f64),
            Schedule::Fall => 0.5 * (1.0 + (std::f64::consts::PI * done.clamp(0.0, 1.0)).cos()),
            Schedule::Level => 1.0,
        }
    }
}

/// What the answers are made of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Targets {
    /// What open cells of a board should get; nothing is asked of them otherwise.
    pub opened: Option<f32>,
    /// Whether beliefs are rounded to two decimals.
    pub rounded: bool,
    /// Whether a window is taken again only when it has changed.
    pub fresh_only: bool,
    /// One position in this many is taken, at random.
    pub one_in: usize,
}

/// Games that a network plays itself and learns from.
#[derive(Clone, PartialEq, Debug)]
pub struct Curriculum {
    /// Games of each stage; every stage has its board.
    pub games: u64,
    /// Further games on the last board, after all stages.
    pub further: u64,
    /// Whether boards take turns, game by game, instead of being stages.
    pub mixed: bool,
    /// Samples remembered, the last ones.
    pub memory: usize,
    /// Samples drawn from memory after each game.
    pub draws: usize,
    /// Whether a window is remembered only when it has changed.
    pub fresh_only: bool,
    /// What the answers are.
    pub labels: Labels,
}

/// Where a self-playing network's answers come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Labels {
    /// The layout: 1 for safe, 0 for a mine.
    Truth,
    /// A teacher's belief that the cell is safe.
    Teacher,
}

const ORIGINAL_TARGETS: Targets =
    Targets { opened: None, rounded: true, fresh_only: false, one_in: 1 };

/// The teacher that knows the exact odds.
pub const EXACT: &str = "exact";

impl Recipe {
    /// Whole boards, dense networks.
    pub(crate) fn of_boards(variant: Variant) -> Self {
        let repaired = Recipe { games: 10_000, ..Self::repaired(3_000_000) };
        let orig = Recipe {
            targets: Targets { opened: Some(1.0), ..ORIGINAL_TARGETS },
            ..Self::orig(1_000)
        };
        variant.choose(orig, repaired)
    }

    /// Windows, dense networks.
    pub(crate) fn of_windows(variant: Variant) -> Self {
        variant.choose(Self::orig(1_000), Self::repaired(20_000_000))
    }

    /// Whole boards, convolutions. The authors had time for fifty games.
    pub(crate) fn of_boards_by_convolution(variant: Variant) -> Self {
        let recipe = Self::of_boards(variant);
        let orig = Recipe { games: 50, ..recipe.clone() };
        let repaired = Recipe { length: Length::Samples(500_000), ..recipe };
        variant.choose(orig, repaired)
    }

    /// Windows, convolutions.
    pub(crate) fn of_windows_by_convolution(variant: Variant) -> Self {
        variant.choose(Self::orig(50), Self::repaired(2_000_000))
    }

    /// Windows, sums that are risks.
    pub(crate) fn of_sums() -> Self {
        Recipe { games: 5_000, rate: 1e-2, loss: Loss::SquaredError, ..Self::repaired(3_000_000) }
    }

    /// Windows, sums that part mines from safe cells.
    pub(crate) fn of_margins() -> Self {
        Recipe { loss: Loss::Hinge, decay: 1e-4, ..Self::of_sums() }
    }

    /// Windows met in the network's own games.
    pub(crate) fn of_self_play(variant: Variant) -> Self {
        let labels = Labels::Truth;
        let orig = Curriculum {
            games: 20_000,
            further: 0,
            mixed: false,
            memory: 400,
            draws: 200,
            fresh_only: false,
            labels,
        };
        let repaired = Curriculum { memory: 100_000, draws: 512, fresh_only: true, ..orig.clone() };
        let orig = Recipe {
            start: Start::Safe,
            at: FirstClick::Corner,
            batch: 32,
            rate: 1e-4,
            schedule: Schedule::Level,
            decay: 0.0,
            spread: Spread::Fixed(0.05),
            curriculum: Some(orig),
            ..Self::orig(0)
        };
        let repaired = Recipe {
            start: Start::Safe,
            at: FirstClick::Corner,
            batch: 128,
            curriculum: Some(repaired),
            ..Self::repaired(0)
        };
        variant.choose(orig, repaired)
    }

    /// The same with a teacher's answers.
    pub(crate) fn of_taught_self_play(variant: Variant) -> Self {
        let mut recipe = Self::of_self_play(variant);
        recipe.teacher = "msla-teacher".to_owned();
        let curriculum = recipe.curriculum.as_mut().expect("self-play has a curriculum");
        curriculum.labels = Labels::Teacher;
        recipe
    }

    /// Boards of any size, convolutions.
    pub(crate) fn of_any_board(_: Variant) -> Self {
        let repaired = Self::repaired(1_000_000);
        let targets = Targets { one_in: 4, ..repaired.targets };
        let (start, at) = (Start::Safe, FirstClick::Corner);
        Recipe { games: 100_000, start, at, batch: 32, targets, ..repaired }
    }

    fn orig(games: u64) -> Self {
        Self {
            teacher: "gauss-csp+:orig".to_owned(),
            games,
            start: Start::Open,
            at: FirstClick::Random,
            length: Length::Epochs(300),
            batch: 5_000,
            rate: 5e-5,
            schedule: Schedule::Steps(100, 0.9),
            decay: 2.5e-5,
            loss: Loss::SquaredError,
            spread: Spread::ByTerms,
            symmetric: false,
            dropout: None,
            targets: ORIGINAL_TARGETS,
            curriculum: None,
        }
    }

    fn repaired(samples: u64) -> Self {
        Self {
            teacher: EXACT.to_owned(),
            games: 1_000,
            start: Start::Open,
            at: FirstClick::Random,
            length: Length::Samples(samples),
            batch: 256,
            rate: 1e-3,
            schedule: Schedule::Fall,
            decay: 0.0,
            loss: Loss::CrossEntropy,
            spread: Spread::ByTerms,
            symmetric: true,
            dropout: None,
            targets: Targets { opened: None, rounded: false, fresh_only: true, one_in: 1 },
            curriculum: None,
        }
    }
}
