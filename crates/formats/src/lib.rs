//! Board, position, replay and record formats of Minesweeper programs: bytes in, values out.
//!
//! One file each, listed in [`FORMATS`]. Formats are recognized by content, not by file name:
//!
//! ```
//! use deminer_formats::{find, read};
//!
//! let document = read(b"?b=32&m=9g", None)?;
//! assert_eq!(document.layout()?.to_string(), "mines 3\n. * .\n. * *\n");
//! assert_eq!(find("mbf-hex")?.write(&document)?, b"03020003010001010201\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every reader takes any bytes: what is damaged or hostile gives a [`ReadError`] with its
//! place, never a panic, and memory stays in proportion to the input (a board has at most
//! [`MAX_CELLS`](deminer_game::MAX_CELLS) cells).

mod analysis;
mod avf;
mod bytes;
mod document;
mod error;
mod evf;
mod json;
mod link;
mod mbf;
mod mine;
mod mines;
mod mvf;
mod rawvf;
mod record;
mod replay;
mod rmv;
mod tatham;
mod text;
pub mod wire;

use thiserror::Error;

pub use document::{Document, DocumentKind};
pub use error::{Fault, Place, ReadError, WriteError};
pub use json::{JsonError, read_json};
pub use replay::{Event, Input, Replay};

/// Every format. Where several could have written the same bytes, the first is taken.
pub const FORMATS: &[Format] = &[
    record::ENTRY,
    rmv::ENTRY,
    mvf::ENTRY,
    mbf::ENTRY,
    rawvf::ENTRY,
    analysis::ENTRY,
    link::ENTRY,
    tatham::ENTRY,
    mbf::HEX_ENTRY,
    mine::ENTRY,
    text::ENTRY,
    avf::ENTRY,
    evf::ENTRY,
];

/// The largest file, in bytes, that the page and the server take.
pub const MAX_FILE: usize = 4 << 20;

/// Checks the size of a file against [`MAX_FILE`].
pub fn check_size(bytes: usize) -> Result<(), ReadError> {
    match bytes {
        0..=MAX_FILE => Ok(()),
        _ => Err(Fault::too_large(bytes).at(Place::File)),
    }
}

/// A file format.
pub struct Format {
    /// Its name in flags and messages.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Extensions of its files, without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// The kinds of documents it holds.
    pub holds: &'static [DocumentKind],
    /// Whether its bytes are not text and should not go to a terminal.
    pub binary: bool,
    /// Whether the bytes look like this format; a file damaged further on still does.
    pub detect: fn(&[u8]) -> bool,
    /// Reads a document.
    pub read: fn(&[u8]) -> Result<Document, ReadError>,
    /// Writes a document of one of the kinds it holds; none if it is only read.
    encode: Option<Encode>,
}

type Encode = fn(&Document) -> Result<Vec<u8>, WriteError>;

impl Format {
    /// Whether documents can be written in it.
    pub fn is_written(&self) -> bool {
        self.encode.is_some()
    }

    /// Writes a document, turned into a kind that the format holds where that loses nothing
    /// that the format is about: a replay written as a board becomes its layout.
    pub fn write(&self, document: &Document) -> Result<Vec<u8>, WriteError> {
        let Self { name, holds, encode, .. } = *self;
        let read_only =
            || WriteError(format!("deminer reads {name} files but does not write them"));
        let encode = encode.ok_or_else(read_only)?;
        let kind = document.kind();
        let mut reason = None;
        for &target in kind.becomes().iter().filter(|target| holds.contains(target)) {
            if target == kind {
                return encode(document);
            }
            match document.turned_into(target) {
                Ok(turned) => return encode(&turned),
                Err(error) => reason = reason.or(Some(error)),
            }
        }
        let holds = holds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ");
        let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
        Err(WriteError(format!(
            "{name} files hold a {holds}, and this {kind} cannot be turned into one{reason}"
        )))
    }
}

impl std::fmt::Debug for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Format").field(&self.name).finish()
    }
}

/// No format has this name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is not a format (use {names})", names = names())]
pub struct UnknownFormat(
    /// The name asked for.
    pub String,
);

/// The names of all formats, for messages.
pub(crate) fn names() -> String {
    FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ")
}

/// The format with this name.
pub fn find(name: &str) -> Result<&'static Format, UnknownFormat> {
    FORMATS.iter().find(|format| format.name == name).ok_or_else(|| UnknownFormat(name.to_owned()))
}

/// The first written format whose files have this extension, or the first at all. A whole file
/// name will do.
pub fn by_extension(name: &str) -> Option<&'static Format> {
    let known = |format: &&Format| has_extension(format, name);
    let written = FORMATS.iter().filter(known).find(|format| format.is_written());
    written.or_else(|| FORMATS.iter().find(known))
}

/// The format these bytes look like. The hint, a file name or extension, decides only between
/// several that they look like, or when they look like none.
pub fn detect(bytes: &[u8], hint: Option<&str>) -> Option<&'static Format> {
    let mut alike = FORMATS.iter().filter(|format| (format.detect)(bytes));
    let hinted = |format: &&'static Format| hint.is_some_and(|hint| has_extension(format, hint));
    let first = alike.next();
    match first {
        Some(first) => Some(std::iter::once(first).chain(alike).find(hinted).unwrap_or(first)),
        None => FORMATS.iter().find(hinted),
    }
}

/// Reads a document in whatever format the bytes look like; see [`detect`] for the hint.
pub fn read(bytes: &[u8], hint: Option<&str>) -> Result<Document, ReadError> {
    let format = detect(bytes, hint).ok_or_else(|| Fault::Unknown.at(Place::File))?;
    (format.read)(bytes)
}

fn has_extension(format: &Format, name: &str) -> bool {
    let extension = name.rsplit('.').next().unwrap_or(name);
    format.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests;
