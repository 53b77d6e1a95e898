//! Decisions of a game, in order.

use std::collections::BTreeMap;

use deminer_formats::wire::{MovedByWord, RowColumn, Verb, WireWhy, Word};
use deminer_game::{Cell, Decision, Effect, MovedBy, Shape, Turn, View, Why};
use serde::Serialize;

use super::{AlternativeDocument, rows};
use crate::chains::Chains;
use crate::words::{describe, describe_decision};

/// One turn of a game: what was done, why, what the agent believed, and what came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DecisionDocument {
    /// The number of the turn, from 1.
    pub number: usize,
    /// `start` for the match's first click, else `agent`.
    pub by: MovedByWord,
    /// What was done.
    pub action: Verb,
    /// The cell acted on; none when declining.
    pub cell: Option<RowColumn>,
    /// The reason, as in records.
    pub why: WireWhy,
    /// The turn in words.
    pub sentence: String,
    /// The probability of a mine, as the agent believes.
    pub risk: Option<f64>,
    /// What the agent believes of each cell before the turn, row by row.
    pub estimates: Option<Vec<Vec<Option<f64>>>>,
    /// What else it weighed, best first.
    pub alternatives: Vec<AlternativeDocument>,
    /// The agent's own numbers about this decision, by name: rounds, or the size of a pool.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub effort: BTreeMap<&'static str, f64>,
    /// Cells opened, in order.
    pub opened: Vec<OpenedDocument>,
    /// How long the agent took, in microseconds of CPU time.
    pub micros: u64,
    /// The chain of influence that ends with the cell, its beginning first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub chains: Vec<ChainLink>,
}

/// A cell that a turn opened.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OpenedDocument {
    /// The cell.
    pub cell: RowColumn,
    /// What it shows: `0` to `8`, `?` for nothing, `*` for a mine.
    pub shown: String,
}

/// A conclusion of a chain of influence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChainLink {
    /// The cell concluded about.
    pub cell: RowColumn,
    /// How many conclusions it follows from, one after another.
    pub depth: usize,
    /// The deepest cell that it rests on, if it rests on any.
    pub from: Vec<RowColumn>,
}

/// Describes a game turn by turn.
#[derive(Clone, Debug)]
pub struct Narrator {
    turns: usize,
    /// Cells open before the next turn.
    opened: usize,
    chains: Chains,
}

impl Narrator {
    /// Of a game that is about to begin.
    pub fn new(shape: &Shape) -> Self {
        Self { turns: 0, opened: 0, chains: Chains::new(shape) }
    }

    /// Describes a turn; the view is the one after it.
    pub fn tell(&mut self, turn: &Turn, view: &View, micros: u64) -> DecisionDocument {
        let shape = view.shape();
        let decision = &turn.decision;
        self.turns += 1;
        self.chains.see(decision.action, &decision.why, turn.effect, view);
        let fresh = &view.opened()[std::mem::replace(&mut self.opened, view.opened().len())..];
        let cell = decision.action.cell().filter(|&cell| shape.contains(cell));
        DecisionDocument {
            number: self.turns,
            by: Word(turn.by),
            sentence: describe(turn, shape),
            opened: opened(fresh, turn.effect, view),
            micros,
            chains: cell.map_or(Vec::new(), |cell| links(&self.chains, cell, shape)),
            ..DecisionDocument::of(decision, shape)
        }
    }
}

impl DecisionDocument {
    /// A decision before it is carried out.
    pub fn of(decision: &Decision, shape: &Shape) -> Self {
        let cell = decision.action.cell().filter(|&cell| shape.contains(cell));
        let risk = match decision.why {
            Why::Risk(risk) => Some(risk),
            _ => None,
        };
        let believed = cell.zip(decision.estimates.as_deref());
        let believed = believed.and_then(|(cell, estimates)| estimates.mine(cell));
        let estimates = decision.estimates.as_deref();
        let alternatives = decision.alternatives.iter();
        Self {
            number: 1,
            by: Word(MovedBy::Agent),
            action: decision.action.into(),
            cell: cell.map(|cell| RowColumn::of(cell, shape)),
            why: WireWhy::of(&decision.why, shape),
            sentence: describe_decision(decision, shape),
            risk: risk.or(believed).filter(|risk| risk.is_finite()),
            estimates: estimates
                .map(|estimates| rows(shape, |cell| estimates.mine(cell).and_then(short))),
            alternatives: alternatives.map(|one| AlternativeDocument::of(one, shape)).collect(),
            effort: decision.effort.iter().copied().collect(),
            opened: Vec::new(),
            micros: 0,
            chains: Vec::new(),
        }
    }
}

/// Six digits after the point, but for what would become certain by that.
fn short(probability: f64) -> Option<f64> {
    let rounded = (probability * 1e6).round() / 1e6;
    let certain = |value: f64| value == 0.0 || value == 1.0;
    let kept = if certain(rounded) && !certain(probability) { probability } else { rounded };
    Some(kept).filter(|kept| kept.is_finite())
}

/// What was opened, a mine last.
fn opened(fresh: &[Cell], effect: Effect, view: &View) -> Vec<OpenedDocument> {
    let mine = match effect {
        Effect::Exploded(mine) => Some(mine),
        _ => None,
    };
    let shows = |cell: Cell| OpenedDocument {
        cell: RowColumn::of(cell, view.shape()),
        shown: view.face(cell).to_string().replace('.', "0"),
    };
    fresh.iter().copied().chain(mine).map(shows).collect()
}

/// The chain that ends with a cell; nothing of a cell that rests on nothing.
fn links(chains: &Chains, cell: Cell, shape: &Shape) -> Vec<ChainLink> {
    if chains.depth(cell).unwrap_or(0) == 0 {
        return Vec::new();
    }
    let chain = chains.chain_to(cell);
    let link = |at: usize| ChainLink {
        cell: RowColumn::of(chain[at], shape),
        depth: chains.depth(chain[at]).unwrap_or(0),
        from: at
            .checked_sub(1)
            .map(|before| RowColumn::of(chain[before], shape))
            .into_iter()
            .collect(),
    };
    (0..chain.len()).map(link).collect()
}
