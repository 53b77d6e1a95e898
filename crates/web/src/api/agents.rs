//! The roster.

use axum::Json;
use deminer::documents::AgentsDocument;
use deminer::requests::AgentsRequest;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::problem::Problem;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(agents))
}

/// All agents: what they do, their options, the rules they play. As `deminer agents --json`.
#[utoipa::path(get, path = "/api/v1/agents", responses((status = 200, body = AgentsDocument)))]
async fn agents(app: App) -> Result<Json<AgentsDocument>, Problem> {
    app.answer(app.quick(), AgentsRequest {}).await
}
