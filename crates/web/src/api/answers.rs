//! Paths for the requests that all doors share: positions, boards and games.

use axum::Json;
use axum::extract::DefaultBodyLimit;
use deminer::documents::{AnalysisDocument, LessonDocument, LessonsDocument, ReviewDocument};
use deminer::requests::{
    AnalyzeRequest, BoardAnswer, BoardRequest, HintDocument, HintRequest, LessonRequest,
    LessonsRequest, MeasureAnswer, MeasureRequest, ReviewRequest,
};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::LARGE_BODY;
use crate::input::Input;
use crate::problem::{Busy, Problem};
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(coach))
        .routes(routes!(measure))
        .layer(DefaultBodyLimit::max(LARGE_BODY))
        .routes(routes!(analyze))
        .routes(routes!(hint))
        .routes(routes!(boards))
        .routes(routes!(lesson))
        .routes(routes!(lessons))
}

/// Exact odds of every covered cell, what is certain and why, cells that tell nothing, and the
/// best move with its alternatives. As `deminer analyze --json`, with more about the move.
#[utoipa::path(
    post, path = "/api/v1/analyze", request_body = AnalyzeRequest,
    responses((status = 200, body = AnalysisDocument), Problem, Busy)
)]
async fn analyze(
    app: App,
    Input(request): Input<AnalyzeRequest>,
) -> Result<Json<AnalysisDocument>, Problem> {
    let lane = if request.is_long() { app.slow() } else { app.quick() };
    app.answer(lane, request).await
}

/// A graded hint: whether there is a safe move, where to look, the move, why. Without a safe move
/// it is about the best guess. The same position has the same move at every level.
#[utoipa::path(
    post, path = "/api/v1/hint", request_body = HintRequest,
    responses(
        (status = 200, body = HintDocument),
        (status = 409, description = "no layout fits the position, or nothing is left to open", body = Problem, content_type = "application/problem+json"),
        Problem,
    )
)]
async fn hint(app: App, Input(request): Input<HintRequest>) -> Result<Json<HintDocument>, Problem> {
    app.answer(app.quick(), request).await
}

/// An exercise of the course: the same for the same seed. Judges the answers that are given, and
/// gives a hint in three levels. As `deminer lesson --json`.
#[utoipa::path(
    post, path = "/api/v1/lesson", request_body = LessonRequest,
    responses((status = 200, body = LessonDocument), Problem, Busy)
)]
async fn lesson(
    app: App,
    Input(request): Input<LessonRequest>,
) -> Result<Json<LessonDocument>, Problem> {
    app.answer(app.quick(), request).await
}

/// The chapters of the course.
#[utoipa::path(get, path = "/api/v1/lessons", responses((status = 200, body = LessonsDocument)))]
async fn lessons(app: App) -> Result<Json<LessonsDocument>, Problem> {
    app.answer(app.quick(), LessonsRequest {}).await
}

/// Deals a board. The same request with the same seed always gives the same board.
#[utoipa::path(
    post, path = "/api/v1/boards", request_body = BoardRequest,
    responses(
        (status = 200, body = BoardAnswer),
        Problem,
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

/// Looks at a game again: for every move, undone ones too, its risk, the best alternative, the
/// share of the win chance that it gave away, and what to think of it; luck, unneeded guesses,
/// blunders, help that was taken, measures and a summary. As `deminer coach --json`.
#[utoipa::path(
    post, path = "/api/v1/coach", request_body = ReviewRequest,
    responses((status = 200, body = ReviewDocument), Problem, Busy)
)]
async fn coach(
    app: App,
    Input(request): Input<ReviewRequest>,
) -> Result<Json<ReviewDocument>, Problem> {
    app.answer(app.slow(), request).await
}

/// Measures a game: 3BV, openings, islands and ZiNi of its board; clicks, efficiency and 3BV/s of
/// its player.
#[utoipa::path(
    post, path = "/api/v1/measure", request_body = MeasureRequest,
    responses((status = 200, body = MeasureAnswer), Problem, Busy)
)]
async fn measure(
    app: App,
    Input(request): Input<MeasureRequest>,
) -> Result<Json<MeasureAnswer>, Problem> {
    app.answer(app.quick(), request).await
}
