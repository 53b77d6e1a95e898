//! Exact odds in place of windows and averages.
//!
//! Every layout that fits the whole board is counted, the mine total included. What all of them
//! agree on is decided: elixir without a window, up to the end of the game. Where nothing is,
//! the leap goes to the cell that is a mine in the fewest of them, beside the hints or away from
//! them; once few layouts are left, to the cell that wins in the most of them.

use deminer_game::{Action, Cell, Decision, Rng, Shape, View, Why};
use deminer_inference::deduce::SinglePoint;
use deminer_inference::odds::{Engine, Layouts, Odds};

use super::well_paid::WellPaid;
use crate::parts::risk;
use crate::players::cs520::TurnState;
use crate::players::cs520::elixir::Elixir;
use crate::players::lowest_risk;
use crate::search::endgame::Endgame;

/// The name of the stage in reasons.
const NAME: &str = "all layouts";

/// Endgames with at most this many layouts are searched exhaustively.
const FEW: usize = 256;
/// Sets of layouts that a search may look at.
const NODES: usize = 200_000;

/// The engine, with what it found last.
#[derive(Default)]
pub(crate) struct Exact {
    engine: Engine,
    single: SinglePoint,
    layouts: Layouts,
    endgame: Endgame,
    /// The number of open cells, and the odds then; none if no layout fits.
    last: Option<(usize, Option<Odds>)>,
}

impl Exact {
    pub fn new() -> Self {
        Self { endgame: Endgame::new(NODES), ..Self::default() }
    }

    /// Forgets everything, for a new game.
    pub fn begin(&mut self, shape: &Shape) {
        self.single.reset(shape);
        self.last = None;
    }

    /// The odds, counted once for each view. Flags change nothing: they are not evidence.
    fn odds(&mut self, view: &View, rng: &mut Rng) -> Option<&Odds> {
        let opened = view.opened().len();
        if self.last.as_ref().is_none_or(|(at, _)| *at != opened) {
            self.single.update(view);
            let odds = self.engine.sampled_odds_knowing(view, &self.single, rng).ok().cloned();
            self.last = Some((opened, odds));
        }
        self.last.as_ref().and_then(|(_, odds)| odds.as_ref())
    }

    /// Hands over what all layouts agree on; whether there is anything. Elixir says whether the
    /// hints tied to a cell are reason enough; if not, it takes all of them and the mine total.
    pub fn solve(&mut self, turn: &mut TurnState, elixir: &mut Elixir) -> bool {
        let TurnState { view, known, queues, rng } = turn;
        let Some(odds) = self.odds(view, rng) else { return false };
        let mut found = false;
        for cell in known.shape().cells().filter(|&cell| known.is_unresolved(cell)) {
            let Some(fact) = odds.fact(cell) else { continue };
            let premises = match elixir.prove(known, cell, fact) {
                Some(hints) => known.grounds(&hints),
                None => {
                    let mut hints: Vec<Cell> = known.shape().cells().collect();
                    hints.retain(|&hint| known.is_asking(hint));
                    known.grounds(&hints).into_iter().chain(known.total()).collect()
                }
            };
            queues.add([cell], fact, NAME, premises);
            found = true;
        }
        found
    }

    /// The best move by complete search; none if too many layouts are left.
    pub fn finish(&mut self, turn: &mut TurnState) -> Option<Decision> {
        let TurnState { view, rng, .. } = turn;
        self.odds(view, rng)?;
        let (_, Some(odds)) = self.last.as_ref()? else { return None };
        self.layouts.list(view, odds, FEW).ok()?;
        let solved = self.endgame.solve(view, &self.layouts).ok()?;
        Some(solved.decide(view).with_estimates(odds.estimates(view)))
    }

    /// Opens the cell that is best paid, or the one least likely to be a mine; none if there is
    /// none, or no layout fits.
    pub fn leap(
        &mut self,
        turn: &mut TurnState,
        well_paid: Option<&mut WellPaid>,
    ) -> Option<Decision> {
        let TurnState { view, known, rng, .. } = turn;
        let odds = self.odds(view, rng)?;
        let risks: Vec<_> = view.openable().map(|cell| (cell, risk::risk(odds, cell))).collect();
        let best = well_paid.and_then(|well_paid| well_paid.choose(view, known, &risks));
        let cell = match best {
            Some(cell) => cell,
            None => {
                let mut ties = Vec::new();
                lowest_risk::least_risk(view, &risks, &mut ties);
                *rng.pick(&ties)?
            }
        };
        let decision = Decision::new(Action::Open(cell), Why::Risk(risk::risk(odds, cell)));
        Some(
            decision
                .with_estimates(odds.estimates(view))
                .with_alternatives(risk::alternatives(&risks)),
        )
    }
}
