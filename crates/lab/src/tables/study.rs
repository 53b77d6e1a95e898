//! Runs of a table that are no tournaments: training, evolution, a search.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use super::SEED;
use super::games::{Measured, measured};
use crate::stats;

/// A computation whose outcome is decided by its name, its seed and its amount.
#[derive(Clone)]
pub struct Study {
    /// Its name within the table.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// How much is done, in whatever the study counts: runs, games, generations.
    pub amount: u64,
    /// Does it; nothing if it was stopped.
    pub run: fn(&Work<'_>) -> Option<Findings>,
}

impl Study {
    /// A study with the usual seed.
    pub fn new(
        name: impl Into<String>,
        amount: u64,
        run: fn(&Work<'_>) -> Option<Findings>,
    ) -> Self {
        Self { name: name.into(), seed: SEED, amount, run }
    }
}

impl fmt::Debug for Study {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, seed, amount, run: _ } = self;
        write!(f, "{name} (seed {seed}, amount {amount})")
    }
}

/// A study at work.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// The study's name.
    pub name: &'a str,
    /// Its seed.
    pub seed: u64,
    /// How much is to be done.
    pub amount: u64,
    /// Whether all steps on next to nothing will do, however long one unit of the amount takes.
    pub sketch: bool,
    /// How many threads may work.
    pub threads: NonZero<usize>,
    /// Raised when it is to stop.
    pub stop: &'a AtomicBool,
    /// Sees the share that is done, and where it stands.
    pub progress: &'a (dyn Fn(f64, &str) + Sync),
}

impl Work<'_> {
    /// Whether it is to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What a study found.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// Numbers by name: one, a sample, or a series.
    pub numbers: BTreeMap<String, Vec<f64>>,
    /// Texts by name, such as rules that were learned.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, String>,
}

impl Findings {
    /// Adds a number to those of a name.
    pub fn push(&mut self, name: &str, number: f64) {
        self.numbers.entry(name.to_owned()).or_default().push(number);
    }

    /// The numbers of a name.
    ///
    /// # Panics
    /// If there are none: a table's studies and its reading must agree.
    pub fn numbers(&self, name: &str) -> &[f64] {
        let numbers = self.numbers.get(name);
        numbers.unwrap_or_else(|| panic!("the study found no numbers `{name}`"))
    }

    /// The mean of a sample.
    pub fn mean(&self, name: &str) -> Measured {
        let numbers = self.numbers(name);
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        measured(mean, stats::bootstrap(numbers), numbers.len())
    }

    /// The share of so many cases, each written as 1 or 0.
    pub fn share(&self, name: &str) -> Measured {
        let numbers = self.numbers(name);
        let hits = numbers.iter().filter(|&&number| number > 0.5).count();
        let interval = stats::wilson(hits as u64, numbers.len() as u64);
        measured(hits as f64 / numbers.len() as f64, interval, numbers.len())
    }
}
