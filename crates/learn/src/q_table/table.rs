//! The table: a row of values for each view in its standard position.

use deminer_game::{Cell, Face, Shown, Size, View, symmetries};
use rustc_hash::FxHashMap;

/// Boards of more cells have no table: a view of them does not fit into a key, and their views
/// would not fit into a computer.
pub const MOST_CELLS: usize = 32;

/// A view in its standard position: a code of four bits for each cell.
pub(super) type Key = u128;

/// A covered cell in a key; open ones have their number.
pub(super) const COVERED: Key = 9;

/// What opening cells is worth in each view met.
#[derive(Clone, Debug)]
pub struct Table {
    size: Size,
    turns: Vec<Vec<usize>>,
    pub(super) rows: FxHashMap<Key, Row>,
}

/// What is known of a view.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Row {
    /// What opening each place of the standard position is worth; not a number where it is open.
    pub values: Box<[f32]>,
    /// How often it was met.
    pub visits: u32,
}

/// Where a view is found in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub key: Key,
    /// The way it was turned.
    turn: usize,
}

impl Table {
    /// An empty table for boards of this size.
    ///
    /// # Panics
    /// If the board has more than [`MOST_CELLS`] cells.
    pub fn new(size: Size) -> Self {
        assert!(size.width * size.height <= MOST_CELLS, "a board too large for a table");
        let turns = symmetries(size.width, size.height);
        Self { size, turns, rows: FxHashMap::default() }
    }

    /// The boards it is for.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many views it knows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The same table without the views that were met less often than this.
    #[must_use]
    pub fn without_rare(mut self, least: u32) -> Self {
        self.rows.retain(|_, row| row.visits >= least);
        self
    }

    /// Where a view stands: of all ways to turn it, the one with the least key.
    pub(super) fn place(&self, view: &View) -> Place {
        let codes: Vec<Key> = view.faces().iter().map(|&face| code(face)).collect();
        let key = |turn: &Vec<usize>| {
            turn.iter().rev().fold(0, |key: Key, &source| key << 4 | codes[source])
        };
        let places = self.turns.iter().map(key).enumerate().map(|(turn, key)| Place { key, turn });
        places.min_by_key(|place| place.key).expect("a rectangle turns one way at least")
    }

    /// The cells of a view in the order of its row.
    pub(super) fn cells<'a>(
        &'a self,
        place: Place,
        view: &'a View,
    ) -> impl Iterator<Item = Cell> + 'a {
        let cell = |&source: &usize| view.shape().nth(source).expect("turns stay on the board");
        self.turns[place.turn].iter().map(cell)
    }

    /// What opening each covered cell is worth, as far as it is known.
    pub fn values<'a>(&'a self, view: &'a View) -> Option<Vec<(Cell, f32)>> {
        let place = self.place(view);
        let row = self.rows.get(&place.key)?;
        let all = self.cells(place, view).zip(row.values.iter().copied());
        Some(all.filter(|(_, value)| !value.is_nan()).collect())
    }

    /// The row of a view, made if there is none.
    pub(super) fn row(&mut self, key: Key) -> &mut Row {
        let cells = self.size.width * self.size.height;
        self.rows.entry(key).or_insert_with(|| Row::fresh(key, cells))
    }
}

impl Row {
    /// A row of a view of which nothing is known.
    pub fn fresh(key: Key, cells: usize) -> Self {
        let value = |at: usize| if key >> (4 * at) & 15 == COVERED { 0.0 } else { f32::NAN };
        Self { values: (0..cells).map(value).collect(), visits: 0 }
    }

    /// The most that a cell is worth.
    pub fn best(&self) -> f32 {
        self.values.iter().copied().fold(f32::NAN, f32::max)
    }
}

/// Flagged cells count as covered.
fn code(face: Face) -> Key {
    match face {
        Face::Covered | Face::Flagged | Face::Mine => COVERED,
        Face::Open { shown: Shown::Number(number), .. } => number.into(),
        Face::Open { shown: Shown::Blank, .. } => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_and_its_mirror_image_stand_in_one_place() {
        let mut table = Table::new("3x3x1".parse().unwrap());
        let [one, other]: [View; 2] = ["# 1 .\n# 1 .\n# 1 .", "# # #\n1 1 1\n. . ."]
            .map(|rows| format!("mines 1\n{rows}").parse().unwrap());
        let place = table.place(&one);
        assert_eq!(place.key, table.place(&other).key);
        table.row(place.key).values.iter_mut().for_each(|value| *value += 1.0);
        for view in [&one, &other] {
            let values = table.values(view).unwrap();
            let cells: Vec<Cell> = view.covered().collect();
            assert!(values.iter().all(|(cell, value)| cells.contains(cell) && *value == 1.0));
            assert_eq!(values.len(), 3);
        }
        assert_eq!(table.without_rare(1).len(), 0);
    }
}
