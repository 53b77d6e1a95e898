//! Boards from seeds, any or those that need no guess.

use deminer_formats::wire::{Count, RowColumn, WireRules};
use deminer_game::{FirstClick, GameSeed, Start};
use serde::{Deserialize, Serialize};

use super::{Context, Request, RequestError, read_rules};
use crate::documents::{BoardDocument, Dealt, DifficultyWord};
use crate::no_guess::{Generator, NoGuessError};

/// What board is wanted.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct BoardRequest {
    /// The rules.
    pub rules: WireRules,
    /// The seed; any unless given.
    pub seed: Option<Count>,
    /// The number of the game in the seed's run; 0 unless given.
    pub game: Option<Count>,
    /// Only a board that can be won from the first click without a guess.
    #[serde(default)]
    pub no_guess: bool,
    /// Only one of this difficulty; implies `no_guess`.
    pub difficulty: Option<DifficultyWord>,
    /// The first click; the corner unless given.
    pub first: Option<RowColumn>,
}

/// A board with its rules.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BoardAnswer {
    #[serde(flatten)]
    board: BoardDocument,
    /// The rules; the start of a board without guesses is `open`.
    rules: WireRules,
}

impl BoardRequest {
    /// Whether a board must be found that needs no guess.
    pub fn needs_search(&self) -> bool {
        self.no_guess || self.difficulty.is_some()
    }
}

impl Request for BoardRequest {
    const NAME: &'static str = "board";
    type Answer = BoardAnswer;

    fn work(self, context: &Context) -> Result<BoardAnswer, RequestError> {
        let mut rules = read_rules(&self.rules)?;
        let at = match self.first {
            Some(first) => FirstClick::Cell(first.cell(rules.shape(), "first")?),
            None => FirstClick::Corner,
        };
        let mut generator = None;
        if self.needs_search() {
            rules = rules
                .with_start(Start::Open)
                .map_err(|error| RequestError::invalid(error).at("rules.board"))?;
            let difficulty = self.difficulty.map(|word| word.0);
            let found = Generator::new(&rules, difficulty, Generator::TRIES);
            let found = found.map_err(|error| RequestError::invalid(error).at("rules.clues"))?;
            generator = Some(found);
        }
        let seed = self.seed.map_or_else(context.any_seed, |seed| seed.0);
        let seed = GameSeed { seed, game: self.game.map_or(0, |game| game.0) };
        let dealt = Dealt::deal(&rules, at, seed, generator.as_mut());
        let dealt = dealt.map_err(|error| match error {
            NoGuessError::OutOfTries { .. } | NoGuessError::Stopped => RequestError::stopped(error),
            error => RequestError::invalid(error).at("rules.board"),
        })?;
        Ok(BoardAnswer { board: BoardDocument::of(&dealt), rules: WireRules::of(&rules) })
    }
}
