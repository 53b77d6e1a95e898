//! Estimates risks by a random walk through layouts (Markov chain Monte Carlo).
//!
//! What single clues prove is opened. Otherwise a chain of Metropolis walks over the cells that
//! clues see: each step changes a cell, or swaps two cells that one clue sees. The weight of a
//! layout is the number of ways to put the other mines where no clue sees, times e⁻² for each mine
//! that a clue has too many or too few. A step to a layout with less weight is accepted with the
//! ratio of the weights as its probability.
//!
//! ```text
//! * . .     The 1s are satisfied. A mine in the last cell is one too many for the second 1, so
//! 1 1 ?     such a step is rare; from there, it is likely to clear the first cell.
//! ```
//!
//! After the first fifth of the steps, it counts the steps at which all clues of a cell's region are
//! satisfied. The risk of a cell is the share of these steps with a mine in it, moved a little
//! towards one half, since a walk proves nothing.
//!
//! Networks can learn from it, and it shows how close random sampling comes to an exact count.

use deminer_game::stop::Pace;
use deminer_game::{Agent, Decision, Entry, Kind, OptionEntry, Rng, Rules, Supports, Values, View};

use deminer_inference::constraints::Constraints;

use crate::parts::local_odds::LocalOdds;
use crate::parts::risk::ESTIMATES;

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
        ESTIMATES,
    ],
    supports: Supports::NUMBERS,
    build: |options| {
        Ok(Box::new(Mcmc {
            steps: options.number("steps", 500.0) as u64,
            always_estimates: options.flag("estimates"),
            odds: LocalOdds::default(),
        }))
    },
    ..Entry::PLAIN
};

/// The weight of a layout for each mine that a clue has too many or too few, by its logarithm.
const DISCONTENT: f64 = -2.0;

/// The first of this many parts of the walk is not counted.
const WARMING: u64 = 5;

struct Mcmc {
    steps: u64,
    /// Whether every decision carries estimates.
    always_estimates: bool,
    odds: LocalOdds,
}

/// Estimates the risks by a walk with this number of steps for each cell that clues see.
fn estimate(odds: &mut LocalOdds, steps: u64, rng: &mut Rng) {
    let LocalOdds { constraints, risks, mines_left, unknown, .. } = odds;
    if constraints.cells.is_empty() {
        return;
    }
    let mut walk = Walk::new(constraints, *mines_left, *unknown - constraints.cells.len());
    let steps = steps * constraints.cells.len() as u64;
    let mut pace = Pace::default();
    for _ in 0..steps / WARMING {
        walk.step(rng);
        if pace.step(1) {
            return;
        }
    }
    walk.forget();
    for _ in steps / WARMING..steps {
        walk.step(rng);
        walk.count();
        if pace.step(1) {
            break;
        }
    }
    for (place, risk) in risks.iter_mut().enumerate() {
        if let Some(share) = walk.share(place) {
            *risk = share;
        }
    }
}

impl Agent for Mcmc {
    fn begin(&mut self, rules: &Rules) {
        self.odds.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let Self { steps, always_estimates, odds } = self;
        odds.open_or_guess(view, rng, *always_estimates, |odds, rng| estimate(odds, *steps, rng))
    }
}

/// A layout of the cells that clues see, and where it has been.
struct Walk<'a> {
    constraints: &'a Constraints,
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

/// How well the clues of a region are satisfied, and for how many steps they have been.
#[derive(Clone, Default)]
struct Sojourn {
    /// Mines too many or too few, summed over its clues.
    off: u32,
    /// Steps at which there were none.
    time: u64,
}

impl<'a> Walk<'a> {
    fn new(constraints: &'a Constraints, all: usize, sea: usize) -> Self {
        let cells = constraints.cells.len();
        let regions = constraints.regions();
        let mut cell_region = vec![0; cells];
        let mut clue_region = vec![0; constraints.clues.len()];
        for (number, region) in regions.iter().enumerate() {
            region.cells.iter().for_each(|&cell| cell_region[usize::from(cell)] = number);
            region.clues.iter().for_each(|&clue| clue_region[usize::from(clue)] = number);
        }
        let excess = constraints.clues.iter().map(|clue| -(clue.need.low() as i8)).collect();
        let mut walk = Self {
            constraints,
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
        for (clue, &region) in constraints.clues.iter().zip(&walk.clue_region) {
            walk.regions[region].off += u32::from(clue.need.low());
        }
        // As many as do not fit into the sea.
        for place in 0..all.saturating_sub(sea).min(cells) {
            walk.turn(place);
        }
        walk
    }

    /// Proposes to change a cell or to swap two, and accepts or rejects it.
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
        let clues = &self.constraints.clues;
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

    /// The factor by which the number of ways for the sea changes with a cell.
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
        for &clue in &self.constraints.seen_by[place] {
            let excess = &mut self.excess[usize::from(clue)];
            let off = &mut self.regions[self.clue_region[usize::from(clue)]].off;
            *off -= u32::from(excess.unsigned_abs());
            *excess += if mine { 1 } else { -1 };
            *off += u32::from(excess.unsigned_abs());
        }
    }

    /// Counts this step for all satisfied regions.
    fn count(&mut self) {
        for region in &mut self.regions {
            region.time += u64::from(region.off == 0);
        }
    }

    /// Resets all counts.
    fn forget(&mut self) {
        self.regions.iter_mut().for_each(|region| region.time = 0);
        self.mined.fill((0, 0));
    }

    /// The share of steps with a mine in a cell; none if its clues were never satisfied.
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
    use crate::parts::pictures::distance_from_exact;

    #[test]
    fn the_longer_it_draws_the_nearer_it_comes_to_exact_odds() {
        let distance = |often| distance_from_exact(&ENTRY, &[("steps", Value::Number(often))]);
        let (short, long) = (distance(10.0), distance(5_000.0));
        assert!(long < 0.01 && long < short / 2.0, "{short} {long}");
    }
}
