//! The four settings of the paper's Table 2, by name.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::background;
use super::bottom::Saturation;
use super::learn::Method;
use super::search::{Bounds, Strategy};

/// How Mio is run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Setting {
    /// Iterative deepening, literal by literal.
    Ida,
    /// Iterative deepening with macros.
    IdaMacros,
    /// The same, actively.
    ActiveIdaMacros,
    /// Greedy search with macros, actively: the paper's best.
    ActiveGreedyMacros,
}

/// The word names no setting.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is not a setting (use {list})", list = Setting::ALL.map(Setting::name).join(", "))]
pub struct ParseSettingError(String);

impl Setting {
    /// All of them, in the order of the paper.
    pub const ALL: [Setting; 4] =
        [Setting::Ida, Setting::IdaMacros, Setting::ActiveIdaMacros, Setting::ActiveGreedyMacros];

    /// The word for it: `al` active learning, `gs` greedy search, `m` macros.
    pub const fn name(self) -> &'static str {
        match self {
            Setting::Ida => "ida",
            Setting::IdaMacros => "ida+m",
            Setting::ActiveIdaMacros => "al+ida+m",
            Setting::ActiveGreedyMacros => "al+gs+m",
        }
    }

    /// Whether examples are chosen by an example server.
    pub const fn is_active(self) -> bool {
        matches!(self, Setting::ActiveIdaMacros | Setting::ActiveGreedyMacros)
    }

    /// How clauses are sought.
    pub const fn strategy(self) -> Strategy {
        match self {
            Setting::Ida => Strategy::Ida,
            Setting::IdaMacros | Setting::ActiveIdaMacros => Strategy::IdaWithMacros,
            Setting::ActiveGreedyMacros => Strategy::GreedyWithMacros,
        }
    }

    /// Everything about it, with the paper's predicates.
    pub fn method(self) -> Method {
        Method {
            predicates: background::of_the_paper().iter().collect(),
            saturation: Saturation::PAPER,
            strategy: self.strategy(),
            bounds: Bounds::PAPER,
            seeds: 4,
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Setting {
    type Err = ParseSettingError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let named = |setting: &Setting| setting.name() == word;
        Setting::ALL.into_iter().find(named).ok_or_else(|| ParseSettingError(word.to_owned()))
    }
}
