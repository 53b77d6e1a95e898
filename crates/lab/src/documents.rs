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
mod genome;
mod measures;
mod review;
mod theory;
mod tree;

use deminer_game::{Cell, Estimates, Shape};

pub use self::agents::{
    AgentDocument, AgentsDocument, NetworkDocument, NetworksDocument, OptionDocument,
};
pub use self::analysis::{AlternativeDocument, AnalysisDocument, BestDocument, ProofDocument};
pub use self::boards::{
    BoardDocument, BoardsDocument, Dealt, Found, NoGuessDocument, ProvedDocument,
};
pub use self::decision::{ChainLink, DecisionDocument, Narrator, OpenedDocument};
pub use self::formats::{FormatDocument, FormatsDocument};
pub use self::genome::{BranchDocument, GeneDocument, GenomeDocument};
pub use self::measures::{ClicksDocument, MeasuresDocument};
pub use self::review::{ReviewDocument, ReviewedDocument, UndoneDocument};
pub use self::theory::{RuleDocument, SightingDocument, TheoryDocument};
pub use self::tree::{AskedDocument, ImportanceDocument, NodeDocument, TreeDocument, WalkDocument};
pub use crate::totals::SCHEMA_VERSION;

/// A cell as row and column, from 0.
pub type Place = (usize, usize);

/// How a [`Place`] is described for OpenAPI: an array of exactly two whole numbers.
#[cfg(feature = "schema")]
#[derive(Debug)]
pub enum PlaceSchema {}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for PlaceSchema {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
        let place = ArrayBuilder::new()
            .description(Some("A cell: row and column, from 0."))
            .items(number)
            .min_items(Some(2))
            .max_items(Some(2));
        Schema::Array(place.build()).into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for PlaceSchema {
    fn name() -> std::borrow::Cow<'static, str> {
        "Place".into()
    }
}

/// Places of cells.
pub fn places<'a>(shape: &Shape, cells: impl IntoIterator<Item = &'a Cell>) -> Vec<Place> {
    cells.into_iter().map(|&cell| shape.position(cell)).collect()
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
