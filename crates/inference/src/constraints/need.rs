//! The numbers of mines that a clue allows in its unknown cells.

use crate::deduce::Fact;

/// How many unknown cells a clue sees, and which numbers of mines it allows in them.
///
/// ```text
/// # # 2      two mines in two cells. As bits, highest number first: 100
/// # * 2      the mine is known, so one mine in the other two cells: 010. If one of those becomes
///            known as safe, one mine in one cell: 10
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Need {
    /// The allowed numbers, one bit each; 0 if no number fits the clue.
    counts: u16,
    /// The bit of the number of cells.
    all: u16,
}

impl Need {
    /// Allows everything, also after up to eight cells become known.
    pub(crate) const NOTHING: Self = Self { counts: u16::MAX, all: 1 << 15 };

    /// The need of a clue that allows these counts, one bit each, next to `mines` known mines and
    /// `cells` unknown cells.
    #[inline]
    pub const fn new(clue: u16, mines: u8, cells: u8) -> Self {
        Self { counts: clue >> mines & upto(cells), all: 1 << cells }
    }

    /// How many unknown cells there are.
    #[inline]
    pub const fn cells(self) -> u8 {
        self.all.trailing_zeros() as u8
    }

    /// Whether there are unknown cells.
    #[inline]
    pub const fn asks(self) -> bool {
        self.all > 1
    }

    /// The allowed numbers of mines, one bit each.
    #[inline]
    pub const fn counts(self) -> u16 {
        self.counts
    }

    /// The fewest mines allowed.
    #[inline]
    pub const fn low(self) -> u8 {
        self.counts.trailing_zeros() as u8
    }

    /// The most mines allowed.
    #[inline]
    pub const fn high(self) -> u8 {
        15 - self.counts.leading_zeros() as u8
    }

    /// Whether every number of mines is allowed.
    #[inline]
    pub const fn admits_all(self) -> bool {
        self.counts == (self.all << 1).wrapping_sub(1)
    }

    /// Whether no number of mines is allowed.
    #[inline]
    pub const fn is_impossible(self) -> bool {
        self.counts == 0
    }

    /// What the clue alone proves about its unknown cells, if it has any.
    #[inline]
    pub const fn fact(self) -> Option<Fact> {
        if self.counts == self.all && self.asks() {
            Some(Fact::Mine)
        } else if self.counts == 1 && self.asks() {
            Some(Fact::Safe)
        } else {
            None
        }
    }

    /// The need after one of the unknown cells becomes known.
    #[inline]
    pub const fn knowing(self, fact: Fact) -> Self {
        let all = self.all >> 1;
        match fact {
            Fact::Mine => Self { counts: self.counts >> 1, all },
            Fact::Safe => Self { counts: self.counts & (all << 1).wrapping_sub(1), all },
        }
    }
}

/// The mask of all counts from 0 to `cells`.
#[inline]
pub(crate) const fn upto(cells: u8) -> u16 {
    (2 << cells) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_may_become_known_in_any_order() {
        for (clue, cells) in (0..512).flat_map(|clue| (1..=8).map(move |cells| (clue, cells))) {
            let need = Need::new(clue, 0, cells);
            assert_eq!(need.knowing(Fact::Safe), Need::new(clue, 0, cells - 1));
            assert_eq!(need.knowing(Fact::Mine), Need::new(clue, 1, cells - 1));
        }
        let forgetting = (0..8).fold(Need::NOTHING, |need, _| need.knowing(Fact::Mine));
        assert!(forgetting.asks() && forgetting.fact().is_none() && !forgetting.is_impossible());
    }
}
