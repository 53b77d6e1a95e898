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

use crate::count::{Group, Need, Region};
use crate::deduce::{Ask, SinglePoint};

/// A view, cut into what is proved at once, regions and sea. Keeps its buffers from view to view.
#[derive(Default)]
pub(crate) struct Fringe {
    /// The number of each clue that still says something.
    number: Vec<u16>,
    /// For each fringe cell, the sum of the marks of the clues that see it.
    marks: Vec<u64>,
    cells: Vec<Cell>,
    table: Vec<(u64, u32)>,
    parents: Vec<u16>,

    group_of: Vec<u32>,
    groups: Vec<Group>,
    needs: Vec<Need>,
    clue_cells: Vec<Cell>,
    regions: Vec<RegionSpan>,
    sea: usize,
    probe: Option<Cell>,
    sorting: Sorting,
}

/// Buffers for putting clues and groups in the order of their regions.
#[derive(Default)]
struct Sorting {
    active: Vec<Cell>,
    groups: Vec<Group>,
    region_of: Vec<u16>,
    new_number: Vec<u16>,
    new_group: Vec<u32>,
}

/// Where a region's groups and clues are.
#[derive(Clone, Debug)]
pub(crate) struct RegionSpan {
    pub groups: Range<usize>,
    pub clues: Range<usize>,
}

const NOT_A_CLUE: u16 = u16::MAX;
pub(crate) const NO_GROUP: u32 = u32::MAX;

/// A random mark for each clue, so that a sum of marks tells a set of clues.
#[inline]
fn mark(cell: Cell) -> u64 {
    let mut mixed = (cell.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^= mixed >> 32;
    mixed = mixed.wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ (mixed >> 29)
}

impl Fringe {
    /// Takes a view in, with what single clues prove of it. With a probe, a covered cell taken for
    /// safe, all is as if that cell were open, with a clue that admits everything.
    pub fn read(&mut self, view: &View, known: &SinglePoint, probe: Option<Cell>) {
        self.probe = probe;
        self.gather(view, known);
        self.group(view);
        self.divide(view, known);
        self.sea = known.unknown() - self.cells.len();
    }

    /// Numbers the clues that still say something, and marks the cells they see.
    fn gather(&mut self, view: &View, known: &SinglePoint) {
        let shape = view.shape();
        self.number.clear();
        self.number.resize(shape.size(), NOT_A_CLUE);
        for cell in self.cells.drain(..) {
            self.marks[cell.index()] = 0;
        }
        self.marks.resize(shape.size(), 0);
        self.sorting.active.clear();
        for &cell in known.asking().iter().chain(&self.probe) {
            let probed = self.probe == Some(cell);
            let ask = if probed { known.ask_nothing(view, cell) } else { known.ask(cell) };
            if ask.unknown() == 0 || !probed && says_nothing(view, cell, ask) {
                continue;
            }
            self.number[cell.index()] = self.sorting.active.len() as u16;
            self.sorting.active.push(cell);
            let mark = mark(cell);
            for &near in shape.neighbors(cell) {
                if known.fact(near).is_none() {
                    let sum = &mut self.marks[near.index()];
                    if *sum == 0 {
                        self.cells.push(near);
                    }
                    *sum = sum.wrapping_add(mark);
                }
            }
        }
    }

    /// Puts cells with the same marks into groups, and ties the clues that share one.
    fn group(&mut self, view: &View) {
        let shape = view.shape();
        self.group_of.clear();
        self.group_of.resize(shape.size(), NO_GROUP);
        self.parents.clear();
        self.parents.extend(0..self.sorting.active.len() as u16);
        self.sorting.groups.clear();
        let room = (2 * self.cells.len()).next_power_of_two().max(16);
        self.table.clear();
        self.table.resize(room, (0, NO_GROUP));
        for &cell in &self.cells {
            let mark = self.marks[cell.index()];
            let mut at = mark as usize & (room - 1);
            let group = loop {
                match self.table[at] {
                    (_, NO_GROUP) => break None,
                    (held, group) if held == mark => break Some(group),
                    _ => at = (at + 1) & (room - 1),
                }
            };
            let group = group.unwrap_or_else(|| {
                let number = self.sorting.groups.len() as u32;
                self.table[at] = (mark, number);
                let mut group = Group::new(0);
                for near in shape.neighbors(cell) {
                    let clue = self.number[near.index()];
                    if clue != NOT_A_CLUE {
                        group.add_clue(clue);
                    }
                }
                for pair in group.clues().windows(2) {
                    let (a, b) =
                        (find(&mut self.parents, pair[0]), find(&mut self.parents, pair[1]));
                    self.parents[a.max(b) as usize] = a.min(b);
                }
                self.sorting.groups.push(group);
                number
            });
            self.sorting.groups[group as usize].size += 1;
            self.group_of[cell.index()] = group;
        }
    }

    /// Sorts clues and groups by region.
    fn divide(&mut self, view: &View, known: &SinglePoint) {
        let Sorting { active, groups, region_of, new_number, new_group } = &mut self.sorting;
        self.regions.clear();
        // Roots come first in their regions, so numbering them in order numbers the regions.
        region_of.clear();
        for clue in 0..active.len() as u16 {
            let root = find(&mut self.parents, clue);
            if root == clue {
                region_of.push(self.regions.len() as u16);
                self.regions.push(RegionSpan { groups: 0..0, clues: 0..0 });
            } else {
                region_of.push(region_of[root as usize]);
            }
            self.regions[region_of[clue as usize] as usize].clues.end += 1;
        }
        let region_of_group = |group: &Group| region_of[group.clues()[0] as usize] as usize;
        for group in groups.iter() {
            self.regions[region_of_group(group)].groups.end += 1;
        }
        let (mut clue_start, mut group_start) = (0, 0);
        for region in &mut self.regions {
            let (clues, members) = (region.clues.end, region.groups.end);
            region.clues = clue_start..clue_start;
            region.groups = group_start..group_start;
            clue_start += clues;
            group_start += members;
        }
        self.clue_cells.clear();
        self.clue_cells.extend_from_slice(active);
        self.needs.clear();
        self.needs.resize(active.len(), Need { low: 0, high: 0, cells: 0, weights: None });
        new_number.clear();
        for (clue, &cell) in active.iter().enumerate() {
            let region = &mut self.regions[region_of[clue] as usize];
            let at = region.clues.end;
            region.clues.end += 1;
            new_number.push((at - region.clues.start) as u16);
            self.needs[at] = if self.probe == Some(cell) {
                let cells = known.ask_nothing(view, cell).unknown();
                Need { low: 0, high: cells, cells, weights: None }
            } else {
                need(view, cell, known.ask(cell))
            };
            self.clue_cells[at] = cell;
        }
        self.groups.clear();
        self.groups.resize(groups.len(), Group::new(0));
        new_group.clear();
        for group in groups.iter() {
            let region = &mut self.regions[region_of_group(group)];
            let at = region.groups.end;
            region.groups.end += 1;
            let mut renamed = Group::new(group.size);
            for &clue in group.clues() {
                renamed.add_clue(new_number[clue as usize]);
            }
            self.groups[at] = renamed;
            new_group.push(at as u32);
        }
        for cell in &self.cells {
            let group = &mut self.group_of[cell.index()];
            *group = new_group[*group as usize];
        }
    }

    /// The group of each cell, or [`NO_GROUP`].
    pub fn group_of(&self) -> &[u32] {
        &self.group_of
    }

    /// The regions.
    pub fn regions(&self) -> &[RegionSpan] {
        &self.regions
    }

    /// A region as numbers.
    pub fn region(&self, span: &RegionSpan) -> Region<'_> {
        Region { groups: &self.groups[span.groups.clone()], clues: &self.needs[span.clues.clone()] }
    }

    /// The cells of a region's clues.
    pub fn clue_cells(&self, span: &RegionSpan) -> &[Cell] {
        &self.clue_cells[span.clues.clone()]
    }

    /// Whether every clue only admits or refuses, and weighs nothing.
    pub fn is_certain(&self) -> bool {
        self.needs.iter().all(|need| need.weights.is_none())
    }

    /// How many unknown cells no clue sees.
    pub fn sea(&self) -> usize {
        self.sea
    }
}

/// A common multiple of 1 to 9: likelihoods of clues are whole parts of it.
const PARTS: f64 = 2520.0;

/// How likely what an open cell shows is, for each number of mines among its unknown cells; none
/// if all admitted numbers are alike.
fn weights(view: &View, cell: Cell, ask: Ask) -> Option<[u32; 9]> {
    let Face::Open { shown, .. } = view.face(cell) else { unreachable!("clues are open") };
    let degree = view.shape().degree(cell) as u8;
    let counts = ask.admitted();
    let mut weights = [0; 9];
    for count in (0..=ask.unknown()).filter(|count| counts >> count & 1 == 1) {
        let likelihood = view.rules().clues().likelihood(shown, ask.mines() + count, degree);
        weights[count as usize] = (likelihood * PARTS).round() as u32;
    }
    let first = counts.trailing_zeros() as usize;
    let alike = |count: usize| counts >> count & 1 == 0 || weights[count] == weights[first];
    let whole = counts >> first & (counts >> first).wrapping_add(1) == 0;
    (!(whole && (0..9).all(alike))).then_some(weights)
}

/// Whether a clue is as likely with any number of mines around it.
#[inline]
fn says_nothing(view: &View, cell: Cell, ask: Ask) -> bool {
    ask.admitted() == (2 << ask.unknown()) - 1 && weights(view, cell, ask).is_none()
}

/// What a clue says about its unknown cells.
#[inline]
fn need(view: &View, cell: Cell, ask: Ask) -> Need {
    let counts = ask.admitted();
    let (low, high) = (counts.trailing_zeros() as u8, 15 - counts.leading_zeros() as u8);
    let weights = if low == high { None } else { weights(view, cell, ask) };
    Need { low, high, cells: ask.unknown(), weights }
}

/// The root of a tree of clues, halving the way to it.
fn find(parents: &mut [u16], mut clue: u16) -> u16 {
    while parents[clue as usize] != clue {
        parents[clue as usize] = parents[parents[clue as usize] as usize];
        clue = parents[clue as usize];
    }
    clue
}

#[cfg(test)]
mod tests {
    use deminer_game::{ClueRule, Shown};

    use super::PARTS;

    /// Weights are whole numbers, so no likelihood that tells counts apart may be rounded.
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
