//! Exact odds, certainty, proofs and the best move of a position.

use axum::Json;
use axum::extract::State;
use deminer_game::{Action, Alternative, Cell, Face, Rng, View};
use deminer_lab::analysis::{Analysis, Question};
use deminer_lab::documents::{AlternativeDocument, AnalysisDocument, BestDocument, PlaceSchema};
use deminer_lab::report::describe_decision;
use deminer_lab::roster::Spec;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::Input;
use crate::problem::Problem;
use crate::shapes::{CellShape, agent_for, cell, with_position};
use crate::state::App;
use crate::work::Stop;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(analyze))
}

with_position! {
    /// A position and what to tell of it.
    pub struct AnalyzeRequest {
        /// Prove every certain cell.
        #[serde(default)]
        pub why: bool,
        /// Count in whole numbers.
        #[serde(default)]
        pub exact: bool,
        /// Tell how likely each number of mines around this covered cell is.
        #[schema(value_type = Option<PlaceSchema>)]
        pub around: Option<CellShape>,
        /// The agent that chooses the best move; the strongest one unless named.
        #[schema(max_length = 200)]
        pub agent: Option<String>,
        /// Additions that may be spent on a region before it is sampled.
        #[schema(minimum = 1000, maximum = 200_000_000)]
        pub budget: Option<usize>,
    }
}

/// The budget of a region where nothing is said: a fraction of a second.
pub const BUDGET: usize = Question::BUDGET / 4;
/// The least budget that is taken.
const LEAST_BUDGET: usize = 1000;
/// Boards with more cells than an expert board may have very many proofs.
const MANY: usize = 480;
/// How many cells are told as alternatives.
const ALTERNATIVES: usize = 8;

/// The agent that is asked where none is named.
const STRONGEST: &str = "best";

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
    State(app): State<App>,
    Input(request): Input<AnalyzeRequest>,
) -> Result<Json<AnalysisDocument>, Problem> {
    let view = request.view()?;
    let around = request.around.map(|place| cell(place, view.shape(), "around")).transpose()?;
    let budget = request.budget.unwrap_or(BUDGET);
    if !(LEAST_BUDGET..=Question::BUDGET).contains(&budget) {
        let detail = format!("a budget is from {LEAST_BUDGET} to {}", Question::BUDGET);
        return Err(Problem::unfit(detail).at("budget"));
    }
    let named = request.agent.as_deref().filter(|name| *name != STRONGEST);
    let spec = named.map(|name| agent_for(app.jobs(), name, view.rules(), "agent")).transpose()?;
    let (why, exact) = (request.why, request.exact);
    let question = Question { why, exact, around, budget, marks: true };
    // Numbers beyond counting are slow to write, many proofs slow to find; agents may be slow to
    // think.
    let long = spec.is_some() || exact || (why && view.shape().size() > MANY);
    let lane = if long { app.slow() } else { app.quick() };
    let document = lane.run(move |stop| answer(&view, &question, spec.as_ref(), stop)).await??;
    Ok(Json(document))
}

fn answer(
    view: &View,
    question: &Question,
    spec: Option<&Spec>,
    stop: &Stop,
) -> Result<AnalysisDocument, Problem> {
    let analysis = question.answer_until(view, stop);
    let mut document = AnalysisDocument::of(view, &analysis);
    match spec {
        Some(spec) => document.best = ask(view, &analysis, spec)?,
        None => {
            if let Some(best) = &mut document.best {
                best.agent = Some(STRONGEST.to_owned());
                let (row, column) = best.cell;
                let flagged = view.shape().cell(row, column).map(|cell| view.face(cell));
                best.action = (flagged == Some(Face::Flagged)).then_some("unflag");
            }
        }
    }
    Ok(document)
}

/// The move of an agent that sees the position for the first time.
fn ask(view: &View, analysis: &Analysis, spec: &Spec) -> Result<Option<BestDocument>, Problem> {
    let Some(odds) = &analysis.odds else { return Ok(None) };
    if view.openable().next().is_none() || view.shown_mines().next().is_some() {
        return Ok(None);
    }
    let mut agent = spec.build().map_err(|error| Problem::unfit(error).at("agent"))?;
    agent.begin(view.rules());
    let decision = agent.decide(view, &mut Rng::new(0));
    let shape = view.shape();
    let Some(cell) = decision.action.cell().filter(|&cell| shape.contains(cell)) else {
        return Ok(None);
    };
    let risk = |cell: Cell| odds.estimates.mine(cell).unwrap_or(0.0);
    let chosen = decision.alternatives.iter().find(|alternative| alternative.cell == cell);
    let alternatives = decision.alternatives.iter().take(ALTERNATIVES);
    let alternatives: Vec<AlternativeDocument> =
        alternatives.map(|alternative| AlternativeDocument::of(alternative, shape)).collect();
    Ok(Some(BestDocument {
        agent: Some(spec.to_string()),
        action: (!matches!(decision.action, Action::Open(_))).then(|| decision.action.name()),
        cell: shape.position(cell),
        safety: 1.0 - risk(cell),
        win: chosen.and_then(|chosen| chosen.win),
        win_exact: false,
        why: describe_decision(&decision, shape),
        alternatives: match alternatives.is_empty() {
            true => safest(view, analysis),
            false => alternatives,
        },
    }))
}

/// The cells least likely to be mines.
fn safest(view: &View, analysis: &Analysis) -> Vec<AlternativeDocument> {
    let Some(odds) = &analysis.odds else { return Vec::new() };
    let mut cells: Vec<(f64, Cell)> =
        view.openable().filter_map(|cell| Some((odds.estimates.mine(cell)?, cell))).collect();
    cells.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let alternative = |&(risk, cell): &(f64, Cell)| {
        let alternative = Alternative { cell, safety: 1.0 - risk, win: None };
        AlternativeDocument::of(&alternative, view.shape())
    };
    cells.iter().take(ALTERNATIVES).map(alternative).collect()
}
