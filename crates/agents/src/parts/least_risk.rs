//! Collects the risks of cells and opens one with the lowest risk.

use deminer_game::{Cell, Decision, Estimates, Rng, View};

/// The risks of cells, and which cells have the least.
pub(crate) struct LeastRisk {
    estimates: Estimates,
    least: f64,
    ties: Vec<Cell>,
}

impl LeastRisk {
    /// No risks yet.
    pub fn new(view: &View) -> Self {
        let estimates = Estimates::new(view.shape().size());
        Self { estimates, least: f64::INFINITY, ties: Vec::new() }
    }

    /// Sets the risk of a cell to 1 and never opens it.
    pub fn rule_out(&mut self, cell: Cell) {
        self.estimates.believe(cell, 1.0);
    }

    /// Whether the cell has a risk.
    pub fn is_weighed(&self, cell: Cell) -> bool {
        self.estimates.mine(cell).is_some()
    }

    /// Sets the risk of a cell that may be opened.
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

    /// Opens the first cell with the lowest risk; declines if there is none.
    pub fn open_first(self) -> Decision {
        let first = self.ties.first().copied();
        self.open(first)
    }

    /// Opens a random cell of those with the lowest risk; declines if there is none.
    pub fn open_any(self, rng: &mut Rng) -> Decision {
        let any = rng.pick(&self.ties).copied();
        self.open(any)
    }

    fn open(self, cell: Option<Cell>) -> Decision {
        let decision = cell.map_or_else(Decision::decline, |cell| Decision::risk(cell, self.least));
        decision.with_estimates(self.estimates)
    }
}
