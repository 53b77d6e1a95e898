//! What clues still ask of unknown cells, in numbers.

use arrayvec::ArrayVec;
use deminer_game::{Cell, Face, View};

use crate::deduce::Fact;

/// The unknown cells that clues see, and those clues. Keeps its buffers from view to view.
///
/// ```text
/// # # # #      a * b c      one mine is known: the 2 needs one more in a and b, the 1 none in
/// ? 2 1 ?  ->  ? 2 1 ?      b and c
/// ```
///
/// Only clues that admit a single count ask for something here.
#[derive(Default)]
pub struct Frontier {
    /// Unknown cells that some clue sees.
    pub cells: Vec<Cell>,
    /// For each of these, the clues that see it, smallest number first.
    pub seen_by: Vec<ArrayVec<u16, 8>>,
    /// Clues that see some of these cells.
    pub clues: Vec<Clue>,
    /// The place of each cell of the board in `cells`, or [`NOWHERE`].
    places: Vec<u16>,
}

/// What a clue asks.
#[derive(Clone, Debug)]
pub struct Clue {
    /// Where it stands.
    pub cell: Cell,
    /// How many of the unknown cells around it are mines.
    pub need: u8,
    /// Those cells, by their places.
    pub cells: ArrayVec<u16, 8>,
}

impl Clue {
    /// Whether so many mines, and so many cells of which nothing is said yet, leave a way to
    /// satisfy it.
    #[inline]
    pub fn admits(&self, mines: u8, open: u8) -> bool {
        mines <= self.need && self.need <= mines + open
    }
}

/// Cells tied by clues, in an order that follows the clues, and those clues.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// The cells, by their places.
    pub cells: Vec<u16>,
    /// The clues, by their numbers.
    pub clues: Vec<u16>,
}

const NOWHERE: u16 = u16::MAX;

impl Frontier {
    /// Takes in a view, given what is known of its covered cells.
    pub fn read(&mut self, view: &View, known: impl Fn(Cell) -> Option<Fact>) {
        self.cells.clear();
        self.seen_by.clear();
        self.clues.clear();
        self.places.clear();
        self.places.resize(view.shape().size(), NOWHERE);
        for &cell in view.opened() {
            let Some(count) = view.face(cell).clue().and_then(|clue| clue.exact()) else {
                continue;
            };
            let mut mines = 0;
            let mut unknown: ArrayVec<Cell, 8> = ArrayVec::new();
            for &near in view.shape().neighbors(cell) {
                match view.face(near) {
                    Face::Open { .. } => {}
                    Face::Mine => mines += 1,
                    Face::Covered | Face::Flagged => match known(near) {
                        Some(Fact::Safe) => {}
                        Some(Fact::Mine) => mines += 1,
                        None => unknown.push(near),
                    },
                }
            }
            if !unknown.is_empty() {
                // A view that nothing fits may have too many mines here.
                self.add(cell, count.saturating_sub(mines), &unknown);
            }
        }
    }

    /// The regions it falls into: no clue sees cells of two.
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

    fn add(&mut self, cell: Cell, need: u8, unknown: &[Cell]) {
        let number = self.clues.len() as u16;
        let mut cells = ArrayVec::new();
        for &near in unknown {
            let place = &mut self.places[near.index()];
            if *place == NOWHERE {
                *place = self.cells.len() as u16;
                self.cells.push(near);
                self.seen_by.push(ArrayVec::new());
            }
            cells.push(*place);
            self.seen_by[usize::from(*place)].push(number);
        }
        self.clues.push(Clue { cell, need, cells });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_mines_are_taken_off_and_silent_clues_left_out() {
        let view: View = "mines 3\n# # # # #\n? 2 1 ? 1".parse().unwrap();
        let mine = view.shape().nth(1);
        let mut frontier = Frontier::default();
        frontier.read(&view, |cell| (Some(cell) == mine).then_some(Fact::Mine));
        let asks: Vec<_> = frontier
            .clues
            .iter()
            .map(|clue| {
                let cells =
                    clue.cells.iter().map(|&cell| frontier.cells[usize::from(cell)].index());
                (clue.cell.index(), clue.need, cells.collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(asks, [(6, 1, vec![0, 2]), (7, 0, vec![2, 3]), (9, 1, vec![3, 4])]);
        assert_eq!(frontier.seen_by[1].as_slice(), [0, 1]);
    }
}
