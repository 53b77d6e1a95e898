//! Specs of runs: the agents, rules, seeds and number of games.

use deminer_game::{ClueRule, Rules, Size};
use serde::{Deserialize, Serialize};

use super::{Cascade, FieldError, FormWord, StartWord, Text, WireRules, Word};

/// How a win rate is found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Estimator {
    /// Games won of games played.
    #[default]
    Plain,
    /// The mean weight of games that go on after a mine.
    Weighted,
}
deminer_game::words!(Estimator, "an estimator": Plain = "plain", Weighted = "weighted");

/// What can be measured of a game beyond its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Measure {
    /// Guesses by the exact engine, and those that were not needed: a sure move existed.
    Unneeded,
    /// The rules, stages and guesses that moves were made by, each counted.
    Usage,
    /// Chains of influence: how far conclusions are from what was seen at first.
    Chains,
}
deminer_game::words!(
    Measure, "a measure":
    Unneeded = "unneeded", Usage = "usage", Chains = "chains",
);

/// An estimator as a word.
pub type EstimatorWord = Word<Estimator>;
/// A measure as a word.
pub type MeasureWord = Word<Measure>;

/// What a run plays: the keys of the spec of `deminer run`. All but agents and games may be left
/// out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RunSpec))]
#[serde(deny_unknown_fields)]
pub struct WireRunSpec {
    /// Who plays.
    #[cfg_attr(feature = "schema", schema(min_items = 1, max_items = 32))]
    pub agents: Vec<String>,
    /// How many games each agent plays.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 100_000_000))]
    pub games: u64,
    /// Width, height and mines, or the name of a level; `beginner` unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub board: Option<Text<Size>>,
    /// How the cells lie together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<FormWord>,
    /// What the first opened cell is promised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<StartWord>,
    /// Where the first click goes: `corner`, `random`, `agent` or `ROW,COLUMN`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Whether a zero opens its neighbors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cascade: Option<Cascade>,
    /// What clues show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub clues: Option<Text<ClueRule>>,
    /// The run's seed; 1 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(maximum = 9_223_372_036_854_775_807_u64))]
    pub seed: Option<u64>,
    /// Games that are played and written together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<u64>,
    /// How win rates are found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimator: Option<EstimatorWord>,
    /// What else is measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measures: Option<Vec<MeasureWord>>,
}

impl WireRunSpec {
    /// The rules, if the mines fit the board.
    pub fn rules(&self) -> Result<Rules, FieldError> {
        let rules = WireRules {
            board: self.board.unwrap_or(Text(Size::LEVELS[0].1)),
            shape: self.shape.unwrap_or_default(),
            start: self.start.unwrap_or_default(),
            cascade: self.cascade.unwrap_or_default(),
            clues: self.clues.unwrap_or_default(),
        };
        rules.rules()
    }
}
