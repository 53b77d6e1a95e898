//! The JSON and TOML form of values in files, HTTP bodies and documents, each defined once.
//!
//! Rules, cells, positions, moves, records and run specs are read and written here for every
//! door. Types with the prefix `Wire` mirror a type of the game; they convert with `of` and back
//! with a method that names the field of each fault ([`FieldError`]). Enums are words
//! ([`Word`]), so a wrong one is answered with those that would be right.
//!
//! With the feature `schema` all of them describe themselves for OpenAPI.

mod field;
mod moves;
mod position;
mod record;
mod rules;
mod run;
mod value;

pub use self::field::FieldError;
pub use self::moves::{Verb, WireMove, WirePremise, WireWhy, layout_rows, read_layout};
pub use self::position::{PositionRow, WirePosition, position_rows};
pub use self::record::{WireHelp, WireHint, WireRecord, WireUndone};
pub use self::rules::WireRules;
pub use self::run::{Estimator, EstimatorWord, Measure, MeasureWord, WireRunSpec};
pub use self::value::{
    Cascade, Count, FormWord, MovedByWord, OutcomeWord, RowColumn, StartWord, Text, Word,
};
