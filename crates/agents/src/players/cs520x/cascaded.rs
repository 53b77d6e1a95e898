//! Cascaded overrides: a parent's cells without a child's cells make a new hint.
//!
//! ```text
//! ? 1 ? ?
//! # # # ?     the 1 on top is a child of the 2, which has one mine left for the two cells below
//! ? 2 ? ?     it. These are cells of the 1 at the bottom, so its third cell is safe
//! ? # # #
//! ? ? 1 ?
//! ```
//!
//! The cells that a parent does not share with a child hold the parent's mines less the child's.
//! That is one more hint, which other hints may have for a child, or for a parent.

use arrayvec::ArrayVec;
use deminer_game::Cell;
use deminer_inference::deduce::Fact;

use crate::players::cs520::aside::{Parents, Relation, bits};
use crate::players::cs520::knowledge::{Knowledge, ONE};
use crate::players::cs520::step::Queues;

/// The name of the stage in reasons.
const NAME: &str = "cascaded override";

/// The stage, with what it remembers of the game.
#[derive(Debug, Default)]
pub(crate) struct Cascaded {
    parents: Parents,
    relations: Vec<Relation>,
}

/// Some mines in some cells.
struct Sum {
    cells: ArrayVec<Cell, 8>,
    mines: i64,
}

impl Cascaded {
    /// Forgets everything, for a new game.
    pub fn begin(&mut self, cells: usize) {
        self.parents.begin(cells);
    }

    /// One pass over the parents near which something has changed; with `cache` off over all.
    /// Whether anything was found.
    pub fn solve(&mut self, known: &Knowledge, queues: &mut Queues, cache: bool) -> bool {
        self.parents.take(known, cache, &mut self.relations);
        self.relations.sort_unstable_by_key(|relation| relation.parent);
        let mut found = false;
        for relation in &self.relations {
            for child in &relation.children {
                if known.is_certain(relation.parent) && known.is_certain(child.hint) {
                    let cells = bits(u32::from(!child.cells))
                        .take_while(|&place| place < relation.cells.len());
                    let rest = Sum {
                        cells: cells.map(|place| relation.cells[place]).collect(),
                        mines: known.warn(relation.parent) - known.warn(child.hint),
                    };
                    found |= compare(known, queues, &rest, [relation.parent, child.hint]);
                }
            }
        }
        found
    }
}

/// Compares what a parent has left with every hint that has all of its cells, or only such.
fn compare(known: &Knowledge, queues: &mut Queues, rest: &Sum, from: [Cell; 2]) -> bool {
    let mut found = false;
    let mut met: ArrayVec<Cell, 64> = ArrayVec::new();
    for &cell in &rest.cells {
        for hint in known.hints_around(cell) {
            if from.contains(&hint) || met.contains(&hint) || !known.is_certain(hint) {
                continue;
            }
            met.push(hint);
            let other =
                Sum { cells: known.unresolved_around(hint).collect(), mines: known.warn(hint) };
            let finding = difference(&other, rest).or_else(|| difference(rest, &other));
            if let Some((cells, fact)) = finding {
                let [parent, child] = from;
                queues.add(cells, fact, NAME, known.grounds(&[hint, parent, child]));
                found = true;
            }
        }
    }
    found
}

/// What the cells of one sum without those of another are, if the other's are among them and the
/// difference leaves no choice.
fn difference(all: &Sum, part: &Sum) -> Option<(ArrayVec<Cell, 8>, Fact)> {
    if part.cells.len() >= all.cells.len()
        || !part.cells.iter().all(|cell| all.cells.contains(cell))
    {
        return None;
    }
    let cells: ArrayVec<Cell, 8> =
        all.cells.iter().copied().filter(|cell| !part.cells.contains(cell)).collect();
    match all.mines - part.mines {
        0 => Some((cells, Fact::Safe)),
        mines if mines == ONE * cells.len() as i64 => Some((cells, Fact::Mine)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::cs520::pictures;

    #[test]
    fn what_a_parent_has_left_is_a_hint() {
        for cache in [true, false] {
            pictures::check(
                "> a child of another hint
                 mines 2
                 ? 1 ? ?  ->  ? 1 ? ?
                 # # # ?      # # # ?
                 ? 2 ? ?      ? 2 ? ?
                 ? # # #      ? # # s
                 ? ? 1 ?      ? ? 1 ?

                 > a parent of another hint
                 mines 2
                 ? 1 ? ?  ->  ? 1 ? ?
                 # # # ?      # # # ?
                 ? 2 ? ?      ? 2 ? ?
                 # # # ?      # # s ?
                 1 ? ? ?      1 ? ? ?",
                |view, known, queues| {
                    let mut cascaded = Cascaded::default();
                    cascaded.begin(view.shape().size());
                    cascaded.solve(known, queues, cache);
                },
            );
        }
    }
}
