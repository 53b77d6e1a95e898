//! Theories: each rule as it is written, in words, and on a board.

use std::num::NonZero;

use deminer_learn::ilp::paper::ExampleSource;
use deminer_learn::ilp::{Clause, Labels, Sighting, Theory, on_boards, plainly};
use serde::Serialize;

use deminer_formats::wire::{PositionRow, RowColumn, Word, position_rows};

use super::{FactWord, places};

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
    /// What it concludes.
    pub target: FactWord,
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
    pub rows: Vec<PositionRow>,
    /// Its mines.
    pub mines: usize,
    /// The cell concluded about.
    pub cell: RowColumn,
    /// The clues it rests on.
    pub clues: Vec<RowColumn>,
}

impl TheoryDocument {
    /// A theory; boards are sought among some hundred random ones: a second or two.
    pub fn of(theory: &Theory, threads: NonZero<usize>) -> Self {
        let sampler = ExampleSource { seed: 1, labels: Labels::Content }.sampler();
        let boards = on_boards(&theory.rules, &sampler, threads);
        let rule = |((name, clause), board): ((String, &Clause), Option<Sighting>)| RuleDocument {
            name,
            target: Word(clause.target().fact()),
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
        Self {
            rows: position_rows(&view),
            mines: view.rules().mines(),
            cell: RowColumn::of(cell, shape),
            clues: places(shape, &clues),
        }
    }
}
