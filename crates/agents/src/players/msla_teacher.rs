//! Opens the fringe cell with the lowest worst-case mine ratio over its adjacent clues.
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

use arrayvec::ArrayVec;
use deminer_game::{Action, Agent, Cell, CellSet, Decision, Entry, Kind, Rng, Supports, View, Why};

use crate::parts::least_risk::LeastRisk;

pub const ENTRY: Entry = Entry {
    name: "msla-teacher",
    about: "the fringe cell with the lowest worst-case mine ratio over its clues",
    kind: Kind::Logic,
    paper: Some("A. Tortay, O. Yurchenko, Minesweeper solver using NN, KAIST 2016"),
    // The cells around a zero are next to no number.
    supports: Supports { no_cascade: false, ..Supports::NUMBERS },
    build: |_| Ok(Box::new(Teacher)),
    ..Entry::PLAIN
};

struct Teacher;

impl Agent for Teacher {
    fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
        match view.shape().nth(0).filter(|_| view.opened().is_empty()) {
            Some(corner) => {
                Decision::new(Action::Open(corner), Why::rule("corner first", Vec::new()))
            }
            None => least_risk(view),
        }
    }
}

/// The covered cells around a cell.
fn covered_around(view: &View, cell: Cell) -> impl Iterator<Item = Cell> + Clone {
    view.shape().neighbors(cell).iter().copied().filter(|&near| view.face(near).is_covered())
}

/// Marks the cells around numbers as great as their covered cells, and opens the first cell of least
/// risk.
fn least_risk(view: &View) -> Decision {
    let numbers = view.opened().iter().filter_map(|&cell| {
        let number = view.face(cell).clue()?.exact().filter(|&number| number > 0)?;
        Some((usize::from(number), covered_around(view, cell)))
    });
    let full = numbers.clone().filter(|(number, covered)| covered.clone().count() == *number);
    let marked = CellSet::of(view.shape().size(), full.flat_map(|(_, covered)| covered));
    // The risk of each cell, less than none where it has none.
    let mut risks = vec![-1.0; view.shape().size()];
    for (number, covered) in numbers {
        let (marks, others): (ArrayVec<Cell, 8>, ArrayVec<Cell, 8>) =
            covered.partition(|&cell| marked.contains(cell));
        let share = (number as f64 - marks.len() as f64) / others.len() as f64;
        for cell in others {
            risks[cell.index()] = f64::max(risks[cell.index()], share);
        }
    }
    let mut weighing = LeastRisk::new(view);
    for cell in view.openable() {
        if marked.contains(cell) {
            weighing.rule_out(cell);
        } else if risks[cell.index()] >= 0.0 {
            weighing.weigh(cell, risks[cell.index()]);
        }
    }
    weighing.open_first()
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
    fn cells_are_opened_in_order_and_marked_mines_satisfy_other_numbers() {
        decide(&ENTRY, &[], "mines 1\n# # #\n# # #").does("o # #\n# # #");
        decide(&ENTRY, &[], "mines 2\n# ? # # #\n# ? # 1 #").does("# ? o # #\n# ? # 1 #");
        let decided = decide(&ENTRY, &[], "mines 2\n# ? # #\n1 1 ? ?");
        decided.believes("1.00 ? 0.00 -\n1 1 ? ?").does("# ? o #\n1 1 ? ?");
    }

    #[test]
    fn it_gives_up_where_no_unmarked_cell_is_next_to_a_number() {
        let decided = decide(&ENTRY, &[], "mines 3\n# # ? #\n2 ? ? #");
        decided.does("# # ? #\n2 ? ? #").believes("1.00 1.00 ? -\n2 ? ? -");
        assert_eq!(decided.decision.action, Action::Decline);
    }
}
