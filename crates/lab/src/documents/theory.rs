//! Theories: each rule as it is written, in words, and on a board.

use std::num::NonZero;

use deminer_learn::ilp::{Clause, Labels, Sighting, Theory, on_boards, plainly};
use serde::Serialize;

use super::{Place, places, rows};
use crate::induce::Source;

/// The rules of a theory, in the order in which they are tried.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TheoryDocument {
    /// The rules.
    pub rules: Vec<RuleDocument>,
}

/// A rule of a theory.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RuleDocument {
    /// `S-1` is the first about safe cells, `M-1` about mines.
    pub name: String,
    /// What it concludes: `safe` or `mine`.
    pub target: &'static str,
    /// The rule as it is written.
    pub text: String,
    /// The rule in plain language.
    pub words: String,
    /// A position where it applies, if one was found.
    pub board: Option<SightingDocument>,
}

/// A position where a rule applies.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SightingDocument {
    /// The position, row by row.
    pub rows: Vec<String>,
    /// Its mines.
    pub mines: usize,
    /// The cell concluded about.
    #[cfg_attr(feature = "schema", schema(value_type = super::PlaceSchema))]
    pub cell: Place,
    /// The clues it rests on.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<super::PlaceSchema>))]
    pub clues: Vec<Place>,
}

impl TheoryDocument {
    /// A theory; boards are sought among some hundred random ones: a second or two.
    pub fn of(theory: &Theory, threads: NonZero<usize>) -> Self {
        let sampler = Source { seed: 1, labels: Labels::Content }.sampler();
        let boards = on_boards(&theory.rules, &sampler, threads);
        let rule = |((name, clause), board): ((String, &Clause), Option<Sighting>)| RuleDocument {
            name,
            target: clause.target().name(),
            text: clause.to_string(),
            words: plainly(clause),
            board: board.map(SightingDocument::of),
        };
        Self { rules: theory.named().zip(boards).map(rule).collect() }
    }
}

impl SightingDocument {
    fn of(Sighting { view, cell, clues }: Sighting) -> Self {
        let shape = view.shape();
        let faces = rows(shape, |cell| view.face(cell).to_string());
        Self {
            rows: faces.into_iter().map(|row| row.concat()).collect(),
            mines: view.rules().mines(),
            cell: shape.position(cell),
            clues: places(shape, &clues),
        }
    }
}
