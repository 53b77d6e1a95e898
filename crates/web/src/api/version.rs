//! Health and version of the server.

use axum::Json;
use deminer::documents::SCHEMA_VERSION;
use deminer::roster;
use deminer_lab::provenance::Build;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(healthz)).routes(routes!(version))
}

/// Which program this is.
#[derive(Serialize, ToSchema)]
struct Version {
    /// deminer's version.
    version: String,
    /// The commit it was built from.
    commit: Option<String>,
    /// The compiler's version.
    rustc: String,
    /// How many agents there are.
    agents: usize,
    /// The version of all documents.
    schema_version: u32,
}

/// Whether the server answers.
#[utoipa::path(get, path = "/healthz", responses((status = 200, body = String, content_type = "text/plain")))]
async fn healthz() -> &'static str {
    "ok"
}

/// Version, commit, compiler, number of agents.
#[utoipa::path(get, path = "/api/v1/version", responses((status = 200, body = Version)))]
async fn version() -> Json<Version> {
    let Build { version, commit, rustc, .. } = Build::here();
    let agents = roster::entries().count();
    Json(Version { version, commit, rustc, agents, schema_version: SCHEMA_VERSION })
}
