//! Opens what is certainly safe, else the cell least likely to be a mine, by exact odds.
//!
//! Among equal risks it takes the cell with the fewest covered neighbors, and among those one at
//! random. Played so by many; the plain yardstick for everything that looks further ahead.

use std::collections::VecDeque;

use deminer_game::{
    Action, Agent, Alternative, Cell, Decision, Entry, Estimates, Face, Kind, OptionEntry, Proof,
    Rng, Rules, Shape, Values, View, Why,
};
use deminer_inference::count::{Engine, Odds, OddsError};
use deminer_inference::deduce::{Fact, SinglePoint};

pub const ENTRY: Entry = Entry {
    name: "lowest-risk",
    about: "what is surely safe, else the cell least likely to be a mine, by exact odds",
    kind: Kind::Odds,
    options: &[OptionEntry {
        name: "estimates",
        values: Values::Flag,
        about: "tell the odds at every decision, not only at guesses: slower, for pupils to watch",
    }],
    build: |options| Ok(Box::new(LowestRisk::new(options.flag("estimates")))),
    ..Entry::PLAIN
};

struct LowestRisk {
    known: SinglePoint,
    engine: Engine,
    /// Cells proved safe by single clues, still to be opened.
    clear: Vec<Cell>,
    /// Cells proved safe by the count of all layouts, still to be opened.
    safe: VecDeque<Cell>,
    /// The risk of every cell that may be opened.
    risks: Vec<(Cell, f64)>,
    /// The cells of least risk.
    ties: Vec<Cell>,
    /// Whether every decision tells the odds.
    tells: bool,
}

/// Risks closer than this count as equal: the count rounds, and symmetric cells may differ in
/// the last digits.
const ALIKE: f64 = 1e-9;

/// How many alternatives a decision lists.
const LISTED: usize = 8;

impl LowestRisk {
    fn new(tells: bool) -> Self {
        let nothing = Shape::new(Default::default(), 1, 1).expect("one cell makes a board");
        Self {
            known: SinglePoint::new(&nothing),
            engine: Engine::default(),
            clear: Vec::new(),
            safe: VecDeque::new(),
            risks: Vec::new(),
            ties: Vec::new(),
            tells,
        }
    }

    /// A cell that one clue proves safe: cheaper than a count, and most safe cells are found so.
    fn by_single_clue(&mut self, view: &View) -> Option<Decision> {
        self.known.update(view);
        let fresh = self.known.fresh().filter(|&(_, fact)| fact == Fact::Safe);
        self.clear.extend(fresh.map(|(cell, _)| cell));
        while self.clear.last().is_some_and(|&cell| !view.face(cell).is_covered()) {
            self.clear.pop();
        }
        let &cell = self.clear.last()?;
        let proof = self.known.proof(view, cell).expect("a fresh fact is proved");
        if view.face(cell) == Face::Flagged {
            // Somebody's flag is wrong: it goes first, the cell is opened next.
            return Some(Decision::new(Action::Unflag(cell), Why::Proved(proof)));
        }
        self.clear.pop();
        Some(Decision::proved(cell, proof))
    }

    fn by_odds(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let odds = match self.engine.sampled_odds_knowing(view, &self.known, rng) {
            Ok(odds) => odds,
            Err(OddsError::Contradiction | OddsError::TooWide(_)) => return Decision::decline(),
        };
        self.risks.clear();
        self.risks.extend(view.openable().map(|cell| (cell, risk(odds, cell))));
        self.safe.extend(self.risks.iter().filter(|(_, risk)| *risk == 0.0).map(|(cell, _)| cell));
        if let Some(cell) = self.safe.pop_front() {
            return by_count(cell);
        }
        least_risk(view, &self.risks, &mut self.ties);
        let Some(&cell) = rng.pick(&self.ties) else { return Decision::decline() };
        Decision::risk(cell, risk(odds, cell))
            .with_estimates(estimates(view, odds))
            .with_alternatives(alternatives(&self.risks))
    }

    /// A decision that needed no odds, with them; as it is where they cannot be counted.
    fn with_odds(&mut self, decision: Decision, view: &View, rng: &mut Rng) -> Decision {
        self.known.update(view);
        match self.engine.sampled_odds_knowing(view, &self.known, rng) {
            Ok(odds) => decision.with_estimates(estimates(view, odds)),
            Err(OddsError::Contradiction | OddsError::TooWide(_)) => decision,
        }
    }
}

fn risk(odds: &Odds, cell: Cell) -> f64 {
    odds.mine(cell).expect("covered cells have odds")
}

fn by_count(cell: Cell) -> Decision {
    Decision::proved(cell, Proof::new("all layouts", Vec::new()))
}

/// The cells of least risk, those with the fewest covered neighbors.
fn least_risk(view: &View, risks: &[(Cell, f64)], ties: &mut Vec<Cell>) {
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

fn estimates(view: &View, odds: &Odds) -> Estimates {
    let mut estimates = Estimates::new(view.shape().size());
    for cell in view.covered() {
        estimates.believe(cell, risk(odds, cell));
    }
    estimates
}

/// The safest cells, safest first.
fn alternatives(risks: &[(Cell, f64)]) -> Vec<Alternative> {
    let mut list: Vec<Alternative> = Vec::with_capacity(LISTED + 1);
    for &(cell, risk) in risks {
        let safety = 1.0 - risk;
        if list.len() == LISTED && list.last().is_some_and(|last| last.safety >= safety) {
            continue;
        }
        let at = list.partition_point(|held| held.safety >= safety);
        list.insert(at, Alternative { cell, safety, win: None });
        list.truncate(LISTED);
    }
    list
}

impl Agent for LowestRisk {
    fn begin(&mut self, rules: &Rules) {
        self.known.reset(rules.shape());
        self.clear.clear();
        self.safe.clear();
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        while self.safe.front().is_some_and(|&cell| !view.face(cell).is_covered()) {
            self.safe.pop_front();
        }
        let decision = (self.safe.pop_front().map(by_count))
            .or_else(|| self.by_single_clue(view))
            .unwrap_or_else(|| self.by_odds(view, rng));
        if self.tells && decision.estimates.is_none() {
            return self.with_odds(decision, view, rng);
        }
        decision
    }
}
