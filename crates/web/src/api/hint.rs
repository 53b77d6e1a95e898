//! Hints that tell no more than they are asked for.

use axum::Json;
use deminer::requests::{HintDocument, HintRequest};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::Input;
use crate::problem::Problem;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(hint))
}

/// A graded hint: whether there is a safe move, where to look, the move, why. Without a safe move
/// it is about the best guess. The same position has the same move at every level.
#[utoipa::path(
    post, path = "/api/v1/hint", request_body = HintRequest,
    responses(
        (status = 200, body = HintDocument),
        (status = 409, description = "no layout fits the position, or nothing is left to open", body = Problem, content_type = "application/problem+json"),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
    )
)]
async fn hint(app: App, Input(request): Input<HintRequest>) -> Result<Json<HintDocument>, Problem> {
    app.answer(app.quick(), request).await
}
