//! Tournaments in slices: a few games at a time, with the totals so far.

use deminer_formats::wire::{Count, Estimator, WireRules};
use deminer_game::{Agent, GameSeed, Match, Rules};
use serde::{Deserialize, Serialize};

use super::{Context, RequestError, first_click, read_rules};
use crate::documents::{AgentTotals, PairTotals, SCHEMA_VERSION};
use crate::roster::Spec;
use crate::tally::{FinishedGame, Tally};

/// Who plays how many games of what.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TournamentRequest {
    /// Who plays; all play the same boards.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 32))]
    pub agents: Vec<String>,
    /// The rules.
    pub rules: WireRules,
    /// How many games each agent plays.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 10_000_000))]
    pub games: u64,
    /// The seed of the run; 1 unless given.
    pub seed: Option<Count>,
    /// Where the first click goes: `corner`, `random`, `agent` or `ROW,COLUMN`.
    #[cfg_attr(feature = "schema", schema(max_length = 32))]
    pub at: Option<String>,
}

/// The most agents of a tournament.
const MOST_AGENTS: usize = 32;
/// The longest tournament that is taken.
const MOST_GAMES: u64 = 10_000_000;

/// The totals of the games played so far.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SliceDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// How many games each agent has played.
    pub played: u64,
    /// How many games each agent plays in all.
    pub games: u64,
    /// Whether every game was played.
    pub complete: bool,
    /// What each agent did: rates with Wilson intervals.
    pub agents: Vec<AgentTotals>,
    /// Every two agents compared on the same games.
    pub paired: Vec<PairTotals>,
}

/// A tournament in progress, on one thread.
pub struct Tournament {
    specs: Vec<Spec>,
    agents: Vec<Box<dyn Agent>>,
    rules: Rules,
    game: Match,
    seed: u64,
    games: u64,
    tallies: Vec<Tally>,
    clock: fn() -> u64,
}

impl TournamentRequest {
    /// Prepares the tournament.
    ///
    /// # Errors
    /// If a value is not valid, or an agent cannot play these rules.
    pub fn begin(self, context: &Context) -> Result<Tournament, RequestError> {
        let rules = read_rules(&self.rules)?;
        let refuse = |field: &str, detail: String| Err(RequestError::invalid(detail).at(field));
        if !(1..=MOST_AGENTS).contains(&self.agents.len()) {
            return refuse("agents", format!("a tournament has 1 to {MOST_AGENTS} agents"));
        }
        if !(1..=MOST_GAMES).contains(&self.games) {
            return refuse("games", format!("a tournament has 1 to {MOST_GAMES} games"));
        }
        let at = first_click(self.at.as_deref(), rules.shape())?;
        let named = self.agents.iter().enumerate();
        let specs = named
            .map(|(number, text)| context.agent_for(text, &rules, &format!("agents[{number}]")));
        let specs: Vec<Spec> = specs.collect::<Result<_, _>>()?;
        let wrong = |error| RequestError::invalid(error).at("agents");
        let agents = specs.iter().map(Spec::build).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        let seed = self.seed.map_or(1, |seed| seed.0);
        Ok(Tournament {
            game: Match::new(rules.clone(), at, GameSeed { seed, game: 0 }),
            tallies: vec![Tally::default(); specs.len()],
            games: self.games,
            clock: context.clock,
            specs,
            agents,
            rules,
            seed,
        })
    }
}

impl Tournament {
    /// Games that each agent has played.
    pub fn played(&self) -> u64 {
        self.tallies[0].games()
    }

    /// Plays up to this many more games with each agent.
    pub fn play(&mut self, games: u64) {
        let first = self.played();
        let last = self.games.min(first.saturating_add(games));
        for game in first..last {
            let seed = GameSeed { seed: self.seed, game };
            for (agent, tally) in self.agents.iter_mut().zip(&mut self.tallies) {
                let start = (self.clock)();
                self.game.restart(seed);
                let mut guesses = 0;
                while let Some(turn) = self.game.turn(agent.as_mut()) {
                    guesses += u32::from(turn.decision.why.is_guess());
                }
                let nanos = ((self.clock)() - start) * 1000;
                tally.add(&FinishedGame::of(&self.game, guesses, nanos));
            }
        }
    }

    /// The totals of the games so far.
    pub fn totals(&self) -> SliceDocument {
        let complete = self.played() == self.games;
        let agents = self.specs.iter().zip(&self.tallies);
        let totals = |(spec, tally)| AgentTotals::of(spec, &self.rules, Estimator::Plain, tally);
        SliceDocument {
            schema_version: SCHEMA_VERSION,
            played: self.played(),
            games: self.games,
            complete,
            agents: agents.map(totals).collect(),
            paired: PairTotals::all(&self.specs, &self.tallies),
        }
    }
}
