//! Measures of games: 3BV, ZiNi, clicks and time.

use axum::Json;
use axum::extract::{DefaultBodyLimit, State};
use deminer::documents::{MeasuresDocument, SCHEMA_VERSION};
use deminer_formats::wire::WireRecord;
use deminer_game::GameMeasures;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{LARGE_BODY, picture};
use crate::input::Input;
use crate::problem::Problem;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(measure)).layer(DefaultBodyLimit::max(LARGE_BODY))
}

/// A game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MeasureRequest {
    /// A record in which something was opened.
    record: WireRecord,
}

/// The measures of a game.
#[derive(Serialize, ToSchema)]
struct MeasureAnswer {
    /// The version of the document.
    schema_version: u32,
    #[serde(flatten)]
    measures: MeasuresDocument,
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
    State(app): State<App>,
    Input(request): Input<MeasureRequest>,
) -> Result<Json<MeasureAnswer>, Problem> {
    let measured = app.quick().run(move |_| {
        let record = picture::record(request.record, "record")?;
        let measures =
            GameMeasures::of(&record).map_err(|error| Problem::unfit(error).at("record"))?;
        let nothing =
            || Problem::unfit("no cell was opened, so the mines are not known").at("record");
        let measures = MeasuresDocument::of(&measures.ok_or_else(nothing)?);
        Ok(Json(MeasureAnswer { schema_version: SCHEMA_VERSION, measures }))
    });
    measured.await?
}
