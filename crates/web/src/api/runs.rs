//! Tournaments and trainings that outlive the page and the server.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::{Input, Named};
use crate::jobs::{LEARNERS, LearnerDocument, Order, RunDocument};
use crate::problem::Problem;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, begin))
        .routes(routes!(get, remove))
        .routes(routes!(events))
        .routes(routes!(stop))
        .routes(routes!(resume))
        .routes(routes!(artifact))
}

/// All runs, and what can be trained.
#[derive(Serialize, ToSchema)]
struct Runs {
    /// The newest first.
    runs: Vec<RunDocument>,
    /// Runs whose files cannot be read, by name, with the reason; they can be removed.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    damaged: BTreeMap<String, String>,
    /// What can be trained here.
    learners: &'static [LearnerDocument],
    /// Whether runs may be started here.
    allowed: bool,
}

/// Lists runs and trainings.
#[utoipa::path(
    get, path = "/api/v1/runs", operation_id = "list_runs",
    responses((status = 200, body = Runs))
)]
async fn list(app: App) -> Json<Runs> {
    let runs = app.jobs().list().into_iter().map(Arc::unwrap_or_clone).collect();
    let damaged = app.jobs().damaged();
    Json(Runs { runs, damaged, learners: &LEARNERS, allowed: app.may_keep().is_ok() })
}

/// Starts a tournament or a training. One is at work at a time; it goes on after a restart.
#[utoipa::path(
    post, path = "/api/v1/runs", request_body = Order,
    responses(
        (status = 201, body = RunDocument),
        (status = 403, description = "only on this machine, or with --allow-jobs", body = Problem, content_type = "application/problem+json"),
        Problem,
    )
)]
async fn begin(app: App, Input(order): Input<Order>) -> Result<Response, Problem> {
    app.may_keep()?;
    let jobs = app.clone();
    let run = app.quick().run(move |_| jobs.jobs().begin(order)).await??;
    let place = [(LOCATION, format!("/api/v1/runs/{}", run.id))];
    Ok((StatusCode::CREATED, place, Json(&*run)).into_response())
}

/// One run.
#[utoipa::path(
    get, path = "/api/v1/runs/{id}", operation_id = "get_run",
    params(("id" = String, Path)),
    responses((status = 200, body = RunDocument), Problem)
)]
async fn get(app: App, Named(id): Named<String>) -> Result<Response, Problem> {
    Ok(Json(&*app.jobs().get(&id)?).into_response())
}

/// Follows a run: the event `run` with the whole document at once and after every change, until
/// it is stopped, finished or failed. A client that connects again gets the current document first.
#[utoipa::path(
    get, path = "/api/v1/runs/{id}/events", params(("id" = String, Path)),
    responses(
        (status = 200, description = "events run", body = RunDocument, content_type = "text/event-stream"),
        Problem,
    )
)]
async fn events(
    app: App,
    Named(id): Named<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let (mut run, ending) = app.jobs().watch(&id)?;
    run.mark_changed();
    let events = unfold(Some((run, ending)), |state| async move {
        let (mut run, mut ending) = state?;
        tokio::select! {
            changed = run.changed() => changed.ok()?,
            _ = ending.wait_for(|ending| *ending) => return None,
        }
        let document = Arc::clone(&run.borrow_and_update());
        let event = Event::default().event("run").id(document.version.to_string());
        let event = event.json_data(&*document).ok()?;
        let next = document.state.is_live().then_some((run, ending));
        Some((Ok(event), next))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))))
}

/// Stops a run; it can go on later.
#[utoipa::path(
    post, path = "/api/v1/runs/{id}/stop", params(("id" = String, Path)),
    responses((status = 202, body = RunDocument), Problem)
)]
async fn stop(app: App, Named(id): Named<String>) -> Result<Response, Problem> {
    app.may_keep()?;
    Ok((StatusCode::ACCEPTED, Json(&*app.jobs().stop(&id)?)).into_response())
}

/// Goes on with a run that was stopped or has failed.
#[utoipa::path(
    post, path = "/api/v1/runs/{id}/resume", params(("id" = String, Path)),
    responses((status = 202, body = RunDocument), Problem)
)]
async fn resume(app: App, Named(id): Named<String>) -> Result<Response, Problem> {
    app.may_keep()?;
    Ok((StatusCode::ACCEPTED, Json(&*app.jobs().resume(&id)?)).into_response())
}

/// Stops a run that is live (202), or removes one that is not, with all it made (204).
#[utoipa::path(
    delete, path = "/api/v1/runs/{id}", operation_id = "remove_run",
    params(("id" = String, Path)),
    responses(
        (status = 202, description = "it was live and stops", body = RunDocument),
        (status = 204, description = "it is gone"),
        Problem,
    )
)]
async fn remove(app: App, Named(id): Named<String>) -> Result<Response, Problem> {
    app.may_keep()?;
    if app.jobs().get(&id).is_ok_and(|run| run.state.is_live()) {
        return Ok((StatusCode::ACCEPTED, Json(&*app.jobs().stop(&id)?)).into_response());
    }
    let jobs = app.clone();
    app.quick().run(move |_| jobs.jobs().remove(&id)).await??;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// What a training has made.
#[utoipa::path(
    get, path = "/api/v1/runs/{id}/artifact", params(("id" = String, Path)),
    responses(
        (status = 200, description = "the file", body = Vec<u8>, content_type = "application/octet-stream"),
        Problem,
    )
)]
async fn artifact(app: App, Named(id): Named<String>) -> Result<Response, Problem> {
    let jobs = app.clone();
    let (name, bytes) = app.quick().run(move |_| jobs.jobs().artifact(&id)).await??;
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers =
        [(CONTENT_TYPE, "application/octet-stream".to_owned()), (CONTENT_DISPOSITION, disposition)];
    Ok((headers, bytes).into_response())
}
