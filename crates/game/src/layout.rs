//! Layouts: where the mines lie, dealt from a seed or given.

use thiserror::Error;

use crate::{Cell, CellSet, Rng, Rules, Shape, Start};

/// Where the mines lie. Hidden from players.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    shape: Shape,
    mines: CellSet,
    total: usize,
}

/// The cells do not make a layout: one lies on a larger board only, or is listed twice.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct LayoutError(String);

impl Layout {
    /// The layout with these mines.
    pub fn new(shape: Shape, mines: impl IntoIterator<Item = Cell>) -> Result<Self, LayoutError> {
        let mut set = CellSet::new(shape.size());
        let mut total = 0;
        for mine in mines {
            if !shape.contains(mine) {
                let number = mine.index();
                return Err(LayoutError(format!("mine {number} lies outside the board")));
            }
            if !set.insert(mine) {
                let place = shape.place(mine);
                return Err(LayoutError(format!("{place} is listed as a mine twice")));
            }
            total += 1;
        }
        Ok(Self { shape, mines: set, total })
    }

    /// Deals a layout: a seed shuffles all cells, and the mines are the first of them that the
    /// start rule allows once `first` has been opened.
    ///
    /// So two players who open different first cells get the same board, except for the few mines
    /// that had to move. Under [`Start::Open`] with many mines, the neighbors of `first`
    /// receive what does not fit elsewhere, in shuffled order; under [`Start::Safe`] and
    /// [`Start::Open`], `first` itself never receives one.
    pub fn deal(rules: &Rules, seed: u64, first: Cell) -> Self {
        let shape = rules.shape();
        let mut rng = Rng::new(seed);
        let mut order: Vec<Cell> = shape.cells().collect();
        let mut mines = CellSet::new(shape.size());
        let mut postponed = [first; 8];
        let (mut left, mut postponements) = (rules.mines(), 0);
        let neighbors: &[Cell] =
            if rules.start() == Start::Open { shape.neighbors(first) } else { &[] };

        // The shuffle of `Rng::shuffle`, stopped as soon as no more cells are needed.
        for i in 0..order.len() {
            if left == 0 {
                break;
            }
            order.swap(i, i + rng.below(shape.size() - i));
            let cell = order[i];
            if cell == first && rules.start() != Start::Unsafe {
                continue;
            }
            if neighbors.contains(&cell) {
                postponed[postponements] = cell;
                postponements += 1;
                continue;
            }
            mines.insert(cell);
            left -= 1;
        }
        for &cell in postponed[..postponements].iter().take(left) {
            mines.insert(cell);
        }
        Self { shape: shape.clone(), mines, total: rules.mines() }
    }

    /// The board's shape.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whether the cell has a mine.
    #[inline]
    pub fn is_mine(&self, cell: Cell) -> bool {
        self.mines.contains(cell)
    }

    /// The mines, in row-major order.
    #[inline]
    pub fn mines(&self) -> impl Iterator<Item = Cell> + '_ {
        self.mines.iter()
    }

    /// How many mines there are.
    #[inline]
    pub fn total(&self) -> usize {
        self.total
    }

    /// How many mines touch the cell.
    #[inline]
    pub fn count(&self, cell: Cell) -> u8 {
        self.shape.neighbors(cell).iter().filter(|&&near| self.is_mine(near)).count() as u8
    }

    /// How many mines touch each cell, mines included.
    pub(crate) fn counts(&self) -> Vec<u8> {
        let mut counts = Vec::new();
        self.count_into(&mut counts);
        counts
    }

    /// Writes how many mines touch each cell, mines included, into a buffer that may be reused.
    pub(crate) fn count_into(&self, counts: &mut Vec<u8>) {
        counts.clear();
        counts.resize(self.shape.size(), 0);
        for mine in self.mines() {
            for near in self.shape.neighbors(mine) {
                counts[near.index()] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Form;

    fn rules(size: &str, start: Start) -> Rules {
        Rules::of(size.parse().unwrap()).unwrap().with_start(start).unwrap()
    }

    /// Must never change: every published result depends on these layouts.
    #[test]
    fn golden_layouts_never_change() {
        let check = |start, first: usize, expected: &str| {
            let rules = rules("9x5x10", start);
            let layout = Layout::deal(&rules, 1, rules.shape().nth(first).unwrap());
            assert_eq!(layout, expected.parse().unwrap(), "start {start}, got\n{layout}");
        };
        let plain = "....*.*..\n..*.*....\n........*\n.*....**.\n*.......*";
        check(Start::Unsafe, 4, plain);
        check(Start::Safe, 0, plain);
        check(Start::Safe, 4, "......*..\n..*.*....\n........*\n.*....**.\n*.....*.*");
        check(Start::Open, 4, "......*..\n..*......\n....*...*\n.*....**.\n*.....*.*");
    }

    #[test]
    fn the_start_rule_keeps_its_promise_and_moves_few_mines() {
        for (form, size) in [(Form::Rect, "7x6x12"), (Form::Torus, "5x5x10"), (Form::Hex, "6x7x11")]
        {
            let size: crate::Size = size.parse().unwrap();
            let shape = Shape::new(form, size.width, size.height).unwrap();
            for seed in 0..200 {
                let deal = |start, first| {
                    Layout::deal(&Rules::on(form, size, start).unwrap(), seed, first)
                };
                for first in shape.cells() {
                    let plain = deal(Start::Unsafe, first);
                    let safe = deal(Start::Safe, first);
                    let open = deal(Start::Open, first);
                    assert!(!safe.is_mine(first) && !open.is_mine(first));
                    assert_eq!(open.count(first), 0);
                    for layout in [&plain, &safe, &open] {
                        assert_eq!(layout.mines().count(), size.mines);
                    }
                    let moved = safe.mines().filter(|&mine| !plain.is_mine(mine)).count();
                    assert_eq!(moved, usize::from(plain.is_mine(first)));
                }
            }
        }
    }

    #[test]
    fn with_too_many_mines_the_neighbors_receive_the_rest() {
        for (size, around) in [("4x3x8", 0), ("4x3x9", 1), ("4x3x10", 2), ("4x3x11", 3)] {
            let rules = rules(size, Start::Open);
            let first = rules.shape().nth(0).unwrap();
            for seed in 0..100 {
                let layout = Layout::deal(&rules, seed, first);
                assert!(!layout.is_mine(first));
                assert_eq!((layout.count(first), layout.mines().count()), (around, layout.total()));
            }
        }
    }

    #[test]
    fn every_cell_is_as_likely_a_mine() {
        let rules = rules("6x5x7", Start::Unsafe);
        let mut seen = [0usize; 30];
        for seed in 0..30_000 {
            for mine in Layout::deal(&rules, seed, rules.shape().nth(0).unwrap()).mines() {
                seen[mine.index()] += 1;
            }
        }
        // Mean 7000, standard deviation 73; six of them.
        assert!(seen.iter().all(|&count| count.abs_diff(7000) < 440), "{seen:?}");
    }
}
