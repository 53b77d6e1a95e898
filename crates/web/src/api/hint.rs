//! Hints that tell no more than they are asked for.

use axum::Json;
use axum::extract::State;
use deminer::documents::places;
use deminer::hint::Hint;
use deminer_formats::wire::{RowColumn, Verb};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::analyze::BUDGET;
use crate::input::Input;
use crate::problem::Problem;
use crate::requests::with_position;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(hint))
}

with_position! {
    /// A position, and how much to tell.
    pub struct HintRequest {
        /// 1 whether there is a safe move, 2 where to look, 3 the move, 4 why.
        #[schema(minimum = 1, maximum = 4)]
        pub level: u8,
    }
}

/// A hint; the higher the level, the more of it is there.
#[derive(Serialize, ToSchema)]
struct HintDocument {
    /// How much is told.
    level: u8,
    /// Level 1: whether some move is certainly safe. If not, the rest is about the best guess.
    safe_exists: bool,
    /// Level 2: cells to look at.
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<Vec<RowColumn>>,
    /// Level 3: the cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<RowColumn>,
    /// Level 3: `open`, or `unflag` where a wrong flag must go first.
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<Verb>,
    /// Level 3: the probability that it is safe.
    #[serde(skip_serializing_if = "Option::is_none")]
    safety: Option<f64>,
    /// Level 4: why, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// Level 4: the same, a sentence each.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<String>>,
    /// Level 4: the clues that matter.
    #[serde(skip_serializing_if = "Option::is_none")]
    clues: Option<Vec<RowColumn>>,
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
async fn hint(
    State(app): State<App>,
    Input(request): Input<HintRequest>,
) -> Result<Json<HintDocument>, Problem> {
    let view = request.view()?;
    let level = request.level;
    if !(1..=4).contains(&level) {
        return Err(Problem::unfit("a level is 1, 2, 3 or 4").at("level"));
    }
    let hint = app.quick().run(move |_| match Hint::of(&view, BUDGET) {
        Ok(Some(hint)) => Ok((view.shape().clone(), hint)),
        Ok(None) => Err(Problem::conflict("nothing is left to open")),
        Err(error) => Err(Problem::conflict(error)),
    });
    let (shape, hint) = hint.await??;
    fn told<T>(wanted: bool, value: T) -> Option<T> {
        wanted.then_some(value)
    }
    let action = if hint.flagged { Verb::Unflag } else { Verb::Open };
    Ok(Json(HintDocument {
        level,
        safe_exists: hint.safe_exists,
        area: told(level >= 2, places(&shape, &hint.area)),
        cell: told(level >= 3, RowColumn::of(hint.cell, &shape)),
        action: told(level >= 3, action),
        safety: told(level >= 3, hint.safety),
        why: told(level >= 4, hint.reasons.join(" ")),
        reasons: told(level >= 4, hint.reasons),
        clues: told(level >= 4, places(&shape, &hint.clues)),
    }))
}
