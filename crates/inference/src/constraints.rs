//! Constraints: how many mines each clue allows among the unknown cells around it.
//!
//! ```text
//! # # # #      a * b c      one mine is known: the 2 allows one more in a and b, the 1 none in
//! ? 2 1 ?  ->  ? 2 1 ?      b and c
//! ```
//!
//! Sound rules ([`deduce`](crate::deduce)), lists of layouts ([`Layouts`](crate::odds::Layouts))
//! and the players that search for themselves all work on [`Constraints`]. The exact engine counts
//! groups of cells, not cells, and has a compact form of its own (`Fringe`).

mod filling;
mod need;

use arrayvec::ArrayVec;
use deminer_game::{Cell, Face, View};

use crate::deduce::Fact;
pub use filling::{Filling, RegionSearch, SearchEnd};
pub use need::Need;
pub(crate) use need::upto;

/// The unknown cells that clues see, and the constraints of those clues. Keeps its buffers from
/// view to view.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    /// Unknown cells that at least one clue sees. A cell's index in this list is its *place*.
    pub cells: Vec<Cell>,
    /// For each place, the indices of the clues that see the cell.
    pub seen_by: Vec<ArrayVec<u16, 8>>,
    /// One constraint for each clue.
    pub clues: Vec<Constraint>,
    /// The place of each cell of the board, or [`NOWHERE`].
    places: Vec<u16>,
}

/// What one clue says about the unknown cells around it: board cells, or places in
/// [`Constraints::cells`].
#[derive(Clone, Debug)]
pub struct Constraint<C = u16> {
    /// The cell of the clue.
    pub cell: Cell,
    /// The numbers of mines that the clue allows in its unknown cells.
    pub need: Need,
    /// The unknown cells.
    pub cells: ArrayVec<C, 8>,
}

/// Cells and clues that are connected: no clue sees cells of two regions.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// The places of the cells, in an order that follows the clues.
    pub cells: Vec<u16>,
    /// The indices of the clues.
    pub clues: Vec<u16>,
}

/// Cells seen by the same clues. No clue distinguishes between them.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub cells: Vec<Cell>,
    /// The clues that see the cells, as indices into the list that was grouped.
    pub clues: ArrayVec<u16, 8>,
}

const NOWHERE: u16 = u16::MAX;

impl Constraint<Cell> {
    /// The constraint of the clue in this cell, given what is known about covered cells. None if
    /// the cell is not open.
    #[inline]
    pub fn of(view: &View, clue: Cell, known: impl Fn(Cell) -> Option<Fact>) -> Option<Self> {
        let counts = view.face(clue).clue()?.mask();
        let mut cells = ArrayVec::new();
        let mut mines = 0;
        for &near in view.shape().neighbors(clue) {
            match view.face(near) {
                Face::Open { .. } => {}
                Face::Mine => mines += 1,
                Face::Covered | Face::Flagged => match known(near) {
                    Some(Fact::Safe) => {}
                    Some(Fact::Mine) => mines += 1,
                    None => cells.push(near),
                },
            }
        }
        let need = Need::new(counts, mines, cells.len() as u8);
        Some(Self { cell: clue, need, cells })
    }

    /// Whether the clue excludes some arrangement of its cells, but not all of them. A clue that
    /// excludes all belongs to a view that no layout fits; it proves nothing.
    #[inline]
    pub fn is_useful(&self) -> bool {
        self.need.asks() && !self.need.admits_all() && !self.need.is_impossible()
    }
}

impl Constraints {
    /// Reads the useful clues of a view, given what is known about covered cells.
    pub fn read(&mut self, view: &View, known: impl Fn(Cell) -> Option<Fact>) {
        self.read_clues(view, view.opened(), known);
    }

    /// Reads some clues of a view, as far as they are useful.
    pub fn read_clues(
        &mut self,
        view: &View,
        clues: &[Cell],
        known: impl Fn(Cell) -> Option<Fact>,
    ) {
        self.clear(view.shape().size());
        for &clue in clues {
            let constraint = Constraint::of(view, clue, &known);
            if let Some(constraint) = constraint.filter(Constraint::is_useful) {
                self.push(constraint.cell, constraint.need, constraint.cells);
            }
        }
    }

    /// Removes everything, for a board with this number of cells.
    pub fn clear(&mut self, board: usize) {
        for cell in &self.cells {
            self.places[cell.index()] = NOWHERE;
        }
        self.places.resize(board, NOWHERE);
        self.cells.clear();
        self.seen_by.clear();
        self.clues.clear();
    }

    /// Adds the constraint of a clue.
    pub fn push(&mut self, clue: Cell, need: Need, cells: impl IntoIterator<Item = Cell>) {
        let number = self.clues.len() as u16;
        let places = cells.into_iter().map(|cell| {
            let place = self.place(cell);
            self.seen_by[usize::from(place)].push(number);
            place
        });
        let cells = places.collect();
        self.clues.push(Constraint { cell: clue, need, cells });
    }

    /// The place of a cell, which is added if it has none.
    #[inline]
    pub fn place(&mut self, cell: Cell) -> u16 {
        let place = &mut self.places[cell.index()];
        if *place == NOWHERE {
            *place = self.cells.len() as u16;
            self.cells.push(cell);
            self.seen_by.push(ArrayVec::new());
        }
        *place
    }

    /// Whether a clue sees this unknown cell.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.places[cell.index()] != NOWHERE
    }

    /// The board cells of these places.
    #[inline]
    pub fn cells_at<'a>(&'a self, places: &'a [u16]) -> impl Iterator<Item = Cell> + Clone + 'a {
        places.iter().map(|&place| self.cells[usize::from(place)])
    }

    /// The regions, in the order of their first cells.
    pub fn regions(&self) -> Vec<Region> {
        let mut regions = Vec::new();
        let mut cells_seen = vec![false; self.cells.len()];
        let mut clues_seen = vec![false; self.clues.len()];
        for start in 0..self.cells.len() {
            if std::mem::replace(&mut cells_seen[start], true) {
                continue;
            }
            let mut region = Region { cells: vec![start as u16], ..Region::default() };
            let mut next = 0;
            while let Some(&cell) = region.cells.get(next) {
                next += 1;
                for &clue in &self.seen_by[usize::from(cell)] {
                    if std::mem::replace(&mut clues_seen[usize::from(clue)], true) {
                        continue;
                    }
                    region.clues.push(clue);
                    for &near in &self.clues[usize::from(clue)].cells {
                        if !std::mem::replace(&mut cells_seen[usize::from(near)], true) {
                            region.cells.push(near);
                        }
                    }
                }
            }
            regions.push(region);
        }
        regions
    }

    /// The cells of these clues, grouped by the clues that see them.
    pub(crate) fn groups(&self, clues: impl Iterator<Item = u16>) -> Vec<Group> {
        let mut seen: Vec<(Cell, u16)> = Vec::new();
        for (index, clue) in (0..).zip(clues) {
            let cells = self.cells_at(&self.clues[usize::from(clue)].cells);
            seen.extend(cells.map(|cell| (cell, index)));
        }
        seen.sort_unstable();
        let mut keyed: Vec<(ArrayVec<u16, 8>, Cell)> = seen
            .chunk_by(|one, other| one.0 == other.0)
            .map(|run| (run.iter().map(|&(_, index)| index).collect(), run[0].0))
            .collect();
        keyed.sort_unstable();
        keyed
            .chunk_by(|one, other| one.0 == other.0)
            .map(|run| {
                let cells = run.iter().map(|&(_, cell)| cell).collect();
                Group { cells, clues: run[0].0.clone() }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_mines_are_subtracted_and_useless_clues_left_out() {
        let view: View = "mines 3\n# # # # #\n? 2 1 ? 1".parse().unwrap();
        let mine = view.shape().nth(1);
        let mut constraints = Constraints::default();
        constraints.read(&view, |cell| (Some(cell) == mine).then_some(Fact::Mine));
        let needs: Vec<_> = constraints
            .clues
            .iter()
            .map(|clue| {
                let cells = constraints.cells_at(&clue.cells).map(Cell::index);
                (clue.cell.index(), clue.need.low(), cells.collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(needs, [(6, 1, vec![0, 2]), (7, 0, vec![2, 3]), (9, 1, vec![3, 4])]);
        assert_eq!(constraints.seen_by[1].as_slice(), [0, 1]);
    }
}
