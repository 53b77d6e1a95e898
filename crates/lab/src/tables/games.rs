//! The games of a table's runs, once they are played.

use deminer_game::Outcome;
use serde::{Deserialize, Serialize};

use super::{Findings, Study, Trial};
use crate::run::GameRow;
use crate::stats::{self, Interval};

/// A measured number with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Measured {
    /// The number.
    pub value: f64,
    /// The interval's lower end.
    pub low: f64,
    /// The interval's upper end.
    pub high: f64,
    /// From so many games, or cases of a study.
    pub games: u64,
}

/// All runs of a table.
#[derive(Clone, Debug)]
pub struct Played {
    trials: Vec<(Trial, Vec<Vec<GameRow>>)>,
    studies: Vec<(Study, Findings)>,
}

impl Played {
    /// Runs with their games, for each agent of the run its games in order; studies with what
    /// they found.
    pub fn new(trials: Vec<(Trial, Vec<Vec<GameRow>>)>, studies: Vec<(Study, Findings)>) -> Self {
        Self { trials, studies }
    }

    /// Every study with what it found.
    pub fn studies(&self) -> impl Iterator<Item = (&Study, &Findings)> {
        self.studies.iter().map(|(study, findings)| (study, findings))
    }

    /// What a study found.
    ///
    /// # Panics
    /// If the table planned no such study.
    pub fn findings(&self, name: &str) -> &Findings {
        let found = self.studies().find(|(study, _)| study.name == name);
        found.unwrap_or_else(|| panic!("the table plans no study `{name}`")).1
    }

    /// Every agent's games of every run, with the run.
    pub fn all(&self) -> impl Iterator<Item = (&Trial, Games<'_>)> {
        self.trials.iter().flat_map(|(trial, rows)| {
            let agents = trial.tournament.agents.iter().zip(rows);
            agents.map(move |(spec, rows)| (trial, Games { agent: spec.to_string(), trial, rows }))
        })
    }

    /// The games of an agent in a run.
    ///
    /// # Panics
    /// If the table planned no such run: its reading and its plan must agree.
    pub fn games(&self, trial: &str, agent: &str) -> Games<'_> {
        self.all()
            .map(|(_, games)| games)
            .find(|games| games.trial.name == trial && games.agent == agent)
            .unwrap_or_else(|| panic!("the table plans no run `{trial}` of {agent}"))
    }
}

/// The games of one agent in one run.
#[derive(Clone, Debug)]
pub struct Games<'a> {
    /// The agent, as its spec.
    pub agent: String,
    /// The run.
    pub trial: &'a Trial,
    /// Its games in order.
    pub rows: &'a [GameRow],
}

impl Games<'_> {
    /// The win rate.
    pub fn won(&self) -> Measured {
        self.share(|row| row.outcome == Outcome::Won)
    }

    /// The share of games of which it is true.
    pub fn share(&self, is: impl Fn(&GameRow) -> bool) -> Measured {
        let (hits, games) = (self.rows.iter().filter(|row| is(row)).count(), self.rows.len());
        let interval = stats::wilson(hits as u64, games as u64);
        measured(hits as f64 / games as f64, interval, games)
    }

    /// The mean over the games that have such a number.
    pub fn mean(&self, number: impl Fn(&GameRow) -> Option<f64>) -> Measured {
        let numbers: Vec<f64> = self.rows.iter().filter_map(number).collect();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        measured(mean, stats::bootstrap(&numbers), numbers.len())
    }

    /// How many games ended so.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.rows.iter().filter(|row| row.outcome == outcome).count()
    }

    /// CPU time of a game, in seconds.
    pub fn seconds(&self) -> f64 {
        let nanos: u64 = self.rows.iter().map(|row| row.nanos).sum();
        nanos as f64 / 1e9 / self.rows.len() as f64
    }
}

/// A number with its interval, from so many cases.
pub(super) fn measured(value: f64, interval: Interval, games: usize) -> Measured {
    Measured { value, low: interval.low, high: interval.high, games: games as u64 }
}
