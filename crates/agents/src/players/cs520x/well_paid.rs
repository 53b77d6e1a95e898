//! Well-paid cells: a guess with much information may be worth a higher risk.
//!
//! The paper wants leaps to go to cells "whose clue is expected to play an important role"; its
//! program has nothing of the kind but a list of cells to begin with. Here a cell is paid by the
//! chance to survive the leap and the move after it: the cell's own safety, times the safety of
//! the best cell once its clue is seen, averaged over all clues it may show.
//!
//! ```text
//! mines 4
//! # 1 1 # #      no cell is safer than the one below the first 1, at 17/22, but it may lead to
//! # # # # #      another guess: 14/22 together. The corner is safe with 16/22, and whatever it
//! # # # # #      shows, some cell is sure then
//! ```

use deminer_game::{Cell, Face, Rules, Shown, Start, View};
use deminer_inference::odds::Engine;

use crate::players::cs520::knowledge::Knowledge;

/// Cells beside hints are looked at while they have this share of the best cell's safety.
const WORTHY: f64 = 0.9;

/// The most cells beside hints that are looked at.
const MOST: usize = 10;

/// Additions spent on a region of a view that is only supposed.
const BUDGET: usize = 2_000_000;

pub(crate) struct WellPaid {
    engine: Engine,
    /// Whether every number shown admits one count only. Where clues are uncertain nearly every
    /// move is a leap and one more clue changes little.
    certain: bool,
}

impl WellPaid {
    pub fn new() -> Self {
        Self { engine: Engine::new(BUDGET), certain: true }
    }

    pub fn begin(&mut self, rules: &Rules) {
        let tells = |number| rules.clues().clue(Shown::Number(number), 8).exact().is_some();
        self.certain = (0..=8).all(tells);
    }

    /// The best paid of the safest cells, of which the risks are given.
    pub fn choose(
        &mut self,
        view: &View,
        known: &Knowledge,
        risks: &[(Cell, f64)],
    ) -> Option<Cell> {
        if !self.certain {
            return None;
        }
        let mut best: Option<(Cell, f64)> = None;
        for (cell, safety) in candidates(view, known, risks) {
            // No cell is paid better than its own safety.
            if best.is_some_and(|(_, pay)| pay >= safety) {
                break;
            }
            let pay = safety * self.next_safety(view, cell)?;
            if best.is_none_or(|(_, most)| pay > most) {
                best = Some((cell, pay));
            }
        }
        best.map(|(cell, _)| cell)
    }

    /// The safety of the best cell after this one was opened and is safe, averaged over what it
    /// may show; none if it cannot be computed within the budget.
    fn next_safety(&mut self, view: &View, cell: Cell) -> Option<f64> {
        let around = self.engine.around(view, cell).ok()?;
        let degree = view.shape().degree(cell) as u8;
        let clues = view.rules().clues();
        let (mut safety, mut blank) = (0.0, 1.0);
        for shown in (0..=degree).map(Shown::Number) {
            let chance =
                |count| around[usize::from(count)] * clues.likelihood(shown, count, degree);
            let chance: f64 = (0..=degree).map(chance).sum();
            if chance > 0.0 {
                safety += chance * self.best_safety(&showing(view, cell, shown))?;
                blank -= chance;
            }
        }
        // Apart from rounding, the rest is the probability of a blank cell.
        if blank > 1e-9 {
            safety += blank * self.best_safety(&showing(view, cell, Shown::Blank))?;
        }
        Some(safety)
    }

    /// The safety of the safest cell; 1 once only mines are left.
    fn best_safety(&mut self, view: &View) -> Option<f64> {
        if view.covered_count() == view.rules().mines() {
            return Some(1.0);
        }
        let odds = self.engine.odds(view).ok()?;
        let risks = view.covered().filter_map(|cell| odds.mine(cell));
        Some(risks.fold(0.0, |best, mine| best.max(1.0 - mine)))
    }
}

/// The safest cells beside hints, and one of those away from them, where a zero is likeliest;
/// with their safeties, the safest first.
fn candidates(view: &View, known: &Knowledge, risks: &[(Cell, f64)]) -> Vec<(Cell, f64)> {
    let mut cells: Vec<(Cell, f64)> = risks
        .iter()
        .map(|&(cell, risk)| (cell, 1.0 - risk))
        .filter(|&(cell, _)| known.is_beside_open(cell))
        .collect();
    let by_safety = |one: &(Cell, f64), other: &(Cell, f64)| other.1.total_cmp(&one.1);
    cells.sort_by(by_safety);
    let best = cells.first().map_or(0.0, |&(_, safety)| safety);
    cells.retain(|&(_, safety)| safety >= WORTHY * best);
    cells.truncate(MOST);
    let covered = |&cell: &Cell| {
        view.shape().neighbors(cell).iter().filter(|&&near| view.face(near).is_covered()).count()
    };
    let away = risks.iter().filter(|&&(cell, _)| !known.is_beside_open(cell));
    let away = away.min_by_key(|(cell, _)| covered(cell));
    cells.extend(away.map(|&(cell, risk)| (cell, 1.0 - risk)));
    cells.sort_by(by_safety);
    cells
}

/// The view once a cell shows this. What the start promised is of no more account: the promise
/// goes by the first cell opened, and a view made from faces knows no order.
fn showing(view: &View, cell: Cell, shown: Shown) -> View {
    let rules = view.rules().clone().with_start(Start::Unsafe).expect("any mines fit");
    let clue = rules.clues().clue(shown, view.shape().degree(cell) as u8);
    let mut faces = view.faces().to_vec();
    faces[cell.index()] = Face::Open { shown, clue };
    View::from_faces(rules, faces).expect("as many faces as before")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::cs520::pictures::{self, cell};

    #[test]
    fn a_cell_that_surely_leads_on_is_worth_more_risk() {
        let (view, known) = pictures::known("mines 4\n# 1 1 # #\n# # # # #\n# # # # #", 0.05);
        let odds = Engine::default().odds(&view).unwrap().clone();
        let risks: Vec<_> = view.openable().map(|cell| (cell, odds.mine(cell).unwrap())).collect();
        let mut well_paid = WellPaid::new();
        well_paid.begin(view.rules());
        let (safest, corner) = (cell(&view, 1, 1), cell(&view, 0, 0));
        for (cell, safety, next) in [(safest, 17.0 / 22.0, 14.0 / 17.0), (corner, 8.0 / 11.0, 1.0)]
        {
            assert!((1.0 - odds.mine(cell).unwrap() - safety).abs() < 1e-9);
            assert!((well_paid.next_safety(&view, cell).unwrap() - next).abs() < 1e-9);
        }
        assert_eq!(well_paid.choose(&view, &known, &risks), Some(corner));
    }
}
