//! Work of a table that is no tournament: training, evolution, a search.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use deminer_game::{Agent, Size};
use deminer_neural::nets::{Design, Variant};
use deminer_neural::train::Recipe;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::games::Measured;
use super::plan::SEED;
use crate::disk::Disk;
use crate::train::{self, Context, Event, Network, NetworkOrder, TrainError};
use deminer::roster::Roster;

/// Does a study; none if it was stopped.
type Conduct = dyn Fn(&Work<'_>) -> Option<Findings> + Send + Sync;

/// A computation whose outcome follows from its name, its seed and its amount.
#[derive(Clone)]
pub struct Study {
    /// Its name within the table.
    pub name: String,
    /// Its seed.
    pub seed: u64,
    /// How much to do, in units of the study: runs, games, generations.
    pub amount: u64,
    /// Whether the amount is a number of games.
    pub in_games: bool,
    conduct: Arc<Conduct>,
}

impl Study {
    /// A study with the usual seed.
    pub fn new(
        name: impl Into<String>,
        amount: u64,
        conduct: impl Fn(&Work<'_>) -> Option<Findings> + Send + Sync + 'static,
    ) -> Self {
        let conduct = Arc::new(conduct);
        Self { name: name.into(), seed: SEED, amount, in_games: false, conduct }
    }

    /// The same, whose amount is a number of games.
    pub fn in_games(self) -> Self {
        Self { in_games: true, ..self }
    }

    /// Does it; none if it was stopped.
    pub fn conduct(&self, work: &Work<'_>) -> Option<Findings> {
        (self.conduct)(work)
    }
}

impl fmt::Debug for Study {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, seed, amount, in_games, conduct: _ } = self;
        let unit = if *in_games { " games" } else { "" };
        write!(f, "{name} (seed {seed}, amount {amount}{unit})")
    }
}

/// What a study at work is given.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// The agents, with the artifacts they play with.
    pub roster: &'a Roster,
    /// Its seed.
    pub seed: u64,
    /// How much to do.
    pub amount: u64,
    /// Whether to run every step on as little as possible, for tests.
    pub sketch: bool,
    /// How many threads may work.
    pub threads: NonZero<usize>,
    /// Set to stop the study.
    pub stop: &'a Arc<AtomicBool>,
    /// Receives the share done and a description.
    pub progress: &'a (dyn Fn(f64, &str) + Sync),
}

/// The share of a study's time that training takes; games follow.
const LEARNING: f64 = 0.95;

impl Work<'_> {
    /// Whether it is to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// An agent that is available.
    pub(super) fn agent(&self, text: &str) -> Box<dyn Agent> {
        let spec = self.roster.agent(text).unwrap_or_else(|error| panic!("{error}"));
        spec.build().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The text of a shipped artifact.
    pub(super) fn artifact(&self, path: &str) -> String {
        let bytes = self.roster.artifacts().get(path);
        String::from_utf8_lossy(bytes.unwrap_or_else(|| panic!("{path} is missing"))).into_owned()
    }

    /// Trains a network on boards it can play; none if it was stopped.
    pub(super) fn teach(
        &self,
        design: &'static Design,
        variant: Variant,
        boards: Vec<Size>,
        recipe: &Recipe,
    ) -> Option<Network> {
        let order = NetworkOrder {
            roster: self.roster.clone(),
            design,
            variant,
            boards,
            recipe: recipe.clone(),
            seed: self.seed,
            threads: self.threads,
            trial: 0,
            command: String::new(),
        };
        let mut tell = |event| {
            if let Event::Progress(progress) = event {
                (self.progress)(LEARNING * progress.share(), "learning");
            }
        };
        let (threads, stop, disk) = (self.threads, self.stop, Disk::default());
        let mut context = Context { threads, stop, disk, tell: &mut tell };
        let mut network = match Network::begin(order, None, self.stop) {
            Err(TrainError::Stopped) => return None,
            network => network.expect("these boards can be played"),
        };
        let over = train::learn(&mut network, &mut context, &mut |_| Ok(()));
        over.expect("these boards can be played").then_some(network)
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    /// Work of this seed with what is shipped.
    pub fn work_on<T>(seed: u64, test: impl FnOnce(&Work<'_>) -> T) -> T {
        let roster = Roster::new(deminer_artifacts::shipped());
        test(&Work {
            roster: &roster,
            seed,
            amount: 1,
            sketch: true,
            threads: NonZero::<usize>::MIN,
            stop: &Arc::default(),
            progress: &|_, _| (),
        })
    }
}

/// What a study found.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// Numbers by name: one, a sample, or a series.
    pub numbers: BTreeMap<String, Vec<f64>>,
    /// Texts by name, such as learned rules.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, String>,
}

impl Findings {
    /// Adds a number to those of a name.
    pub fn push(&mut self, name: &str, number: f64) {
        self.numbers.entry(name.to_owned()).or_default().push(number);
    }

    /// Adds a case that is true or false; [`Found::share`] reads it.
    pub fn note(&mut self, name: &str, is: bool) {
        self.push(name, f64::from(u8::from(is)));
    }
}

/// A study and its findings.
#[derive(Clone, Debug)]
pub struct Found {
    /// The study.
    pub study: Study,
    /// What it found.
    pub findings: Findings,
}

/// A table asks a study for something that it did not find.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the study `{study}` found no `{name}`; --fresh repeats it")]
pub struct MissingFinding {
    study: String,
    name: String,
}

impl Found {
    fn missing(&self, name: &str) -> MissingFinding {
        MissingFinding { study: self.study.name.clone(), name: name.to_owned() }
    }

    /// The numbers of a name, at least one.
    pub fn numbers(&self, name: &str) -> Result<&[f64], MissingFinding> {
        let numbers = self.findings.numbers.get(name).filter(|numbers| !numbers.is_empty());
        Ok(numbers.ok_or_else(|| self.missing(name))?)
    }

    /// The text of a name.
    pub fn text(&self, name: &str) -> Result<&str, MissingFinding> {
        Ok(self.findings.texts.get(name).ok_or_else(|| self.missing(name))?)
    }

    /// The mean of a sample.
    pub fn mean(&self, name: &str) -> Result<Measured, MissingFinding> {
        self.numbers(name).map(Measured::mean)
    }

    /// The mean of the samples `name 0`, `name 1` and so on, one for each unit of the study's amount;
    /// its interval covers what differs from sample to sample and within them.
    pub fn grouped(&self, name: &str) -> Result<Measured, MissingFinding> {
        let sample = |number| self.numbers(&format!("{name} {number}"));
        let samples = (0..self.study.amount).map(sample).collect::<Result<Vec<_>, _>>()?;
        Ok(Measured::grouped(&samples))
    }

    /// The last number of a series.
    pub fn last(&self, name: &str) -> Result<f64, MissingFinding> {
        self.numbers(name).map(|numbers| numbers[numbers.len() - 1])
    }

    /// The share of true cases.
    pub fn share(&self, name: &str) -> Result<Measured, MissingFinding> {
        let numbers = self.numbers(name)?;
        let hits = numbers.iter().filter(|&&number| number > 0.5).count();
        Ok(Measured::share(hits as u64, numbers.len() as u64))
    }
}
