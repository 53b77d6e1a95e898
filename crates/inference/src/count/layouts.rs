//! Every layout that fits a view, one by one, where there are few.

use deminer_game::{Cell, Face, View};
use thiserror::Error;

use super::engine::Odds;
use crate::deduce::Fact;

/// All layouts that fit a view. Keeps its buffers from view to view.
///
/// Cells that the odds decide are the same in all of them, so only the undecided ones are told
/// apart:
///
/// ```text
/// mines 3
/// # # # #      A . . C      The mine total keeps the middle free. One cell of A and two of C
/// # 1 2 #  ->  A 1 2 C      are mines: two parts of three arrangements each, nine layouts.
/// # # # #      A . . C
/// ```
///
/// Undecided cells tied by clues make a part. The arrangements of each part are found by trying
/// its cells in turn, with every clue held against what is left around it; then parts and sea are
/// put together under the mine total, never by a way that the total rules out further on.
#[derive(Default)]
pub struct Layouts {
    undecided: Vec<Cell>,
    /// The place of each cell among the undecided ones, or [`MINED`] or [`NOWHERE`].
    places: Vec<u32>,
    /// A row of bits for each layout: which of the undecided cells are mines.
    rows: Vec<u64>,
    /// Words in a row.
    words: usize,
    len: usize,

    clues: Vec<Clue>,
    /// The number of each cell among the clues, or [`NOWHERE`].
    numbers: Vec<u32>,
    parts: Vec<Part>,
    /// Undecided cells as places: part by part as they are tried, then the sea.
    order: Vec<u32>,
    arrangements: Vec<Arrangement>,
    /// The rows of the arrangements.
    arranged: Vec<u64>,
    /// For each part, whether it, the later ones and the sea can hold so many mines.
    within_reach: Vec<bool>,
    row: Vec<u64>,
    /// Cells lined up so far; then, whether each cell tried so far holds a mine.
    trail: Vec<bool>,
}

/// A cell that is safe in every layout.
const NOWHERE: u32 = u32::MAX;

/// A cell that is a mine in every layout.
const MINED: u32 = u32::MAX - 1;

/// A clue with undecided cells around it.
#[derive(Clone, Copy)]
struct Clue {
    cell: Cell,
    /// The counts it still admits, one bit each.
    admitted: u16,
    /// Mines and untried cells around it, in the arrangement being made.
    mines: u8,
    untried: u8,
}

/// Cells tied by clues, and their arrangements; each as a range.
#[derive(Clone, Copy)]
struct Part {
    cells: (usize, usize),
    arrangements: (usize, usize),
}

#[derive(Clone, Copy)]
struct Arrangement {
    mines: usize,
    /// Where its row is.
    at: usize,
}

/// Why the layouts are not listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unlisted {
    /// The clues make some layouts likelier than others, or a region was too wide to be counted.
    #[error("the layouts are weighed or sampled, not counted")]
    Uncounted,
    /// More layouts than asked for.
    #[error("more layouts fit than may be listed")]
    TooMany,
    /// Parts of them have too many arrangements that fit no whole.
    #[error("finding the layouts takes too many steps")]
    TooHard,
}

/// Cells tried for each layout that may be listed.
const STEPS: usize = 256;

impl Layouts {
    /// Lists the layouts that fit a view, if there are at most `limit`, from its exact odds.
    pub fn list(&mut self, view: &View, odds: &Odds, limit: usize) -> Result<(), Unlisted> {
        self.len = 0;
        let log = odds.log10_layouts().filter(|_| odds.is_exact()).ok_or(Unlisted::Uncounted)?;
        // The count is whole, and its logarithm good to many digits.
        if log > (limit as f64 + 0.5).log10() {
            return Err(Unlisted::TooMany);
        }
        let known = self.decide(view, odds);
        let mines = view.rules().mines().checked_sub(known).expect("odds count the mines");
        self.number_clues(view);
        self.tie(view);
        self.arrange(view, mines, STEPS * limit.max(1))?;
        self.combine(mines);
        Ok(())
    }

    /// How many layouts there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none is listed.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The cells that are mines in some layouts and safe in others, row by row.
    pub fn undecided(&self) -> &[Cell] {
        &self.undecided
    }

    /// The place of a cell among the undecided ones.
    #[inline]
    pub fn place(&self, cell: Cell) -> Option<usize> {
        Some(self.places[cell.index()]).filter(|&place| place < MINED).map(|place| place as usize)
    }

    /// Whether a layout has a mine in the undecided cell of this place.
    #[inline]
    pub fn is_mine(&self, layout: usize, place: usize) -> bool {
        self.rows[layout * self.words + place / 64] >> (place % 64) & 1 == 1
    }

    /// Whether every layout has a mine in this cell.
    #[inline]
    pub fn is_common_mine(&self, cell: Cell) -> bool {
        self.places[cell.index()] == MINED
    }

    /// Sorts cells into mines of every layout, undecided ones, and the rest; how many are mines.
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

    /// Numbers the clues that some arrangement of the undecided cells around them breaks.
    fn number_clues(&mut self, view: &View) {
        self.clues.clear();
        self.numbers.clear();
        self.numbers.resize(view.shape().size(), NOWHERE);
        for &cell in view.opened() {
            let (mut mines, mut untried) = (0, 0);
            for near in view.shape().neighbors(cell) {
                match self.places[near.index()] {
                    NOWHERE => {}
                    MINED => mines += 1,
                    _ => untried += 1,
                }
            }
            let counts = view.face(cell).clue().expect("open cells have clues").mask();
            let all = (2 << untried) - 1;
            let admitted = counts >> mines & all;
            if admitted != all {
                self.numbers[cell.index()] = self.clues.len() as u32;
                self.clues.push(Clue { cell, admitted, mines: 0, untried });
            }
        }
    }

    /// Lines up the undecided cells part by part, following the clues, so that each clue's cells
    /// come close together. Those that no clue sees are left for the end: the sea.
    fn tie(&mut self, view: &View) {
        self.parts.clear();
        self.order.clear();
        self.trail.clear();
        self.trail.resize(self.undecided.len(), false);
        for clue in 0..self.clues.len() {
            let from = self.order.len();
            self.line_up(view, self.clues[clue].cell);
            let mut next = from;
            while let Some(&place) = self.order.get(next) {
                next += 1;
                for &near in view.shape().neighbors(self.undecided[place as usize]) {
                    if self.numbers[near.index()] != NOWHERE {
                        self.line_up(view, near);
                    }
                }
            }
            if next > from {
                self.parts.push(Part { cells: (from, next), arrangements: (0, 0) });
            }
        }
        let sea = self.trail.iter().zip(0..).filter(|(lined_up, _)| !**lined_up);
        self.order.extend(sea.map(|(_, place)| place));
    }

    /// Lines up the undecided cells around a clue that are not yet.
    fn line_up(&mut self, view: &View, clue: Cell) {
        for near in view.shape().neighbors(clue) {
            let place = self.places[near.index()];
            if place < MINED && !std::mem::replace(&mut self.trail[place as usize], true) {
                self.order.push(place);
            }
        }
    }

    /// Finds the arrangements of each part.
    fn arrange(&mut self, view: &View, most: usize, mut steps: usize) -> Result<(), Unlisted> {
        self.arrangements.clear();
        self.arranged.clear();
        for number in 0..self.parts.len() {
            let (from, to) = self.parts[number].cells;
            let first = self.arrangements.len();
            self.row.clear();
            self.row.resize(self.words, 0);
            // For each cell up to `depth`, whether it holds a mine.
            self.trail.clear();
            let mut mines = 0;
            let mut back = false;
            loop {
                let depth = self.trail.len();
                if !back && from + depth == to {
                    let at = self.arranged.len();
                    self.arranged.extend_from_slice(&self.row);
                    self.arrangements.push(Arrangement { mines, at });
                    back = true;
                }
                if back {
                    let Some(mined) = self.trail.pop() else { break };
                    let cell = from + depth - 1;
                    mines -= usize::from(mined);
                    self.lift(view, cell, mined);
                    // A mine was the second try.
                    back = mined || mines == most || !self.try_cell(view, cell, true);
                    if !back {
                        self.trail.push(true);
                        mines += 1;
                    }
                    continue;
                }
                steps = steps.checked_sub(1).ok_or(Unlisted::TooHard)?;
                if self.try_cell(view, from + depth, false) {
                    self.trail.push(false);
                } else if mines < most && self.try_cell(view, from + depth, true) {
                    self.trail.push(true);
                    mines += 1;
                } else {
                    back = true;
                }
            }
            self.parts[number].arrangements = (first, self.arrangements.len());
        }
        Ok(())
    }

    /// Puts a mine or none into a cell of the order; takes it back if a clue does not admit it.
    fn try_cell(&mut self, view: &View, at: usize, mined: bool) -> bool {
        let place = self.order[at] as usize;
        let mut fits = true;
        for near in view.shape().neighbors(self.undecided[place]) {
            if let Some(clue) = self.clues.get_mut(self.numbers[near.index()] as usize) {
                clue.mines += u8::from(mined);
                clue.untried -= 1;
                fits &= clue.admitted >> clue.mines & ((2 << clue.untried) - 1) != 0;
            }
        }
        self.row[place / 64] |= u64::from(mined) << (place % 64);
        if !fits {
            self.lift(view, at, mined);
        }
        fits
    }

    fn lift(&mut self, view: &View, at: usize, mined: bool) {
        let place = self.order[at] as usize;
        for near in view.shape().neighbors(self.undecided[place]) {
            if let Some(clue) = self.clues.get_mut(self.numbers[near.index()] as usize) {
                clue.mines -= u8::from(mined);
                clue.untried += 1;
            }
        }
        self.row[place / 64] &= !(1 << (place % 64));
    }

    /// Puts the arrangements of all parts and of the sea together under the mine total.
    fn combine(&mut self, mines: usize) {
        let stride = mines + 1;
        let sea = self.order.len() - self.parts.last().map_or(0, |part| part.cells.1);
        self.within_reach.clear();
        self.within_reach.resize((self.parts.len() + 1) * stride, false);
        for held in 0..=mines.min(sea) {
            self.within_reach[self.parts.len() * stride + held] = true;
        }
        for (number, part) in self.parts.iter().enumerate().rev() {
            let (this, later) = self.within_reach[number * stride..].split_at_mut(stride);
            for arrangement in &self.arrangements[part.arrangements.0..part.arrangements.1] {
                for (reached, _) in (arrangement.mines..stride)
                    .zip(&later[..stride])
                    .filter(|(_, reached)| **reached)
                {
                    this[reached] = true;
                }
            }
        }
        self.rows.clear();
        self.row.clear();
        self.row.resize(self.words, 0);
        self.choose(0, mines);
    }

    /// Chooses arrangements for the parts from this one on, with so many mines left.
    fn choose(&mut self, number: usize, left: usize) {
        let Some(&Part { arrangements: (from, to), .. }) = self.parts.get(number) else {
            let sea = self.parts.last().map_or(0, |part| part.cells.1);
            return self.fill(sea, left);
        };
        let stride = self.within_reach.len() / (self.parts.len() + 1);
        for arrangement in from..to {
            let Arrangement { mines, at } = self.arrangements[arrangement];
            if left
                .checked_sub(mines)
                .is_none_or(|left| !self.within_reach[(number + 1) * stride + left])
            {
                continue;
            }
            self.toggle(at);
            self.choose(number + 1, left - mines);
            self.toggle(at);
        }
    }

    /// Adds an arrangement to the row, or takes it out: no two parts share a cell.
    fn toggle(&mut self, at: usize) {
        for (word, bits) in self.row.iter_mut().zip(&self.arranged[at..]) {
            *word ^= bits;
        }
    }

    /// Puts the mines left into the cells of the sea from this one on, in every way.
    fn fill(&mut self, from: usize, left: usize) {
        if left == 0 {
            self.rows.extend_from_slice(&self.row);
            self.len += 1;
            return;
        }
        for at in from..=self.order.len() - left {
            let place = self.order[at] as usize;
            self.row[place / 64] |= 1 << (place % 64);
            self.fill(at + 1, left - 1);
            self.row[place / 64] &= !(1 << (place % 64));
        }
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Board, Form, GameSeed, Rng, Rules, Shape, Start};

    use super::*;
    use crate::count::Engine;
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
        let symbol = |layout, cell| match layouts.place(cell) {
            Some(place) if layouts.is_mine(layout, place) => "*".to_owned(),
            None if layouts.is_common_mine(cell) => "*".to_owned(),
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
    }

    #[test]
    fn parts_meet_under_the_mine_total() {
        check(
            "mines 3\n# 1 # 1 # ? # 1 # 1 #",
            &["* 1 . 1 * ? . 1 * 1 .", ". 1 * 1 . ? * 1 . 1 *"],
        );
    }

    #[test]
    fn the_sea_takes_what_is_left() {
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
    fn what_is_decided_is_one_layout() {
        check("mines 2\n# 2 # ? .", &["* 2 * ? ."]);
        check("mines 0\n# # #", &[". . ."]);
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
            for _ in 0..rng.below(shape.size()) {
                let cell = shape.nth(rng.below(shape.size())).unwrap();
                if !board.hides_mine(cell) {
                    board.act(Action::Open(cell));
                }
            }
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
