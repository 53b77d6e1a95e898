//! The games of a table's runs and the findings of its studies, once they are done.

use deminer_game::Outcome;
use serde::{Deserialize, Serialize};

use super::plan::{Run, RunAgent, StudyId};
use super::study::Found;
use crate::stats::{self, Interval};
use crate::tournament::GameRow;

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
    /// The number of games, or of cases of a study.
    pub games: u64,
}

impl Measured {
    /// A number without an interval.
    pub(super) fn exact(value: f64, games: u64) -> Self {
        Self { value, low: value, high: value, games }
    }

    /// A share of cases, with Wilson's interval.
    pub(super) fn share(hits: u64, cases: u64) -> Self {
        Self::with(hits as f64 / cases as f64, stats::wilson(hits, cases), cases)
    }

    /// The mean of a sample, with a bootstrap interval.
    pub(super) fn mean(sample: &[f64]) -> Self {
        Self::with(stats::mean(sample), stats::bootstrap(sample), sample.len() as u64)
    }

    /// The mean of the means of groups, with a bootstrap interval over groups and values.
    pub(super) fn grouped(groups: &[&[f64]]) -> Self {
        let means: Vec<f64> = groups.iter().map(|values| stats::mean(values)).collect();
        let values = groups.iter().map(|values| values.len() as u64).sum();
        Self::with(stats::mean(&means), stats::bootstrap_groups(groups), values)
    }

    fn with(value: f64, Interval { low, high }: Interval, games: u64) -> Self {
        Self { value, low, high, games }
    }
}

/// The runs and studies of a plan, done.
#[derive(Clone, Debug)]
pub struct Played {
    runs: Vec<(Run, Vec<Vec<GameRow>>)>,
    /// Every study with its findings.
    pub studies: Vec<Found>,
}

impl Played {
    /// All runs and studies of a plan, in its order: runs with each agent's games, studies with
    /// their findings.
    pub fn new(runs: Vec<(Run, Vec<Vec<GameRow>>)>, studies: Vec<Found>) -> Self {
        Self { runs, studies }
    }

    /// The findings of a study.
    pub(super) fn found(&self, study: StudyId) -> &Found {
        &self.studies[study.0]
    }

    /// Every agent's games of every run.
    pub fn all(&self) -> impl Iterator<Item = Games<'_>> {
        self.runs.iter().flat_map(|(run, rows)| {
            let agents = run.agents.iter().zip(rows);
            agents.map(move |(agent, rows)| Games { agent, run, rows })
        })
    }

    /// The games of an agent in a run.
    pub(super) fn games(&self, RunAgent { run, agent }: RunAgent) -> Games<'_> {
        let (run, rows) = &self.runs[run.0];
        Games { agent: &run.agents[agent], run, rows: &rows[agent] }
    }
}

/// The games of one agent in one run.
#[derive(Clone, Copy, Debug)]
pub struct Games<'a> {
    /// The agent's spec.
    pub agent: &'a str,
    /// The run.
    pub run: &'a Run,
    /// Its games in order.
    pub rows: &'a [GameRow],
}

impl Games<'_> {
    /// The win rate.
    pub fn won(&self) -> Measured {
        self.ended(Outcome::Won)
    }

    /// The share of games that ended this way.
    pub fn ended(&self, outcome: Outcome) -> Measured {
        self.share(|row| row.outcome == outcome)
    }

    /// The share of games for which the condition is true.
    pub fn share(&self, is: impl Fn(&GameRow) -> bool) -> Measured {
        let hits = self.rows.iter().filter(|row| is(row)).count();
        Measured::share(hits as u64, self.rows.len() as u64)
    }

    /// The mean over the games that have such a number.
    pub fn mean(&self, number: impl Fn(&GameRow) -> Option<f64>) -> Measured {
        Measured::mean(&self.rows.iter().filter_map(number).collect::<Vec<f64>>())
    }

    /// The win rate among the games for which the condition is true.
    pub fn won_among(&self, is: impl Fn(&GameRow) -> bool) -> Measured {
        self.mean(|row| is(row).then(|| f64::from(u8::from(row.outcome == Outcome::Won))))
    }

    /// Wins of these games minus wins of the other agent, board by board.
    pub(super) fn differences(&self, other: &Games<'_>) -> Vec<f64> {
        self.rows.iter().zip(other.rows).map(|(own, other)| own.weight - other.weight).collect()
    }

    /// The number of games that ended this way.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.rows.iter().filter(|row| row.outcome == outcome).count()
    }

    /// CPU time of a game, in seconds.
    pub fn seconds(&self) -> f64 {
        let nanos: u64 = self.rows.iter().map(|row| row.nanos).sum();
        nanos as f64 / 1e9 / self.rows.len() as f64
    }
}
