//! What a tournament found, as one document: `bench --json` prints it, a sealed run keeps it,
//! tables are made of it.

use deminer_formats::wire::{EstimatorWord, FormWord, StartWord, Text, Word};
use deminer_game::{ClueRule, Size};
use serde::{Deserialize, Serialize};

use crate::tournament::{Results, Tally, Tournament};
use deminer::roster::Spec;

pub use deminer::documents::{AgentTotals, PairTotals};

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

impl Totals {
    /// The document of a tournament. Intervals are found anew: some thousand additions for each
    /// agent and each pair.
    pub fn of(tournament: &Tournament, results: &Results) -> Self {
        let rules = &tournament.rules;
        let tallies = tournament.agents.iter().zip(&results.tallies);
        let pairings = results.pairings().into_iter();
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
            agents: tallies.map(|(spec, tally)| agent_totals(tournament, spec, tally)).collect(),
            paired: pairings.map(|pair| PairTotals::of(&tournament.agents, pair)).collect(),
        }
    }
}

/// What an agent's games so far come to.
pub fn agent_totals(tournament: &Tournament, spec: &Spec, tally: &Tally) -> AgentTotals {
    AgentTotals::of(spec, &tournament.rules, tournament.estimator, tally)
}
