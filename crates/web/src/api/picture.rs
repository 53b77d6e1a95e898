//! Pictures of positions and films of games.

use axum::extract::DefaultBodyLimit;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use deminer::requests::{check_view, read_record};
use deminer_draw::{BoardPicture, Film, Heat, Look, Pace, Scene, Theme};
use deminer_formats::wire::{
    Cascade, FormWord, PositionRow, RowColumn, StartWord, Text, WirePosition, WireRecord, Word,
};
use deminer_game::{ClueRule, Decision, Estimates, Record, Start, Turn, View};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::LARGE_BODY;
use crate::input::Input;
use crate::page::kind as content_type;
use crate::problem::Problem;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(picture)).layer(DefaultBodyLimit::max(LARGE_BODY))
}

/// A position or a record, and how to draw it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PictureRequest {
    /// What is made: an image of a position or of a game's end, or a film of a game.
    kind: PictureKindWord,
    /// A position: its cells.
    #[schema(max_items = 100)]
    rows: Option<Vec<PositionRow>>,
    /// A position: mines on the whole board.
    mines: Option<usize>,
    shape: Option<FormWord>,
    #[schema(value_type = Option<String>)]
    clues: Option<Text<ClueRule>>,
    start: Option<StartWord>,
    cascade: Option<Cascade>,
    /// A position: believed probabilities of mines, row by row.
    estimates: Option<Vec<Vec<Option<f64>>>>,
    /// A position: a cell with a ring around it.
    cell: Option<RowColumn>,
    /// A line below the board.
    #[schema(max_length = 500)]
    caption: Option<String>,
    /// A game.
    record: Option<WireRecord>,
    /// Whether arrows show chains of influence.
    #[serde(default)]
    chains: bool,
    /// Whether the ground is dark.
    #[serde(default)]
    dark: bool,
    /// Whether probabilities are written on the tiles.
    #[serde(default)]
    percentages: bool,
    /// The colors of probabilities; `blue-orange` unless given.
    heat: Option<HeatWord>,
}

/// The colors of probabilities as a word.
type HeatWord = Word<Heat>;

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PictureKind {
    Svg,
    Png,
    Gif,
}
deminer_game::words!(PictureKind, "a kind of picture": Svg = "svg", Png = "png", Gif = "gif");

/// What is drawn as a word.
type PictureKindWord = Word<PictureKind>;

/// The most cells that a film may draw, all frames together.
const MOST_TILES: usize = 1_000_000;

/// Draws a position as SVG or PNG, or a game as an animated GIF.
#[utoipa::path(
    post, path = "/api/v1/picture", request_body = PictureRequest,
    responses(
        (status = 200, description = "the picture", content((Vec<u8> = "image/svg+xml"), (Vec<u8> = "image/png"), (Vec<u8> = "image/gif"))),
        Problem,
    )
)]
async fn picture(app: App, Input(request): Input<PictureRequest>) -> Result<Response, Problem> {
    let lane = if request.kind.0 == PictureKind::Gif { app.slow() } else { app.quick() };
    let (kind, bytes) = lane.run(move |_| draw(request)).await??;
    Ok(([(CONTENT_TYPE, kind)], bytes).into_response())
}

fn draw(mut request: PictureRequest) -> Result<(&'static str, Vec<u8>), Problem> {
    let look = look(&request);
    match (request.record.take(), request.kind.0) {
        (Some(wire), kind) => {
            let record = read_record(wire, "record")?;
            if kind == PictureKind::Gif {
                return Ok((content_type("x.gif"), film(&record, look, request.chains)?));
            }
            let board = record.replay(|_, _, _| {}).map_err(Problem::unfit)?;
            let picture = BoardPicture::of(&board).look(look);
            Ok(bytes(&captioned(picture, &request).scene(), kind))
        }
        (None, PictureKind::Gif) => Err(Problem::unfit("a film needs a game").at("record")),
        (None, kind) => {
            let view = view(&request)?;
            let estimates = estimates(&request, &view)?;
            let mut picture = BoardPicture::new(&view).look(look);
            if let Some(estimates) = &estimates {
                picture = picture.estimates(estimates);
            }
            if let Some(cell) = request.cell {
                picture = picture.action(cell.cell(view.shape(), "cell")?);
            }
            Ok(bytes(&captioned(picture, &request).scene(), kind))
        }
    }
}

fn captioned<'a>(picture: BoardPicture<'a>, request: &PictureRequest) -> BoardPicture<'a> {
    match &request.caption {
        Some(text) => picture.caption(text.chars().take(500).collect::<String>()),
        None => picture,
    }
}

fn bytes(scene: &Scene, kind: PictureKind) -> (&'static str, Vec<u8>) {
    match kind {
        PictureKind::Svg => (content_type("x.svg"), scene.svg().into_bytes()),
        PictureKind::Png | PictureKind::Gif => (content_type("x.png"), scene.png(2.0)),
    }
}

fn look(request: &PictureRequest) -> Look {
    let heat = request.heat.map_or(Heat::BlueOrange, |word| word.0);
    let theme = Theme::of(request.dark);
    let percentages = request.percentages;
    Look { theme, heat: Some(heat), percentages, ..Look::default() }
}

fn view(request: &PictureRequest) -> Result<View, Problem> {
    let missing = |field: &str| Problem::unfit("a picture needs a position or a record").at(field);
    Ok(check_view(&WirePosition {
        rows: request.rows.clone().ok_or_else(|| missing("rows"))?,
        mines: request.mines.ok_or_else(|| missing("mines"))?,
        shape: request.shape.unwrap_or_default(),
        clues: request.clues.unwrap_or_default(),
        start: request.start.unwrap_or(Word(Start::Unsafe)),
        cascade: request.cascade.unwrap_or_default(),
    })?)
}

fn estimates(request: &PictureRequest, view: &View) -> Result<Option<Estimates>, Problem> {
    let Some(given) = &request.estimates else { return Ok(None) };
    let shape = view.shape();
    let mut estimates = Estimates::new(shape.size());
    for (row, values) in given.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            let at = format!("estimates[{row}][{column}]");
            let cell = RowColumn(row, column).cell(shape, &at)?;
            match *value {
                Some(mine) if (0.0..=1.0).contains(&mine) => estimates.believe(cell, mine),
                Some(_) => return Err(Problem::unfit("a probability is from 0 to 1").at(at)),
                None => {}
            }
        }
    }
    Ok(Some(estimates))
}

fn film(record: &Record, look: Look, chains: bool) -> Result<Vec<u8>, Problem> {
    let shape = record.rules.shape();
    if shape.size() * (record.moves.len() + 2) > MOST_TILES {
        let detail = format!("a film has at most {MOST_TILES} tiles, all frames together");
        return Err(Problem::too_large(detail).at("record"));
    }
    let film = Film::new(look, Pace::default());
    let mut film = if chains { film.with_chains(shape) } else { film };
    film.start(&View::new(record.rules.clone()));
    let board = record.replay(|step, effect, board| {
        let decision = Decision::new(step.action, step.why.clone());
        film.turn(&Turn { by: step.by, decision, effect }, board);
    });
    let board = board.map_err(|error| Problem::unfit(error).at("record"))?;
    Ok(film.finish(&board, record.outcome))
}
