//! A cursor over a text that knows its line and column.

use crate::header::ReadArtifactError;

/// The unread rest of a text, and the position where it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    /// The unread text.
    pub(crate) rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    /// A text that begins on this line of its file.
    pub(crate) fn new(rest: &'a str, line: usize) -> Self {
        Self { rest, line, column: 1 }
    }

    /// Something is wrong here.
    pub(crate) fn wrong(&self, fault: impl Into<String>) -> ReadArtifactError {
        ReadArtifactError::Place(self.line, self.column, fault.into())
    }

    /// Moves past this many bytes.
    pub(crate) fn skip(&mut self, bytes: usize) {
        let (passed, rest) = self.rest.split_at(bytes);
        for symbol in passed.chars() {
            (self.line, self.column) = match symbol {
                '\n' => (self.line + 1, 1),
                _ => (self.line, self.column + 1),
            };
        }
        self.rest = rest;
    }

    /// Moves past what belongs to a run.
    pub(crate) fn skip_while(&mut self, belongs: impl Fn(char) -> bool) {
        self.skip(run(self.rest, belongs).len());
    }
}

/// The beginning of a text, as far as its characters belong to a run.
pub(crate) fn run(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|symbol: char| !belongs(symbol)).unwrap_or(text.len())]
}
