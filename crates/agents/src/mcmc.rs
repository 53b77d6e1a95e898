//! Risks from a walk through layouts.
//!
//! What single clues prove is opened. Otherwise a chain of Metropolis walks over the cells that
//! clues see: each step turns a cell, or lets two cells that one clue sees change places. A layout
//! weighs as many ways as there are to put the other mines where no clue sees, and e⁻² for each mine
//! that a clue has too many or too few; a step to a lighter layout is taken as often as the new
//! one weighs beside the old.
//!
//! ```text
//! * . .     The 1s are content. Turning the last cell makes the second 1 one mine too rich, so
//! 1 1 ?     such a step is rare; from there, turning the first cell back is likely.
//! ```
//!
//! What counts is the time the walk spends in layouts in which all clues of a cell's region are
//! content, after a fifth of the steps to get there; the risk of a cell is the share of that time
//! with a mine in it. It is drawn a little towards one half, since a walk proves nothing.
//!
//! A teacher, and a yardstick: what many weak looks are worth beside one exact count.

use deminer_game::{
    Agent, ClueKind, Decision, Entry, Kind, OptionEntry, Rng, Rules, Supports, Values, View,
};

use crate::beliefs::Beliefs;
use crate::risk::TELLING;
use deminer_inference::frontier::Frontier;

pub const ENTRY: Entry = Entry {
    name: "mcmc",
    about: "single clues, then risks from a random walk through layouts",
    kind: Kind::Odds,
    options: &[
        OptionEntry {
            name: "steps",
            values: Values::Number(10.0, 1e9),
            about: "steps of the walk for each cell that clues see; 500 unless given",
        },
        TELLING,
    ],
    supports: Supports { clues: &[ClueKind::Exact, ClueKind::Blind], ..Supports::ALL },
    build: |options| {
        Ok(Box::new(Mcmc {
            steps: options.number("steps", 500.0) as u64,
            tells: options.flag("estimates"),
            beliefs: Beliefs::new(),
        }))
    },
    ..Entry::PLAIN
};

/// The weight of a layout for each mine that a clue has too many or too few, by its logarithm.
const DISCONTENT: f64 = -2.0;

/// One step in so many is walked before anything counts.
const WARMING: u64 = 5;

struct Mcmc {
    steps: u64,
    /// Whether every decision tells the risks.
    tells: bool,
    beliefs: Beliefs,
}

/// Walks so many steps for each cell of the frontier.
fn weigh(beliefs: &mut Beliefs, steps: u64, rng: &mut Rng) {
    let Beliefs { frontier, risks, mines_left, unknown, .. } = beliefs;
    if frontier.cells.is_empty() {
        return;
    }
    let mut walk = Walk::new(frontier, *mines_left, *unknown - frontier.cells.len());
    let steps = steps * frontier.cells.len() as u64;
    for _ in 0..steps / WARMING {
        walk.step(rng);
    }
    walk.forget();
    for _ in steps / WARMING..steps {
        walk.step(rng);
        walk.count();
    }
    for (place, risk) in risks.iter_mut().enumerate() {
        if let Some(share) = walk.share(place) {
            *risk = share;
        }
    }
}

impl Agent for Mcmc {
    fn begin(&mut self, rules: &Rules) {
        self.beliefs.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let Self { steps, tells, beliefs } = self;
        beliefs.open_or_guess(view, rng, *tells, |beliefs, rng| weigh(beliefs, *steps, rng))
    }
}

/// A layout of the cells that clues see, and where it has been.
struct Walk<'a> {
    frontier: &'a Frontier,
    mines: Vec<bool>,
    /// How many more mines each clue has than it needs.
    excess: Vec<i8>,
    /// Mines in these cells, those there are for these and the sea, and the cells of the sea.
    here: usize,
    all: usize,
    sea: usize,
    /// The region of each cell and of each clue.
    cell_region: Vec<usize>,
    clue_region: Vec<usize>,
    regions: Vec<Sojourn>,
    /// For each cell, the time with a mine in it up to its last change, and the time then.
    mined: Vec<(u64, u64)>,
}

/// How content the clues of a region are, and for how long they have been.
#[derive(Clone, Default)]
struct Sojourn {
    /// Mines too many or too few, summed over its clues.
    off: u32,
    /// Steps at which there were none.
    time: u64,
}

impl<'a> Walk<'a> {
    fn new(frontier: &'a Frontier, all: usize, sea: usize) -> Self {
        let cells = frontier.cells.len();
        let regions = frontier.regions();
        let mut cell_region = vec![0; cells];
        let mut clue_region = vec![0; frontier.clues.len()];
        for (number, region) in regions.iter().enumerate() {
            region.cells.iter().for_each(|&cell| cell_region[usize::from(cell)] = number);
            region.clues.iter().for_each(|&clue| clue_region[usize::from(clue)] = number);
        }
        let excess = frontier.clues.iter().map(|clue| -(clue.need as i8)).collect();
        let mut walk = Self {
            frontier,
            mines: vec![false; cells],
            excess,
            here: 0,
            all,
            sea,
            cell_region,
            clue_region,
            regions: vec![Sojourn::default(); regions.len()],
            mined: vec![(0, 0); cells],
        };
        for (clue, &region) in frontier.clues.iter().zip(&walk.clue_region) {
            walk.regions[region].off += u32::from(clue.need);
        }
        // As many as do not fit into the sea.
        for place in 0..all.saturating_sub(sea).min(cells) {
            walk.turn(place);
        }
        walk
    }

    /// Turns a cell, or lets two change places, if chance will have it.
    fn step(&mut self, rng: &mut Rng) {
        let before = self.off();
        if rng.below(2) == 0 {
            let place = rng.below(self.mines.len());
            let ways = self.ways(place);
            if ways == 0.0 {
                return;
            }
            self.turn(place);
            if !self.is_taken(before, ways, rng) {
                self.turn(place);
            }
            return;
        }
        let clues = &self.frontier.clues;
        let cells = &clues[rng.below(clues.len())].cells;
        let [place, other] = [(); 2].map(|()| usize::from(cells[rng.below(cells.len())]));
        if self.mines[place] != self.mines[other] {
            self.turn(place);
            self.turn(other);
            if !self.is_taken(before, 1.0, rng) {
                self.turn(other);
                self.turn(place);
            }
        }
    }

    /// How many times as many ways there are for the sea once a cell has been turned.
    fn ways(&self, place: usize) -> f64 {
        let (here, all, sea) = (self.here as f64, self.all as f64, self.sea as f64);
        let ways = match self.mines[place] {
            true => (sea - all + here) / (all - here + 1.0),
            false => (all - here) / (sea - all + here + 1.0),
        };
        ways.max(0.0)
    }

    fn is_taken(&self, before: u32, ways: f64, rng: &mut Rng) -> bool {
        let change = f64::from(self.off()) - f64::from(before);
        rng.unit() < ways * (change * DISCONTENT).exp()
    }

    fn off(&self) -> u32 {
        self.regions.iter().map(|region| region.off).sum()
    }

    fn turn(&mut self, place: usize) {
        let mine = !self.mines[place];
        let time = self.regions[self.cell_region[place]].time;
        let (mined, since) = &mut self.mined[place];
        if !mine {
            *mined += time - *since;
        }
        *since = time;
        self.mines[place] = mine;
        self.here = if mine { self.here + 1 } else { self.here - 1 };
        for &clue in &self.frontier.seen_by[place] {
            let excess = &mut self.excess[usize::from(clue)];
            let off = &mut self.regions[self.clue_region[usize::from(clue)]].off;
            *off -= u32::from(excess.unsigned_abs());
            *excess += if mine { 1 } else { -1 };
            *off += u32::from(excess.unsigned_abs());
        }
    }

    /// Counts the time at this layout.
    fn count(&mut self) {
        for region in &mut self.regions {
            region.time += u64::from(region.off == 0);
        }
    }

    /// Forgets where it has been.
    fn forget(&mut self) {
        self.regions.iter_mut().for_each(|region| region.time = 0);
        self.mined.fill((0, 0));
    }

    /// The share of the time with a mine in a cell; none if its clues were never content.
    fn share(&self, place: usize) -> Option<f64> {
        let time = self.regions[self.cell_region[place]].time;
        let (mined, since) = self.mined[place];
        let mined = mined + if self.mines[place] { time - since } else { 0 };
        (time > 0).then(|| (mined as f64 + 0.5) / (time as f64 + 1.0))
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::Value;

    use super::*;
    use crate::pictures::distance_from_exact;

    #[test]
    fn the_longer_it_draws_the_nearer_it_comes_to_exact_odds() {
        let distance = |often| distance_from_exact(&ENTRY, &[("steps", Value::Number(often))]);
        let (short, long) = (distance(10.0), distance(5_000.0));
        assert!(long < 0.01 && long < short / 2.0, "{short} {long}");
    }
}
