//! Lists all layouts that fit a view, if there are few.

use deminer_game::{Cell, Face, View};
use thiserror::Error;

use super::engine::Odds;
use crate::constraints::{Constraints, Region, RegionSearch, SearchEnd};
use crate::deduce::Fact;

/// All layouts that fit a view. Keeps its buffers from view to view.
///
/// Cells that the odds decide are the same in all layouts, so only the undecided cells are listed:
///
/// ```text
/// mines 3
/// # # # #      A . . C      The mine total keeps the middle free. One cell of A and two of C
/// # 1 2 #  ->  A 1 2 C      are mines: two regions with three fillings each, nine layouts.
/// # # # #      A . . C
/// ```
///
/// The fillings of each region are found by backtracking. Then fillings of all regions and of the
/// sea are combined under the mine total; combinations that cannot reach the total are skipped.
#[derive(Default)]
pub struct Layouts {
    undecided: Vec<Cell>,
    /// The index of each cell among the undecided cells, or [`MINED`] or [`NOWHERE`].
    places: Vec<u32>,
    /// A row of bits for each layout: which of the undecided cells are mines.
    rows: Vec<u64>,
    /// Words in a row.
    words: usize,
    len: usize,

    constraints: Constraints,
    regions: Vec<Region>,
    search: RegionSearch,
    fillings: Vec<RegionFilling>,
    /// For each region, the range of its fillings.
    ranges: Vec<(usize, usize)>,
    /// The rows of the fillings.
    filled: Vec<u64>,
    /// Undecided cells that no clue sees.
    sea: Vec<u32>,
    /// For each region and each number of mines, whether it, the later regions and the sea can hold
    /// that number.
    within_reach: Vec<bool>,
    row: Vec<u64>,
}

/// A cell that is safe in every layout.
const NOWHERE: u32 = u32::MAX;

/// A cell that is a mine in every layout.
const MINED: u32 = u32::MAX - 1;

#[derive(Clone, Copy)]
struct RegionFilling {
    mines: usize,
    /// Where its row begins.
    at: usize,
}

/// Why the layouts are not listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unlisted {
    /// Uncertain clues make some layouts likelier than others, or a region was too wide to count.
    #[error("the layouts are weighted or sampled, not counted")]
    Uncounted,
    /// More layouts than the limit.
    #[error("more layouts fit than may be listed")]
    TooMany,
    /// Regions have too many fillings that fit no layout.
    #[error("finding the layouts takes too many steps")]
    TooHard,
}

/// Steps of the search for each layout that may be listed.
const STEPS: usize = 256;

impl Layouts {
    /// Lists the layouts that fit a view, if there are at most `limit`, from its exact odds.
    pub fn list(&mut self, view: &View, odds: &Odds, limit: usize) -> Result<(), Unlisted> {
        self.len = 0;
        let log = odds.log10_layouts().filter(|_| odds.is_exact()).ok_or(Unlisted::Uncounted)?;
        // The count is a whole number, and its logarithm is precise enough to compare.
        if log > (limit as f64 + 0.5).log10() {
            return Err(Unlisted::TooMany);
        }
        let known = self.decide(view, odds);
        let mines = view.rules().mines().checked_sub(known).expect("odds count the mines");
        self.constraints.read(view, |cell| odds.fact(cell));
        self.regions = self.constraints.regions();
        let free = |place: &u32| !self.constraints.contains(self.undecided[*place as usize]);
        self.sea.clear();
        self.sea.extend((0..self.undecided.len() as u32).filter(free));
        self.find_fillings(mines, STEPS * limit.max(1))?;
        self.combine(mines);
        Ok(())
    }

    /// How many layouts there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no layout is listed.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The cells that are mines in some layouts and safe in others, row by row.
    #[inline]
    pub fn undecided(&self) -> &[Cell] {
        &self.undecided
    }

    /// The index of a cell among the undecided cells.
    #[inline]
    pub fn place(&self, cell: Cell) -> Option<usize> {
        Some(self.places[cell.index()]).filter(|&place| place < MINED).map(|place| place as usize)
    }

    /// Whether a layout has a mine in the undecided cell with this index.
    #[inline]
    pub fn is_mine(&self, layout: usize, place: usize) -> bool {
        self.rows[layout * self.words + place / 64] >> (place % 64) & 1 == 1
    }

    /// Whether a layout has a mine in this cell.
    #[inline]
    pub fn has_mine(&self, layout: usize, cell: Cell) -> bool {
        match self.place(cell) {
            Some(place) => self.is_mine(layout, place),
            None => self.is_common_mine(cell),
        }
    }

    /// Whether every layout has a mine in this cell.
    #[inline]
    pub fn is_common_mine(&self, cell: Cell) -> bool {
        self.places[cell.index()] == MINED
    }

    /// Divides the cells into mines of every layout, undecided cells and the rest. Returns the
    /// number of mines.
    fn decide(&mut self, view: &View, odds: &Odds) -> usize {
        self.undecided.clear();
        self.places.clear();
        let mut mines = 0;
        for (cell, face) in view.shape().cells().zip(view.faces()) {
            let place = match (face, odds.fact(cell)) {
                (Face::Open { .. }, _) | (_, Some(Fact::Safe)) => NOWHERE,
                (Face::Mine, _) | (_, Some(Fact::Mine)) => {
                    mines += 1;
                    MINED
                }
                (Face::Covered | Face::Flagged, None) => {
                    self.undecided.push(cell);
                    self.undecided.len() as u32 - 1
                }
            };
            self.places.push(place);
        }
        self.words = self.undecided.len().div_ceil(64).max(1);
        mines
    }

    /// Finds the fillings of each region.
    fn find_fillings(&mut self, most: usize, mut steps: usize) -> Result<(), Unlisted> {
        self.fillings.clear();
        self.ranges.clear();
        self.filled.clear();
        let Self { constraints, search, filled, .. } = self;
        for region in &self.regions {
            let first = self.fillings.len();
            search.begin(constraints, region, most);
            loop {
                match search.next(constraints, region, &mut steps, |_, _| false) {
                    SearchEnd::Found => {}
                    SearchEnd::NoMore => break,
                    SearchEnd::TooLong => return Err(Unlisted::TooHard),
                }
                let at = filled.len();
                filled.resize(at + self.words, 0);
                let (mines, cells) = search.filling();
                for (cell, _) in
                    constraints.cells_at(&region.cells).zip(cells).filter(|(_, mine)| *mine)
                {
                    let place = self.places[cell.index()] as usize;
                    filled[at + place / 64] |= 1 << (place % 64);
                }
                self.fillings.push(RegionFilling { mines, at });
            }
            self.ranges.push((first, self.fillings.len()));
        }
        Ok(())
    }

    /// Combines the fillings of all regions and of the sea under the mine total.
    fn combine(&mut self, mines: usize) {
        let stride = mines + 1;
        let regions = self.ranges.len();
        self.within_reach.clear();
        self.within_reach.resize((regions + 1) * stride, false);
        self.within_reach[regions * stride..][..=mines.min(self.sea.len())].fill(true);
        for (region, &(from, to)) in self.ranges.iter().enumerate().rev() {
            let (this, later) = self.within_reach[region * stride..].split_at_mut(stride);
            for filling in &self.fillings[from..to] {
                let reached = (filling.mines..stride).zip(&*later).filter(|(_, reached)| **reached);
                reached.for_each(|(mines, _)| this[mines] = true);
            }
        }
        self.rows.clear();
        self.row.clear();
        self.row.resize(self.words, 0);
        self.choose(0, mines);
    }

    /// Chooses fillings for the regions from this one on, with this number of mines left.
    fn choose(&mut self, region: usize, left: usize) {
        let Some(&(from, to)) = self.ranges.get(region) else {
            return self.fill_sea(0, left);
        };
        let stride = self.within_reach.len() / (self.ranges.len() + 1);
        for filling in from..to {
            let RegionFilling { mines, at } = self.fillings[filling];
            let Some(left) = left.checked_sub(mines) else { continue };
            if self.within_reach[(region + 1) * stride + left] {
                self.toggle(at);
                self.choose(region + 1, left);
                self.toggle(at);
            }
        }
    }

    /// Adds a filling to the row, or removes it: no two regions share a cell.
    fn toggle(&mut self, at: usize) {
        for (word, bits) in self.row.iter_mut().zip(&self.filled[at..]) {
            *word ^= bits;
        }
    }

    /// Puts the remaining mines into the cells of the sea from this one on, in every way.
    fn fill_sea(&mut self, from: usize, left: usize) {
        if left == 0 {
            self.rows.extend_from_slice(&self.row);
            self.len += 1;
            return;
        }
        for at in from..=self.sea.len() - left {
            let place = self.sea[at] as usize;
            self.row[place / 64] |= 1 << (place % 64);
            self.fill_sea(at + 1, left - 1);
            self.row[place / 64] &= !(1 << (place % 64));
        }
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{Board, Form, GameSeed, Rng, Rules, Shape, Start};

    use super::*;
    use crate::boards::open_some;
    use crate::odds::Engine;
    use crate::oracle::Oracle;

    fn list(position: &str, limit: usize) -> Result<Layouts, Unlisted> {
        let view: View = position.parse().unwrap();
        let mut layouts = Layouts::default();
        let mut engine = Engine::default();
        layouts.list(&view, engine.odds(&view).unwrap(), limit).map(|()| layouts)
    }

    /// Compares the layouts with pictures of a row: `*` a mine, `.` none.
    fn check(position: &str, expected: &[&str]) {
        let view: View = position.parse().unwrap();
        let layouts = list(position, 100).unwrap();
        let symbol = |layout, cell| match layouts.has_mine(layout, cell) {
            true => "*".to_owned(),
            _ if view.face(cell).is_covered() => ".".to_owned(),
            _ => view.face(cell).to_string(),
        };
        let picture = |layout| view.shape().cells().map(|cell| symbol(layout, cell)).collect();
        let mut found: Vec<String> =
            (0..layouts.len()).map(picture).map(|row: Vec<String>| row.join(" ")).collect();
        let mut expected = expected.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{position}");
    }

    #[test]
    fn the_layouts_of_a_row() {
        check("mines 1\n# 1 #", &["* 1 .", ". 1 *"]);
        check("mines 1\n# # 1 #", &[". * 1 .", ". . 1 *"]);
        // What is decided is one layout.
        check("mines 2\n# 2 # ? .", &["* 2 * ? ."]);
        check("mines 0\n# # #", &[". . ."]);
        // Regions meet under the mine total.
        check(
            "mines 3\n# 1 # 1 # ? # 1 # 1 #",
            &["* 1 . 1 * ? . 1 * 1 .", ". 1 * 1 . ? * 1 . 1 *"],
        );
        // The sea takes the remaining mines.
        check(
            "mines 2\n# 1 # ? # # F",
            &[
                "* 1 . ? * . .",
                "* 1 . ? . * .",
                "* 1 . ? . . *",
                ". 1 * ? * . .",
                ". 1 * ? . * .",
                ". 1 * ? . . *",
            ],
        );
    }

    #[test]
    fn the_limit_is_kept() {
        let position = "mines 2\n# # #\n# # #";
        assert_eq!(list(position, 15).unwrap().len(), 15);
        assert_eq!(list(position, 14).map(|_| ()), Err(Unlisted::TooMany));
        let weighed = "mines 2\nclues optimistic\n# 1 # #";
        assert_eq!(list(weighed, 15).map(|_| ()), Err(Unlisted::Uncounted));
    }

    #[test]
    fn all_layouts_that_fit_are_listed_once() {
        let mut rng = Rng::new(11);
        let (mut layouts, mut engine) = (Layouts::default(), Engine::default());
        let mut listed = 0;
        for _ in 0..1500 {
            let form = Form::ALL[rng.below(3)];
            let shape = Shape::new(form, 2 + rng.below(4), 1 + rng.below(4)).unwrap();
            let mines = rng.below(shape.size());
            let rules = Rules::starting(shape.clone(), mines, Start::ALL[rng.below(3)]).unwrap();
            let mut board = Board::dealt(rules, GameSeed { seed: rng.bits(), game: 0 });
            let cells = rng.below(shape.size());
            open_some(&mut board, &mut rng, cells);
            let view = board.view();
            let oracle = Oracle::of(view, 1 << 20).unwrap();
            let Ok(()) = layouts.list(view, engine.odds(view).unwrap(), 500) else {
                assert!(oracle.layouts() > 500);
                continue;
            };
            listed += 1;
            assert_eq!(layouts.len() as u64, oracle.layouts(), "{view}");
            let mut rows: Vec<&[u64]> = layouts.rows.chunks(layouts.words).collect();
            rows.sort_unstable();
            rows.dedup();
            assert_eq!(rows.len(), layouts.len(), "{view}");
            for (place, &cell) in layouts.undecided().iter().enumerate() {
                let mined = (0..layouts.len()).filter(|&layout| layouts.is_mine(layout, place));
                let share = mined.count() as f64 / layouts.len() as f64;
                assert!((share - oracle.mine(cell).unwrap()).abs() < 1e-12, "{view}");
            }
        }
        assert!(listed > 1000, "{listed}");
    }
}
