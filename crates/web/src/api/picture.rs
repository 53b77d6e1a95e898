//! Pictures of positions and films of games.

use axum::extract::{DefaultBodyLimit, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use deminer_formats::Document;
use deminer_game::{Decision, Estimates, Record, Turn, View};
use deminer_lab::documents::PlaceSchema;
use deminer_lab::report::{BoardPicture, Film, Heat, Look, Pace, Scene, Theme};
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::LARGE_BODY;
use crate::input::Input;
use crate::page::kind;
use crate::problem::Problem;
use crate::shapes::{CellShape, Row, Seen, cell, fits};
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(picture)).layer(DefaultBodyLimit::max(LARGE_BODY))
}

/// A position or a record, and how to draw it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PictureRequest {
    /// What is made: `svg` or `png` of a position or of a game's end, `gif` of a game.
    #[schema(pattern = "^(svg|png|gif)$")]
    kind: String,
    /// A position: its cells.
    #[schema(max_items = 100)]
    rows: Option<Vec<Row>>,
    /// A position: mines on the whole board.
    mines: Option<usize>,
    shape: Option<String>,
    clues: Option<String>,
    start: Option<String>,
    cascade: Option<String>,
    /// A position: believed probabilities of mines, row by row.
    estimates: Option<Vec<Vec<Option<f64>>>>,
    /// A position: a cell with a ring around it.
    #[schema(value_type = Option<PlaceSchema>)]
    cell: Option<CellShape>,
    /// A line below the board.
    #[schema(max_length = 500)]
    caption: Option<String>,
    /// A game.
    #[schema(value_type = Option<Object>)]
    record: Option<Box<RawValue>>,
    /// Whether arrows show chains of influence.
    #[serde(default)]
    chains: bool,
    /// Whether the ground is dark.
    #[serde(default)]
    dark: bool,
    /// Whether probabilities are written on the tiles.
    #[serde(default)]
    percentages: bool,
    /// The colors of probabilities: `blue-orange` or `green-purple`.
    heat: Option<String>,
}

/// A film has at most so many tiles, all frames together.
const MOST_TILES: usize = 1_000_000;

/// Draws a position as SVG or PNG, or a game as an animated GIF.
#[utoipa::path(
    post, path = "/api/v1/picture", request_body = PictureRequest,
    responses(
        (status = 200, description = "the picture", content((Vec<u8> = "image/svg+xml"), (Vec<u8> = "image/png"), (Vec<u8> = "image/gif"))),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
    )
)]
async fn picture(
    State(app): State<App>,
    Input(request): Input<PictureRequest>,
) -> Result<Response, Problem> {
    let lane = if request.kind == "gif" { app.slow() } else { app.quick() };
    let (kind, bytes) = lane.run(move |_| draw(&request)).await??;
    Ok(([(CONTENT_TYPE, kind)], bytes).into_response())
}

fn draw(request: &PictureRequest) -> Result<(&'static str, Vec<u8>), Problem> {
    let look = look(request)?;
    match (&request.record, request.kind.as_str()) {
        (Some(text), wanted) => {
            let record = record(text)?;
            if wanted == "gif" {
                return Ok((kind("x.gif"), film(&record, look, request.chains)?));
            }
            let board = record.replay(|_, _, _| {}).map_err(Problem::unfit)?;
            let picture = BoardPicture::of(&board).look(look);
            bytes(&captioned(picture, request).scene(), wanted)
        }
        (None, "gif") => Err(Problem::unfit("a film needs a game").at("record")),
        (None, wanted) => {
            let view = view(request)?;
            let estimates = estimates(request, &view)?;
            let mut picture = BoardPicture::new(&view).look(look);
            if let Some(estimates) = &estimates {
                picture = picture.estimates(estimates);
            }
            if let Some(place) = request.cell {
                picture = picture.action(cell(place, view.shape(), "cell")?);
            }
            bytes(&captioned(picture, request).scene(), wanted)
        }
    }
}

fn captioned<'a>(picture: BoardPicture<'a>, request: &PictureRequest) -> BoardPicture<'a> {
    match &request.caption {
        Some(text) => picture.caption(text.chars().take(500).collect::<String>()),
        None => picture,
    }
}

fn bytes(scene: &Scene, wanted: &str) -> Result<(&'static str, Vec<u8>), Problem> {
    match wanted {
        "svg" => Ok((kind("x.svg"), scene.svg().into_bytes())),
        "png" => Ok((kind("x.png"), scene.png(2.0))),
        other => {
            let detail = format!("`{other}` is not a kind of picture (use svg, png or gif)");
            Err(Problem::unfit(detail).at("kind"))
        }
    }
}

fn look(request: &PictureRequest) -> Result<Look, Problem> {
    let named = |word: &str| {
        Heat::ALL.into_iter().find(|heat| heat.name() == word).ok_or_else(|| {
            let names = Heat::ALL.map(Heat::name).join(" or ");
            Problem::unfit(format!("`{word}` are no colors (use {names})")).at("heat")
        })
    };
    let heat = request.heat.as_deref().map(named).transpose()?.unwrap_or(Heat::BlueOrange);
    let theme = if request.dark { Theme::Dark } else { Theme::Light };
    let percentages = request.percentages;
    Ok(Look { theme, heat: Some(heat), percentages, ..Look::default() })
}

fn view(request: &PictureRequest) -> Result<View, Problem> {
    let missing =
        |field: &str| Problem::unfit("a picture needs a position or a record").at(field.to_owned());
    Seen {
        rows: request.rows.as_deref().ok_or_else(|| missing("rows"))?,
        mines: request.mines.ok_or_else(|| missing("mines"))?,
        shape: request.shape.as_deref(),
        clues: request.clues.as_deref(),
        start: request.start.as_deref(),
        cascade: request.cascade.as_deref(),
    }
    .view()
}

fn estimates(request: &PictureRequest, view: &View) -> Result<Option<Estimates>, Problem> {
    let Some(given) = &request.estimates else { return Ok(None) };
    let shape = view.shape();
    let mut estimates = Estimates::new(shape.size());
    for (row, values) in given.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            let at = format!("estimates[{row}][{column}]");
            let cell = cell([row, column], shape, &at)?;
            match *value {
                Some(mine) if (0.0..=1.0).contains(&mine) => estimates.believe(cell, mine),
                Some(_) => return Err(Problem::unfit("a probability is from 0 to 1").at(at)),
                None => {}
            }
        }
    }
    Ok(Some(estimates))
}

/// The game that a request holds.
pub fn record(text: &RawValue) -> Result<Record, Problem> {
    let format = deminer_formats::find("record").expect("our own format");
    let document = (format.read)(text.get().as_bytes());
    let document = document.map_err(|error| Problem::unfit(error).at("record"))?;
    let Document::Record(record) = document else {
        return Err(Problem::unfit("this is no record").at("record"));
    };
    let shape = record.rules.shape();
    fits(shape.width(), shape.height()).map_err(|problem| problem.at("record"))?;
    Ok(record)
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
