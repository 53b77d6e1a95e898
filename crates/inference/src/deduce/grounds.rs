//! What rules reason from: the constraints of a view, and premises.

use deminer_game::{Cell, CellSet, Premise, View};

use super::{Fact, Facts};
use crate::constraints::Constraints;

/// The constraints of all useful clues. The clues of a cell are in row-major order, so proofs do
/// not depend on the order in which cells were opened.
pub(super) fn constraints(view: &View, facts: &Facts) -> Constraints {
    constraints_of(view, facts, view.opened())
}

/// The constraints of some clues.
pub(super) fn constraints_of(view: &View, facts: &Facts, clues: &[Cell]) -> Constraints {
    let mut constraints = Constraints::default();
    constraints.read_clues(view, clues, |cell| facts.get(cell));
    let Constraints { seen_by, clues, .. } = &mut constraints;
    for seen_by in seen_by {
        seen_by.sort_unstable_by_key(|&clue| clues[usize::from(clue)].cell);
    }
    constraints
}

/// These clues as premises, and what was proved before about covered cells around them.
pub(super) fn grounds(
    view: &View,
    facts: &Facts,
    clues: impl IntoIterator<Item = Cell>,
) -> Vec<Premise> {
    let mut cells = CellSet::new(view.shape().size());
    let mut premises = Vec::new();
    for clue in clues {
        premises.push(Premise::Clue(clue));
        for &near in view.shape().neighbors(clue) {
            cells.insert(near);
        }
    }
    premises.extend(cells.iter().filter_map(|cell| earlier(view, facts, cell)));
    premises
}

/// What was proved before about a covered cell, as a premise.
pub(super) fn earlier(view: &View, facts: &Facts, cell: Cell) -> Option<Premise> {
    match facts.get(cell)? {
        _ if !view.face(cell).is_covered() => None,
        Fact::Mine => Some(Premise::Mine(cell)),
        Fact::Safe => Some(Premise::Safe(cell)),
    }
}
