//! Cells weighed one after another, and the least risky of them opened.

use deminer_game::{Cell, Decision, Estimates, Rng, View};

/// The risks of cells, and which cells have the least.
pub(crate) struct Weighing {
    estimates: Estimates,
    least: f64,
    ties: Vec<Cell>,
}

impl Weighing {
    /// Nothing weighed.
    pub fn new(view: &View) -> Self {
        let estimates = Estimates::new(view.shape().size());
        Self { estimates, least: f64::INFINITY, ties: Vec::new() }
    }

    /// Believes that a cell is a mine, and does not think of opening it.
    pub fn rule_out(&mut self, cell: Cell) {
        self.estimates.believe(cell, 1.0);
    }

    /// Whether something is believed of the cell.
    pub fn is_weighed(&self, cell: Cell) -> bool {
        self.estimates.mine(cell).is_some()
    }

    /// Weighs a cell that may be opened.
    pub fn weigh(&mut self, cell: Cell, risk: f64) {
        self.estimates.believe(cell, risk);
        if risk < self.least {
            self.least = risk;
            self.ties.clear();
        }
        if risk == self.least {
            self.ties.push(cell);
        }
    }

    /// Opens the cell of least risk that was weighed first; declines if none was.
    pub fn open_first(self) -> Decision {
        let first = self.ties.first().copied();
        self.open(first)
    }

    /// Opens one of the cells of least risk, each equally likely; declines if none was weighed.
    pub fn open_any(self, rng: &mut Rng) -> Decision {
        let any = rng.pick(&self.ties).copied();
        self.open(any)
    }

    fn open(self, cell: Option<Cell>) -> Decision {
        let decision = cell.map_or_else(Decision::decline, |cell| Decision::risk(cell, self.least));
        decision.with_estimates(self.estimates)
    }
}
