//! What can be wrong with a file, where, and what would be right.

use std::fmt;

use deminer_game::{
    ParseError, ParseErrorKind, RecordError, RulesError, ShapeError, View, ViewError,
};
use thiserror::Error;

use crate::wire::FieldError;
use crate::{DocumentKind, names};

/// A file could not be read: the place of the fault and what is wrong there.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("{place}{fault}")]
pub struct ReadError {
    /// Where.
    pub place: Place,
    /// What.
    pub fault: Fault,
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A byte, counted from 0.
    Byte(usize),
    /// A line of text, counted from 1.
    Line(usize),
    /// A line and a column of text, counted from 1.
    LineColumn(usize, usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Byte(offset) => write!(f, "byte {offset}: "),
            Place::Line(line) => write!(f, "line {line}: "),
            Place::LineColumn(line, column) => write!(f, "line {line}, column {column}: "),
        }
    }
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Fault {
    /// The bytes are in no known format.
    #[error("This file is not in a format deminer reads. It reads: {}.", names())]
    Unknown,
    /// The file is larger than [`MAX_FILE`](crate::MAX_FILE).
    #[error("This file has {}; deminer reads files up to {}.", megabytes(.0), megabytes(&crate::MAX_FILE))]
    TooLarge(
        /// Its bytes.
        usize,
    ),
    /// The file ends too early.
    #[error(
        "the file ends too early: {what} needs {}, but only {left} {} left",
        bytes(needed),
        by_number(left, "is", "are")
    )]
    Ended {
        /// What was being read.
        what: &'static str,
        /// Bytes it needs.
        needed: usize,
        /// Bytes there are.
        left: usize,
    },
    /// There are bytes after the end.
    #[error(
        "the file should end here, but {} {}",
        bytes(.0),
        by_number(.0, "follows", "follow")
    )]
    Trailing(usize),
    /// A wrong value.
    #[error("{what} is `{found}`, but should be {right}")]
    Value {
        /// What was being read.
        what: String,
        /// What it is.
        found: String,
        /// What would be right.
        right: String,
    },
    /// Something that must be there is not.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A mine outside the board.
    #[error(
        "the mine in row {row}, column {column} lies outside the board ({height} rows of {width}, counted from 0)"
    )]
    MineOutside {
        /// Row of the mine, from 0.
        row: usize,
        /// Column of the mine, from 0.
        column: usize,
        /// Rows of the board.
        height: usize,
        /// Cells in a row.
        width: usize,
    },
    /// The same mine twice.
    #[error("the mine in row {row}, column {column} is listed twice")]
    MineTwice {
        /// Row of the mine, from 0.
        row: usize,
        /// Column of the mine, from 0.
        column: usize,
    },
    /// The number of mines is not the number of mines on the board.
    #[error(
        "the file says {announced} {}, but its board has {found}",
        by_number(announced, "mine", "mines")
    )]
    MineCount {
        /// Mines according to the file's header.
        announced: usize,
        /// Mines on its board.
        found: usize,
    },
    /// The size of the board is not the number of its cells.
    #[error("the board should have {expected} cells, but has {found}")]
    CellCount {
        /// Cells according to the size.
        expected: usize,
        /// Cells found.
        found: usize,
    },
    /// Bytes that are not text.
    #[error("this is not text (text must be UTF-8)")]
    NotText,
    /// No such shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// No such rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The faces do not fill the board.
    #[error(transparent)]
    View(#[from] ViewError),
    /// Not our text notation.
    #[error(transparent)]
    Notation(ParseErrorKind),
    /// Not the JSON that was expected.
    #[error("{0}")]
    Json(String),
    /// A field of a document has a wrong value.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A record of an impossible game.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Mebibytes with one decimal where needed, rounded up: a file above a limit never has its size.
fn megabytes(bytes: &usize) -> String {
    let tenths = (bytes * 10).div_ceil(1 << 20);
    match tenths % 10 {
        0 => format!("{} MB", tenths / 10),
        tenth => format!("{}.{tenth} MB", tenths / 10),
    }
}

fn bytes(count: &usize) -> String {
    format!("{count} {}", by_number(count, "byte", "bytes"))
}

/// The word for one or for several.
fn by_number(count: &usize, one: &'static str, several: &'static str) -> &'static str {
    if *count == 1 { one } else { several }
}

impl Fault {
    /// The fault at a place.
    pub(crate) fn at(self, place: Place) -> ReadError {
        ReadError { place, fault: self }
    }

    /// A wrong value.
    pub(crate) fn value(
        what: impl Into<String>,
        found: impl ToString,
        right: impl Into<String>,
    ) -> Self {
        Fault::Value { what: what.into(), found: found.to_string(), right: right.into() }
    }
}

impl From<ParseError> for ReadError {
    fn from(error: ParseError) -> Self {
        let place = match (error.line, error.column) {
            (Some(line), Some(column)) => Place::LineColumn(line, column),
            (Some(line), None) => Place::Line(line),
            _ => Place::File,
        };
        Fault::Notation(error.kind).at(place)
    }
}

/// A document could not be turned into another kind.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ConvertError {
    /// One kind never becomes the other.
    #[error("a {from} cannot be turned into a {to}")]
    Kinds {
        /// What there is.
        from: DocumentKind,
        /// What was asked for.
        to: DocumentKind,
    },
    /// The position does not determine every mine.
    #[error("the position does not show where every mine is")]
    Hidden,
    /// The position contradicts itself.
    #[error("the clue in row {row}, column {column} does not fit the mines shown")]
    Misfit {
        /// Row of the clue, from 0.
        row: usize,
        /// Column of the clue, from 0.
        column: usize,
    },
    /// Nothing was opened, so there are no mines yet.
    #[error("no cell was opened in this game, so it has no mines yet")]
    NotLaid,
    /// Replays are played by plain rules.
    #[error("replays are only for standard rules (rectangle, cascade, exact clues), not for {0}")]
    NotPlain(String),
    /// A record of an impossible game.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// A document could not be written.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum WriteError {
    /// The format is only read.
    #[error("deminer reads {0} files but does not write them")]
    ReadOnly(&'static str),
    /// The format holds other kinds of documents.
    #[error("{format} files hold a {}, and this {kind} cannot be turned into one{}", kinds(holds), because(reason.as_ref()))]
    Kind {
        /// The format.
        format: &'static str,
        /// What it can hold.
        holds: &'static [DocumentKind],
        /// What should be written.
        kind: DocumentKind,
        /// Why it could not be turned into what the format holds.
        reason: Option<ConvertError>,
    },
    /// Only rectangles.
    #[error("{0} files hold rectangular boards only, not {1} boards")]
    Form(&'static str, deminer_game::Form),
    /// Only exact clues.
    #[error("{0} files hold exact clues only, not {1}")]
    Clues(&'static str, String),
    /// Too large for the format.
    #[error("{format} files cannot hold {what} {found} (at most {most})")]
    TooLarge {
        /// The format.
        format: &'static str,
        /// What is too large.
        what: &'static str,
        /// Its size.
        found: usize,
        /// What would fit.
        most: usize,
    },
    /// An open cell without a clue.
    #[error(
        "{format} files cannot hold the open cell without a clue in row {row}, column {column}"
    )]
    Blank {
        /// The format.
        format: &'static str,
        /// Row of the cell, from 0.
        row: usize,
        /// Column of the cell, from 0.
        column: usize,
    },
    /// More mines are shown around a cell than it says.
    #[error(
        "{format} files cannot hold the clue in row {row}, column {column}: more mines are shown around it than it says"
    )]
    Overfull {
        /// The format.
        format: &'static str,
        /// Row of the cell, from 0.
        row: usize,
        /// Column of the cell, from 0.
        column: usize,
    },
    /// A number that JSON cannot hold.
    #[error("the risk of move {0} is not a finite number")]
    NotFinite(usize),
    /// The conversion on the way failed.
    #[error(transparent)]
    Convert(#[from] ConvertError),
}

fn kinds(kinds: &[DocumentKind]) -> String {
    kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ")
}

fn because(reason: Option<&ConvertError>) -> String {
    reason.map(|reason| format!(": {reason}")).unwrap_or_default()
}

impl WriteError {
    /// Checks what formats without uncertain clues and other shapes can hold.
    pub(crate) fn unless_plain(format: &'static str, view: &View) -> Result<(), Self> {
        let rules = view.rules();
        WriteError::unless_rect(format, rules.shape())?;
        if rules.clues() != deminer_game::ClueRule::Exact {
            return Err(WriteError::Clues(format, rules.clues().to_string()));
        }
        Ok(())
    }

    /// Checks that the board is a rectangle.
    pub(crate) fn unless_rect(
        format: &'static str,
        shape: &deminer_game::Shape,
    ) -> Result<(), Self> {
        match shape.form() {
            deminer_game::Form::Rect => Ok(()),
            form => Err(WriteError::Form(format, form)),
        }
    }

    /// Checks a number against the room there is.
    pub(crate) fn unless_fits(
        format: &'static str,
        what: &'static str,
        found: usize,
        most: usize,
    ) -> Result<(), Self> {
        if found > most {
            return Err(WriteError::TooLarge { format, what, found, most });
        }
        Ok(())
    }
}
