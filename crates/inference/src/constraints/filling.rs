//! Lists all ways to place mines in the cells of constraints.

use deminer_game::stop::Pace;

use super::{Constraints, Need, Region};

/// How many mines each clue has so far, while its cells are filled one after another.
#[derive(Clone, Debug, Default)]
pub struct Filling {
    /// For each clue its mines so far, and its cells that are still empty.
    clues: Vec<(u8, u8)>,
    /// All mines so far.
    pub mines: usize,
}

impl Filling {
    /// Empties all cells.
    pub fn clear(&mut self, constraints: &Constraints) {
        self.clues.clear();
        self.clues.extend(constraints.clues.iter().map(|clue| (0, clue.cells.len() as u8)));
        self.mines = 0;
    }

    /// Whether each clue of a cell can still be satisfied after a mine, or no mine, in the cell.
    #[inline]
    pub fn admits(&self, constraints: &Constraints, place: u16, mine: bool) -> bool {
        constraints.seen_by[usize::from(place)].iter().all(|&clue| {
            let (mines, empty) = self.clues[usize::from(clue)];
            let counts = constraints.clues[usize::from(clue)].need.counts();
            !Need::new(counts, mines + u8::from(mine), empty - 1).is_impossible()
        })
    }

    /// Puts a mine, or no mine, into an empty cell.
    #[inline]
    pub fn put(&mut self, constraints: &Constraints, place: u16, mine: bool) {
        self.add(&constraints.seen_by[usize::from(place)], 1, u8::from(mine));
    }

    /// Empties a cell that was filled with a mine, or with no mine.
    #[inline]
    pub fn lift(&mut self, constraints: &Constraints, place: u16, mine: bool) {
        self.remove(&constraints.seen_by[usize::from(place)], 1, u8::from(mine));
    }

    /// Fills several empty cells that these clues see, and puts this number of mines into them.
    #[inline]
    pub fn add(&mut self, seen_by: &[u16], cells: u8, mines: u8) {
        self.mines += usize::from(mines);
        for &clue in seen_by {
            let (held, empty) = &mut self.clues[usize::from(clue)];
            *held += mines;
            *empty -= cells;
        }
    }

    /// Undoes [`Filling::add`].
    #[inline]
    pub fn remove(&mut self, seen_by: &[u16], cells: u8, mines: u8) {
        self.mines -= usize::from(mines);
        for &clue in seen_by {
            let (held, empty) = &mut self.clues[usize::from(clue)];
            *held -= mines;
            *empty += cells;
        }
    }

    /// What a clue allows in its empty cells.
    #[inline]
    pub fn need(&self, constraints: &Constraints, clue: u16) -> Need {
        let (mines, empty) = self.clues[usize::from(clue)];
        Need::new(constraints.clues[usize::from(clue)].need.counts(), mines, empty)
    }

    /// The mines of a clue so far.
    #[inline]
    pub fn mines_of(&self, clue: u16) -> u8 {
        self.clues[usize::from(clue)].0
    }

    /// The empty cells of a clue.
    #[inline]
    pub fn empty(&self, clue: u16) -> u8 {
        self.clues[usize::from(clue)].1
    }

    /// The fewest mines that a clue needs per empty cell, averaged over the clues of a cell.
    pub fn share(&self, constraints: &Constraints, place: u16) -> f64 {
        let clues = &constraints.seen_by[usize::from(place)];
        let share = |&clue: &u16| {
            let (mines, empty) = self.clues[usize::from(clue)];
            let low = constraints.clues[usize::from(clue)].need.low();
            f64::from(low.saturating_sub(mines)) / f64::from(empty)
        };
        clues.iter().map(share).sum::<f64>() / clues.len() as f64
    }
}

/// Finds the fillings of a region by backtracking, cell by cell.
#[derive(Clone, Debug, Default)]
pub struct RegionSearch {
    filling: Filling,
    /// The decisions for the first cells of the region.
    tries: Vec<Try>,
    most: usize,
    pace: Pace,
    /// Whether a mine was refused because of the limit.
    pub reached_limit: bool,
    /// The number of fillings found.
    pub found: u64,
    /// For each cell of the region, how many of those have a mine there. Complete after the last
    /// filling or a restart.
    pub mined: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Try {
    mine: bool,
    /// Whether the opposite was tried before.
    last: bool,
    /// How many fillings had been found before.
    before: u64,
}

/// How a search for the next filling ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchEnd {
    /// The cells are filled.
    Found,
    /// There are no more fillings.
    NoMore,
    /// The steps ran out, or the search is no longer wanted.
    TooLong,
}

impl RegionSearch {
    /// Prepares a new search for fillings with at most `most` mines.
    pub fn begin(&mut self, constraints: &Constraints, region: &Region, most: usize) {
        self.filling.clear(constraints);
        self.tries.clear();
        self.most = most;
        self.reached_limit = false;
        self.found = 0;
        self.mined.clear();
        self.mined.resize(region.cells.len(), 0);
    }

    /// Empties all cells, so that the search starts again. Its counts stay.
    pub fn restart(&mut self, constraints: &Constraints, region: &Region) {
        while self.take_back(constraints, region).is_some() {}
    }

    /// Empties the cell filled last.
    fn take_back(&mut self, constraints: &Constraints, region: &Region) -> Option<Try> {
        let tried = self.tries.pop()?;
        let at = self.tries.len();
        self.filling.lift(constraints, region.cells[at], tried.mine);
        if tried.mine {
            self.mined[at] += self.found - tried.before;
        }
        Some(tried)
    }

    /// The mines of the filling, and for each cell of the region whether it has one.
    pub fn filling(&self) -> (usize, impl Iterator<Item = bool> + '_) {
        (self.filling.mines, self.tries.iter().map(|tried| tried.mine))
    }

    /// Goes on to the next filling. `first` says whether to try a mine first in a cell.
    pub fn next(
        &mut self,
        constraints: &Constraints,
        region: &Region,
        steps: &mut usize,
        mut first: impl FnMut(&Filling, u16) -> bool,
    ) -> SearchEnd {
        let mut back = self.tries.len() == region.cells.len();
        loop {
            if back {
                let Some(tried) = self.take_back(constraints, region) else {
                    return SearchEnd::NoMore;
                };
                let cell = region.cells[self.tries.len()];
                back = tried.last || !self.put(constraints, cell, !tried.mine, true);
                continue;
            }
            let Some(&cell) = region.cells.get(self.tries.len()) else {
                self.found += 1;
                return SearchEnd::Found;
            };
            let left = steps.checked_sub(1).filter(|_| !self.pace.step(1));
            let Some(left) = left else { return SearchEnd::TooLong };
            *steps = left;
            let mine = first(&self.filling, cell);
            back = !self.put(constraints, cell, mine, false)
                && !self.put(constraints, cell, !mine, true);
        }
    }

    /// Puts a mine or none into a cell, if the clues and the limit admit it.
    fn put(&mut self, constraints: &Constraints, cell: u16, mine: bool, last: bool) -> bool {
        if mine && self.filling.mines == self.most {
            self.reached_limit = true;
            return false;
        }
        let fits = self.filling.admits(constraints, cell, mine);
        if fits {
            self.filling.put(constraints, cell, mine);
            self.tries.push(Try { mine, last, before: self.found });
        }
        fits
    }
}
