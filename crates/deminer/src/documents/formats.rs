//! File formats.

use deminer_formats::wire::Word;
use deminer_formats::{FORMATS, Format};
use serde::Serialize;

use super::{DocumentKindWord, SCHEMA_VERSION};

/// All formats.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FormatsDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The formats.
    pub formats: Vec<FormatDocument>,
}

impl FormatsDocument {
    /// All there are.
    pub fn all() -> Self {
        let formats = FORMATS.iter().map(FormatDocument::of).collect();
        Self { schema_version: SCHEMA_VERSION, formats }
    }
}

/// A file format.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FormatDocument {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// The kinds of documents it holds.
    pub holds: Vec<DocumentKindWord>,
    /// Whether documents can be written in it.
    pub written: bool,
}

impl FormatDocument {
    /// The description of a format.
    pub fn of(format: &'static Format) -> Self {
        Self {
            name: format.name,
            about: format.about,
            extensions: format.extensions,
            holds: format.holds.iter().copied().map(Word).collect(),
            written: format.is_written(),
        }
    }
}
