//! One file for each kind of path. A new one is a file here and a line in [`routes`].

mod agents;
mod answers;
pub mod artifacts;
mod convert;
mod picture;
mod play;
mod records;
mod runs;
pub mod tables;
mod version;

use axum::Json;
use axum::response::IntoResponse;
use axum::routing::get;
use deminer_formats::MAX_FILE;
use utoipa::openapi::OpenApi;
use utoipa::openapi::info::{InfoBuilder, LicenseBuilder};
use utoipa_axum::router::OpenApiRouter;

use crate::state::App;

/// The largest body of paths that take files and whole games: the largest file as base64, which
/// has four bytes for three, and some room for the rest of its JSON.
pub const LARGE_BODY: usize = MAX_FILE / 3 * 4 + 64 * 1024;

/// Every path of the interface, described.
pub fn routes() -> OpenApiRouter<App> {
    described().route("/api/v1/openapi.json", get(async || Json(describe()).into_response()))
}

/// The description of the interface.
pub fn describe() -> OpenApi {
    let mut api = described().into_openapi();
    api.info = InfoBuilder::new()
        .title("deminer")
        .description(Some(
            "The Minesweeper laboratory over HTTP. Cells are [row, column] from 0. Every error \
             is application/problem+json. Unknown fields are refused.",
        ))
        .version("1")
        .license(Some(LicenseBuilder::new().name("MIT OR Apache-2.0").build()))
        .build();
    api
}

fn described() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(version::routes())
        .merge(agents::routes())
        .merge(answers::routes())
        .merge(play::routes())
        .merge(convert::routes())
        .merge(picture::routes())
        .merge(tables::routes())
        .merge(records::routes())
        .merge(runs::routes())
        .merge(artifacts::routes())
}
