//! Opens what is certainly safe, else the cell least likely to be a mine, by exact odds.
//!
//! Among equal risks it takes the cell with the fewest covered neighbors, and among those one at
//! random. A common way to play, and the baseline for players that look further ahead.

use deminer_game::{Agent, Cell, Decision, Entry, Kind, Proof, Rng, Rules, View};
use deminer_inference::odds::Engine;

use crate::parts::risk::{ALIKE, ESTIMATES, alternatives, risk};
use crate::parts::safe_queue::SafeQueue;

pub const ENTRY: Entry = Entry {
    name: "lowest-risk",
    about: "safe cells, else the cell with the lowest exact mine probability",
    kind: Kind::Odds,
    options: &[ESTIMATES],
    build: |options| {
        let always_estimates = options.flag("estimates");
        Ok(Box::new(LowestRisk { always_estimates, ..Default::default() }))
    },
    ..Entry::PLAIN
};

#[derive(Default)]
struct LowestRisk {
    certain: SafeQueue,
    engine: Engine,
    /// The risk of every cell that may be opened.
    risks: Vec<(Cell, f64)>,
    /// The cells of least risk.
    ties: Vec<Cell>,
    /// Whether every decision carries estimates.
    always_estimates: bool,
}

impl LowestRisk {
    fn by_odds(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let odds = self.engine.sampled_odds_knowing(view, self.certain.known(), rng);
        let Ok(odds) = odds else { return Decision::decline() };
        self.risks.clear();
        self.risks.extend(view.openable().map(|cell| (cell, risk(odds, cell))));
        for (cell, _) in self.risks.iter().filter(|(_, risk)| *risk == 0.0) {
            self.certain.keep(*cell, Proof::new("all layouts", Vec::new()));
        }
        if let Some(decision) = self.certain.next(view) {
            return decision;
        }
        least_risk(view, &self.risks, &mut self.ties);
        let Some(&cell) = rng.pick(&self.ties) else { return Decision::decline() };
        Decision::risk(cell, risk(odds, cell))
            .with_estimates(odds.estimates(view))
            .with_alternatives(alternatives(&self.risks))
    }

    /// A decision that needed no odds, with them; as it is where they cannot be counted.
    fn with_odds(&mut self, decision: Decision, view: &View, rng: &mut Rng) -> Decision {
        match self.engine.sampled_odds(view, rng) {
            Ok(odds) => decision.with_estimates(odds.estimates(view)),
            Err(_) => decision,
        }
    }
}

/// The cells of least risk, those with the fewest covered neighbors.
pub(crate) fn least_risk(view: &View, risks: &[(Cell, f64)], ties: &mut Vec<Cell>) {
    ties.clear();
    let least = risks.iter().map(|(_, risk)| *risk).fold(f64::INFINITY, f64::min);
    let mut fewest = usize::MAX;
    for &(cell, _) in risks.iter().filter(|(_, risk)| *risk <= least + ALIKE) {
        let near = view.shape().neighbors(cell);
        let covered = near.iter().filter(|&&near| view.face(near).is_covered()).count();
        if covered < fewest {
            ties.clear();
            fewest = covered;
        }
        if covered == fewest {
            ties.push(cell);
        }
    }
}

impl Agent for LowestRisk {
    fn begin(&mut self, rules: &Rules) {
        self.certain.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let decision = self.certain.next(view).unwrap_or_else(|| self.by_odds(view, rng));
        if self.always_estimates && decision.estimates.is_none() {
            return self.with_odds(decision, view, rng);
        }
        decision
    }
}
