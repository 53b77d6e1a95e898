//! Rules of games.

use deminer_game::{ClueRule, Rules, Size};
use serde::{Deserialize, Serialize};

use super::{Cascade, FieldError, FormWord, StartWord, Text, Word};

/// The rules of a game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Rules))]
#[serde(deny_unknown_fields)]
pub struct WireRules {
    /// Width, height and mines, or the name of a level.
    #[cfg_attr(feature = "schema", schema(value_type = String, example = "30x16x99", max_length = 32))]
    pub board: Text<Size>,
    /// How the cells lie together.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(default = "rect"))]
    pub shape: FormWord,
    /// What the first opened cell is promised: nothing, no mine, or no mine around it either.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(default = "safe"))]
    pub start: StartWord,
    /// Whether a zero opens its neighbors.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(default = "on"))]
    pub cascade: Cascade,
    /// What clues show: `exact`, `blind:R`, `optimistic`, `cautious` or `cautious:degree`.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = String, max_length = 32, default = "exact"))]
    pub clues: Text<ClueRule>,
}

impl WireRules {
    /// The rules of a game as documents have them.
    pub fn of(rules: &Rules) -> Self {
        Self {
            board: Text(rules.size()),
            shape: Word(rules.shape().form()),
            start: Word(rules.start()),
            cascade: rules.cascade().into(),
            clues: Text(rules.clues()),
        }
    }

    /// The rules, if the mines fit the board.
    pub fn rules(&self) -> Result<Rules, FieldError> {
        let rules = Rules::on(self.shape.0, self.board.0, self.start.0);
        let rules = rules.map_err(|error| FieldError::new("board", error))?;
        Ok(rules.with_cascade(self.cascade.into()).with_clues(self.clues.0))
    }
}
