//! A region in compact form: groups of interchangeable cells, and clues that count their mines.

use crate::constraints::Need;

/// Cells seen by the same clues.
#[derive(Clone, Copy, Debug)]
pub struct CellGroup {
    /// How many cells.
    pub size: u8,
    /// The clues that see them, numbered within the region.
    pub clues: SmallList,
}

impl CellGroup {
    /// Whether several clues see the group.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.clues.are_several()
    }
}

/// A clue of a region.
#[derive(Clone, Copy, Debug)]
pub struct GroupedClue {
    /// The numbers of mines it allows.
    pub need: Need,
    /// How likely the clue is for each number of mines, up to a common factor; none if all from
    /// the fewest to the most admitted are equally likely.
    pub weights: Option<[u32; 9]>,
    /// The groups it sees, numbered within the region.
    pub groups: SmallList,
}

/// Groups and clues of one region. Each lists the others that it touches; every clue sees some
/// group.
#[derive(Clone, Copy, Debug)]
pub struct GroupedRegion<'a> {
    pub groups: &'a [CellGroup],
    pub clues: &'a [GroupedClue],
}

/// Up to eight numbers, in one word: no cell has more neighbors. Each takes 16 bits and is held
/// one higher, so that none is 0.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct SmallList(u128);

impl SmallList {
    /// Adds a number below 65 535.
    #[inline]
    pub fn push(&mut self, number: u16) {
        self.0 = self.0 << 16 | u128::from(number + 1);
    }

    /// The numbers, the last added first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = u16> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let number = (left as u16).checked_sub(1);
            left >>= 16;
            number
        })
    }

    /// Whether there are several.
    #[inline]
    pub fn are_several(self) -> bool {
        self.0 >> 16 != 0
    }

    /// All of them, as two words.
    #[inline]
    pub fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }
}

impl std::fmt::Debug for SmallList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
