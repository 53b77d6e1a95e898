//! The JSON documents that more than one door gives out: the command line prints them, the HTTP
//! interface answers with them. Each is defined here once, so that all doors say the same.
//!
//! Cells are `[row, column]` from 0. With the feature `schema` the documents describe themselves
//! for OpenAPI.

mod agents;
mod analysis;
mod boards;
mod decision;
mod formats;
#[cfg(feature = "learn")]
mod genome;
mod lesson;
mod measures;
mod review;
#[cfg(feature = "learn")]
mod theory;
mod totals;
#[cfg(feature = "learn")]
mod tree;

use deminer_formats::DocumentKind;
use deminer_formats::wire::{RowColumn, Word};
use deminer_game::{Cell, ClueKind, Estimates, Kind, Shape};
use deminer_inference::deduce::{Fact, Rung};

use crate::coach::Verdict;
use crate::no_guess::Difficulty;

pub use self::agents::{
    AgentDocument, AgentsDocument, NetworkDocument, NetworksDocument, OptionDocument,
};
pub use self::analysis::{AlternativeDocument, AnalysisDocument, BestDocument, ProofDocument};
pub use self::boards::{
    BoardDocument, BoardsDocument, Dealt, Found, NoGuessDocument, ProvedDocument,
};
pub use self::decision::{ChainLink, DecisionDocument, Narrator, OpenedDocument};
pub use self::formats::{FormatDocument, FormatsDocument};
#[cfg(feature = "learn")]
pub use self::genome::{BranchDocument, GeneDocument, GenomeDocument};
pub use self::lesson::{
    ChapterDocument, LessonDocument, LessonHintDocument, LessonsDocument, TaskWord, VerdictDocument,
};
pub use self::measures::{ClicksDocument, MeasuresDocument};
pub use self::review::{ReviewDocument, ReviewedDocument, UndoneDocument};
#[cfg(feature = "learn")]
pub use self::theory::{RuleDocument, SightingDocument, TheoryDocument};
pub use self::totals::{AgentTotals, PairTotals};
#[cfg(feature = "learn")]
pub use self::tree::{AskedDocument, ImportanceDocument, NodeDocument, TreeDocument, WalkDocument};

/// What is proved of a cell as a word.
pub type FactWord = Word<Fact>;
/// A rung of the ladder as a word.
pub type RungWord = Word<Rung>;
/// A verdict on a move as a word.
pub type VerdictWord = Word<Verdict>;
/// The difficulty of a board as a word.
pub type DifficultyWord = Word<Difficulty>;
/// What an agent is made of as a word.
pub type KindWord = Word<Kind>;
/// A kind of clue rule as a word.
pub type ClueKindWord = Word<ClueKind>;
/// A kind of document as a word.
pub type DocumentKindWord = Word<DocumentKind>;

/// The version of all documents.
pub const SCHEMA_VERSION: u32 = 1;

/// Rows and columns of cells.
pub fn places<'a>(shape: &Shape, cells: impl IntoIterator<Item = &'a Cell>) -> Vec<RowColumn> {
    cells.into_iter().map(|&cell| RowColumn::of(cell, shape)).collect()
}

/// A value for each cell, row by row.
pub fn rows<T>(shape: &Shape, value: impl Fn(Cell) -> T) -> Vec<Vec<T>> {
    let cell = |row, column| shape.cell(row, column).expect("rows and columns of the board");
    (0..shape.height())
        .map(|row| (0..shape.width()).map(|column| value(cell(row, column))).collect())
        .collect()
}

/// Believed probabilities of mines, row by row; null where nothing is believed.
pub fn estimates(shape: &Shape, estimates: &Estimates) -> Vec<Vec<Option<f64>>> {
    rows(shape, |cell| estimates.mine(cell))
}
