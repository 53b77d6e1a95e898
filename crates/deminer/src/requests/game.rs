//! Games played by a person.

use deminer_formats::wire::{Count, WireRecord, WireRules, Word, read_layout};
use deminer_game::{GameSeed, State};
use serde::Deserialize;

use super::{Context, RequestError, read_record, read_rules};
use crate::session::Session;

/// The board of a game: of a seed, of a layout, or of a record to be continued.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GameRequest {
    /// The rules; needed unless there is a record.
    pub rules: Option<WireRules>,
    /// The seed; any unless a seed, a layout or a record is given.
    pub seed: Option<Count>,
    /// The number of the game in the seed's run; 0 unless given.
    pub game: Option<Count>,
    /// Where the mines lie, in place of a seed: `*` a mine, `.` none.
    pub layout: Option<Vec<String>>,
    /// A game to continue. Nothing else is given then.
    pub record: Option<WireRecord>,
}

/// How far a game has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameState {
    /// Nothing is opened yet.
    Fresh,
    /// Some cells are open.
    Live,
    /// Every safe cell is open.
    Won,
    /// A mine was opened.
    Lost,
}
deminer_game::words!(
    GameState, "a state":
    Fresh = "fresh",
    Live = "live",
    Won = "won",
    Lost = "lost",
);

/// How far a game has come as a word.
pub type GameStateWord = Word<GameState>;

impl From<State> for GameState {
    fn from(state: State) -> Self {
        match state {
            State::Fresh => Self::Fresh,
            State::Live => Self::Live,
            State::Won => Self::Won,
            State::Lost(_) => Self::Lost,
        }
    }
}

impl GameRequest {
    /// Begins the game, or continues it.
    ///
    /// # Errors
    /// If a value is not valid.
    pub fn begin(self, context: &Context) -> Result<Session, RequestError> {
        let wrong = |field: &str, detail: String| Err(RequestError::invalid(detail).at(field));
        if let Some(record) = self.record {
            if self.rules.is_some() || self.seed.is_some() || self.layout.is_some() {
                return wrong("record", "a record says all; leave the rest out".into());
            }
            let record = read_record(record, "record")?;
            return Session::of(&record).or_else(|error| wrong("record", error.to_string()));
        }
        let Some(rules) = &self.rules else {
            return wrong("rules", "a game needs rules or a record".into());
        };
        let rules = read_rules(rules)?;
        let game = self.game.map_or(0, |game| game.0);
        match self.layout {
            Some(_) if self.seed.is_some() => {
                wrong("seed", "a game has a seed or a layout, not both".into())
            }
            Some(rows) => {
                let layout = read_layout("layout", &rows, rules.shape())?;
                let session = Session::laid(rules, layout, None);
                session.or_else(|error| wrong("layout", error.to_string()))
            }
            None => {
                let seed = self.seed.map_or_else(context.any_seed, |seed| seed.0);
                Ok(Session::dealt(rules, GameSeed { seed, game }))
            }
        }
    }
}
