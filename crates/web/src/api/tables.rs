//! Reproduced tables and the leaderboard, as `results/` had them when the program was built.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use axum::Json;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use deminer::roster::Roster;
use deminer_lab::paper::PaperReport;
use deminer_lab::tables::Absent;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::Named;
use crate::page::kind;
use crate::problem::{Missing, Problem};
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(tables))
        .routes(routes!(table))
        .routes(routes!(file))
        .routes(routes!(leaderboard))
}

/// The table of every agent on the standard boards.
const ARENA: &str = "arena";
const TABLE: &str = "table.json";

/// What there is.
#[derive(Serialize, ToSchema)]
pub struct Tables {
    tables: Vec<TableSummary>,
}

/// The entry of a table in a list.
#[derive(Serialize, ToSchema)]
struct TableSummary {
    id: String,
    title: String,
    paper: Option<String>,
    about: String,
    /// How many numbers have each verdict.
    verdicts: BTreeMap<String, usize>,
    /// The names of its pictures.
    pictures: Vec<String>,
}

/// A table with its pictures.
#[derive(Serialize, ToSchema)]
pub struct TableDocument {
    /// The names of its pictures, to be found below the table.
    pictures: Vec<String>,
    /// The table as `deminer reproduce` wrote it.
    #[schema(value_type = PaperReport)]
    table: Box<RawValue>,
}

/// All reproduced tables, in the order of the papers.
#[utoipa::path(get, path = "/api/v1/tables", responses((status = 200, body = Tables)))]
async fn tables() -> Json<Tables> {
    Json(Tables::reproduced())
}

impl Tables {
    /// The tables that were reproduced.
    pub fn reproduced() -> Self {
        let known = deminer_lab::tables::TABLES.iter();
        Self { tables: known.filter_map(|table| summary(table.id)).collect() }
    }

    /// The id of each table with the names of its pictures.
    pub fn pictures(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.tables.iter().map(|table| (table.id.as_str(), table.pictures.as_slice()))
    }
}

/// One table, theirs beside ours.
#[utoipa::path(
    get, path = "/api/v1/tables/{id}", params(("id" = String, Path)),
    responses((status = 200, body = TableDocument), Missing)
)]
async fn table(Named(id): Named<String>) -> Result<Json<TableDocument>, Problem> {
    TableDocument::find(&id).map(Json)
}

impl TableDocument {
    /// The table with this id.
    pub fn find(id: &str) -> Result<Self, Problem> {
        let text = String::from_utf8(file_of(id, TABLE)?).map_err(Problem::fault)?;
        let table = RawValue::from_string(text).map_err(Problem::fault)?;
        Ok(Self { pictures: pictures(id), table })
    }
}

/// A picture of a table, or the table as CSV or Markdown.
#[utoipa::path(
    get, path = "/api/v1/tables/{id}/{file}",
    params(("id" = String, Path), ("file" = String, Path, description = "such as chart.svg")),
    responses(
        (status = 200, description = "the file", body = String, content_type = "image/svg+xml"),
        Missing,
    )
)]
async fn file(Named((id, name)): Named<(String, String)>) -> Result<Response, Problem> {
    Ok(([(CONTENT_TYPE, kind(&name))], file_of(&id, &name)?).into_response())
}

/// The arena's table, and the agents that it has no number for.
#[derive(Clone, Serialize, ToSchema)]
pub struct Leaderboard {
    #[serde(flatten)]
    table: PaperReport,
    /// Agents of the roster without a number in some settings, and why.
    absent: Vec<Absent>,
}

/// The leaderboard: every agent, every start, the standard boards.
#[utoipa::path(
    get, path = "/api/v1/leaderboard",
    responses((status = 200, description = "the arena's table", body = Leaderboard))
)]
async fn leaderboard(app: App) -> Result<Response, Problem> {
    let roster = app.roster().clone();
    let board = app.quick().run(move |_| Leaderboard::of(&roster)).await??;
    Ok(Json(board).into_response())
}

impl Leaderboard {
    /// The arena's table beside a roster. Agents are built to see whether they could play, which
    /// is done once.
    pub fn of(roster: &Roster) -> Result<&'static Self, Problem> {
        static BOARD: OnceLock<Leaderboard> = OnceLock::new();
        if let Some(board) = BOARD.get() {
            return Ok(board);
        }
        let table: PaperReport =
            serde_json::from_slice(&file_of(ARENA, TABLE)?).map_err(Problem::fault)?;
        let absent = deminer_lab::tables::absent(roster, table.lines());
        Ok(BOARD.get_or_init(|| Self { table, absent }))
    }
}

/// The bytes of a file of a table.
pub fn file_of(id: &str, name: &str) -> Result<Vec<u8>, Problem> {
    let file = deminer_artifacts::result(&format!("{id}/{name}"));
    file.ok_or_else(|| Problem::not_found(format!("there is no table `{id}` with {name}")))
}

fn pictures(id: &str) -> Vec<String> {
    let folder = format!("{id}/");
    let inside = |path: &str| {
        let name = path.strip_prefix(&folder)?;
        name.ends_with(".svg").then(|| name.to_owned())
    };
    let mut names: Vec<String> = deminer_artifacts::result_paths().filter_map(inside).collect();
    names.sort();
    names
}

/// Nothing of a table that was never played.
fn summary(id: &str) -> Option<TableSummary> {
    let table: Value = serde_json::from_slice(&file_of(id, TABLE).ok()?).ok()?;
    let text = |field: &str| table[field].as_str().map(str::to_owned);
    let mut verdicts = BTreeMap::new();
    for line in table["lines"].as_array().into_iter().flatten() {
        if let Some(verdict) = line["verdict"].as_str() {
            *verdicts.entry(verdict.to_owned()).or_insert(0) += 1;
        }
    }
    Some(TableSummary {
        id: id.to_owned(),
        title: text("title")?,
        paper: text("paper"),
        about: text("about").unwrap_or_default(),
        verdicts,
        pictures: pictures(id),
    })
}
