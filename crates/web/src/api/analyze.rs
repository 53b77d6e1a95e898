//! Exact odds, certainty, proofs and the best move of a position.

use axum::Json;
use deminer::documents::AnalysisDocument;
use deminer::requests::AnalyzeRequest;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::Input;
use crate::problem::Problem;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(analyze))
}

/// Exact odds of every covered cell, what is certain and why, cells that tell nothing, and the
/// best move with its alternatives. As `deminer analyze --json`, with more about the move.
#[utoipa::path(
    post, path = "/api/v1/analyze", request_body = AnalyzeRequest,
    responses(
        (status = 200, body = AnalysisDocument),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
        (status = 503, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn analyze(
    app: App,
    Input(request): Input<AnalyzeRequest>,
) -> Result<Json<AnalysisDocument>, Problem> {
    let lane = if request.is_long() { app.slow() } else { app.quick() };
    app.answer(lane, request).await
}
