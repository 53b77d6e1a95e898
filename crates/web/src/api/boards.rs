//! Boards from seeds, any or those that need no guess.

use axum::Json;
use deminer::requests::{BoardAnswer, BoardRequest};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::Input;
use crate::problem::Problem;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(boards))
}

/// Deals a board. The same request with the same seed is the same board for ever.
#[utoipa::path(
    post, path = "/api/v1/boards", request_body = BoardRequest,
    responses(
        (status = 200, body = BoardAnswer),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "no such board was found in time", body = Problem, content_type = "application/problem+json"),
    )
)]
async fn boards(
    app: App,
    Input(request): Input<BoardRequest>,
) -> Result<Json<BoardAnswer>, Problem> {
    let lane = if request.needs_search() { app.slow() } else { app.quick() };
    app.answer(lane, request).await
}
