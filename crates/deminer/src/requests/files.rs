//! Files in all formats, read and written.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use deminer_formats::wire::{FormWord, WirePosition, WireRecord, Word, layout_rows};
use deminer_formats::{Document, FORMATS, Fault, Format, Input, Replay};
use deminer_game::{Layout, Shape};
use serde::{Deserialize, Serialize};

use super::{Context, Request, RequestError, check_size};
use crate::documents::DocumentKindWord;

/// A file, in one of three ways.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FileShape))]
#[serde(deny_unknown_fields)]
pub struct FileRequest {
    /// The file's name; its extension decides where the content does not.
    #[cfg_attr(feature = "schema", schema(max_length = 255))]
    pub name: Option<String>,
    /// The format, where it is known.
    pub from: Option<String>,
    /// The content as text, such as a link.
    pub text: Option<String>,
    /// The content as base64.
    pub base64: Option<String>,
}

/// What a file holds.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Held))]
pub struct ReadAnswer {
    /// The name of the file's format.
    pub format: &'static str,
    /// What kind of document it is.
    pub kind: DocumentKindWord,
    /// The position: of a game its last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<WirePosition>,
    /// Where the mines are, if the file says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<LayoutDocument>,
    /// The game, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<WireRecord>,
    /// What the mouse did, if the file says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<MouseReplay>,
    /// The formats that it can be written in.
    pub formats: Vec<&'static str>,
}

/// What the mouse did in a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MouseReplay {
    player: String,
    /// The program played on.
    pub program: String,
    /// The side of a cell in pixels.
    pub cell_size: u16,
    /// The time of the game in milliseconds, if the file says it.
    pub millis: Option<u64>,
    /// Milliseconds, what the mouse did, and its place in pixels from the left and the top border
    /// of the board. `mv` move; `lc lr` left, `rc rr` right, `mc mr` middle button pressed and
    /// released; `sc` left button pressed with shift; `pf` a flag set before the recording began.
    #[cfg_attr(
        feature = "schema",
        schema(value_type = Vec<Vec<Object>>, example = json!([[0, "lc", 24, 8], [95, "lr", 24, 8]]))
    )]
    pub events: Vec<(i64, &'static str, i32, i32)>,
}

impl MouseReplay {
    fn of(replay: &Replay) -> Self {
        let events = replay.events.iter().filter(|event| event.input != Input::ToggleMarks);
        Self {
            player: replay.player.clone(),
            program: replay.program.clone(),
            cell_size: replay.cell_size,
            millis: replay.time,
            events: events
                .map(|event| (event.time, event.input.name(), event.x, event.y))
                .collect(),
        }
    }
}

/// Where the mines are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = LayoutShape))]
pub struct LayoutDocument {
    /// `*` a mine, `.` none.
    pub rows: Vec<String>,
    mines: usize,
    shape: FormWord,
}

impl LayoutDocument {
    fn of(layout: &Layout) -> Self {
        Self {
            rows: layout_rows(layout),
            mines: layout.total(),
            shape: Word(layout.shape().form()),
        }
    }
}

/// A file to write in another format.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct WriteRequest {
    /// The format to write.
    pub to: String,
    /// The file's name; its extension decides where the content does not.
    #[cfg_attr(feature = "schema", schema(max_length = 255))]
    pub name: Option<String>,
    /// The format, where it is known.
    pub from: Option<String>,
    /// The content as text, such as a link.
    pub text: Option<String>,
    /// The content as base64.
    pub base64: Option<String>,
}

/// A file that was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = WrittenFile))]
pub struct Written {
    /// The format.
    pub format: &'static str,
    /// The media type of the content.
    pub media_type: &'static str,
    /// A name for the file.
    pub name: String,
    /// The content, where the format is text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The content as base64, where it is binary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
}

/// The content of a file, and what is known of it.
#[derive(Clone, Debug)]
pub struct FileContent {
    name: Option<String>,
    from: Option<&'static Format>,
    bytes: Vec<u8>,
}

impl FileContent {
    /// Checks the size of the content.
    ///
    /// # Errors
    /// If it is too large to be read.
    pub fn new(
        name: Option<String>,
        from: Option<&'static Format>,
        bytes: Vec<u8>,
    ) -> Result<Self, RequestError> {
        deminer_formats::check_size(bytes.len()).map_err(RequestError::too_large)?;
        Ok(Self { name, from, bytes })
    }

    /// Its format and what it holds.
    ///
    /// # Errors
    /// If it cannot be read, or its board is too large.
    pub fn read(&self) -> Result<(&'static Format, Document), RequestError> {
        let found = || deminer_formats::detect(&self.bytes, self.name.as_deref());
        let format = self.from.or_else(found);
        let format = format.ok_or_else(|| RequestError::invalid(Fault::Unknown))?;
        let document = (format.read)(&self.bytes).map_err(|error| {
            let message = error.to_string();
            match message.split_once(": ") {
                Some((place, rest)) if place.starts_with("line ") || place.starts_with("byte ") => {
                    RequestError::invalid(rest).at(place)
                }
                _ => RequestError::invalid(message),
            }
        })?;
        let shape = shape_of(&document);
        check_size(shape.width(), shape.height())?;
        Ok((format, document))
    }

    /// What the file holds and what it can become.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn contents(&self) -> Result<ReadAnswer, RequestError> {
        let (format, document) = self.read()?;
        let record = document.record().ok();
        // A game of many mouse events is played through only once.
        let game = record.clone().map(Document::Record);
        let short = game.as_ref().unwrap_or(&document);
        let becomes = |format: &&Format| format.is_written() && format.write(short).is_ok();
        let replay = match &document {
            Document::Replay(replay) => Some(MouseReplay::of(replay)),
            _ => None,
        };
        let record = record.map(|record| WireRecord::of(&record)).transpose();
        Ok(ReadAnswer {
            format: format.name,
            kind: Word(document.kind()),
            position: short.position().ok().map(|view| WirePosition::of(&view)),
            layout: document.layout().ok().map(|layout| LayoutDocument::of(&layout)),
            record: record.map_err(RequestError::invalid)?,
            replay,
            formats: FORMATS.iter().filter(becomes).map(|format| format.name).collect(),
        })
    }

    /// The file in another format: a name, a media type and the bytes.
    ///
    /// # Errors
    /// If it cannot be read, or the format cannot hold it.
    pub fn convert(&self, to: &Format) -> Result<(String, &'static str, Vec<u8>), RequestError> {
        let (_, document) = self.read()?;
        let bytes = to.write(&document).map_err(|error| RequestError::invalid(error).at("to"))?;
        let media_type = match to.binary {
            true => "application/octet-stream",
            false if to.name == "record" => "application/json",
            false => "text/plain; charset=utf-8",
        };
        let extension = to.extensions.first().copied().unwrap_or("txt");
        Ok((format!("deminer.{extension}"), media_type, bytes))
    }
}

fn shape_of(document: &Document) -> &Shape {
    match document {
        Document::Position(view) => view.shape(),
        Document::Layout(layout) => layout.shape(),
        Document::Replay(replay) => replay.layout.shape(),
        Document::Record(record) => record.rules.shape(),
    }
}

/// The format of this name; an error is one of the field.
///
/// # Errors
/// If there is no such format.
pub fn find_format(name: &str, field: &str) -> Result<&'static Format, RequestError> {
    deminer_formats::find(name).map_err(|error| RequestError::invalid(error).at(field))
}

impl TryFrom<FileRequest> for FileContent {
    type Error = RequestError;

    fn try_from(request: FileRequest) -> Result<Self, RequestError> {
        let from = request.from.as_deref().map(|name| find_format(name, "from")).transpose()?;
        let bytes = match (request.text, request.base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(base64)) => BASE64_STANDARD
                .decode(base64.trim())
                .map_err(|error| RequestError::invalid(error).at("base64"))?,
            _ => return Err(RequestError::invalid("send either text or base64").at("base64")),
        };
        Self::new(request.name, from, bytes)
    }
}

impl Request for FileRequest {
    const NAME: &'static str = "read";
    type Answer = ReadAnswer;

    fn work(self, _: &Context) -> Result<ReadAnswer, RequestError> {
        FileContent::try_from(self)?.contents()
    }
}

impl Request for WriteRequest {
    const NAME: &'static str = "write";
    type Answer = Written;

    fn work(self, _: &Context) -> Result<Written, RequestError> {
        let Self { to, name, from, text, base64 } = self;
        let to = find_format(&to, "to")?;
        let file = FileContent::try_from(FileRequest { name, from, text, base64 })?;
        let (name, media_type, bytes) = file.convert(to)?;
        let (text, base64) = match (to.binary, String::from_utf8(bytes)) {
            (false, Ok(text)) => (Some(text), None),
            (_, Ok(text)) => (None, Some(BASE64_STANDARD.encode(text))),
            (_, Err(error)) => (None, Some(BASE64_STANDARD.encode(error.into_bytes()))),
        };
        Ok(Written { format: to.name, media_type, name, text, base64 })
    }
}
