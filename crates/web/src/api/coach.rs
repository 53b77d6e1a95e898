//! Games, looked at again.

use axum::Json;
use axum::extract::{DefaultBodyLimit, State};
use deminer::coach::{Review, ReviewError};
use deminer::documents::ReviewDocument;
use deminer_formats::wire::WireRecord;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::convert::{FileContent, FileShape};
use super::{LARGE_BODY, picture};
use crate::input::Input;
use crate::problem::Problem;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(coach)).layer(DefaultBodyLimit::max(LARGE_BODY))
}

/// A game: a record, or a file as base64 or text.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CoachRequest {
    /// A record.
    record: Option<WireRecord>,
    /// The file's name; its extension decides where the content does not.
    #[schema(max_length = 255)]
    name: Option<String>,
    /// The format, where it is known.
    from: Option<String>,
    /// The content as text.
    text: Option<String>,
    /// The content as base64.
    base64: Option<String>,
}

/// Looks at a game again: for every move, undone ones too, its risk, the best alternative, the
/// share of the win chance that it gave away, and what to think of it; luck, unneeded guesses,
/// blunders, help that was taken, measures and a summary. As `deminer coach --json`.
#[utoipa::path(
    post, path = "/api/v1/coach", request_body = CoachRequest,
    responses(
        (status = 200, body = ReviewDocument),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
        (status = 503, body = Problem, content_type = "application/problem+json"),
    )
)]
async fn coach(
    State(app): State<App>,
    Input(request): Input<CoachRequest>,
) -> Result<Json<ReviewDocument>, Problem> {
    let review = app.slow().run(move |stop| {
        let record = match request.record {
            Some(record) => picture::record(record, "record")?,
            None => {
                let CoachRequest { name, from, text, base64, .. } = request;
                let file = FileContent::try_from(FileShape { name, from, text, base64 })?;
                file.read()?.1.record().map_err(|error| Problem::unfit(error).at("base64"))?
            }
        };
        let review = Review::of(&record, stop).map_err(|error| match error {
            ReviewError::Stopped => Problem::busy("the game takes too long to look at"),
            error => Problem::unfit(error).at("record"),
        })?;
        Ok(Json(ReviewDocument::of(&review, record.rules.shape())))
    });
    review.await?
}
