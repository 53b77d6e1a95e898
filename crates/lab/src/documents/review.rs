//! Reviews of games.

use deminer_game::Shape;
use serde::Serialize;

use super::{Place, SCHEMA_VERSION};
use crate::coach::{Review, Reviewed};

/// A game that the coach has looked at.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// Who played.
    pub player: String,
    /// How it ended: `won`, `lost`, `stuck` or `undecided`.
    pub outcome: &'static str,
    /// What there is to say about the game, a sentence each.
    pub summary: Vec<String>,
    /// Openings that might have hit a mine, after the first click.
    pub guesses: usize,
    /// Guesses that were made while some cell was certainly safe.
    pub unneeded: usize,
    /// Moves that gave away a quarter of the chances or more, or opened a certain mine.
    pub blunders: usize,
    /// How likely all risks that were survived were to be survived.
    pub luck: f64,
    /// The share of the winning chances that all moves together kept.
    pub kept: f64,
    /// Every move of the record, flags included.
    pub moves: Vec<ReviewedDocument>,
}

/// A move, and what there is to say about it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewedDocument {
    /// Its number, from 1; every move counts.
    pub number: usize,
    /// `open`, `flag`, `unflag`, `chord` or `decline`.
    pub action: &'static str,
    /// The cell acted on; none when declining.
    #[cfg_attr(feature = "schema", schema(value_type = Option<super::PlaceSchema>))]
    pub cell: Option<Place>,
    /// How likely it was to hit a mine; none of moves that open nothing.
    pub risk: Option<f64>,
    /// The least risk that could be taken instead.
    pub safest: Option<f64>,
    /// The best cell to open.
    #[cfg_attr(feature = "schema", schema(value_type = Option<super::PlaceSchema>))]
    pub best: Option<Place>,
    /// The chances of winning before it, with the best play, where they are estimated; 1 only
    /// where that is certain.
    pub win_before: Option<f64>,
    /// The chances of winning after it.
    pub win_after: Option<f64>,
    /// The chances of winning that it gave away.
    pub cost: Option<f64>,
    /// `start`, `none`, `proved`, `best`, `good`, `inaccuracy`, `mistake` or `blunder`.
    pub verdict: &'static str,
    /// That in words.
    pub sentence: String,
}

impl ReviewDocument {
    /// A review of a game on a board of this shape.
    pub fn of(review: &Review, shape: &Shape) -> Self {
        let place = |cell| shape.position(cell);
        let reviewed = |reviewed: &Reviewed| ReviewedDocument {
            number: reviewed.number,
            action: reviewed.action.name(),
            cell: reviewed.action.cell().map(place),
            risk: reviewed.risk,
            safest: reviewed.safest,
            best: reviewed.best.map(place),
            win_before: reviewed.win_before,
            win_after: reviewed.win_after,
            cost: reviewed.cost,
            verdict: reviewed.verdict.name(),
            sentence: reviewed.sentence.clone(),
        };
        Self {
            schema_version: SCHEMA_VERSION,
            player: review.player.clone(),
            outcome: review.outcome.name(),
            summary: review.summary(),
            guesses: review.guesses().count(),
            unneeded: review.unneeded(),
            blunders: review.blunders(),
            luck: review.luck(),
            kept: review.kept(),
            moves: review.moves.iter().map(reviewed).collect(),
        }
    }
}
