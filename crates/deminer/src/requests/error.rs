//! Errors in requests, and reading requests from JSON.

use std::fmt::Display;

use deminer_formats::JsonError;
use deminer_formats::wire::{FieldError, Word};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// A request has no answer.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[error("{detail}")]
pub struct RequestError {
    /// What kind of error it is.
    pub kind: RequestErrorWord,
    /// What is wrong and what would be right.
    pub detail: String,
    /// The field it is about, or its row and column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// Kinds of errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequestErrorKind {
    /// Not JSON.
    Malformed,
    /// A value is not valid.
    Invalid,
    /// The values contradict each other, such as a position without a layout.
    Conflict,
    /// Larger than what is answered.
    TooLarge,
    /// A limit or the caller stopped the work.
    Stopped,
    /// A fault in deminer itself.
    Fault,
}
deminer_game::words!(
    RequestErrorKind, "a kind of error":
    Malformed = "malformed",
    Invalid = "invalid",
    Conflict = "conflict",
    TooLarge = "too_large",
    Stopped = "stopped",
    Fault = "fault",
);

/// A kind of error as a word.
pub type RequestErrorWord = Word<RequestErrorKind>;

impl RequestError {
    fn new(kind: RequestErrorKind, detail: impl Display) -> Self {
        Self { kind: Word(kind), detail: detail.to_string(), at: None }
    }

    /// Not JSON.
    pub fn malformed(detail: impl Display) -> Self {
        Self::new(RequestErrorKind::Malformed, detail)
    }

    /// A value is not valid.
    pub fn invalid(detail: impl Display) -> Self {
        Self::new(RequestErrorKind::Invalid, detail)
    }

    /// The values contradict each other.
    pub fn conflict(detail: impl Display) -> Self {
        Self::new(RequestErrorKind::Conflict, detail)
    }

    /// Larger than what is answered.
    pub fn too_large(detail: impl Display) -> Self {
        Self::new(RequestErrorKind::TooLarge, detail)
    }

    /// A limit or the caller stopped the work.
    pub fn stopped(detail: impl Display) -> Self {
        Self::new(RequestErrorKind::Stopped, detail)
    }

    /// A fault in deminer itself.
    pub fn fault(detail: impl Display) -> Self {
        Self::new(RequestErrorKind::Fault, detail)
    }

    /// The same with the field, or row and column, that it is about.
    pub fn at(self, place: impl Into<String>) -> Self {
        Self { at: Some(place.into()), ..self }
    }
}

impl From<FieldError> for RequestError {
    fn from(error: FieldError) -> Self {
        Self::invalid(error.message).at(error.at)
    }
}

impl From<JsonError> for RequestError {
    fn from(error: JsonError) -> Self {
        let place = format!("line {}, column {}", error.line, error.column);
        match error.is_value {
            true => Self::invalid(error.message).at(error.field.unwrap_or(place)),
            false => Self::malformed(error.message).at(place),
        }
    }
}

/// Reads JSON; an error names the field, or line and column.
///
/// # Errors
/// If it is not JSON, or a value is not valid.
pub fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, RequestError> {
    Ok(deminer_formats::read_json(bytes)?)
}
