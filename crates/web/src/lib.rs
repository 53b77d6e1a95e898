//! The web laboratory: an HTTP interface to everything deminer does, and the page that uses it,
//! served from one binary.
//!
//! ```text
//! server      sockets: connections, slow clients, the end
//! guard       whom this server is, who may ask, headers
//! input       bodies, queries and paths, read with limits
//! problem     every error as application/problem+json
//! work        computation aside from the network, with a queue and a flag to stop it
//! shapes      rules, positions and agents as requests have them
//! jobs/       runs and trainings that outlive the server
//! api/        one file for each path
//! page        the embedded page
//! ```
//!
//! An endpoint is one file in `api/` and one line in `api::routes`. It is stateless unless it is
//! about runs or records, which live in the data folder.

mod api;
mod guard;
mod input;
mod jobs;
mod page;
mod problem;
mod records;
mod server;
mod shapes;
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

pub use jobs::{CheckTraining, RefusedTraining};
pub use problem::Problem;
pub use server::{Limits, Server};
pub use state::{App, Options};

/// The largest body, where a path says nothing else.
const BODY: usize = 64 * 1024;

/// Everything that is answered.
pub fn router(app: App) -> Router {
    let (api, _) = api::routes().split_for_parts();
    Router::new()
        .merge(api)
        .fallback(page::serve)
        .method_not_allowed_fallback(async || {
            Problem::method("see /api/v1/openapi.json for what can be asked").into_response()
        })
        .layer(DefaultBodyLimit::max(BODY))
        .layer(CatchPanicLayer::custom(|_| {
            Problem::fault("the request met a fault of ours").into_response()
        }))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}

/// The description of the interface, as `/api/v1/openapi.json` has it.
pub fn openapi() -> OpenApi {
    api::describe()
}

/// Serves until Ctrl-C or an order to end; then ends connections and stops runs in good order.
/// `ready` is told the address before the first request is taken.
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

/// Ctrl-C, or an order to end: both are listened for from now on, not only once they are awaited.
#[cfg(unix)]
fn end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut order) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = order.recv() => {}
        }
    })
}

/// Ctrl-C.
#[cfg(not(unix))]
fn end() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
