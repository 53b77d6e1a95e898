//! Games, looked at again.

use axum::Json;
use axum::extract::DefaultBodyLimit;
use deminer::documents::ReviewDocument;
use deminer::requests::ReviewRequest;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::LARGE_BODY;
use crate::input::Input;
use crate::problem::Problem;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(coach)).layer(DefaultBodyLimit::max(LARGE_BODY))
}

/// Looks at a game again: for every move, undone ones too, its risk, the best alternative, the
/// share of the win chance that it gave away, and what to think of it; luck, unneeded guesses,
/// blunders, help that was taken, measures and a summary. As `deminer coach --json`.
#[utoipa::path(
    post, path = "/api/v1/coach", request_body = ReviewRequest,
    responses(
        (status = 200, body = ReviewDocument),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
        (status = 503, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn coach(
    app: App,
    Input(request): Input<ReviewRequest>,
) -> Result<Json<ReviewDocument>, Problem> {
    app.answer(app.slow(), request).await
}
