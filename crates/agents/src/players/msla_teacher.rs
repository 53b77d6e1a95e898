//! Opens the fringe cell whose hungriest clue is the least hungry.
//!
//! The "very simple solver based on additive properties" from which the modified supervised
//! learning agent learned: A. Tortay and O. Yurchenko, "Minesweeper solver using NN" (KAIST
//! 2016). The paper says no more; this is the reading that wins as often as theirs. A number
//! that is as great as its covered cells marks them as mines. The risk of any other cell is the
//! greatest share, over the numbers around it, of the mines that a number still lacks among its
//! unmarked cells:
//!
//! ```text
//! # # # # #      the first 2 marks two cells, and so the second 2 has its mines: the third cell
//! 2 2 2 ? ?      is safe; but the last 2 lacks one mine of two, so its risk is 1/2
//! ```
//!
//! That flaw is the paper's: the greatest share forgets that one satisfied number proves safety.
//! It looks at cells next to numbers only and gives up when those are all marked.

use deminer_game::{
    Action, Agent, Cell, ClueKind, Decision, Entry, Kind, Rng, Supports, View, Why,
};

use crate::parts::least_risk::LeastRisk;

pub const ENTRY: Entry = Entry {
    name: "msla-teacher",
    about: "the fringe cell with the least of the greatest shares of missing mines",
    kind: Kind::Logic,
    paper: Some("A. Tortay, O. Yurchenko, Minesweeper solver using NN, KAIST 2016"),
    supports: Supports {
        clues: &[ClueKind::Exact, ClueKind::Blind],
        // The cells around a zero are next to no number.
        no_cascade: false,
        ..Supports::ALL
    },
    build: |_| Ok(Box::new(Teacher::default())),
    ..Entry::PLAIN
};

#[derive(Default)]
struct Teacher {
    /// Numbers from 1 that have covered cells around them.
    numbers: Vec<Number>,
    marked: Vec<bool>,
    /// The risk of each cell, less than none where it has none.
    risks: Vec<f64>,
}

struct Number {
    cell: Cell,
    mines: usize,
    covered: usize,
}

impl Agent for Teacher {
    fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
        let corner = view.shape().nth(0).expect("boards have cells");
        if view.opened().is_empty() {
            return Decision::new(Action::Open(corner), Why::rule("corner first", Vec::new()));
        }
        self.read(view);
        self.mark(view);
        self.weigh(view)
    }
}

impl Teacher {
    fn read(&mut self, view: &View) {
        self.numbers.clear();
        self.numbers.extend(view.opened().iter().filter_map(|&cell| {
            let mines = view.face(cell).clue()?.exact()?.into();
            let near = view.shape().neighbors(cell).iter();
            let covered = near.filter(|&&near| view.face(near).is_covered()).count();
            (mines > 0 && covered > 0).then_some(Number { cell, mines, covered })
        }));
    }

    /// Marks the cells around numbers as great as their covered cells.
    fn mark(&mut self, view: &View) {
        self.marked.clear();
        self.marked.resize(view.shape().size(), false);
        for number in self.numbers.iter().filter(|number| number.mines == number.covered) {
            for near in view.shape().neighbors(number.cell) {
                self.marked[near.index()] |= view.face(*near).is_covered();
            }
        }
    }

    /// Opens the first cell of least risk.
    fn weigh(&mut self, view: &View) -> Decision {
        self.risks.clear();
        self.risks.resize(view.shape().size(), -1.0);
        for number in &self.numbers {
            let near = || view.shape().neighbors(number.cell).iter();
            let marks = near().filter(|near| self.marked[near.index()]).count();
            let missing = number.mines as f64 - marks as f64;
            let share = missing / (number.covered - marks) as f64;
            for near in near().filter(|near| !self.marked[near.index()]) {
                let risk = &mut self.risks[near.index()];
                *risk = risk.max(share);
            }
        }
        let mut weighing = LeastRisk::new(view);
        for cell in view.openable() {
            if self.marked[cell.index()] {
                weighing.rule_out(cell);
            } else if self.risks[cell.index()] >= 0.0 {
                weighing.weigh(cell, self.risks[cell.index()]);
            }
        }
        weighing.open_first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::pictures::decide;

    #[test]
    fn the_greatest_share_counts_even_where_a_satisfied_number_proves_safety() {
        let decided = decide(&ENTRY, &[], "mines 3\n# # # # #\n2 2 2 ? ?");
        decided.believes("1.00 1.00 0.50 0.50 -\n2 2 2 ? ?").does("# # o # #\n2 2 2 ? ?");
        assert_eq!(decided.decision.why, Why::Risk(0.5));
    }

    #[test]
    fn the_first_of_equal_cells_is_opened() {
        decide(&ENTRY, &[], "mines 2\n# ? # # #\n# ? # 1 #").does("# ? o # #\n# ? # 1 #");
    }

    #[test]
    fn marked_mines_satisfy_other_numbers() {
        let decided = decide(&ENTRY, &[], "mines 2\n# ? # #\n1 1 ? ?");
        decided.believes("1.00 ? 0.00 -\n1 1 ? ?").does("# ? o #\n1 1 ? ?");
    }

    #[test]
    fn it_gives_up_where_no_unmarked_cell_is_next_to_a_number() {
        let decided = decide(&ENTRY, &[], "mines 3\n# # ? #\n2 ? ? #");
        decided.does("# # ? #\n2 ? ? #").believes("1.00 1.00 ? -\n2 ? ? -");
        assert_eq!(decided.decision.action, Action::Decline);
    }

    #[test]
    fn the_corner_comes_first() {
        decide(&ENTRY, &[], "mines 1\n# # #\n# # #").does("o # #\n# # #");
    }
}
