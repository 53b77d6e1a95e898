//! Errors that name the faulty field.

use std::fmt::Display;

use thiserror::Error;

/// A field has a wrong value.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{at}: {message}")]
pub struct FieldError {
    /// The field, such as `rules.board` or `rows[1][3]`.
    pub at: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl FieldError {
    /// A wrong value of a field.
    pub fn new(at: impl Into<String>, message: impl Display) -> Self {
        Self { at: at.into(), message: message.to_string() }
    }

    /// The same for a field of a part: `board` becomes `rules.board`.
    pub fn within(self, part: &str) -> Self {
        Self { at: format!("{part}.{}", self.at), ..self }
    }
}
