//! Opens what linear elimination proves safe, and declines when it proves nothing.
//!
//! The analytic method of K. Lubarski, B. Samujło and K. Wszeborowski, "Neural Networks in
//! solving Minesweeper": every clue is an equation over the covered cells around it, and a cell
//! is decided only if it has the same value in every solution of the equations, mines or not. It uses
//! no bounds and no mine total, and never guesses, so it never loses:
//!
//! ```text
//! # # # # #      only the cell in the middle is decided, a mine; that the others hold
//! 1 2 2 2 1      at least none and at most one mine is not used
//! ```

use deminer_game::{
    Agent, Cell, Decision, Entry, Kind, OptionEntry, Options, Proof, Rng, Rules, Shape, Supports,
    Values, View, Why,
};
use deminer_inference::deduce::{Elimination, Fact, Facts, ProofStep, Rung, prove};

use crate::parts::moves;

pub const ENTRY: Entry = Entry {
    name: "gauss-csp",
    about: "what linear elimination proves, else it declines",
    kind: Kind::Logic,
    paper: Some(PAPER),
    options: &[ROWS],
    supports: SUPPORTS,
    build: |options| Ok(Box::new(GaussCsp { rows: Rows::of(options) })),
    ..Entry::PLAIN
};

pub(crate) const PAPER: &str = "K. Lubarski, B. Samujło, K. Wszeborowski, Neural Networks in \
     solving Minesweeper, Gdańsk University of Technology";

pub(crate) const ROWS: OptionEntry = OptionEntry {
    name: "rows",
    values: Values::OneOf(&["unique", "bounds"]),
    about: "what decides a cell: one value in all solutions (default), or bounds of 0 and 1 too",
};

/// Clues are numbers or nothing, and zeros open their neighbors: the method looks only at
/// numbers from 1.
pub(crate) const SUPPORTS: Supports = Supports { no_cascade: false, ..Supports::NUMBERS };

struct GaussCsp {
    rows: Rows,
}

impl Agent for GaussCsp {
    fn begin(&mut self, rules: &Rules) {
        self.rows.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        if view.opened().is_empty() {
            // The published games begin with a random cell.
            return Decision::anywhere(view, rng);
        }
        self.rows.update(view);
        self.rows.open_safe(view).unwrap_or_else(Decision::decline)
    }
}

/// The reduced equations of a game, and what is read off them.
pub(crate) enum Rows {
    /// As published: cells that have one value in all solutions.
    Unique(Elimination),
    /// Cells that hold no less than none and no more than one mine, so that one row may decide
    /// several of them.
    Bounds(Option<Bounded>),
}

pub(crate) struct Bounded {
    steps: Vec<ProofStep>,
    facts: Facts,
    /// How many cells of [`View::opened`] have been read.
    seen: usize,
}

impl Rows {
    pub fn of(options: &Options) -> Self {
        match options.word(ROWS.name, "unique") {
            "bounds" => Rows::Bounds(None),
            _ => Rows::Unique(Elimination::new(&Shape::default())),
        }
    }

    /// Forgets everything, for a new game.
    pub fn begin(&mut self, rules: &Rules) {
        match self {
            Rows::Unique(known) => *known = Elimination::new(rules.shape()),
            Rows::Bounds(bounded) => *bounded = None,
        }
    }

    /// Reads the cells opened since the last update.
    pub fn update(&mut self, view: &View) {
        let seen = view.opened().len();
        match self {
            Rows::Unique(known) => known.update(view),
            Rows::Bounds(Some(bounded)) if bounded.seen == seen => {}
            Rows::Bounds(bounded) => {
                let (steps, mut facts) = (prove(view, Rung::Several), Facts::of(view));
                facts.learn_all(steps.iter().map(|step| &step.conclusion));
                *bounded = Some(Bounded { steps, facts, seen });
            }
        }
    }

    /// What is known about a cell; open cells are safe.
    pub fn fact(&self, cell: Cell) -> Option<Fact> {
        match self {
            Rows::Unique(known) => known.fact(cell),
            Rows::Bounds(bounded) => bounded.as_ref()?.facts.get(cell),
        }
    }

    /// Opens the first cell, row by row, that is proved safe. A flag on it is wrong and goes
    /// first.
    pub fn open_safe(&self, view: &View) -> Option<Decision> {
        let cell = view.covered().find(|&cell| self.fact(cell) == Some(Fact::Safe))?;
        Some(Decision::new(moves::open(view, cell), Why::Proved(self.proof(cell)?)))
    }

    fn proof(&self, cell: Cell) -> Option<Proof> {
        let (rule, conclusion) = match self {
            Rows::Unique(known) => {
                let mut conclusions = known.conclusions().iter();
                ("linear elimination", conclusions.find(|found| found.cell == cell)?)
            }
            Rows::Bounds(bounded) => {
                let mut steps = bounded.as_ref()?.steps.iter();
                let step = steps.find(|step| step.conclusion.cell == cell)?;
                (step.rule, &step.conclusion)
            }
        };
        Some(Proof::new(rule, conclusion.premises.clone()))
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::Value;

    use super::*;
    use crate::parts::pictures::decide;

    fn check(position: &str, expected: &str) {
        decide(&ENTRY, &[], position).does(expected);
    }

    fn check_bounds(position: &str, expected: &str) {
        decide(&ENTRY, &[("rows", Value::Word("bounds".into()))], position).does(expected);
    }

    #[test]
    fn the_first_safe_cell_is_opened() {
        check("mines 2\n# # # # #\n1 1 ? 1 1", "# # o # #\n1 1 ? 1 1");
        check("mines 2\n# # # ? # # #\n1 1 ? ? ? 1 1", "# # o ? # # #\n1 1 ? ? ? 1 1");
    }

    #[test]
    fn bounds_are_not_used_unless_asked_for() {
        let position = "mines 3\n# # # #\n? 1 2 ?";
        check(position, "# # # #\n? 1 2 ?");
        assert_eq!(decide(&ENTRY, &[], position).decision, Decision::decline());
        check_bounds(position, "o # # #\n? 1 2 ?");
    }

    #[test]
    fn what_no_clue_sees_is_never_opened_and_a_wrong_flag_goes_first() {
        check("mines 0\n# # # #\n# # # .", "# # # #\n# # # .");
        check_bounds("mines 1\n# # # #\n# # # 1", "# # # #\n# # # 1");
        check("mines 1\n# # F #\n1 1 ? ?", "# # u #\n1 1 ? ?");
        check_bounds("mines 1\n# # F #\n1 1 ? ?", "# # u #\n1 1 ? ?");
    }

    #[test]
    fn the_reason_names_the_clues_that_were_combined_or_a_blind_guess() {
        let decided = decide(&ENTRY, &[], "mines 1\n# # # #\n1 1 ? ?");
        let clues = [4, 5].map(|index| decided.view.shape().nth(index).unwrap());
        let premises = clues.map(deminer_game::Premise::Clue).to_vec();
        assert_eq!(decided.decision.why, Why::Proved(Proof::new("linear elimination", premises)));
        // The first cell is random.
        let decided = decide(&ENTRY, &[], "mines 1\n# # #\n# # #");
        assert_eq!(decided.decision.why, Why::Blind);
    }
}
