//! The four settings of the paper's Table 2, by name.

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
deminer_game::words!(
    Setting, "a setting":
    Ida = "ida",
    IdaMacros = "ida+m",
    ActiveIdaMacros = "al+ida+m",
    ActiveGreedyMacros = "al+gs+m",
);

impl Setting {
    /// Whether examples are chosen by an example server.
    pub const fn is_active(self) -> bool {
        matches!(self, Setting::ActiveIdaMacros | Setting::ActiveGreedyMacros)
    }

    /// Everything about it, with the paper's predicates.
    pub fn method(self) -> Method {
        Method {
            predicates: background::of_the_paper().iter().collect(),
            saturation: Saturation::PAPER,
            strategy: match self {
                Setting::Ida => Strategy::Ida,
                Setting::IdaMacros | Setting::ActiveIdaMacros => Strategy::IdaWithMacros,
                Setting::ActiveGreedyMacros => Strategy::GreedyWithMacros,
            },
            bounds: Bounds::PAPER,
            seeds: 4,
        }
    }
}
