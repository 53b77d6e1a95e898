//! Turns proved facts into moves, for several players.

use deminer_game::{Action, Cell, Decision, Face, View, Why};

/// Opens a cell that may be flagged: a wrong flag is removed first.
pub fn open(view: &View, cell: Cell) -> Action {
    match view.face(cell) {
        Face::Flagged => Action::Unflag(cell),
        _ => Action::Open(cell),
    }
}

/// Opens the first cell without a flag.
pub fn corner_first(view: &View) -> Decision {
    let first = |cell| Decision::new(Action::Open(cell), Why::rule("corner first", Vec::new()));
    view.openable().next().map_or_else(Decision::decline, first)
}

/// Marks each cell that touches an open one.
pub fn mark_seen(view: &View, seen: &mut Vec<bool>) {
    seen.clear();
    seen.resize(view.shape().size(), false);
    for near in view.opened().iter().flat_map(|&open| view.shape().neighbors(open)) {
        seen[near.index()] = true;
    }
}
