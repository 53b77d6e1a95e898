//! Records of games.

use deminer_game::{GameSeed, Help, HintTaken, Move, Record, Shape, Undone, Why};
use serde::{Deserialize, Serialize};

use super::moves::read_layout;
use super::{Count, FieldError, OutcomeWord, WireMove, WireRules, Word, layout_rows};
use crate::{Fault, WriteError};

const VERSION: u32 = 1;

/// The record of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Record))]
#[serde(deny_unknown_fields)]
pub struct WireRecord {
    /// The version of the document.
    pub schema_version: u32,
    /// What the document is.
    pub kind: RecordKind,
    /// Who played.
    pub player: String,
    /// The rules.
    pub rules: WireRules,
    /// The seed; missing where the layout came from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Count>,
    /// The number of the game in the seed's run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<Count>,
    /// Where the mines lie: `*` a mine, `.` none; missing where nothing was opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<Vec<String>>,
    /// Every move that was not undone.
    pub moves: Vec<WireMove>,
    /// How it ended.
    pub outcome: OutcomeWord,
    /// The help that the player took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<WireHelp>,
}

/// The word that distinguishes a record from other documents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum RecordKind {
    /// A record.
    Record,
}

/// The help that a player took.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Help))]
#[serde(deny_unknown_fields)]
pub struct WireHelp {
    /// Moves that were undone, in the order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undone: Vec<WireUndone>,
    /// Hints that were taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<WireHint>,
    /// Whether the odds were shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub odds: bool,
}

/// A move that was undone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Undone))]
#[serde(deny_unknown_fields)]
pub struct WireUndone {
    /// How many moves were left after it was undone.
    pub at: usize,
    /// The move.
    #[serde(rename = "move")]
    pub step: WireMove,
}

/// A hint that was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = HintTaken))]
#[serde(deny_unknown_fields)]
pub struct WireHint {
    /// After how many moves.
    pub at: usize,
    /// The last step that was asked for, 1 to 4.
    pub level: u8,
}

impl WireRecord {
    /// The record of a game as documents have it.
    pub fn of(record: &Record) -> Result<Self, WriteError> {
        let shape = record.rules.shape();
        let moves = record.moves.iter().enumerate();
        Ok(Self {
            schema_version: VERSION,
            kind: RecordKind::Record,
            player: record.player.clone(),
            rules: WireRules::of(&record.rules),
            seed: record.seed.map(|seed| Count(seed.seed)),
            game: record.seed.map(|seed| Count(seed.game)),
            layout: record.layout.as_ref().map(layout_rows),
            moves: moves.map(|(at, step)| wire_move(at, step, shape)).collect::<Result<_, _>>()?,
            outcome: Word(record.outcome),
            help: WireHelp::of(&record.help, shape)?,
        })
    }

    /// The record. It is played again, undone moves included, so it is one of a possible game.
    pub fn record(self) -> Result<Record, Fault> {
        if self.schema_version != VERSION {
            return Err(Fault::value("schema_version", self.schema_version, VERSION));
        }
        let rules = self.rules.rules().map_err(|error| error.within("rules"))?;
        let shape = rules.shape();
        let seed = match (self.seed, self.game) {
            (Some(Count(seed)), Some(Count(game))) => Some(GameSeed { seed, game }),
            (None, None) => None,
            (Some(_), None) => return Err(Fault::missing("game, which belongs to seed,")),
            (None, Some(_)) => return Err(Fault::missing("seed, which belongs to game,")),
        };
        let layout = self.layout.map(|rows| read_layout("layout", &rows, shape)).transpose()?;
        let moves = self.moves.into_iter().enumerate();
        let moves = moves.map(|(number, step)| step.read(&format!("moves[{number}]"), shape));
        let moves: Vec<Move> = moves.collect::<Result<_, _>>()?;
        let help = self.help.map(|help| help.read(moves.len(), shape)).transpose()?;
        let (player, outcome, help) = (self.player, self.outcome.0, help.unwrap_or_default());
        let record = Record { player, rules, seed, layout, moves, outcome, help };
        record.replay(|_, _, _| {}).map_err(Fault::of)?;
        if !record.help.undone.is_empty() {
            record.retrace(|_, _| {}).map_err(Fault::of)?;
        }
        Ok(record)
    }
}

impl WireHelp {
    fn of(help: &Help, shape: &Shape) -> Result<Option<Self>, WriteError> {
        let undone = help.undone.iter().enumerate().map(|(number, undone)| {
            Ok(WireUndone { at: undone.at, step: wire_move(number, &undone.step, shape)? })
        });
        let hints = help.hints.iter().map(|&HintTaken { at, level }| WireHint { at, level });
        let wire = Self {
            undone: undone.collect::<Result<_, WriteError>>()?,
            hints: hints.collect(),
            odds: help.odds,
        };
        Ok((!help.is_none()).then_some(wire))
    }

    fn read(self, moves: usize, shape: &Shape) -> Result<Help, FieldError> {
        let undone = self.undone.into_iter().enumerate().map(|(number, undone)| {
            let step = undone.step.read(&format!("help.undone[{number}].move"), shape)?;
            Ok(Undone { at: undone.at, step })
        });
        let undone: Vec<Undone> = undone.collect::<Result<_, _>>()?;
        // The longest line of moves that there ever was.
        let lines = undone.iter().map(|undone| undone.at.saturating_add(1));
        let longest = lines.fold(moves, usize::max);
        let hints = self.hints.into_iter().enumerate().map(|(number, WireHint { at, level })| {
            let wrong = |field: &str, message: String| {
                Err(FieldError::new(format!("help.hints[{number}].{field}"), message))
            };
            match at > longest {
                true => wrong("at", format!("{at} is more than the {longest} moves there were")),
                false if !(1..=Help::HINT_LEVELS).contains(&level) => {
                    wrong("level", format!("{level} is not a step from 1 to {}", Help::HINT_LEVELS))
                }
                false => Ok(HintTaken { at, level }),
            }
        });
        Ok(Help { undone, hints: hints.collect::<Result<_, _>>()?, odds: self.odds })
    }
}

/// A move whose numbers JSON can hold.
fn wire_move(number: usize, step: &Move, shape: &Shape) -> Result<WireMove, WriteError> {
    match step.why {
        Why::Risk(risk) if !risk.is_finite() => {
            Err(WriteError(format!("the risk of move {number} is not a finite number")))
        }
        _ => Ok(WireMove::of(step, shape)),
    }
}
