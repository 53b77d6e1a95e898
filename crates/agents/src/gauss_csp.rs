//! Opens what linear elimination proves safe, and declines when it proves nothing.
//!
//! The analytic method of K. Lubarski, B. Samujło and K. Wszeborowski, "Neural Networks in
//! solving Minesweeper": every clue is an equation over the covered cells around it, and a cell
//! is decided only if it has the same value in every solution of the equations, be they mines or
//! not. It knows no bounds and no mine total, and never guesses, so it never loses:
//!
//! ```text
//! # # # # #      only the cell in the middle is decided, a mine; that the others hold
//! 1 2 2 2 1      at least none and at most one mine is not used
//! ```

use deminer_game::{
    Action, Agent, Cell, ClueKind, Decision, Entry, Face, Form, Kind, OptionEntry, Premise, Proof,
    Rng, Rules, Shape, Supports, Values, View, Why,
};
use deminer_inference::deduce::{Elimination, Fact, Rung, prove};

pub const ENTRY: Entry = Entry {
    name: "gauss-csp",
    about: "what linear elimination proves, else it declines",
    kind: Kind::Logic,
    paper: Some(PAPER),
    options: &[OptionEntry {
        name: "rows",
        values: Values::OneOf(&["unique", "bounds"]),
        about: "what decides a cell: one value in all solutions, or also what 0 and 1 bound",
    }],
    supports: SUPPORTS,
    build: |options| {
        Ok(match options.word("rows", "unique") {
            "bounds" => Box::new(Bounded { safe: Vec::new() }),
            _ => Box::new(Plain { known: Elimination::new(&nothing()) }),
        })
    },
};

pub(crate) const PAPER: &str = "K. Lubarski, B. Samujło, K. Wszeborowski, Neural Networks in \
     solving Minesweeper, Gdańsk University of Technology";

/// Clues are numbers or nothing, and zeros open their neighbors: the method looks only at
/// numbers from 1.
pub(crate) const SUPPORTS: Supports =
    Supports { forms: &Form::ALL, clues: &[ClueKind::Exact, ClueKind::Blind], no_cascade: false };

fn nothing() -> Shape {
    Shape::new(Form::Rect, 1, 1).expect("one cell makes a board")
}

/// As published.
struct Plain {
    known: Elimination,
}

impl Agent for Plain {
    fn begin(&mut self, rules: &Rules) {
        self.known = Elimination::new(rules.shape());
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        if view.opened().is_empty() {
            return first(view, rng);
        }
        self.known.update(view);
        by_elimination(view, &self.known).unwrap_or_else(Decision::decline)
    }
}

/// The published games begin with a random cell.
pub(crate) fn first(view: &View, rng: &mut Rng) -> Decision {
    let choice = rng.below(view.covered_count() - view.flag_count());
    Decision::blind(view.openable().nth(choice).expect("a live game has covered cells"))
}

/// Opens the first cell, row by row, that elimination proves safe.
pub(crate) fn by_elimination(view: &View, known: &Elimination) -> Option<Decision> {
    let safe = |cell: &Cell| known.fact(*cell) == Some(Fact::Safe);
    let cell = view.covered().find(safe)?;
    let conclusion = known.conclusions().iter().find(|found| found.cell == cell);
    let premises = conclusion.expect("covered cells that are known were concluded");
    Some(open(view, cell, "linear elimination", premises.premises.clone()))
}

/// Opens a proved cell; a flag on it is wrong and goes first.
fn open(view: &View, cell: Cell, rule: &'static str, premises: Vec<Premise>) -> Decision {
    let action = match view.face(cell) {
        Face::Flagged => Action::Unflag(cell),
        _ => Action::Open(cell),
    };
    Decision::new(action, Why::Proved(Proof::new(rule, premises)))
}

/// With bounds: a cell holds no less than none and no more than one mine, so that a row of the
/// reduced equations may decide several cells at once.
struct Bounded {
    /// Proved and still to be opened, first in row-major order last.
    safe: Vec<(Cell, Proof)>,
}

impl Agent for Bounded {
    fn begin(&mut self, _: &Rules) {
        self.safe.clear();
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        if view.opened().is_empty() {
            return first(view, rng);
        }
        self.safe.retain(|(cell, _)| view.face(*cell).is_covered());
        if self.safe.is_empty() {
            let steps = prove(view, Rung::Several).into_iter();
            let safe = steps.filter(|step| step.conclusion.fact == Fact::Safe);
            self.safe.extend(safe.map(|step| {
                let premises = step.conclusion.premises;
                (step.conclusion.cell, Proof::new(step.rule, premises))
            }));
            self.safe.sort_by_key(|(cell, _)| std::cmp::Reverse(*cell));
        }
        let Some((cell, proof)) = self.safe.last() else { return Decision::decline() };
        let action = match view.face(*cell) {
            Face::Flagged => Action::Unflag(*cell),
            _ => Action::Open(*cell),
        };
        Decision::new(action, Why::Proved(proof.clone()))
    }
}
