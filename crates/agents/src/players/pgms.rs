//! Plays by set equations, and guesses by the greatest single-equation probability of a cell.
//!
//! J. Ramsdell's PGMS, as described by L. Peña Castillo and S. Wrobel, "Learning Minesweeper
//! with Multirelational Learning" (2003). Every clue says how many mines are among the covered
//! cells around it, and the board how many are left at all; an equation within another leaves a
//! third. What three rules prove of them is opened:
//!
//! ```text
//! mines 3        the 1 leaves two of the three mines for the cells that it does not see; the 2
//! # # # #        sees those too and needs no more, so the cells that both see are safe
//! # 1 2 #
//! # # # #
//! ```
//!
//! Where they prove nothing, a cell is as risky as the densest equation that it is in. The least
//! risk is opened, ties at random.

use deminer_game::{Agent, Cell, Decision, Entry, Kind, Proof, Rng, Rules, Supports, View, Why};
use deminer_inference::deduce::{Conclusion, Equation, Equations, Fact, Facts};

use crate::parts::least_risk::LeastRisk;
use crate::parts::moves;

pub const ENTRY: Entry = Entry {
    name: "pgms",
    about: "set equations of the clues and the mine total, then the lowest worst-case ratio",
    kind: Kind::Logic,
    paper: Some(
        "J. Ramsdell, PGMS, described in L. Peña Castillo, S. Wrobel, Learning Minesweeper with \
         Multirelational Learning, 2003",
    ),
    supports: Supports::NUMBERS,
    build: |_| Ok(Box::new(Pgms::default())),
    ..Entry::PLAIN
};

#[derive(Default)]
struct Pgms {
    /// What was proved of cells that may still be covered, in the order of the proofs.
    proved: Vec<Conclusion>,
}

impl Agent for Pgms {
    fn begin(&mut self, _: &Rules) {
        self.proved.clear();
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        self.proved.retain(|conclusion| view.face(conclusion.cell).is_covered());
        if let Some(decision) = self.open_safe(view) {
            return decision;
        }
        let mut facts = Facts::of(view);
        facts.learn_all(&self.proved);
        let equations = Equations::of(view, &facts);
        self.proved.extend(equations.conclusions);
        self.open_safe(view).unwrap_or_else(|| self.guess(view, &equations.list, rng))
    }
}

impl Pgms {
    /// Opens the first cell proved safe. A flag on it is wrong and goes first.
    fn open_safe(&self, view: &View) -> Option<Decision> {
        let safe = self.proved.iter().find(|conclusion| conclusion.fact == Fact::Safe)?;
        let proof = Proof::new("set equations", safe.premises.clone());
        Some(Decision::new(moves::open(view, safe.cell), Why::Proved(proof)))
    }

    /// Opens one of the cells of least risk.
    fn guess(&self, view: &View, equations: &[Equation], rng: &mut Rng) -> Decision {
        let mut weighing = LeastRisk::new(view);
        for conclusion in &self.proved {
            // Nothing safe is left.
            weighing.rule_out(conclusion.cell);
        }
        for cell in view.openable() {
            if !weighing.is_weighed(cell) {
                weighing.weigh(cell, risk(equations, cell));
            }
        }
        weighing.open_any(rng)
    }
}

/// The greatest share of mines in an equation that the cell is in.
fn risk(equations: &[Equation], cell: Cell) -> f64 {
    let about = equations.iter().filter(|equation| equation.contains(cell));
    about.map(|equation| equation.mines().1 as f64 / equation.size() as f64).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::pictures::decide;

    #[test]
    fn equations_prove_cells_safe() {
        // The mine total is one of them.
        let decided = decide(&ENTRY, &[], "mines 3\n# # # #\n# 1 2 #\n# # # #");
        decided.does("# o # #\n# 1 2 #\n# # # #");
        assert!(matches!(decided.decision.why, Why::Proved(_)));
        // Two that overlap; a wrong flag goes first.
        decide(&ENTRY, &[], "mines 4\n# # # # #\n? 1 2 ? #").does("o # # # #\n? 1 2 ? #");
        decide(&ENTRY, &[], "mines 4\nF # # # #\n? 1 2 ? #").does("u # # # #\n? 1 2 ? #");
    }

    #[test]
    fn a_cell_is_as_risky_as_its_densest_equation() {
        // The 1s need one of six each, the board two of eleven; what a 1 does not see holds one
        // of five.
        let decided = decide(&ENTRY, &[], "mines 2\n# # # # #\n? 1 1 ? #\n# # # # #");
        decided.believes(
            "0.20 0.18 0.18 0.20 0.20
               ?    1    1    ?  0.20
             0.20 0.18 0.18 0.20 0.20",
        );
        assert_eq!(decided.decision.why, Why::Risk(2.0 / 11.0));
    }

    #[test]
    fn proved_mines_are_not_weighed() {
        let decided = decide(&ENTRY, &[], "mines 3\n# # ? # # #\n2 ? ? # # #");
        decided.believes("1.00 1.00 ? 0.17 0.17 0.17\n2 ? ? 0.17 0.17 0.17");
    }
}
