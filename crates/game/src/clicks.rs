//! What single clicks open: openings, and numbers outside them. 3BV and related measures count
//! these.

use crate::{Cell, CellSet, Face, Layout, View};

/// A layout cut into what one left click each opens.
///
/// ```text
/// . . 1 *
/// . . 2 2    one opening on the left with the numbers around it,
/// . . 1 *    one number outside of it: 3BV = 2
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClickParts {
    /// The openings: touching zeros, and after them the numbers around.
    pub openings: Vec<Opening>,
    /// Numbers that belong to no opening, in row-major order.
    pub isolated: Vec<Cell>,
}

/// Touching zeros and the numbers around them, which one click opens together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The zeros.
    pub zeros: Vec<Cell>,
    /// The numbers around them. A number may belong to several openings.
    pub border: Vec<Cell>,
}

impl ClickParts {
    /// Cuts a layout into parts.
    pub fn of(layout: &Layout) -> Self {
        let shape = layout.shape();
        let counts = layout.counts();
        let is_zero = |cell: Cell| counts[cell.index()] == 0 && !layout.is_mine(cell);
        let mut in_opening = CellSet::new(shape.size());
        let mut bordered_by = vec![usize::MAX; shape.size()];
        let mut openings: Vec<Opening> = Vec::new();
        for start in shape.cells().filter(|&cell| is_zero(cell)) {
            if !in_opening.insert(start) {
                continue;
            }
            let (mut zeros, mut border) = (vec![start], Vec::new());
            let mut next = 0;
            while let Some(&zero) = zeros.get(next) {
                next += 1;
                for &near in shape.neighbors(zero) {
                    let fresh = in_opening.insert(near);
                    if is_zero(near) {
                        zeros.extend(fresh.then_some(near));
                    } else if bordered_by[near.index()] != openings.len() {
                        bordered_by[near.index()] = openings.len();
                        border.push(near);
                    }
                }
            }
            openings.push(Opening { zeros, border });
        }
        let alone = |cell: &Cell| !layout.is_mine(*cell) && !in_opening.contains(*cell);
        Self { openings, isolated: shape.cells().filter(alone).collect() }
    }

    /// 3BV: the fewest left clicks that open every safe cell without chords.
    pub fn three_bv(&self) -> usize {
        self.openings.len() + self.isolated.len()
    }

    /// The 3BV of what is open in a view of the layout: openings whose zeros are all open, and
    /// numbers outside of openings.
    pub fn solved_three_bv(&self, view: &View) -> usize {
        let is_open = |cell: &Cell| matches!(view.face(*cell), Face::Open { .. });
        let openings = self.openings.iter().filter(|opening| opening.zeros.iter().all(is_open));
        openings.count() + self.isolated.iter().filter(|cell| is_open(cell)).count()
    }

    /// Islands: groups of touching numbers that belong to no opening.
    pub fn islands(&self, layout: &Layout) -> usize {
        let shape = layout.shape();
        let mut unseen = CellSet::of(shape.size(), self.isolated.iter().copied());
        let mut islands = 0;
        let mut stack = Vec::new();
        for &start in &self.isolated {
            if !unseen.remove(start) {
                continue;
            }
            islands += 1;
            stack.push(start);
            while let Some(cell) = stack.pop() {
                stack.extend(shape.neighbors(cell).iter().filter(|near| unseen.remove(**near)));
            }
        }
        islands
    }
}

impl Layout {
    /// 3BV: the fewest left clicks that open every safe cell without chords. Each opening takes
    /// one, each number outside of openings one.
    pub fn three_bv(&self) -> usize {
        ClickParts::of(self).three_bv()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Board, Rules};

    /// 3BV, openings, islands.
    fn measured(text: &str) -> (usize, usize, usize) {
        let layout: Layout = text.parse().unwrap();
        let parts = ClickParts::of(&layout);
        assert_eq!(layout.three_bv(), parts.three_bv());
        (parts.three_bv(), parts.openings.len(), parts.islands(&layout))
    }

    #[test]
    fn three_bv_counts_openings_and_isolated_numbers() {
        assert_eq!(measured("...*\n....\n...*"), (2, 1, 1));
        assert_eq!(measured("*..\n...\n..*"), (2, 2, 0), "the middle belongs to both");
        assert_eq!(measured("*.*.\n....\n.*.*"), (8, 0, 1));
        assert_eq!(measured("*.*.\n****\n.*.*"), (4, 0, 4));
        assert_eq!(measured("...\n..."), (1, 1, 0));
        assert_eq!(measured("**\n**"), (0, 0, 0));
    }

    #[test]
    fn what_is_solved_is_what_is_open() {
        let layout: Layout = "...*\n....\n...*".parse().unwrap();
        let rules = Rules::new(layout.shape().clone(), 2).unwrap();
        let mut board = Board::laid(rules, layout.clone(), 0).unwrap();
        let mut solved = |row, column| {
            board.act(Action::Open(layout.shape().cell(row, column).unwrap()));
            ClickParts::of(&layout).solved_three_bv(board.view())
        };
        assert_eq!(solved(0, 2), 0, "a number of the border solves nothing");
        assert_eq!(solved(1, 3), 1);
        assert_eq!(solved(0, 0), 2);
    }
}
