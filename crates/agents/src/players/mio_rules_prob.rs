//! Plays by the four rules that Mio learned, and guesses by the greatest ratio around a cell.
//!
//! The rules are those of `mio-rules`, from the same paper. Where none applies, a cell is as
//! risky as the clue around it that needs most of its cells:
//!
//! ```text
//! # # # # #      the 1 needs one of three, the 2 two of three: from left to right 1/3, 2/3,
//! ? 1 2 ? ?      2/3, 2/3; the last cell is off the fringe
//! ```
//!
//! The paper leaves open what holds off the fringe; there the share of mines among all unmarked
//! cells is taken. The least risk is opened, ties at random.

use deminer_game::{Agent, Cell, Decision, Entry, Face, Kind, Rng, Rules, Supports, View};

use crate::parts::least_risk::LeastRisk;
use crate::players::mio_rules::{Memory, PAPER};

pub const ENTRY: Entry = Entry {
    name: "mio-rules+prob",
    about: "four rules learned by induction, then the lowest worst-case mine ratio",
    kind: Kind::Induction,
    paper: Some(PAPER),
    supports: Supports::NUMBERS,
    build: |_| Ok(Box::new(MioRulesProb::default())),
    ..Entry::PLAIN
};

#[derive(Default)]
struct MioRulesProb {
    memory: Memory,
}

impl Agent for MioRulesProb {
    fn begin(&mut self, _: &Rules) {
        self.memory.begin();
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        self.memory.apply(view).unwrap_or_else(|| guess(view, rng))
    }
}

/// Opens one of the cells of least risk, where that of a cell is the greatest share of mines that a
/// clue around it needs.
pub fn guess(view: &View, rng: &mut Rng) -> Decision {
    let unmarked = view.covered_count() - view.flag_count();
    let left = view.rules().mines().saturating_sub(view.flag_count());
    let density = left as f64 / unmarked as f64;
    let mut weighing = LeastRisk::new(view);
    for cell in view.openable() {
        let near = view.shape().neighbors(cell).iter();
        let ratios = near.filter_map(|&clue| ratio(view, clue));
        weighing.weigh(cell, ratios.reduce(f64::max).unwrap_or(density));
    }
    weighing.open_any(rng)
}

/// The mines a clue still needs, as a share of the unmarked cells around it.
fn ratio(view: &View, clue: Cell) -> Option<f64> {
    let number = view.face(clue).clue()?.exact()?;
    let near = view.shape().neighbors(clue).iter();
    let unmarked = near.filter(|&&cell| view.face(cell) == Face::Covered).count();
    let need = usize::from(number).saturating_sub(view.flags_around(clue));
    Some(need as f64 / unmarked as f64)
}

#[cfg(test)]
mod tests {
    use deminer_game::Why;

    use super::*;
    use crate::parts::pictures::decide;

    #[test]
    fn a_cell_is_as_risky_as_the_clue_with_the_greatest_ratio() {
        // The 1 needs one of five, the 2 two of eight.
        let decided = decide(&ENTRY, &[], "mines 5\n# # # # #\n? 1 # 2 #\n? ? # # #");
        decided.believes(
            "0.20 0.20 0.25 0.25 0.25
               ?    1  0.25   2  0.25
               ?    ?  0.25 0.25 0.25",
        );
    }

    #[test]
    fn off_the_fringe_the_density_counts() {
        // Two mines are left for ten unmarked cells.
        let decided = decide(&ENTRY, &[], "mines 3\n# # # # F\n? 1 1 ? #\n# # # # #");
        decided.believes(
            "0.17 0.17 0.17 0.17   -
               ?    1    1    ?  0.20
             0.17 0.17 0.17 0.17 0.20",
        );
        assert_eq!(decided.decision.why, Why::Risk(1.0 / 6.0));
    }

    #[test]
    fn rules_come_first() {
        decide(&ENTRY, &[], "mines 2\n# # #\n1 2 1").does("# o #\n1 2 1");
    }
}
