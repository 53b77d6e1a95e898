//! The input of the rules: the constraints of a view, and earlier conclusions.

use deminer_game::{Cell, CellSet, Premise, View};

use super::{Fact, Facts};
use crate::constraints::Constraints;

/// The constraints of some clues, as far as they are useful. The clues of a cell are in row-major
/// order, so proofs do not depend on the order in which cells were opened.
pub(super) fn constraints(view: &View, facts: &Facts, clues: &[Cell]) -> Constraints {
    let mut constraints = Constraints::default();
    constraints.read_clues(view, clues, |cell| facts.get(cell));
    let Constraints { seen_by, clues, .. } = &mut constraints;
    for seen_by in seen_by {
        seen_by.sort_unstable_by_key(|&clue| clues[usize::from(clue)].cell);
    }
    constraints
}

/// These clues as premises, and what was proved before about covered cells around them; with the
/// mine total, about all covered cells.
pub(super) fn grounds(
    view: &View,
    facts: &Facts,
    clues: impl IntoIterator<Item = Cell>,
    total: bool,
) -> Vec<Premise> {
    let mut cells = CellSet::new(view.shape().size());
    let mut premises = Vec::new();
    for clue in clues {
        premises.push(Premise::Clue(clue));
        for &near in view.shape().neighbors(clue) {
            cells.insert(near);
        }
    }
    if total {
        premises.extend(with_total(view, facts, |_| true));
    } else {
        premises.extend(cells.iter().filter_map(|cell| earlier(view, facts, cell)));
    }
    premises
}

/// The mine total as a premise, and all that was proved of covered cells before, as far as it
/// matters: how many mines are left for how many cells depends on it.
pub(super) fn with_total(
    view: &View,
    facts: &Facts,
    matters: impl Fn(&Premise) -> bool,
) -> impl Iterator<Item = Premise> {
    let proved = view.covered().filter_map(|cell| earlier(view, facts, cell)).filter(matters);
    std::iter::once(Premise::MineTotal).chain(proved)
}

/// The cells of the clues among premises.
pub(crate) fn clues_of<'a>(premises: impl IntoIterator<Item = &'a Premise>) -> Vec<Cell> {
    let clue = |premise: &Premise| match premise {
        Premise::Clue(cell) => Some(*cell),
        Premise::Mine(_) | Premise::Safe(_) | Premise::MineTotal => None,
    };
    premises.into_iter().filter_map(clue).collect()
}

/// What was proved before about a covered cell, as a premise.
pub(super) fn earlier(view: &View, facts: &Facts, cell: Cell) -> Option<Premise> {
    match facts.get(cell)? {
        _ if !view.face(cell).is_covered() => None,
        Fact::Mine => Some(Premise::Mine(cell)),
        Fact::Safe => Some(Premise::Safe(cell)),
    }
}
