//! Hints, up to the level that was asked for.

use deminer_formats::wire::{RowColumn, Verb};
use serde::Serialize;

use super::analyze::BUDGET;
use super::position::with_position;
use super::{Context, Request, RequestError};
use crate::documents::places;
use crate::hint::Hint;

with_position! {
    /// A position, and how much to tell.
    pub struct HintRequest {
        /// 1 whether there is a safe move, 2 where to look, 3 the move, 4 why.
        #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 4))]
        pub level: u8,
    }
}

/// A hint; the higher the level, the more of it is there.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HintDocument {
    /// How much the hint reveals.
    pub level: u8,
    /// Level 1: whether some move is certainly safe. If not, the rest is about the best guess.
    pub safe_exists: bool,
    /// Level 2: cells to look at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<Vec<RowColumn>>,
    /// Level 3: the cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<RowColumn>,
    /// Level 3: `open`, or `unflag` where a wrong flag must go first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Verb>,
    /// Level 3: the probability that it is safe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safety: Option<f64>,
    /// Level 4: why, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Level 4: the same, a sentence each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<String>>,
    /// Level 4: the clues that matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clues: Option<Vec<RowColumn>>,
}

impl Request for HintRequest {
    const NAME: &'static str = "hint";
    type Answer = HintDocument;

    fn work(self, _: &Context) -> Result<HintDocument, RequestError> {
        let view = self.view()?;
        let level = self.level;
        if !(1..=4).contains(&level) {
            return Err(RequestError::invalid("a level is 1, 2, 3 or 4").at("level"));
        }
        let hint = Hint::of(&view, BUDGET).map_err(RequestError::conflict)?;
        let hint = hint.ok_or_else(|| RequestError::conflict("nothing is left to open"))?;
        let shape = view.shape();
        let action = if hint.flagged { Verb::Unflag } else { Verb::Open };
        Ok(HintDocument {
            level,
            safe_exists: hint.safe_exists,
            area: (level >= 2).then(|| places(shape, &hint.area)),
            cell: (level >= 3).then(|| RowColumn::of(hint.cell, shape)),
            action: (level >= 3).then_some(action),
            safety: (level >= 3).then_some(hint.safety),
            why: (level >= 4).then(|| hint.reasons.join(" ")),
            clues: (level >= 4).then(|| places(shape, &hint.clues)),
            reasons: (level >= 4).then_some(hint.reasons),
        })
    }
}
