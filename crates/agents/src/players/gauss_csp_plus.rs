//! Opens what linear elimination proves safe, else the cell of least local risk.
//!
//! The improved method of K. Lubarski, B. Samujło and K. Wszeborowski, "Neural Networks in
//! solving Minesweeper", from whose risks their networks learned. Every number spreads itself
//! evenly over the covered cells around it, mines found or not; a cell's risk is the sum of its
//! shares:
//!
//! ```text
//! # # # #      from left to right 1/3, 1/3 + 2/3, 1/3 + 2/3 and 2/3
//! ? 1 2 ?
//! ```
//!
//! Cells found safe have risk 0; cells that no number sees have 1. All other risks are then
//! scaled so that the least on the board becomes 0 and the greatest 1.
//!
//! As published, cells found to be mines keep their sums, a sum of just 1 counts as unseen, and
//! when nothing is less than 1 the first cell of the board is chosen, open or not. The
//! option `orig` keeps these flaws; without it mines found have risk 1 and are never opened.

use deminer_game::{
    Agent, Cell, Decision, Entry, Estimates, Face, Kind, OptionEntry, Rng, Rules, Values, View,
};
use deminer_inference::deduce::Fact;

use crate::players::gauss_csp::{PAPER, ROWS, Rows, SUPPORTS};

pub const ENTRY: Entry = Entry {
    name: "gauss-csp+",
    about: "what linear elimination proves, else the cell with the lowest local risk",
    kind: Kind::Logic,
    paper: Some(PAPER),
    options: &[
        ROWS,
        OptionEntry {
            name: "orig",
            values: Values::Flag,
            about: "the published flaws in how risks are scaled and chosen",
        },
    ],
    supports: SUPPORTS,
    build: |options| {
        let (rows, orig) = (Rows::of(options), options.flag("orig"));
        Ok(Box::new(GaussCspPlus { rows, orig, sums: Vec::new(), risks: Vec::new() }))
    },
    ..Entry::PLAIN
};

struct GaussCspPlus {
    rows: Rows,
    orig: bool,
    /// One more than the sum of each cell's shares: 1 where no number gives any.
    sums: Vec<f64>,
    /// The risk of each cell.
    risks: Vec<f64>,
}

impl Agent for GaussCspPlus {
    fn begin(&mut self, rules: &Rules) {
        self.rows.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        if view.opened().is_empty() {
            return Decision::anywhere(view, rng);
        }
        self.rows.update(view);
        self.add_up(view);
        self.scale(view);
        let decision = self.rows.open_safe(view).or_else(|| self.least_risk(view));
        decision.unwrap_or_else(Decision::decline).with_estimates(self.estimates(view))
    }
}

impl GaussCspPlus {
    /// Adds up the shares that numbers give to each cell.
    ///
    /// Sums begin at 1, as published, so that they are rounded alike.
    fn add_up(&mut self, view: &View) {
        let shape = view.shape();
        self.sums.clear();
        self.sums.resize(shape.size(), 1.0);
        for clue in shape.cells() {
            let number = view.face(clue).clue().and_then(|clue| clue.exact()).unwrap_or(0);
            if number == 0 {
                continue;
            }
            let covered = |cell: &&Cell| view.face(**cell).is_covered();
            let near = || shape.neighbors(clue).iter().filter(covered);
            let share = f64::from(number) / near().count() as f64;
            near().for_each(|cell| self.sums[cell.index()] += share);
        }
    }

    /// Makes risks of the sums: what is known, and the rest between 0 and 1.
    fn scale(&mut self, view: &View) {
        self.risks.clear();
        self.risks.resize(view.shape().size(), 1.0);
        for cell in view.covered() {
            if self.rows.fact(cell) == Some(Fact::Safe) {
                self.risks[cell.index()] = 0.0;
            } else if self.is_weighed(cell) {
                self.risks[cell.index()] = self.sums[cell.index()] - 1.0;
            }
        }
        let least = self.risks.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.risks.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for cell in view.covered() {
            let risk = self.risks[cell.index()];
            if self.is_weighed(cell) && !(self.orig && risk == 1.0) && least < most {
                self.risks[cell.index()] = (risk - least) / (most - least);
            }
        }
    }

    /// Whether a covered cell's risk is the sum of its shares.
    fn is_weighed(&self, cell: Cell) -> bool {
        let undecided = match self.rows.fact(cell) {
            None => true,
            Some(Fact::Mine) => self.orig,
            Some(Fact::Safe) => false,
        };
        undecided && self.sums[cell.index()] != 1.0
    }

    /// Opens the first cell, row by row, of least risk.
    fn least_risk(&self, view: &View) -> Option<Decision> {
        let may_be = |cell: &Cell| {
            self.orig || view.face(*cell) == Face::Covered && self.rows.fact(*cell).is_none()
        };
        let risk = |cell: &Cell| self.risks[cell.index()];
        let cells = view.shape().cells().filter(may_be);
        let cell = cells.min_by(|one, other| risk(one).total_cmp(&risk(other)))?;
        // The lowest scaled risk is 0; the estimate is the sum itself.
        let estimate = if self.is_weighed(cell) { self.sums[cell.index()] - 1.0 } else { 1.0 };
        Some(Decision::risk(cell, estimate.min(1.0)))
    }

    /// The risk of each covered cell.
    fn estimates(&self, view: &View) -> Estimates {
        let risk = |cell: Cell| (cell, self.risks[cell.index()]);
        Estimates::of(view.shape().size(), view.covered().map(risk))
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{Value, Why};

    use super::*;
    use crate::parts::pictures::{Decided, decide};

    fn fixed(position: &str) -> Decided {
        decide(&ENTRY, &[], position)
    }

    fn published(position: &str) -> Decided {
        decide(&ENTRY, &[("orig", Value::Flag)], position)
    }

    #[test]
    fn the_least_sum_of_shares_is_opened() {
        let decided = fixed("mines 3\n# # # # #\n? 1 2 ? ?");
        decided.does("o # # # #\n? 1 2 ? ?");
        // The sums are 1/3, 1, 1, 2/3 and none.
        decided.believes("0.00 1.00 1.00 0.50 1.00\n? 1 2 ? ?");
        assert!(matches!(decided.decision.why, Why::Risk(risk) if (risk - 1.0 / 3.0).abs() < 1e-9));
    }

    #[test]
    fn safe_cells_are_opened_and_risks_told_all_the_same() {
        let decided = fixed("mines 2\n# # # # #\n1 1 ? ? ?");
        decided.does("# # o # #\n1 1 ? ? ?");
        // The sums are 5/6 twice; the third cell is safe, and no number sees the rest.
        decided.believes("0.83 0.83 0.00 1.00 1.00\n1 1 ? ? ?");
        assert!(matches!(decided.decision.why, Why::Proved(_)));
    }

    #[test]
    fn risks_are_fixed_or_as_published() {
        // Mines found have risk 1, but kept their sums: 7/6, 11/6, 2 (the mine), 11/6 and 7/6.
        let position = "mines 3\n# # # # #\n1 2 2 2 1";
        fixed(position).believes("0.20 1.00 1.00 1.00 0.20\n1 2 2 2 1");
        published(position).believes("0.17 0.83 1.00 0.83 0.17\n1 2 2 2 1");
        // A sum of just 1 was taken for unseen. The sums are 1/3, 1, 2, 5/3, 1 and none.
        let position = "mines 4\n# # # # # #\n? 1 2 3 ? ?";
        fixed(position).believes("0.00 0.40 1.00 0.80 0.40 1.00\n? 1 2 3 ? ?");
        published(position).believes("0.00 1.00 1.00 0.80 1.00 1.00\n? 1 2 3 ? ?");
        // When nothing was less than 1, the first cell was taken, open or not.
        let position = "mines 3\n2 # #\n? # #";
        fixed(position).does("2 o #\n? # #");
        published(position).does("o # #\n? # #");
    }
}
