//! Exact odds, certainty, proofs and the best move of a position.

use axum::Json;
use axum::extract::State;
use deminer::Engine;
use deminer::analysis::{Analysis, AnalyzeOptions};
use deminer::documents::{AlternativeDocument, AnalysisDocument, BestDocument};
use deminer::reasons::capital;
use deminer::roster::Spec;
use deminer::words::describe_decision;
use deminer_formats::wire::{RowColumn, Verb};
use deminer_game::{Action, Cell, Face, Rng, View};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::input::Input;
use crate::problem::Problem;
use crate::requests::{agent_for, with_position};
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
        pub around: Option<RowColumn>,
        /// The agent that chooses the best move; the strongest one unless named.
        #[schema(max_length = 200)]
        pub agent: Option<String>,
        /// Additions that may be spent on a region before it is sampled.
        #[schema(minimum = 1000, maximum = 200_000_000)]
        pub budget: Option<usize>,
    }
}

/// The budget of a region where nothing is said: a fraction of a second.
pub const BUDGET: usize = MOST_BUDGET / 4;
const MOST_BUDGET: usize = Engine::BUDGET;
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
    let around = request.around.map(|cell| cell.cell(view.shape(), "around")).transpose()?;
    let budget = request.budget.unwrap_or(BUDGET);
    if !(LEAST_BUDGET..=MOST_BUDGET).contains(&budget) {
        let detail = format!("a budget is from {LEAST_BUDGET} to {MOST_BUDGET}");
        return Err(Problem::unfit(detail).at("budget"));
    }
    let named = request.agent.as_deref().filter(|name| *name != STRONGEST);
    let spec = named.map(|name| agent_for(app.jobs(), name, view.rules(), "agent")).transpose()?;
    let (proofs, exact) = (request.why, request.exact);
    let options = AnalyzeOptions { proofs, exact, around, budget, marks: true };
    // Numbers beyond counting are slow to write, many proofs slow to find; agents may be slow to
    // think.
    let long = spec.is_some() || exact || (proofs && view.shape().size() > MANY);
    let lane = if long { app.slow() } else { app.quick() };
    let document = lane.run(move |stop| answer(&view, &options, spec.as_ref(), stop)).await??;
    Ok(Json(document))
}

fn answer(
    view: &View,
    options: &AnalyzeOptions,
    spec: Option<&Spec>,
    stop: &Stop,
) -> Result<AnalysisDocument, Problem> {
    let analysis = options.analyze_until(view, stop);
    let mut document = AnalysisDocument::of(view, &analysis);
    match spec {
        Some(spec) => document.best = analysis.map_or(Ok(None), |found| ask(view, &found, spec))?,
        None => {
            if let Some(best) = &mut document.best {
                best.agent = Some(STRONGEST.to_owned());
                let RowColumn(row, column) = best.cell;
                let flagged = view.shape().cell(row, column).map(|cell| view.face(cell));
                best.action = (flagged == Some(Face::Flagged)).then_some(Verb::Unflag);
            }
        }
    }
    Ok(document)
}

/// The move of an agent that sees the position for the first time.
fn ask(view: &View, analysis: &Analysis, spec: &Spec) -> Result<Option<BestDocument>, Problem> {
    if analysis.odds.is_none()
        || view.openable().next().is_none()
        || view.shown_mines().next().is_some()
    {
        return Ok(None);
    }
    let mut agent = spec.build().map_err(|error| Problem::unfit(error).at("agent"))?;
    agent.begin(view.rules());
    let decision = agent.decide(view, &mut Rng::new(0));
    let shape = view.shape();
    let Some(cell) = decision.action.cell().filter(|&cell| shape.contains(cell)) else {
        return Ok(None);
    };
    let mut cells: Vec<Cell> = decision.alternatives.iter().map(|weighed| weighed.cell).collect();
    if cells.is_empty() {
        cells = safest(view, analysis);
    }
    cells.truncate(ALTERNATIVES);
    cells.retain(|&cell| view.face(cell).is_covered());
    let (weighed, win_exact) = analysis.weigh(view, &cells);
    let win = weighed.iter().find(|one| one.cell == cell).and_then(|one| one.win);
    let why = format!("{}.", capital(&describe_decision(&decision, shape)));
    Ok(Some(BestDocument {
        agent: Some(spec.to_string()),
        action: Some(decision.action.into()).filter(|&verb| verb != Verb::Open),
        cell: RowColumn::of(cell, shape),
        safety: safety(view, analysis, decision.action).unwrap_or(1.0),
        win,
        win_exact: win_exact && win.is_some(),
        why: why.clone(),
        reasons: vec![why],
        alternatives: weighed
            .iter()
            .map(|one| AlternativeDocument::of_weighed(one, None, shape))
            .collect(),
    }))
}

/// How safe an action is; of a chord the least safe cell that it opens counts.
fn safety(view: &View, analysis: &Analysis, action: Action) -> Option<f64> {
    match action {
        Action::Chord(clue) => {
            let near = view.shape().neighbors(clue).iter();
            let opened = near.filter(|&&near| view.face(near) == Face::Covered);
            opened.filter_map(|&near| analysis.safety(view, near)).min_by(f64::total_cmp)
        }
        action => analysis.safety(view, action.cell()?),
    }
}

/// The cells least likely to be mines.
fn safest(view: &View, analysis: &Analysis) -> Vec<Cell> {
    let mut cells: Vec<(f64, Cell)> =
        view.openable().filter_map(|cell| Some((analysis.safety(view, cell)?, cell))).collect();
    cells.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    cells.into_iter().take(ALTERNATIVES).map(|(_, cell)| cell).collect()
}
