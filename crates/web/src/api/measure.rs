//! Measures of games: 3BV, ZiNi, clicks and time.

use axum::Json;
use axum::extract::DefaultBodyLimit;
use deminer::requests::{MeasureAnswer, MeasureRequest};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::LARGE_BODY;
use crate::input::Input;
use crate::problem::Problem;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(measure)).layer(DefaultBodyLimit::max(LARGE_BODY))
}

/// Measures a game: 3BV, openings, islands and ZiNi of its board; clicks, efficiency and 3BV/s of
/// its player.
#[utoipa::path(
    post, path = "/api/v1/measure", request_body = MeasureRequest,
    responses(
        (status = 200, body = MeasureAnswer),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
        (status = 503, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn measure(
    app: App,
    Input(request): Input<MeasureRequest>,
) -> Result<Json<MeasureAnswer>, Problem> {
    app.answer(app.quick(), request).await
}
