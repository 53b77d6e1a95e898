//! Cells and sets of cells.

/// A cell, numbered row by row. Only a [`Shape`](crate::Shape) makes one, so it is always on
/// the board it was made for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u16);

impl Cell {
    #[inline]
    pub(crate) const fn new(index: u16) -> Self {
        Self(index)
    }

    /// The cell's place in row-major order, counted from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of cells of one board, one bit each.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct CellSet {
    words: Vec<u64>,
}

impl CellSet {
    /// The empty set, with room for the cells numbered below `cells`.
    #[inline]
    pub fn new(cells: usize) -> Self {
        Self { words: vec![0; cells.div_ceil(64)] }
    }

    /// These cells, with room for those numbered below `cells`.
    pub fn of(cells: usize, members: impl IntoIterator<Item = Cell>) -> Self {
        let mut set = Self::new(cells);
        for cell in members {
            set.insert(cell);
        }
        set
    }

    /// Adds a cell; false if it was there already.
    #[inline]
    pub fn insert(&mut self, cell: Cell) -> bool {
        let (word, bit) = (cell.index() / 64, 1 << (cell.index() % 64));
        let fresh = self.words[word] & bit == 0;
        self.words[word] |= bit;
        fresh
    }

    /// Takes a cell out; false if it was not there.
    #[inline]
    pub fn remove(&mut self, cell: Cell) -> bool {
        let (word, bit) = (cell.index() / 64, 1 << (cell.index() % 64));
        let present = self.words[word] & bit != 0;
        self.words[word] &= !bit;
        present
    }

    /// Whether the set holds the cell. A cell of a larger board is in no smaller set.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.words.get(cell.index() / 64).is_some_and(|word| word >> (cell.index() % 64) & 1 == 1)
    }

    /// How many cells the set holds.
    #[inline]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set holds no cell.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Takes every cell out, keeping the room.
    #[inline]
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The cells in row-major order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)))
                .take_while(|&bits| bits != 0)
                .map(move |bits| Cell((word * 64) as u16 + bits.trailing_zeros() as u16))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_keeps_cells_across_words_in_order() {
        let mut set = CellSet::new(200);
        for index in [130, 3, 64, 63, 199] {
            assert!(set.insert(Cell(index)));
        }
        assert!(!set.insert(Cell(64)));
        assert!(set.remove(Cell(3)) && !set.remove(Cell(3)));
        assert_eq!(set.iter().map(Cell::index).collect::<Vec<_>>(), [63, 64, 130, 199]);
        assert_eq!(set.len(), 4);
        assert!(set.contains(Cell(130)) && !set.contains(Cell(3)) && !set.contains(Cell(4000)));
    }
}
