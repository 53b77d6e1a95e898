//! Keep-in-step: two hints side by side differ by the cells that only one of them sees.
//!
//! ```text
//! # # # #       a # # b      the 1 and the 2 share the middle cells. The 2 has one mine more
//! ? 1 2 ?       ? 1 2 ?      than the 1 and only b to put it in: b is a mine, a is safe
//! ```
//!
//! The paper's twins (the same number), brothers and pigeon pairs (as many more mines as there
//! are cells to hold them) are cases of this one rule.

use arrayvec::ArrayVec;
use deminer_game::Cell;
use deminer_inference::deduce::Fact;

use super::knowledge::{Knowledge, ONE};
use super::step::Queues;

/// The name of the stage in reasons.
pub(crate) const NAME: &str = "keep-in-step";

/// The stage, with what it remembers of the game.
#[derive(Debug, Default)]
pub(crate) struct Keep {
    /// How many of the changes are taken in.
    seen: usize,
    pairs: Vec<(Cell, Cell)>,
}

impl Keep {
    /// Forgets everything, for a new game.
    pub fn begin(&mut self) {
        self.seen = 0;
    }

    /// One pass over all pairs of which a hint has changed since the last; with `cache` off over
    /// all pairs. Whether anything was found.
    pub fn solve(&mut self, known: &Knowledge, queues: &mut Queues, cache: bool) -> bool {
        self.pairs.clear();
        let mut gather = |one: Cell| {
            let asking = known.hints_around(one).filter(|&other| known.is_asking(other));
            self.pairs.extend(asking.map(|other| (one.min(other), one.max(other))));
        };
        if cache {
            let fresh = known.changes()[self.seen..].iter().copied();
            fresh.filter(|&hint| known.is_asking(hint)).for_each(&mut gather);
        } else {
            known.shape().cells().filter(|&cell| known.is_asking(cell)).for_each(&mut gather);
        }
        self.seen = known.changes().len();
        self.pairs.sort_unstable();
        self.pairs.dedup();
        let mut found = false;
        for &(one, other) in &self.pairs {
            found |= compare(known, queues, one, other);
        }
        found
    }
}

/// Compares two hints; whether that decides anything.
///
/// The cells that both see hold the same for both, so the cells `a` that only `one` sees hold
/// `k = warn(one) - warn(other)` mines more than the cells `b` that only `other` sees. So much
/// more is only possible with mines in all of `a` and none in `b` if `k` is the size of `a`, and
/// the other way round if `-k` is the size of `b`.
fn compare(known: &Knowledge, queues: &mut Queues, one: Cell, other: Cell) -> bool {
    let only = |hint: Cell, but: Cell| -> ArrayVec<Cell, 8> {
        let near = known.shape().neighbors(but);
        known.unresolved_around(hint).filter(|cell| !near.contains(cell)).collect()
    };
    let (a, b) = (only(one, other), only(other, one));
    if a.is_empty() && b.is_empty() {
        return false;
    }
    let more = known.warn(one) - known.warn(other);
    let margin = known.margin_of(one).max(known.margin_of(other));
    let (size_a, size_b) = (a.len() as i64, b.len() as i64);
    // How far the cells are, all together, from such a filling; uncertain hints need not be
    // nearer than their margin for each cell.
    let near = |distance: i64| distance == 0 || distance.abs() < margin * (size_a + size_b);
    let fact = if near(size_a * ONE - more) {
        Fact::Mine
    } else if near(more + size_b * ONE) {
        Fact::Safe
    } else {
        return false;
    };
    let premises = known.grounds(&[one, other]);
    for (cells, fact) in [(a, fact), (b, fact.opposite())] {
        if !cells.is_empty() {
            queues.add(cells, fact, NAME, premises.clone());
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::cs520::pictures;

    #[test]
    fn hints_side_by_side_decide_what_only_one_of_them_sees() {
        for cache in [true, false] {
            pictures::check(
                "> twins with one side open clear the other
                 mines 1
                 ? # # #  ->  ? # # s
                 ? 1 1 ?      ? 1 1 ?

                 > brothers put the mine on the greater side: the right one
                 mines 2
                 # # # #  ->  s # # *
                 ? 1 2 ?      ? 1 2 ?

                 > brothers put the mine on the greater side: the left one
                 mines 2
                 # # # #  ->  * # # s
                 ? 2 1 ?      ? 2 1 ?

                 > a flag on the greater side counts
                 mines 3
                 # # # F  ->  s # # F
                 ? 1 2 ?      ? 1 2 ?

                 > a flag on one side of twins counts
                 mines 3
                 F # # #  ->  F # # *
                 ? 2 2 ?      ? 2 2 ?

                 > pigeons fill all their holes
                 mines 4
                 # # # #  ->  s # # *
                 # 1 4 #      s 1 4 *
                 # # # #      s # # *

                 > across a corner five cells make the difference
                 mines 6
                 # # # ? ?  ->  s s s ? ?
                 # 1 # # ?      s 1 # * ?
                 # # 6 # ?      s # 6 * ?
                 ? # # # ?      ? * * * ?

                 > hints two steps apart are not compared
                 mines 2
                 # # # # #  ->  # # # # #
                 ? 1 ? 3 ?      ? 1 ? 3 ?",
                |_, known, queues| {
                    let mut keep = Keep::default();
                    keep.begin();
                    keep.solve(known, queues, cache);
                },
            );
        }
    }
}
