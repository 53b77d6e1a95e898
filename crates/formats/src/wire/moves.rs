//! Moves and their reasons.

use std::borrow::Cow;

use deminer_game::{Action, Cell, Layout, Move, Premise, Proof, Shape, Why};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::position::{check_row, text_rows};
use super::{FieldError, MovedByWord, RowColumn, Word};

/// What a move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    /// Opens a covered cell.
    Open,
    /// Puts a flag on a covered cell.
    Flag,
    /// Takes a flag away.
    Unflag,
    /// Opens everything around an open cell.
    Chord,
    /// Gives up.
    Decline,
}

impl From<Action> for Verb {
    fn from(action: Action) -> Self {
        match action {
            Action::Open(_) => Verb::Open,
            Action::Flag(_) => Verb::Flag,
            Action::Unflag(_) => Verb::Unflag,
            Action::Chord(_) => Verb::Chord,
            Action::Decline => Verb::Decline,
        }
    }
}

/// A move of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Move))]
#[serde(deny_unknown_fields)]
pub struct WireMove {
    /// `start` for the first click of a match, else `agent`.
    pub by: MovedByWord,
    /// What was done.
    pub action: Verb,
    /// The cell acted on; none when declining.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<RowColumn>,
    /// Why.
    pub why: WireWhy,
    /// When, in microseconds from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub micros: Option<u64>,
    /// The rows of a layout put in place before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redrawn: Option<Vec<String>>,
}

impl WireMove {
    /// A move on a board of this shape.
    pub fn of(step: &Move, shape: &Shape) -> Self {
        Self {
            by: Word(step.by),
            action: step.action.into(),
            cell: step.action.cell().map(|cell| RowColumn::of(cell, shape)),
            why: WireWhy::of(&step.why, shape),
            micros: step.micros,
            redrawn: step.redrawn.as_ref().map(layout_rows),
        }
    }

    /// The move; a fault names its field within `at`.
    pub(super) fn read(self, at: &str, shape: &Shape) -> Result<Move, FieldError> {
        let action = match self.action {
            Verb::Open => Action::Open(self.cell(at, shape)?),
            Verb::Flag => Action::Flag(self.cell(at, shape)?),
            Verb::Unflag => Action::Unflag(self.cell(at, shape)?),
            Verb::Chord => Action::Chord(self.cell(at, shape)?),
            Verb::Decline => Action::Decline,
        };
        let redrawn = self.redrawn.map(|rows| read_layout(&format!("{at}.redrawn"), &rows, shape));
        Ok(Move {
            by: self.by.0,
            action,
            why: self.why.read(&format!("{at}.why.premises"), shape)?,
            micros: self.micros,
            redrawn: redrawn.transpose()?,
        })
    }

    fn cell(&self, at: &str, shape: &Shape) -> Result<Cell, FieldError> {
        let field = format!("{at}.cell");
        match self.cell {
            Some(cell) => cell.cell(shape, &field),
            None => Err(FieldError::new(field, "this action needs a cell, [row, column]")),
        }
    }
}

/// The reason of a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Why))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum WireWhy {
    /// It follows from what is seen.
    Proved {
        /// By this rule.
        rule: Cow<'static, str>,
        /// From these.
        premises: Vec<WirePremise>,
    },
    /// A guess with a known risk.
    Risk {
        /// The probability of a mine, as the agent believes.
        risk: f64,
    },
    /// A rule of the agent's own.
    Rule {
        /// Its name.
        name: Cow<'static, str>,
        /// What it rests on.
        premises: Vec<WirePremise>,
    },
    /// The first click.
    Start {},
    /// A guess without any reason.
    Blind {},
    /// No reason is known.
    Nothing {},
}

/// The fields of all reasons. Reading these and then choosing among the reasons takes far less
/// code than what serde derives for a tagged enum.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhyFields {
    kind: WhyKind,
    rule: Option<Cow<'static, str>>,
    name: Option<Cow<'static, str>>,
    risk: Option<f64>,
    premises: Option<Vec<WirePremise>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum WhyKind {
    Proved,
    Risk,
    Rule,
    Start,
    Blind,
    Nothing,
}

impl<'de> Deserialize<'de> for WireWhy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        fn take<T, E: Error>(field: &mut Option<T>, name: &'static str) -> Result<T, E> {
            field.take().ok_or_else(|| E::missing_field(name))
        }
        let WhyFields { kind, mut rule, mut name, mut risk, mut premises } =
            WhyFields::deserialize(deserializer)?;
        let (why, fields): (_, &[_]) = match kind {
            WhyKind::Proved => {
                let (rule, premises) = (take(&mut rule, "rule")?, take(&mut premises, "premises")?);
                (WireWhy::Proved { rule, premises }, &["rule", "premises"])
            }
            WhyKind::Risk => (WireWhy::Risk { risk: take(&mut risk, "risk")? }, &["risk"]),
            WhyKind::Rule => {
                let (name, premises) = (take(&mut name, "name")?, take(&mut premises, "premises")?);
                (WireWhy::Rule { name, premises }, &["name", "premises"])
            }
            WhyKind::Start => (WireWhy::Start {}, &[]),
            WhyKind::Blind => (WireWhy::Blind {}, &[]),
            WhyKind::Nothing => (WireWhy::Nothing {}, &[]),
        };
        let rest = [
            ("rule", rule.is_some()),
            ("name", name.is_some()),
            ("risk", risk.is_some()),
            ("premises", premises.is_some()),
        ];
        match rest.iter().find(|(_, given)| *given) {
            Some((field, _)) => Err(D::Error::unknown_field(field, fields)),
            None => Ok(why),
        }
    }
}

/// A premise of a reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Premise))]
#[serde(rename_all = "snake_case")]
pub enum WirePremise {
    /// The clue of an open cell.
    Clue(RowColumn),
    /// A cell known to be a mine.
    Mine(RowColumn),
    /// A cell known to be safe.
    Safe(RowColumn),
    /// The number of mines on the whole board.
    MineTotal,
}

impl WireWhy {
    /// A reason on a board of this shape.
    pub fn of(why: &Why, shape: &Shape) -> Self {
        let place = |cell| RowColumn::of(cell, shape);
        let premise = |premise: &Premise| match *premise {
            Premise::Clue(cell) => WirePremise::Clue(place(cell)),
            Premise::Mine(cell) => WirePremise::Mine(place(cell)),
            Premise::Safe(cell) => WirePremise::Safe(place(cell)),
            Premise::MineTotal => WirePremise::MineTotal,
        };
        let premises = |premises: &[Premise]| premises.iter().map(premise).collect();
        match why {
            Why::Proved(Proof { rule, premises: list }) => {
                WireWhy::Proved { rule: rule.clone(), premises: premises(list) }
            }
            Why::Risk(risk) => WireWhy::Risk { risk: *risk },
            Why::Rule { name, premises: list } => {
                WireWhy::Rule { name: name.clone(), premises: premises(list) }
            }
            Why::Start => WireWhy::Start {},
            Why::Blind => WireWhy::Blind {},
            Why::Nothing => WireWhy::Nothing {},
        }
    }

    fn read(self, at: &str, shape: &Shape) -> Result<Why, FieldError> {
        let premise = |premise| -> Result<Premise, FieldError> {
            Ok(match premise {
                WirePremise::Clue(cell) => Premise::Clue(cell.cell(shape, at)?),
                WirePremise::Mine(cell) => Premise::Mine(cell.cell(shape, at)?),
                WirePremise::Safe(cell) => Premise::Safe(cell.cell(shape, at)?),
                WirePremise::MineTotal => Premise::MineTotal,
            })
        };
        let premises =
            |list: Vec<WirePremise>| list.into_iter().map(premise).collect::<Result<_, _>>();
        Ok(match self {
            WireWhy::Proved { rule, premises: list } => {
                Why::Proved(Proof { rule, premises: premises(list)? })
            }
            WireWhy::Risk { risk } => Why::Risk(risk),
            WireWhy::Rule { name, premises: list } => Why::Rule { name, premises: premises(list)? },
            WireWhy::Start {} => Why::Start,
            WireWhy::Blind {} => Why::Blind,
            WireWhy::Nothing {} => Why::Nothing,
        })
    }
}

/// The rows of a layout: `*` a mine, `.` none.
pub fn layout_rows(layout: &Layout) -> Vec<String> {
    text_rows(layout.shape(), |cell| if layout.is_mine(cell) { '*' } else { '.' })
}

/// A layout from its rows; a fault is one of the field.
pub fn read_layout(at: &str, rows: &[String], shape: &Shape) -> Result<Layout, FieldError> {
    let (height, width) = (shape.height(), shape.width());
    if rows.len() != height {
        let message = format!("there are {} rows, but should be {height}", rows.len());
        return Err(FieldError::new(at, message));
    }
    let (should, right) = (format!("but should have {width}"), "use * for a mine or .");
    for (row, content) in rows.iter().enumerate() {
        check_row(&format!("{at}[{row}]"), content, (width, &should), "*.", right)?;
    }
    let symbols = rows.iter().flat_map(|row| row.chars());
    let mines = shape.cells().zip(symbols).filter(|(_, symbol)| *symbol == '*');
    let mines = mines.map(|(cell, _)| cell);
    Ok(Layout::new(shape.clone(), mines).expect("each cell of the shape once at most"))
}
