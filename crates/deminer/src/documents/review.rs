//! Reviews of games.

use deminer_formats::wire::{OutcomeWord, RowColumn, Verb, Word};
use deminer_game::Shape;
use serde::Serialize;

use super::measures::millis;
use super::{MeasuresDocument, SCHEMA_VERSION, VerdictWord};
use crate::coach::{Review, Reviewed};

/// A game that the coach has looked at.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// Who played.
    pub player: String,
    /// How it ended.
    pub outcome: OutcomeWord,
    /// What there is to say about the game, a sentence each.
    pub summary: Vec<String>,
    /// Openings that might have hit a mine, after the first click, undone ones included. Opening
    /// a certain mine is no guess.
    pub guesses: usize,
    /// Guesses that were made while some cell was certainly safe.
    pub unneeded: usize,
    /// Moves that gave away a quarter of the win chance or more, or opened a certain mine; undone
    /// ones included.
    pub blunders: usize,
    /// How likely the risks that were survived before the first undo were to be survived; null
    /// where there were none.
    pub luck: Option<f64>,
    /// The share of the win chance that all moves together kept, undone ones included; null where
    /// nothing was risked.
    pub kept: Option<f64>,
    /// Whether moves were undone.
    pub practice: bool,
    /// How many hints were asked for.
    pub hints: usize,
    /// Whether the odds were shown.
    pub odds: bool,
    /// 3BV, ZiNi, clicks and time; null where nothing was opened.
    pub measures: Option<MeasuresDocument>,
    /// Every move of the record, flags included.
    pub moves: Vec<ReviewedDocument>,
    /// Moves that were undone, in the order in which they were undone.
    pub undone: Vec<UndoneDocument>,
}

/// A move that was undone.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct UndoneDocument {
    /// How many moves were left after it was undone.
    pub at: usize,
    /// The move; its number is the one that it had before it was undone.
    #[serde(flatten)]
    pub reviewed: ReviewedDocument,
}

/// A move, and what there is to say about it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewedDocument {
    /// Its number, from 1; every move counts.
    pub number: usize,
    /// What was done.
    pub action: Verb,
    /// The cell acted on; none when declining.
    pub cell: Option<RowColumn>,
    /// How likely it was to hit a mine; none of moves that open nothing.
    pub risk: Option<f64>,
    /// The least risk that could be taken instead.
    pub safest: Option<f64>,
    /// The best cell to open.
    pub best: Option<RowColumn>,
    /// The win chance before it with best play, where it is estimated; 1 only where a win is
    /// certain.
    pub win_before: Option<f64>,
    /// The win chance of this move, before it was known what it opened.
    pub win: Option<f64>,
    /// The win chance after it; null where it is not known.
    pub win_after: Option<f64>,
    /// The share of the win chance that it gave away, from 0 to 1; null of moves that are not
    /// judged.
    pub cost: Option<f64>,
    /// Milliseconds from the start, where times were kept.
    pub at_millis: Option<f64>,
    /// What the coach thinks of it.
    pub verdict: VerdictWord,
    /// That in words.
    pub sentence: String,
    /// Of a guess where no cell was certainly safe: why the best guess was the best, a sentence
    /// each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(required = false))]
    pub reasons: Vec<String>,
}

impl ReviewDocument {
    /// A review of a game on a board of this shape.
    pub fn of(review: &Review, shape: &Shape) -> Self {
        let reviewed = |reviewed: &Reviewed| ReviewedDocument::of(reviewed, shape);
        Self {
            schema_version: SCHEMA_VERSION,
            player: review.player.clone(),
            outcome: Word(review.outcome),
            summary: review.summary(),
            guesses: review.guesses().count(),
            unneeded: review.unneeded(),
            blunders: review.blunders(),
            luck: review.luck,
            kept: review.kept(),
            practice: review.practice(),
            hints: review.hints,
            odds: review.odds,
            measures: review.measures.as_ref().map(MeasuresDocument::of),
            moves: review.moves.iter().map(reviewed).collect(),
            undone: review
                .undone
                .iter()
                .map(|undone| UndoneDocument { at: undone.number - 1, reviewed: reviewed(undone) })
                .collect(),
        }
    }
}

impl ReviewedDocument {
    fn of(reviewed: &Reviewed, shape: &Shape) -> Self {
        let place = |cell| RowColumn::of(cell, shape);
        Self {
            number: reviewed.number,
            action: reviewed.action.into(),
            cell: reviewed.action.cell().map(place),
            risk: reviewed.risk,
            safest: reviewed.safest,
            best: reviewed.best.map(place),
            win_before: reviewed.win_before,
            win: reviewed.win,
            win_after: reviewed.win_after,
            cost: reviewed.cost,
            at_millis: reviewed.micros.map(millis),
            verdict: Word(reviewed.verdict),
            sentence: reviewed.sentence.clone(),
            reasons: reviewed.reasons.clone(),
        }
    }
}
