//! A game of an agent, one decision after another.

use deminer_formats::wire::{
    Count, OutcomeWord, PositionRow, WireRecord, WireRules, Word, position_rows,
};
use deminer_game::{Agent, GameSeed, Match};
use serde::{Deserialize, Serialize};

use super::{Context, RequestError, first_click, read_rules};
use crate::documents::{DecisionDocument, Narrator};
use crate::play::Recorder;
use crate::roster::Spec;
use crate::words::describe_outcome;

/// Who plays what.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PlayRequest {
    /// The agent, as `name[:option,…]`, or `name:run-…` for what a training here made.
    #[cfg_attr(feature = "schema", schema(max_length = 200))]
    pub agent: String,
    /// The rules.
    pub rules: WireRules,
    /// The seed; any unless given.
    pub seed: Option<Count>,
    /// The number of the game in the seed's run; 0 unless given.
    pub game: Option<Count>,
    /// Where the first click goes: `corner`, `random`, `agent` or `ROW,COLUMN`.
    #[cfg_attr(feature = "schema", schema(max_length = 32))]
    pub at: Option<String>,
}

/// The event `begin`: the board before the first turn.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Begin {
    agent: String,
    rules: WireRules,
    seed: u64,
    game: u64,
    rows: Vec<PositionRow>,
}

/// The event `end`: how it ended, and the whole game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct End {
    outcome: OutcomeWord,
    /// What the outcome means.
    sentence: &'static str,
    record: WireRecord,
}

/// What happens in a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "event", content = "data", rename_all = "lowercase")]
pub enum PlayEvent {
    /// The board before the first turn.
    Begin(Begin),
    /// A turn.
    Decision(Box<DecisionDocument>),
    /// The end, with the whole game.
    End(Box<End>),
}

/// A game in progress, played event by event.
pub struct Player {
    game: Match,
    agent: Box<dyn Agent>,
    spec: Spec,
    recorder: Recorder,
    narrator: Narrator,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begin,
    Turns,
    Over,
}

impl PlayRequest {
    /// Prepares the game.
    ///
    /// # Errors
    /// If a value is not valid, or the agent cannot play these rules.
    pub fn begin(self, context: &Context) -> Result<Player, RequestError> {
        let rules = read_rules(&self.rules)?;
        let spec = context.agent_for(&self.agent, &rules, "agent")?;
        let at = first_click(self.at.as_deref(), rules.shape())?;
        let seed = self.seed.map_or_else(context.any_seed, |seed| seed.0);
        let seed = GameSeed { seed, game: self.game.map_or(0, |game| game.0) };
        // Viewers want to see its estimates.
        let agent = spec.with_estimates().build();
        Ok(Player {
            narrator: Narrator::new(rules.shape()),
            game: Match::new(rules, at, seed),
            recorder: Recorder::timed(context.clock),
            agent: agent.map_err(|error| RequestError::invalid(error).at("agent"))?,
            spec,
            stage: Stage::Begin,
        })
    }
}

impl Player {
    /// Whether all events were given out.
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    fn begin(&self) -> Begin {
        let view = self.game.board().view();
        let GameSeed { seed, game } = self.game.seed();
        Begin {
            agent: self.spec.to_string(),
            rules: WireRules::of(view.rules()),
            seed,
            game,
            rows: position_rows(view),
        }
    }

    fn end(&mut self) -> Result<End, RequestError> {
        let recorder = std::mem::take(&mut self.recorder);
        let record = recorder.finish(&self.spec, &self.game);
        Ok(End {
            outcome: Word(record.outcome),
            sentence: describe_outcome(record.outcome),
            record: WireRecord::of(&record).map_err(RequestError::invalid)?,
        })
    }
}

impl Iterator for Player {
    type Item = Result<PlayEvent, RequestError>;

    /// The next event; none after the end. An error ends the game.
    fn next(&mut self) -> Option<Self::Item> {
        match self.stage {
            Stage::Over => return None,
            Stage::Begin => {
                self.stage = Stage::Turns;
                return Some(Ok(PlayEvent::Begin(self.begin())));
            }
            Stage::Turns => {}
        }
        Some(match self.recorder.turn(&mut self.game, self.agent.as_mut()) {
            Some((turn, micros)) => {
                let view = self.game.board().view();
                let decision = self.narrator.tell(&turn, view, micros.unwrap_or_default());
                Ok(PlayEvent::Decision(Box::new(decision)))
            }
            None => {
                self.stage = Stage::Over;
                self.end().map(|end| PlayEvent::End(Box::new(end)))
            }
        })
    }
}
