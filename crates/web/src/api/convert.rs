//! Between file formats.

use axum::Json;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use deminer::documents::{DocumentKindWord, FormatsDocument};
use deminer_formats::wire::{FormWord, WirePosition, WireRecord, Word, layout_rows};
use deminer_formats::{Document, FORMATS, Fault, Format, Input as MouseInput, Replay};
use deminer_game::Layout;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::LARGE_BODY;
use crate::input::{Asked, Input, Raw};
use crate::problem::Problem;
use crate::requests::fits;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(convert))
        .layer(DefaultBodyLimit::max(LARGE_BODY))
        .routes(routes!(formats))
}

/// All formats. As `deminer convert --list --json`.
#[utoipa::path(get, path = "/api/v1/formats", responses((status = 200, body = FormatsDocument)))]
async fn formats() -> Json<FormatsDocument> {
    Json(FormatsDocument::all())
}

/// A file, in one of three ways.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FileShape {
    /// The file's name; its extension decides where the content does not.
    #[schema(max_length = 255)]
    pub name: Option<String>,
    /// The format, where it is known.
    pub from: Option<String>,
    /// The content as text, such as a link.
    pub text: Option<String>,
    /// The content as base64.
    pub base64: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    to: Option<String>,
}

/// What a file holds.
#[derive(Serialize, ToSchema)]
struct Held {
    /// The name of the file's format.
    format: &'static str,
    /// What kind of document it is.
    kind: DocumentKindWord,
    /// The position: of a game its last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<WirePosition>,
    /// Where the mines are, if the file says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<LayoutShape>,
    /// The game, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<WireRecord>,
    /// What the mouse did, if the file says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<MouseReplay>,
    /// The formats that it can be written in.
    formats: Vec<&'static str>,
}

/// What the mouse did in a game.
#[derive(Serialize, ToSchema)]
struct MouseReplay {
    player: String,
    /// The program played on.
    program: String,
    /// The side of a cell in pixels.
    cell_size: u16,
    /// The time of the game in milliseconds, if the file says it.
    millis: Option<u64>,
    /// Milliseconds, what the mouse did, and its place in pixels from the left and the top border
    /// of the board. `mv` move; `lc lr` left, `rc rr` right, `mc mr` middle button pressed and
    /// released; `sc` left button pressed with shift; `pf` a flag set before the recording began.
    #[schema(value_type = Vec<Vec<Object>>, example = json!([[0, "lc", 24, 8], [95, "lr", 24, 8]]))]
    events: Vec<(i64, &'static str, i32, i32)>,
}

impl MouseReplay {
    fn of(replay: &Replay) -> Self {
        let events = replay.events.iter().filter(|event| event.input != MouseInput::ToggleMarks);
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
#[derive(Serialize, ToSchema)]
struct LayoutShape {
    /// `*` a mine, `.` none.
    rows: Vec<String>,
    mines: usize,
    shape: FormWord,
}

impl LayoutShape {
    fn of(layout: &Layout) -> Self {
        Self {
            rows: layout_rows(layout),
            mines: layout.total(),
            shape: Word(layout.shape().form()),
        }
    }
}

/// Reads a file in any format, up to 4 MB. With `to` the answer is the file in that format; without
/// it, what the file holds and what it can become. The body is JSON, or the file itself as
/// `application/octet-stream`.
#[utoipa::path(
    post, path = "/api/v1/convert", request_body = FileShape,
    params(("to" = Option<String>, Query, description = "the format to answer with")),
    responses(
        (status = 200, body = Held),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
    )
)]
async fn convert(
    State(app): State<App>,
    Asked(wanted): Asked<Wanted>,
    File(file): File,
) -> Result<Response, Problem> {
    let to = wanted.to.as_deref().map(|name| format(name, "to")).transpose()?;
    app.quick()
        .run(move |_| {
            let (format, document) = file.read()?;
            match to {
                Some(to) => written(&document, to),
                None => Ok(Json(held(format, &document)?).into_response()),
            }
        })
        .await?
}

fn format(name: &str, field: &str) -> Result<&'static Format, Problem> {
    deminer_formats::find(name).map_err(|error| Problem::unfit(error).at(field))
}

/// A file that was sent.
pub struct File(pub FileContent);

/// Its content, and what is known of it.
pub struct FileContent {
    name: Option<String>,
    from: Option<&'static Format>,
    bytes: Vec<u8>,
}

impl FileContent {
    /// Checks the size of the content.
    fn new(
        name: Option<String>,
        from: Option<&'static Format>,
        bytes: Vec<u8>,
    ) -> Result<Self, Problem> {
        deminer_formats::check_size(bytes.len()).map_err(Problem::too_large)?;
        Ok(Self { name, from, bytes })
    }

    /// Its format and what it holds.
    pub fn read(&self) -> Result<(&'static Format, Document), Problem> {
        let found = || deminer_formats::detect(&self.bytes, self.name.as_deref());
        let format = self.from.or_else(found).ok_or_else(|| Problem::unfit(Fault::Unknown))?;
        let document = (format.read)(&self.bytes).map_err(|error| {
            let message = error.to_string();
            match message.split_once(": ") {
                Some((place, rest)) if place.starts_with("line ") || place.starts_with("byte ") => {
                    Problem::unfit(rest).at(place)
                }
                _ => Problem::unfit(message),
            }
        })?;
        let (width, height) = match &document {
            Document::Position(view) => (view.shape().width(), view.shape().height()),
            Document::Layout(layout) => (layout.shape().width(), layout.shape().height()),
            Document::Replay(replay) => {
                (replay.layout.shape().width(), replay.layout.shape().height())
            }
            Document::Record(record) => {
                (record.rules.shape().width(), record.rules.shape().height())
            }
        };
        fits(width, height)?;
        Ok((format, document))
    }
}

impl TryFrom<FileShape> for FileContent {
    type Error = Problem;

    fn try_from(shape: FileShape) -> Result<Self, Problem> {
        let from = shape.from.as_deref().map(|name| format(name, "from")).transpose()?;
        let bytes = match (shape.text, shape.base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(base64)) => BASE64_STANDARD
                .decode(base64.trim())
                .map_err(|error| Problem::unfit(error).at("base64"))?,
            _ => return Err(Problem::unfit("send either text or base64").at("base64")),
        };
        Self::new(shape.name, from, bytes)
    }
}

impl FromRequest<App> for File {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &App) -> Result<Self, Problem> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if kind == Some("application/octet-stream") {
            let Raw(bytes) = Raw::from_request(request, state).await?;
            return FileContent::new(None, None, bytes.to_vec()).map(Self);
        }
        let Input(shape) = Input::<FileShape>::from_request(request, state).await?;
        FileContent::try_from(shape).map(Self)
    }
}

fn held(format: &Format, document: &Document) -> Result<Held, Problem> {
    let record = document.record().ok();
    // A game of many mouse events is played through only once.
    let game = record.clone().map(Document::Record);
    let short = game.as_ref().unwrap_or(document);
    let becomes = |format: &&Format| format.is_written() && format.write(short).is_ok();
    let replay = match document {
        Document::Replay(replay) => Some(MouseReplay::of(replay)),
        _ => None,
    };
    Ok(Held {
        format: format.name,
        kind: Word(document.kind()),
        position: short.position().ok().map(|view| WirePosition::of(&view)),
        layout: document.layout().ok().map(|layout| LayoutShape::of(&layout)),
        record: record.map(|record| WireRecord::of(&record)).transpose().map_err(Problem::unfit)?,
        replay,
        formats: FORMATS.iter().filter(becomes).map(|format| format.name).collect(),
    })
}

fn written(document: &Document, to: &Format) -> Result<Response, Problem> {
    let bytes = to.write(document).map_err(|error| Problem::unfit(error).at("to"))?;
    let kind = match to.binary {
        true => "application/octet-stream",
        false if to.name == "record" => "application/json",
        false => "text/plain; charset=utf-8",
    };
    let extension = to.extensions.first().copied().unwrap_or("txt");
    let disposition = format!("attachment; filename=\"deminer.{extension}\"");
    let headers = [(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, disposition)];
    Ok((headers, bytes).into_response())
}
