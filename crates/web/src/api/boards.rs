//! Boards from seeds, any or those that need no guess.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use deminer::documents::{BoardDocument, Dealt, DifficultyWord};
use deminer::no_guess::{Generator, NoGuessError};
use deminer_formats::wire::{Count, RowColumn, WireRules};
use deminer_game::{FirstClick, GameSeed, Start};
use deminer_lab::tournament::any_seed;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::Input;
use crate::problem::Problem;
use crate::requests::rules;
use crate::state::App;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(boards))
}

/// What board is wanted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct BoardRequest {
    /// The rules.
    rules: WireRules,
    /// The seed; any unless given.
    seed: Option<Count>,
    /// The number of the game in the seed's run; 0 unless given.
    game: Option<Count>,
    /// Only a board that can be won from the first click without a guess.
    #[serde(default)]
    no_guess: bool,
    /// Only one of this difficulty; implies `no_guess`.
    difficulty: Option<DifficultyWord>,
    /// The first click; the corner unless given.
    first: Option<RowColumn>,
}

/// A board with its rules.
#[derive(Serialize, ToSchema)]
struct BoardAnswer {
    #[serde(flatten)]
    board: BoardDocument,
    /// The rules; the start of a board without guesses is `open`.
    rules: WireRules,
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
    State(app): State<App>,
    Input(request): Input<BoardRequest>,
) -> Result<Json<BoardAnswer>, Problem> {
    let mut rules = rules(&request.rules)?;
    let at = match request.first {
        Some(first) => FirstClick::Cell(first.cell(rules.shape(), "first")?),
        None => FirstClick::Corner,
    };
    let difficulty = request.difficulty.map(|word| word.0);
    let generator = match request.no_guess || difficulty.is_some() {
        true => {
            rules = rules
                .with_start(Start::Open)
                .map_err(|error| Problem::unfit(error).at("rules.board"))?;
            let generator = Generator::new(&rules, difficulty, Generator::TRIES);
            Some(generator.map_err(|error| Problem::unfit(error).at("rules.clues"))?)
        }
        false => None,
    };
    let seed = request.seed.map_or_else(any_seed, |seed| seed.0);
    let seed = GameSeed { seed, game: request.game.map_or(0, |game| game.0) };
    let lane = if generator.is_some() { app.slow() } else { app.quick() };
    let shape = WireRules::of(&rules);
    let dealt = lane.run(move |stop| {
        let mut generator = generator.map(|generator| generator.until(Arc::clone(stop)));
        Dealt::deal(&rules, at, seed, generator.as_mut())
    });
    let dealt = dealt.await?.map_err(|error| match error {
        NoGuessError::OutOfTries { .. } | NoGuessError::Stopped => Problem::busy(error),
        error => Problem::unfit(error).at("rules.board"),
    })?;
    Ok(Json(BoardAnswer { board: BoardDocument::of(&dealt), rules: shape }))
}
