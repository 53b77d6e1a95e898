//! The web laboratory: an HTTP interface to everything deminer does, and the page that uses it,
//! served from one binary.
//!
//! ```text
//! server      accepts connections, closes slow ones, shuts down
//! seats       the connections, and which one makes room
//! guard       checks Host and Origin, sets security headers
//! input       reads bodies, queries and paths, with limits
//! problem     every error as application/problem+json
//! work        computations on their own threads, with a queue and a stop flag
//! records     saved games
//! jobs/       tournaments and trainings that continue after a restart
//! api/        one file for each path
//! page        serves the site
//! site        every file of the page, for a static host too
//! ```
//!
//! An endpoint is one file in `api/` and one line in `api::routes`. Only runs and records have
//! state, which is in the data folder.

mod api;
mod guard;
mod input;
mod jobs;
mod page;
mod problem;
mod records;
mod seats;
mod server;
mod site;
mod state;
mod work;

use std::io;
use std::net::SocketAddr;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use utoipa::openapi::OpenApi;

pub use problem::Problem;
pub use server::{Limits, Server};
pub use site::{MARK as SITE_MARK, Site};
pub use state::{App, Options};

/// The largest body, unless a path allows more.
const BODY: usize = 64 * 1024;

/// All routes.
pub fn router(app: App) -> Router {
    let (api, _) = api::routes().split_for_parts();
    Router::new()
        .merge(api)
        .fallback(page::serve)
        .method_not_allowed_fallback(async || {
            Problem::method("see /api/v1/openapi.json for the methods of each path").into_response()
        })
        .layer(DefaultBodyLimit::max(BODY))
        .layer(CatchPanicLayer::custom(|_| {
            Problem::fault("the request failed because of a bug in deminer").into_response()
        }))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}

/// The description of the interface, as served at `/api/v1/openapi.json`.
pub fn openapi() -> OpenApi {
    api::describe()
}

/// Serves until Ctrl-C or SIGTERM, then closes connections and stops runs cleanly. Calls `ready`
/// with the address before the first request is accepted.
pub fn serve(options: Options, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = Server::bind(options, Limits::default()).await?;
        let end = end()?;
        ready(server.address());
        server.run(end).await;
        Ok(())
    })
}

/// Completes at Ctrl-C or SIGTERM. Signals count from this call on, not only while it is awaited.
#[cfg(unix)]
fn end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Completes at Ctrl-C.
#[cfg(not(unix))]
fn end() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
