//! Kept games.

use axum::Json;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::response::{IntoResponse, Response};
use deminer::requests::read_record;
use deminer_formats::wire::WireRecord;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::LARGE_BODY;
use crate::input::{Input, Named};
use crate::problem::{Missing, Problem};
use crate::records::{self, RecordSummary};
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, keep))
        .routes(routes!(get, remove))
        .layer(DefaultBodyLimit::max(LARGE_BODY))
}

/// Kept games, the newest first.
#[derive(Serialize, ToSchema)]
struct RecordsDocument {
    records: Vec<RecordSummary>,
}

/// Where a record was kept.
#[derive(Serialize, ToSchema)]
struct KeptDocument {
    id: String,
}

/// Lists kept games.
#[utoipa::path(
    get, path = "/api/v1/records", operation_id = "list_records",
    responses((status = 200, body = RecordsDocument))
)]
async fn list(app: App) -> Result<Json<RecordsDocument>, Problem> {
    let kept = app.clone();
    let records = app.quick().run(move |_| kept.records().list()).await??;
    Ok(Json(RecordsDocument { records }))
}

/// Keeps a game. The same game twice is one.
#[utoipa::path(
    post, path = "/api/v1/records", request_body(content = WireRecord, description = "a record"),
    responses((status = 201, body = KeptDocument), Problem)
)]
async fn keep(app: App, request: Request) -> Result<Response, Problem> {
    app.may_keep()?;
    let Input(wire) = Input::<WireRecord>::from_request(request, &app).await?;
    let kept = app.clone();
    let id = app.quick().run(move |_| kept.records().keep(&read_record(wire, "record")?)).await??;
    let place = [(LOCATION, format!("/api/v1/records/{id}"))];
    Ok((StatusCode::CREATED, place, Json(KeptDocument { id })).into_response())
}

/// A kept game.
#[utoipa::path(
    get, path = "/api/v1/records/{id}", operation_id = "get_record",
    params(("id" = String, Path)),
    responses((status = 200, description = "the record", body = WireRecord), Missing)
)]
async fn get(app: App, Named(id): Named<String>) -> Result<Response, Problem> {
    let kept = app.clone();
    let bytes = app.quick().run(move |_| records::write(&kept.records().get(&id)?)).await??;
    Ok(([(CONTENT_TYPE, "application/json")], bytes).into_response())
}

/// Removes a kept game.
#[utoipa::path(
    delete, path = "/api/v1/records/{id}", operation_id = "remove_record",
    params(("id" = String, Path)),
    responses((status = 204, description = "it is gone"), Problem)
)]
async fn remove(app: App, Named(id): Named<String>) -> Result<StatusCode, Problem> {
    app.may_keep()?;
    let kept = app.clone();
    app.quick().run(move |_| kept.records().remove(&id)).await??;
    Ok(StatusCode::NO_CONTENT)
}
