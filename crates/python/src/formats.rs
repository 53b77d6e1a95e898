//! Files and links in all formats.

use deminer::documents::FormatsDocument;
use deminer::roster::nearest;
use deminer_formats::{Document, FORMATS, Format};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::boards::Board;
use crate::document::to_python;
use crate::errors::{self, wrong};
use crate::position::Position;
use crate::records::Record;

/// All formats, as documents.
#[pyfunction]
pub fn formats(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    to_python(py, &FormatsDocument::all().formats)
}

/// The format with this name; the error suggests the nearest name and lists all.
pub fn format_named(name: &str) -> PyResult<&'static Format> {
    deminer_formats::find(name).map_err(|unknown| {
        match nearest(name, FORMATS.iter().map(|format| format.name)) {
            Some(nearest) => wrong(format_args!("did you mean `{nearest}`? {unknown}")),
            None => wrong(unknown),
        }
    })
}

/// The document of a source: text, a link, bytes, or one of our own objects.
pub fn document(
    source: &Bound<'_, PyAny>,
    from: Option<&str>,
    hint: Option<&str>,
) -> PyResult<Document> {
    if let Ok(position) = source.cast::<Position>() {
        return Ok(Document::Position(position.get().0.clone()));
    }
    if let Ok(record) = source.cast::<Record>() {
        return Ok(Document::Record(record.get().0.clone()));
    }
    if let Ok(board) = source.cast::<Board>() {
        return Ok(Document::Layout(board.get().layout().clone()));
    }
    let bytes = match (source.extract::<&str>(), source.extract::<&[u8]>()) {
        (Ok(text), _) => text.as_bytes(),
        (_, Ok(bytes)) => bytes,
        _ => {
            let kind = source.get_type().name()?;
            let message = format!("expected text, a link or bytes, not {kind}");
            return Err(PyTypeError::new_err(message));
        }
    };
    let document = match from {
        Some(name) => (format_named(name)?.read)(bytes),
        None => deminer_formats::read(bytes, hint),
    };
    document.map_err(errors::format)
}

/// The document of a source in another format.
#[pyfunction]
pub fn convert<'py>(
    source: &Bound<'py, PyAny>,
    to: &str,
    from: Option<&str>,
    hint: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    write(source.py(), &document(source, from, hint)?, to)
}

/// A document as bytes of a format.
pub fn write<'py>(
    py: Python<'py>,
    document: &Document,
    format: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = format_named(format)?.write(document).map_err(errors::format)?;
    Ok(PyBytes::new(py, &bytes))
}

/// The position, board or game of a source.
#[pyfunction]
pub fn read<'py>(
    source: &Bound<'py, PyAny>,
    from: Option<&str>,
    hint: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = source.py();
    Ok(match document(source, from, hint)? {
        Document::Position(view) => Bound::new(py, Position(view))?.into_any(),
        Document::Layout(layout) => Bound::new(py, Board::laid(layout))?.into_any(),
        document @ (Document::Replay(_) | Document::Record(_)) => {
            let record = document.record().map_err(errors::format)?;
            Bound::new(py, Record(record))?.into_any()
        }
    })
}
