//! The totals of many games.

use std::collections::BTreeMap;

use deminer_formats::wire::Estimator;
use deminer_game::{Outcome, Rules};
use serde::{Deserialize, Serialize};

use crate::stats::{self, Interval};
use crate::tally::{SURVIVAL_MOVES, Tally};

/// What the games of one agent add up to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AgentTotals {
    /// The agent.
    pub agent: String,
    /// Games played.
    pub games: u64,
    /// Games won; none when games are weighted.
    pub won: Option<u64>,
    /// Games lost; none when games are weighted.
    pub lost: Option<u64>,
    /// Games in which it kept doing nothing.
    pub stuck: u64,
    /// Games it declined to finish.
    pub undecided: u64,
    /// The win rate.
    pub rate: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
    /// The share of all safe cells that were opened.
    pub open_rate: f64,
    /// Guesses in a game, on average.
    pub guesses_per_game: f64,
    /// Guesses in a game that were not needed, where they were measured: a sure move existed by
    /// all that is known.
    pub unneeded_per_game: Option<f64>,
    /// The same, where it existed by the clues alone.
    pub unneeded_by_clues_per_game: Option<f64>,
    /// The share of games that survived each number of moves.
    pub survival: BTreeMap<u32, f64>,
    /// CPU time of all games.
    pub cpu_seconds: f64,
    /// Games per second of CPU time.
    pub games_per_cpu_second: f64,
}

/// How two agents compare on the same games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PairTotals {
    /// The first agent.
    pub first: String,
    /// The second agent.
    pub second: String,
    /// Win rate of the second minus that of the first.
    pub difference: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
    /// Games that only the first won; none when games are weighted.
    pub only_first: Option<u64>,
    /// Games that only the second won; none when games are weighted.
    pub only_second: Option<u64>,
    /// McNemar's exact p-value; none when games are weighted.
    pub p_value: Option<f64>,
}

impl AgentTotals {
    /// What an agent's games so far come to.
    pub fn of(agent: impl ToString, rules: &Rules, estimator: Estimator, tally: &Tally) -> Self {
        let games = tally.games();
        // A weighted game goes on after a mine: what it ends in says nothing of what was won.
        let plain = estimator == Estimator::Plain;
        let count = |outcome| plain.then(|| tally.count(outcome));
        let interval = tally.interval();
        let unneeded = |count: u64| (tally.judged > 0).then(|| share(count, tally.judged));
        let survived = SURVIVAL_MOVES.into_iter().zip(tally.survivors);
        Self {
            agent: agent.to_string(),
            games,
            won: count(Outcome::Won),
            lost: count(Outcome::Lost),
            stuck: tally.count(Outcome::Stuck),
            undecided: tally.count(Outcome::Undecided),
            rate: if games == 0 { 0.0 } else { tally.rate() },
            low: interval.low,
            high: interval.high,
            open_rate: share(tally.opened, games * rules.safe_cells() as u64),
            guesses_per_game: share(tally.guesses, games),
            unneeded_per_game: unneeded(tally.unneeded[0]),
            unneeded_by_clues_per_game: unneeded(tally.unneeded[1]),
            survival: survived.map(|(moves, survivors)| (moves, share(survivors, games))).collect(),
            cpu_seconds: tally.cpu_seconds(),
            games_per_cpu_second: if tally.nanos == 0 { 0.0 } else { tally.games_per_cpu_second() },
        }
    }
}

impl PairTotals {
    /// Every two agents compared.
    pub fn all<Agent: ToString>(agents: &[Agent], tallies: &[Tally]) -> Vec<Self> {
        let all: Vec<(&Agent, &Tally)> = agents.iter().zip(tallies).collect();
        let with_later = |(at, first)| {
            all[at + 1..].iter().map(move |second| Self::of(first, second)).collect::<Vec<_>>()
        };
        all.iter().enumerate().flat_map(with_later).collect()
    }

    fn of<Agent: ToString>((first, a): &(&Agent, &Tally), (second, b): &(&Agent, &Tally)) -> Self {
        let games = 0..a.outcomes.len();
        let differences: Vec<f64> = games.map(|game| b.weight(game) - a.weight(game)).collect();
        let Interval { low, high } = stats::bootstrap(&differences);
        // Weights other than 0 and 1 say nothing of single games.
        let count = |value: f64| differences.iter().filter(|&&found| found == value).count() as u64;
        let split = a.weights.is_empty().then(|| [count(-1.0), count(1.0)]);
        Self {
            first: first.to_string(),
            second: second.to_string(),
            difference: stats::mean(&differences),
            low,
            high,
            only_first: split.map(|[only, _]| only),
            only_second: split.map(|[_, only]| only),
            p_value: split.map(|[one, other]| stats::mcnemar(one, other)),
        }
    }
}

/// A share of all that could be; 0 where nothing could.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
