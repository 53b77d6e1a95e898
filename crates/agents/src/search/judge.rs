//! Weighs the openings of a position: how safe each is, and how likely the game is won with it.
//!
//! What is surely safe costs nothing and comes first. With few layouts left, optimal play is found
//! by trying everything ([`endgame`](super::endgame)). Otherwise every cell that is nearly as safe
//! as the safest is opened in thought ([`ahead`](super::ahead)), and each symbol it may show is
//! judged by the position it leads to:
//!
//! ```text
//! worth(cell) = safety(cell) · Σ chance(symbol) · worth(position after the symbol)
//! ```
//!
//! A quick judge takes the safety of the next opening for the worth of a position. A deep one asks
//! a network that has seen how such games went on ([`value`](super::value)); its worth is an
//! estimate of the probability to win.

use std::ops::ControlFlow;

use deminer_game::{Alternative, Cell, Estimates, Rng, View};
use deminer_inference::count::{Engine, Layouts, Odds, OddsError};
use deminer_inference::deduce::{Fact, SinglePoint};

use super::ahead::{Ahead, Seen};
use super::endgame::Endgame;
use super::value::{Model, Reader};
use crate::risk::{ALIKE, estimates, risk};

/// What a judge found.
#[derive(Clone, Debug)]
pub struct Weighed {
    /// Cells that are surely safe.
    pub safe: Vec<Cell>,
    /// Openings, best first. Those that were seen to be worse have no `win`, and so have all where
    /// wins are not estimated.
    pub alternatives: Vec<Alternative>,
    /// Whether wins are exact.
    pub solved: bool,
    /// The risk of every covered cell.
    pub estimates: Estimates,
}

/// How a judge thinks.
#[derive(Clone, Debug)]
pub struct Settings {
    /// So few layouts are played to the end.
    pub few: usize,
    /// Cells less safe than this part of the safest are not worth a thought.
    pub cut: f64,
    /// What the second safest opening counts for in the safety of the next: the safest may turn
    /// out to tell nothing.
    pub second: f64,
    /// What a position with something surely safe is worth more.
    pub progress: f64,
    /// The network.
    pub model: Option<Model>,
    /// The power of its judgement.
    pub mix: f64,
    /// The power of next safety.
    pub power: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { few: 400, cut: 0.9, second: 0.2, progress: 0.0, model: None, mix: 1.0, power: 0.0 }
    }
}

/// Weighs openings, one position after another, with the same buffers.
pub struct Judge {
    settings: Settings,
    engine: Engine,
    layouts: Layouts,
    endgame: Endgame,
    ahead: Ahead,
    reader: Reader,
    /// Whether each cell touches an open one.
    seen: Vec<bool>,
    candidates: Vec<Candidate>,
}

#[derive(Clone, Copy)]
struct Candidate {
    cell: Cell,
    safety: f64,
    worth: Option<f64>,
}

/// Sets of layouts that a search for optimal play may open up.
const NODES: usize = 200_000;

impl Judge {
    /// A judge.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            engine: Engine::default(),
            layouts: Layouts::default(),
            endgame: Endgame::new(NODES),
            ahead: Ahead::default(),
            reader: Reader::default(),
            seen: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// Weighs the openings of a position whose single clues have been followed. Where something is
    /// surely safe, nothing else is weighed.
    ///
    /// # Errors
    /// If no layout fits the view, or it is too wide even to be sampled.
    pub fn weigh(
        &mut self,
        view: &View,
        known: &SinglePoint,
        rng: &mut Rng,
    ) -> Result<Weighed, OddsError> {
        let odds = self.engine.sampled_odds_knowing(view, known, rng)?;
        let is_safe = |cell: &Cell| odds.fact(*cell) == Some(Fact::Safe);
        let mut weighed = Weighed {
            safe: view.covered().filter(is_safe).collect(),
            alternatives: Vec::new(),
            solved: false,
            estimates: estimates(view, odds),
        };
        if !weighed.safe.is_empty() {
            return Ok(weighed);
        }
        if self.layouts.list(view, odds, self.settings.few).is_ok()
            && let Ok(solved) = self.endgame.solve(view, &self.layouts)
        {
            weighed.alternatives = solved.alternatives;
            weighed.solved = true;
            return Ok(weighed);
        }
        gather(&mut self.candidates, &mut self.seen, view, odds, self.settings.cut);
        let mut next = view.clone();
        let mut best = 0.0;
        let is_win = self.settings.model.is_some() && self.settings.power == 0.0;
        for candidate in &mut self.candidates {
            let safety = candidate.safety;
            // No position is worth more than 1.
            let most = 1.0 + self.settings.progress;
            if safety * most <= best {
                break;
            }
            let (mut worth, mut left) = (0.0, 1.0);
            let (settings, reader) = (&self.settings, &mut self.reader);
            let looked = self.ahead.open(&mut next, known, odds, candidate.cell, |seen| {
                left -= seen.chance;
                worth += seen.chance * settings.worth(&seen, reader);
                match safety * (worth + left * most) <= best {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            if looked.is_ok() && (left < ALIKE || safety * worth > best) {
                candidate.worth = Some(safety * worth);
                best = best.max(safety * worth);
            }
        }
        self.candidates.sort_by(|a, b| b.worth.partial_cmp(&a.worth).expect("no worth is NaN"));
        let alternatives = self.candidates.iter().map(|&Candidate { cell, safety, worth }| {
            Alternative { cell, safety, win: worth.filter(|_| is_win) }
        });
        weighed.alternatives = alternatives.collect();
        Ok(weighed)
    }
}

impl Settings {
    /// What a position is worth.
    fn worth(&self, seen: &Seen<'_>, reader: &mut Reader) -> f64 {
        let judged = match &self.model {
            Some(model) => f64::from(model.judge(&reader.read(seen.view, seen.odds))),
            None => 1.0,
        };
        if self.model.is_some() && self.power == 0.0 {
            return judged;
        }
        let [first, second] = seen.odds.safest_two();
        let bonus = if first == 1.0 { 1.0 + self.progress } else { 1.0 };
        let next = (1.0 - self.second) * first + self.second * second;
        if self.model.is_none() {
            bonus * next
        } else {
            judged.powf(self.mix) * next.powf(self.power)
        }
    }
}

/// The cells worth a thought, safest first: those about as safe as the safest. Of cells far from
/// all clues, which differ only by their number of neighbors, one of each kind.
fn gather(
    candidates: &mut Vec<Candidate>,
    seen: &mut Vec<bool>,
    view: &View,
    odds: &Odds,
    cut: f64,
) {
    candidates.clear();
    candidates.extend(view.openable().map(|cell| {
        let safety = 1.0 - risk(odds, cell);
        Candidate { cell, safety, worth: None }
    }));
    let safest = candidates.iter().map(|candidate| candidate.safety).fold(0.0, f64::max);
    seen.clear();
    seen.resize(view.shape().size(), false);
    for &open in view.opened() {
        for near in view.shape().neighbors(open) {
            seen[near.index()] = true;
        }
    }
    let mut kinds = [false; 9];
    candidates.retain(|&Candidate { cell, safety, .. }| {
        if safety < safest * cut || safety == 0.0 {
            return false;
        }
        let near = view.shape().neighbors(cell);
        let far = near.iter().chain([&cell]).all(|near| !seen[near.index()]);
        !far || !std::mem::replace(&mut kinds[near.len()], true)
    });
    candidates.sort_by(|a, b| b.safety.total_cmp(&a.safety));
}
