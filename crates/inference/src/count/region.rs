//! A region as numbers: groups of interchangeable cells, and clues that count their mines.

use std::ops::Deref;

use crate::need::Need;

/// Cells seen by the same clues.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// How many cells.
    pub size: u8,
    /// The clues that see them, numbered within the region.
    pub clues: Few,
}

impl Group {
    /// Whether several clues see the group.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.clues.len() > 1
    }
}

/// A clue of a region.
#[derive(Clone, Copy, Debug)]
pub struct Clue {
    /// What it asks of its cells.
    pub need: Need,
    /// How likely the clue is for each number of mines, up to a common factor; none if all from
    /// the fewest to the most admitted are alike.
    pub weights: Option<[u32; 9]>,
    /// The groups it sees, numbered within the region.
    pub groups: Few,
}

/// Groups and clues of one region. Each lists the others that it touches; every clue sees some
/// group.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    pub groups: &'a [Group],
    pub clues: &'a [Clue],
}

/// Up to eight numbers: no cell has more neighbors.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Few {
    len: u8,
    held: [u16; 8],
}

impl Few {
    /// Adds a number.
    #[inline]
    pub fn push(&mut self, number: u16) {
        self.held[self.len as usize] = number;
        self.len += 1;
    }
}

impl Deref for Few {
    type Target = [u16];

    #[inline]
    fn deref(&self) -> &[u16] {
        &self.held[..self.len as usize]
    }
}

impl std::fmt::Debug for Few {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
