//! The fringe: covered cells that some clue sees, cut into groups and regions.
//!
//! ```text
//! # # # # # #      A B B C C ~      cells are grouped by the clues that see them: the 1 sees
//! # 1 # # # #  ->  A 1 B C C ~      A and B, the 2 sees B and C. A group shared by clues ties
//! # # # 2 # #      A B B 2 C ~      them into a region. No clue sees the sea (~); what single
//! # # # # # #      ~ ~ C C C ~      clues prove is out of the way before.
//! ```

use std::ops::Range;

use deminer_game::{Cell, Face, View};

use crate::class::Class;
use crate::constraints::Need;
use crate::deduce::SinglePoint;
use crate::odds::{CellGroup, GroupedClue, GroupedRegion, SmallList};

/// A view, cut into what is proved at once, regions and sea. Keeps its buffers from view to view.
#[derive(Default)]
pub(crate) struct Fringe {
    /// The clues that exclude something.
    active: Vec<Cell>,
    /// The number of each clue, or [`NOT_A_CLUE`], or [`WAITING`] until its region is reached.
    number: Vec<u16>,
    classes: Vec<Class>,
    /// How many cells are unknown, and how many of them belong to regions.
    unknown: usize,
    seen: usize,
    /// How many mines are shown or proved.
    mines: usize,
    groups: Vec<CellGroup>,
    clues: Vec<GroupedClue>,
    clue_cells: Vec<Cell>,
    regions: Vec<RegionSpan>,
    certain: bool,
    probe: Option<Cell>,
}

/// Where a region's groups and clues are, and how many cells it has.
#[derive(Clone, Debug)]
pub(crate) struct RegionSpan {
    pub groups: Range<usize>,
    pub clues: Range<usize>,
    pub cells: usize,
}

const NOT_A_CLUE: u16 = u16::MAX;
const WAITING: u16 = u16::MAX - 1;

impl Fringe {
    /// Reads a view, given what single clues prove in it. With a probe, a covered cell supposed to be
    /// safe, the result is as if that cell were open with a clue that admits everything.
    ///
    /// Costs time in proportion to the clues with unknown cells and these cells.
    pub fn read(&mut self, view: &View, known: &SinglePoint, probe: Option<Cell>) {
        self.clear(known, probe);
        self.gather(view, known);
        for at in 0..self.active.len() {
            let start = self.active[at];
            if self.number[start.index()] == WAITING {
                self.follow(view, known, start);
            }
        }
    }

    fn clear(&mut self, known: &SinglePoint, probe: Option<Cell>) {
        self.classes.clear();
        self.classes.extend_from_slice(known.classes());
        self.number.clear();
        self.number.resize(self.classes.len(), NOT_A_CLUE);
        (self.unknown, self.seen, self.mines) = (known.unknown(), 0, known.mines());
        self.active.clear();
        self.groups.clear();
        self.clues.clear();
        self.clue_cells.clear();
        self.regions.clear();
        self.certain = true;
        self.probe = probe;
    }

    /// Finds the clues that exclude something.
    fn gather(&mut self, view: &View, known: &SinglePoint) {
        for &cell in known.asking() {
            let need = known.need(cell);
            if need.asks() && !(need.admits_all() && weights(view, known, cell, need).is_none()) {
                self.active.push(cell);
            }
        }
        let probe = self.probe.filter(|&cell| known.open_need(view, cell).asks());
        self.active.extend(probe);
        for cell in &self.active {
            self.number[cell.index()] = WAITING;
        }
    }

    /// Makes a region of a clue and all that is tied to it: the cells it sees, the clues that see
    /// those, and so on.
    fn follow(&mut self, view: &View, known: &SinglePoint, start: Cell) {
        let (first_clue, first_group) = (self.clues.len(), self.groups.len());
        let already = self.seen;
        self.admit(view, known, start);
        let mut next = first_clue;
        while let Some(&clue) = self.clue_cells.get(next) {
            // Cells of one group are met together: at the first clue that sees them.
            let new_groups = self.groups.len();
            for &near in view.shape().neighbors(clue) {
                if self.classes[near.index()] == Class::SEA {
                    let seen_by = self.seen_by(view, known, near, first_clue);
                    self.place(near, seen_by, new_groups);
                }
            }
            for group in new_groups..self.groups.len() {
                for clue in self.groups[group].clues.iter() {
                    let number = (group - first_group) as u16;
                    self.clues[first_clue + clue as usize].groups.push(number);
                }
            }
            next += 1;
        }
        let cells = self.seen - already;
        let (groups, clues) = (first_group..self.groups.len(), first_clue..self.clues.len());
        self.regions.push(RegionSpan { groups, clues, cells });
    }

    /// The clues that see a cell, numbered from the region's first. Neighbors come in the same
    /// order for all cells, so the same clues always make the same list.
    #[inline]
    fn seen_by(&mut self, view: &View, known: &SinglePoint, cell: Cell, first: usize) -> SmallList {
        let mut seen_by = SmallList::default();
        for &near in view.shape().neighbors(cell) {
            let number = match self.number[near.index()] {
                NOT_A_CLUE => continue,
                WAITING => self.admit(view, known, near),
                number => number,
            };
            seen_by.push(number - first as u16);
        }
        seen_by
    }

    /// Puts a cell into the group of those that the same clues see, among the groups from
    /// `first` on.
    #[inline]
    fn place(&mut self, cell: Cell, seen_by: SmallList, first: usize) {
        let held = self.groups[first..].iter().position(|group| group.clues == seen_by);
        let group = first + held.unwrap_or(self.groups.len() - first);
        match self.groups.get_mut(group) {
            Some(group) => group.size += 1,
            None => self.groups.push(CellGroup { size: 1, clues: seen_by }),
        }
        self.classes[cell.index()] = Class::of_group(group);
        self.seen += 1;
    }

    /// Gives a clue the next number.
    fn admit(&mut self, view: &View, known: &SinglePoint, cell: Cell) -> u16 {
        let number = self.clues.len() as u16;
        self.number[cell.index()] = number;
        let (need, weights) = if self.probe == Some(cell) {
            (known.open_need(view, cell), None)
        } else {
            let need = known.need(cell);
            let sure = need.low() == need.high();
            (need, if sure { None } else { weights(view, known, cell, need) })
        };
        self.certain &= weights.is_none();
        self.clues.push(GroupedClue { need, weights, groups: SmallList::default() });
        self.clue_cells.push(cell);
        number
    }

    /// The class of each cell.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Swaps the classes with a buffer, which holds those of the next view.
    pub fn swap_classes(&mut self, buffer: &mut Vec<Class>) {
        std::mem::swap(&mut self.classes, buffer);
    }

    /// Cells of each group.
    pub fn group_sizes(&self) -> impl Iterator<Item = u8> {
        self.groups.iter().map(|group| group.size)
    }

    /// The regions.
    pub fn regions(&self) -> &[RegionSpan] {
        &self.regions
    }

    /// A region as numbers.
    pub fn region(&self, span: &RegionSpan) -> GroupedRegion<'_> {
        GroupedRegion {
            groups: &self.groups[span.groups.clone()],
            clues: &self.clues[span.clues.clone()],
        }
    }

    /// The cells of a region's clues.
    pub fn clue_cells(&self, span: &RegionSpan) -> &[Cell] {
        &self.clue_cells[span.clues.clone()]
    }

    /// Whether all layouts have the same weight: no clue makes some counts likelier than others.
    pub fn is_certain(&self) -> bool {
        self.certain
    }

    /// How many cells are unknown.
    pub fn unknown(&self) -> usize {
        self.unknown
    }

    /// How many unknown cells no clue sees.
    pub fn sea(&self) -> usize {
        self.unknown - self.seen
    }

    /// How many mines are shown or proved.
    pub fn mines(&self) -> usize {
        self.mines
    }
}

/// A common multiple of 1 to 9: likelihoods of clues are whole parts of it.
const PARTS: f64 = 2520.0;

/// The likelihood of what an open cell shows, for each number of mines in its unknown cells; none if
/// all admitted numbers are equally likely.
fn weights(view: &View, known: &SinglePoint, cell: Cell, need: Need) -> Option<[u32; 9]> {
    let Face::Open { shown, .. } = view.face(cell) else { unreachable!("clues are open") };
    let degree = view.shape().degree(cell) as u8;
    let (mines, counts) = (known.mines_around(view, cell), need.counts());
    let mut weights = [0; 9];
    for count in (0..=need.cells()).filter(|count| counts >> count & 1 == 1) {
        let likelihood = view.rules().clues().likelihood(shown, mines + count, degree);
        weights[count as usize] = (likelihood * PARTS).round() as u32;
    }
    let first = counts.trailing_zeros() as usize;
    let alike = |count: usize| counts >> count & 1 == 0 || weights[count] == weights[first];
    let whole = counts >> first & (counts >> first).wrapping_add(1) == 0;
    (!(whole && (0..9).all(alike))).then_some(weights)
}

#[cfg(test)]
mod tests {
    use deminer_game::{ClueRule, Shown};

    use super::PARTS;

    /// Weights are whole numbers, so likelihoods that differ must not be rounded.
    #[test]
    fn likelihoods_that_differ_are_whole_parts() {
        for rule in [ClueRule::Optimistic, ClueRule::Cautious, ClueRule::CautiousDegree] {
            for degree in 0..=8 {
                for (shown, count) in (0..=8).flat_map(|shown| (0..=8).map(move |n| (shown, n))) {
                    let parts = PARTS * rule.likelihood(Shown::Number(shown), count, degree);
                    assert!((parts - parts.round()).abs() < 1e-9, "{rule} {shown} {count}");
                }
            }
        }
    }
}
