//! What a tournament found, as one document: `bench --json` prints it, a sealed run keeps it,
//! tables are made of it.

use std::collections::BTreeMap;

use deminer_formats::wire::{EstimatorWord, FormWord, StartWord, Text, Word};
use deminer_game::{ClueRule, Outcome, Size};
use serde::{Deserialize, Serialize};

use crate::stats::{self, Interval};
use crate::tournament::{Estimator, Results, SURVIVAL_MOVES, Tally, Tournament};
use deminer::roster::Spec;

/// The version of every JSON document, printed or written.
pub use deminer::documents::SCHEMA_VERSION;

/// A tournament and its results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Totals {
    /// Width, height and mines.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub board: Text<Size>,
    /// How the cells lie together.
    pub shape: FormWord,
    /// What the first opened cell is promised.
    pub start: StartWord,
    /// Where the first click goes.
    pub at: String,
    /// Whether a zero opens its neighbors.
    pub cascade: bool,
    /// What clues show.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub clues: Text<ClueRule>,
    /// The run's seed.
    pub seed: u64,
    /// The number of the first game.
    pub first_game: u64,
    /// How win rates were found.
    pub estimator: EstimatorWord,
    /// Whether every game was played.
    pub complete: bool,
    /// What each agent did.
    pub agents: Vec<AgentTotals>,
    /// Every two agents compared.
    pub paired: Vec<PairTotals>,
}

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
    /// Shares of games that survived so many moves.
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

impl Totals {
    /// The document of a tournament. Intervals are found anew: some thousand additions for each
    /// agent and each pair.
    pub fn of(tournament: &Tournament, results: &Results) -> Self {
        let rules = &tournament.rules;
        let tallies: Vec<(&Spec, &Tally)> =
            tournament.agents.iter().zip(&results.tallies).collect();
        let agents = tallies.iter().map(|(spec, tally)| AgentTotals::of(tournament, spec, tally));
        let pairs = tallies.iter().enumerate().flat_map(|(at, first)| {
            tallies[at + 1..].iter().map(|second| PairTotals::of(*first, *second))
        });
        Self {
            board: Text(rules.size()),
            shape: Word(rules.shape().form()),
            start: Word(rules.start()),
            at: tournament.at.text(rules.shape()),
            cascade: rules.cascade(),
            clues: Text(rules.clues()),
            seed: tournament.seed,
            first_game: tournament.games.start,
            estimator: Word(tournament.estimator),
            complete: results.complete,
            agents: agents.collect(),
            paired: pairs.collect(),
        }
    }
}

impl AgentTotals {
    /// What an agent's games so far come to.
    pub fn of(tournament: &Tournament, spec: &Spec, tally: &Tally) -> Self {
        let games = tally.games();
        // A weighted game goes on after a mine: what it ends in says nothing of what was won.
        let plain = tournament.estimator == Estimator::Plain;
        let count = |outcome| plain.then(|| tally.count(outcome));
        let interval = tally.interval();
        let unneeded = |count: u64| (tally.judged > 0).then(|| share(count, tally.judged));
        let survived = SURVIVAL_MOVES.into_iter().zip(tally.survivors);
        Self {
            agent: spec.to_string(),
            games,
            won: count(Outcome::Won),
            lost: count(Outcome::Lost),
            stuck: tally.count(Outcome::Stuck),
            undecided: tally.count(Outcome::Undecided),
            rate: if games == 0 { 0.0 } else { tally.rate() },
            low: interval.low,
            high: interval.high,
            open_rate: share(tally.opened, games * tournament.rules.safe_cells() as u64),
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
    fn of((first, a): (&Spec, &Tally), (second, b): (&Spec, &Tally)) -> Self {
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
