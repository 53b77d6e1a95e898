//! Evaluates windows with a network, each distinct window once.

use deminer_game::{Cell, Face, Shown, View, Window};
use rustc_hash::FxHashMap;

use crate::encode::Codes;
use crate::forward::Forward;

/// A window network that remembers its answers.
///
/// The answer to a window depends on nothing but its codes, so remembering changes no decision.
/// Most windows of a turn are those of the turn before, and many are met again in other games.
#[derive(Clone, Debug)]
pub struct Judge {
    forward: Forward,
    answers: FxHashMap<Codes, f32>,
}

/// How many answers are kept: a few megabytes.
const KEPT: usize = 100_000;

impl Judge {
    /// Remembers nothing yet.
    pub fn new(forward: Forward) -> Self {
        Self { forward, answers: FxHashMap::default() }
    }

    /// What the network says of this window.
    pub fn ask(&mut self, codes: &Codes) -> f32 {
        if let Some(&answer) = self.answers.get(codes) {
            return answer;
        }
        if self.answers.len() >= KEPT {
            self.answers.clear();
        }
        let answer = self.forward.run(codes, Window::SIDE, 0.0)[0];
        self.answers.insert(*codes, answer);
        answer
    }
}

/// Whether a cell touches an open number of at least `least`.
pub fn touches_number(view: &View, cell: Cell, least: u8) -> bool {
    view.shape().neighbors(cell).iter().any(|&near| match view.face(near) {
        Face::Open { shown: Shown::Number(number), .. } => number >= least,
        _ => false,
    })
}

/// The covered cells that touch an open number, and the other covered cells.
pub fn fringe(view: &View) -> (Vec<Cell>, Vec<Cell>) {
    view.covered().partition(|&cell| touches_number(view, cell, 0))
}

/// The risk of a cell off the fringe: the mines that the fringe does not account for,
/// spread evenly.
pub fn sea_risk(view: &View, fringe: impl Iterator<Item = f64>, sea: usize) -> f64 {
    let left = view.rules().mines() as f64 - fringe.sum::<f64>();
    (left / sea.max(1) as f64).clamp(0.0, 1.0)
}

/// The cell off the fringe with the fewest neighbors: corners open most often.
pub fn best_of_sea(view: &View, sea: &[Cell]) -> Option<Cell> {
    sea.iter().copied().min_by_key(|&cell| view.shape().degree(cell))
}
