//! What a clue still asks.

use crate::deduce::Fact;

/// How many unknown cells a clue sees, and which numbers of mines among them it admits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Need {
    cells: u8,
    counts: u16,
}

impl Need {
    /// The need of a clue that admits these counts, one bit each, and sees so many known mines
    /// and unknown cells.
    #[inline]
    pub const fn new(clue: u16, mines: u8, cells: u8) -> Self {
        Self { cells, counts: clue >> mines & upto(cells) }
    }

    /// How many unknown cells there are.
    #[inline]
    pub const fn cells(self) -> u8 {
        self.cells
    }

    /// The numbers of mines admitted, one bit each; none where nothing fits the clue.
    #[inline]
    pub const fn counts(self) -> u16 {
        self.counts
    }

    /// The fewest mines admitted.
    #[inline]
    pub const fn low(self) -> u8 {
        self.counts.trailing_zeros() as u8
    }

    /// The most mines admitted.
    #[inline]
    pub const fn high(self) -> u8 {
        15 - self.counts.leading_zeros() as u8
    }

    /// Whether every number of mines is admitted.
    #[inline]
    pub const fn admits_all(self) -> bool {
        self.counts == upto(self.cells)
    }

    /// What the clue by itself proves of its unknown cells.
    #[inline]
    pub const fn fact(self) -> Option<Fact> {
        if self.cells == 0 {
            None
        } else if self.counts == 1 {
            Some(Fact::Safe)
        } else if self.counts == 1 << self.cells {
            Some(Fact::Mine)
        } else {
            None
        }
    }
}

/// The mask of all counts of so many cells.
#[inline]
pub(crate) const fn upto(cells: u8) -> u16 {
    (2 << cells) - 1
}
