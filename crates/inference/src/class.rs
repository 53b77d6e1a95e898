//! Classes: cells with the same mine probability.

/// All cells of a class have the same mine probability, so odds are stored for classes, not for
/// cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Class(u16);

impl Class {
    /// Open, or a visible mine.
    pub const SHOWN: Class = Class(0);
    /// Covered and proved safe by single clues.
    pub const SAFE: Class = Class(1);
    /// Covered and proved a mine by single clues.
    pub const MINE: Class = Class(2);
    /// Unknown; unless the cell is of a group, no clue sees it.
    pub const SEA: Class = Class(3);
    /// The number of classes that are not groups.
    pub const BESIDES: usize = 4;

    /// The class of a group's cells.
    #[inline]
    pub const fn of_group(group: usize) -> Class {
        Class((Self::BESIDES + group) as u16)
    }

    /// The group.
    #[inline]
    pub const fn group(self) -> Option<usize> {
        (self.0 as usize).checked_sub(Self::BESIDES)
    }

    /// The place of the class in a list of all, groups last.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
