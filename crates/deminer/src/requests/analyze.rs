//! Exact odds, certainty, proofs and the best move of a position.

use deminer_formats::wire::{PositionRow, RowColumn, Verb};
use deminer_game::{Action, Cell, Face, Rng, View};

use super::position::with_position;
use super::{Context, Request, RequestError};
use crate::Engine;
use crate::analysis::{Analysis, AnalyzeOptions};
use crate::documents::{AlternativeDocument, AnalysisDocument, BestDocument};
use crate::reasons::capital;
use crate::roster::Spec;
use crate::words::describe_decision;

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
        #[cfg_attr(feature = "schema", schema(max_length = 200))]
        pub agent: Option<String>,
        /// Additions that may be spent on a region before it is sampled.
        #[cfg_attr(feature = "schema", schema(minimum = 1000, maximum = 200_000_000))]
        pub budget: Option<usize>,
    }
}

/// The budget of a region where nothing is said: a fraction of a second.
pub(super) const BUDGET: usize = MOST_BUDGET / 4;
const MOST_BUDGET: usize = Engine::BUDGET;
/// The least budget that is taken.
const LEAST_BUDGET: usize = 1000;
/// Boards with more cells than an expert board may take long.
const MANY: usize = 480;
/// The number of alternatives in an answer.
const ALTERNATIVES: usize = 8;

/// The agent that is asked where none is named.
const STRONGEST: &str = "best";

impl AnalyzeRequest {
    /// Whether the answer may take more than milliseconds: numbers beyond counting are slow to
    /// write, large boards have much to count and to prove, and agents may be slow to think.
    pub fn is_long(&self) -> bool {
        let cells = || self.rows.iter().map(|PositionRow(row)| row.len()).sum::<usize>();
        self.named_agent().is_some() || self.exact || cells() > MANY
    }

    fn named_agent(&self) -> Option<&str> {
        self.agent.as_deref().filter(|name| *name != STRONGEST)
    }

    fn options(&self, view: &View) -> Result<AnalyzeOptions, RequestError> {
        let around = self.around.map(|cell| cell.cell(view.shape(), "around")).transpose()?;
        let budget = self.budget.unwrap_or(BUDGET);
        if !(LEAST_BUDGET..=MOST_BUDGET).contains(&budget) {
            let detail = format!("a budget is from {LEAST_BUDGET} to {MOST_BUDGET}");
            return Err(RequestError::invalid(detail).at("budget"));
        }
        let (proofs, exact) = (self.why, self.exact);
        Ok(AnalyzeOptions { proofs, exact, around, budget, marks: true })
    }
}

impl Request for AnalyzeRequest {
    const NAME: &'static str = "analyze";
    type Answer = AnalysisDocument;

    fn work(self, context: &Context) -> Result<AnalysisDocument, RequestError> {
        let view = self.view()?;
        let options = self.options(&view)?;
        let agent = self.named_agent();
        let spec = agent.map(|name| context.agent_for(name, view.rules(), "agent")).transpose()?;
        let analysis = options.analyze(&view);
        let mut document = AnalysisDocument::of(&view, &analysis);
        match (spec, &mut document.best) {
            (Some(spec), best) => {
                *best = analysis.map_or(Ok(None), |found| ask(&view, &found, &spec))?;
            }
            (None, Some(best)) => {
                best.agent = Some(STRONGEST.to_owned());
                let RowColumn(row, column) = best.cell;
                let flagged = view.shape().cell(row, column).map(|cell| view.face(cell));
                best.action = (flagged == Some(Face::Flagged)).then_some(Verb::Unflag);
            }
            (None, None) => {}
        }
        Ok(document)
    }
}

/// The move of an agent that sees the position for the first time.
fn ask(
    view: &View,
    analysis: &Analysis,
    spec: &Spec,
) -> Result<Option<BestDocument>, RequestError> {
    if analysis.odds.is_none()
        || view.openable().next().is_none()
        || view.shown_mines().next().is_some()
    {
        return Ok(None);
    }
    let mut agent = spec.build().map_err(|error| RequestError::invalid(error).at("agent"))?;
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
