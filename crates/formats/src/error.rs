//! Errors in files: what is wrong, where, and what would be right.

use std::fmt;

use deminer_game::{ClueRule, Form, ParseError, Shape, View};
use thiserror::Error;

use crate::names;
use crate::wire::FieldError;

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
    /// A field of a document has a wrong value.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// Anything else: what is wrong and what would be right.
    #[error("{0}")]
    Text(String),
}

impl Fault {
    /// The fault at a place.
    pub(crate) fn at(self, place: Place) -> ReadError {
        ReadError { place, fault: self }
    }

    /// The fault that an error describes.
    pub(crate) fn of(error: impl fmt::Display) -> Self {
        Fault::Text(error.to_string())
    }

    /// A wrong value.
    pub(crate) fn value(
        what: impl fmt::Display,
        found: impl fmt::Display,
        right: impl fmt::Display,
    ) -> Self {
        Fault::Text(format!("{what} is `{found}`, but should be {right}"))
    }

    /// Something that must be there is not.
    pub(crate) fn missing(what: &str) -> Self {
        Fault::Text(format!("{what} is missing"))
    }

    /// The file ends too early.
    pub(crate) fn ended(what: &str, needed: usize, left: usize) -> Self {
        let (needed, are) = (bytes(needed), if left == 1 { "is" } else { "are" });
        Fault::Text(format!(
            "the file ends too early: {what} needs {needed}, but only {left} {are} left"
        ))
    }

    /// There are bytes after the end.
    pub(crate) fn trailing(count: usize) -> Self {
        let follow = if count == 1 { "follows" } else { "follow" };
        Fault::Text(format!("the file should end here, but {} {follow}", bytes(count)))
    }

    /// The size of the board is not the number of its cells.
    pub(crate) fn cell_count(expected: usize, found: usize) -> Self {
        Fault::Text(format!("the board should have {expected} cells, but has {found}"))
    }

    /// The file is larger than [`MAX_FILE`](crate::MAX_FILE).
    pub(crate) fn too_large(bytes: usize) -> Self {
        let (found, most) = (megabytes(bytes), megabytes(crate::MAX_FILE));
        Fault::Text(format!("This file has {found}; deminer reads files up to {most}."))
    }
}

fn bytes(count: usize) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}

/// Mebibytes with one decimal where needed, rounded up: a file above a limit never has its size.
fn megabytes(bytes: usize) -> String {
    let tenths = (bytes * 10).div_ceil(1 << 20);
    match tenths % 10 {
        0 => format!("{} MB", tenths / 10),
        tenth => format!("{}.{tenth} MB", tenths / 10),
    }
}

impl From<ParseError> for ReadError {
    fn from(error: ParseError) -> Self {
        let place = match (error.line, error.column) {
            (Some(line), Some(column)) => Place::LineColumn(line, column),
            (Some(line), None) => Place::Line(line),
            _ => Place::File,
        };
        Fault::Text(error.message).at(place)
    }
}

/// A document could not be turned into another kind, or not be written in a format.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("{0}")]
pub struct WriteError(
    /// What is wrong.
    pub String,
);

impl WriteError {
    /// A document that contradicts itself.
    pub(crate) fn of(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }

    /// An open cell without a clue.
    pub(crate) fn blank(format: &str, row: usize, column: usize) -> Self {
        let cell = format!("the open cell without a clue in row {row}, column {column}");
        Self(format!("{format} files cannot hold {cell}"))
    }

    /// Checks what formats without uncertain clues and other shapes can hold.
    pub(crate) fn unless_plain(format: &str, view: &View) -> Result<(), Self> {
        WriteError::unless_rect(format, view.shape())?;
        match view.rules().clues() {
            ClueRule::Exact => Ok(()),
            clues => Err(Self(format!("{format} files hold exact clues only, not {clues}"))),
        }
    }

    /// Checks that the board is a rectangle.
    pub(crate) fn unless_rect(format: &str, shape: &Shape) -> Result<(), Self> {
        match shape.form() {
            Form::Rect => Ok(()),
            form => {
                Err(Self(format!("{format} files hold rectangular boards only, not {form} boards")))
            }
        }
    }

    /// Checks that the board is a rectangle with sides of at most this length.
    pub(crate) fn unless_small(format: &str, shape: &Shape, most: usize) -> Result<(), Self> {
        WriteError::unless_rect(format, shape)?;
        WriteError::unless_fits(format, "a width of", shape.width(), most)?;
        WriteError::unless_fits(format, "a height of", shape.height(), most)
    }

    /// Checks a number against the room there is.
    pub(crate) fn unless_fits(
        format: &str,
        what: &str,
        found: usize,
        most: usize,
    ) -> Result<(), Self> {
        let message = || format!("{format} files cannot hold {what} {found} (at most {most})");
        if found <= most { Ok(()) } else { Err(Self(message())) }
    }
}
