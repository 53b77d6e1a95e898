//! Puts regions and sea together under the mine total.
//!
//! Each region holds a number of mines with so many arrangements each; what the regions leave of
//! the total goes to the sea. The weight that everything else gives to one region's number of
//! mines is all that the region needs to know of the rest.

/// How many ways the sea takes what the regions leave, and what that means for each region.
#[derive(Default)]
pub struct Mixture {
    /// For each region, its arrangements by mines above its least, scaled to 1 at most.
    regions: Vec<Scaled>,
    totals: Vec<f64>,
    /// Weights of the sea by mines above the least in all regions together, then of each region
    /// with all later ones and the sea; one after another.
    later: Vec<f64>,
    later_starts: Vec<usize>,
    /// Ways of the regions so far, by mines above their least.
    before: Vec<f64>,
    scratch: Vec<f64>,
    weights: Vec<f64>,
    /// Ways of all regions, by mines above their least.
    spread: Vec<f64>,
    all: f64,
    sea: usize,
    /// Mines for the sea and above the least of the regions.
    spare: usize,
    log2_scale: f64,
}

#[derive(Clone, Copy)]
struct Scaled {
    at: usize,
    len: usize,
    /// Where its weights begin.
    weights: usize,
}

/// The mine total cannot be met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unmet;

impl Mixture {
    /// Forgets all regions.
    pub fn clear(&mut self) {
        self.regions.clear();
        self.totals.clear();
        self.weights.clear();
        self.log2_scale = 0.0;
    }

    /// Adds a region's arrangements by number of mines, from its least on.
    pub fn add(&mut self, totals: &[f64], log2_scale: f64) {
        let most = totals.iter().copied().fold(0.0, f64::max);
        let (at, weights) = (self.totals.len(), self.weights.len());
        self.totals.extend(totals.iter().map(|total| total / most));
        self.weights.resize(weights + totals.len(), 0.0);
        self.regions.push(Scaled { at, len: totals.len(), weights });
        self.log2_scale += most.log2() + log2_scale;
    }

    /// Weighs everything. `spare` mines are left for the sea and for what regions hold above
    /// their least.
    pub fn weigh(&mut self, sea: usize, spare: usize) -> Result<(), Unmet> {
        (self.sea, self.spare) = (sea, spare);
        let most: usize = self.regions.iter().map(|region| region.len - 1).sum();
        if spare > sea + most {
            return Err(Unmet);
        }
        self.weigh_sea(most);
        self.weigh_later(most);
        self.weigh_regions();
        self.all = self.later[*self.later_starts.last().expect("the sea is always there")];
        if self.all > 0.0 { Ok(()) } else { Err(Unmet) }
    }

    /// Ways of the sea to take what is left, for each number of mines above the regions' least,
    /// relative to one of them.
    fn weigh_sea(&mut self, most: usize) {
        self.later.clear();
        self.later_starts.clear();
        self.later.resize(most + 1, 0.0);
        let fewest = self.spare.saturating_sub(self.sea);
        let largest = most.min(self.spare);
        let mut ways = 1.0;
        for above in fewest..=largest {
            self.later[above] = ways;
            // One mine less for the sea: C(sea, t - 1) / C(sea, t) = t / (sea - t + 1).
            let taken = self.spare - above;
            ways *= taken as f64 / (self.sea + 1 - taken.min(self.sea)) as f64;
        }
        self.later_starts.push(0);
    }

    /// From the last region to the first: what it, all later ones and the sea make of a number
    /// of mines held by the regions before.
    fn weigh_later(&mut self, most: usize) {
        let mut room = most;
        let mut start = 0;
        for region in self.regions.iter().rev() {
            if region.len == 1 {
                self.later_starts.push(start);
                continue;
            }
            room -= region.len - 1;
            let next = self.later.len();
            let totals = &self.totals[region.at..][..region.len];
            for before in 0..=room {
                let after = &self.later[start + before..][..region.len];
                let sum = totals.iter().zip(after).map(|(a, b)| a * b).sum();
                self.later.push(sum);
            }
            start = next;
            self.later_starts.push(start);
        }
    }

    /// From the first region to the last: the weight of each number of mines it may hold.
    fn weigh_regions(&mut self) {
        self.before.clear();
        self.before.push(1.0);
        let count = self.regions.len();
        for (number, region) in self.regions.iter().enumerate() {
            let after = &self.later[self.later_starts[count - number - 1]..];
            let weights = &mut self.weights[region.weights..][..region.len];
            if region.len == 1 {
                weights[0] = 1.0;
                continue;
            }
            for (held, weight) in weights.iter_mut().enumerate() {
                let ways = self.before.iter().zip(&after[held..]);
                *weight = ways.map(|(a, b)| a * b).sum();
            }
            self.scratch.clear();
            self.scratch.resize(self.before.len() + region.len - 1, 0.0);
            let totals = &self.totals[region.at..][..region.len];
            for (shift, total) in totals.iter().enumerate() {
                for (sum, ways) in self.scratch[shift..].iter_mut().zip(&self.before) {
                    *sum += total * ways;
                }
            }
            std::mem::swap(&mut self.before, &mut self.scratch);
        }
        std::mem::swap(&mut self.spread, &mut self.before);
    }

    /// The weight that everything else gives to each number of mines a region may hold.
    pub fn weights(&self, region: usize) -> &[f64] {
        let region = self.regions[region];
        &self.weights[region.weights..][..region.len]
    }

    /// The probability of a mine in a cell of the sea, exactly 0 or 1 where it is sure.
    pub fn sea_risk(&self) -> f64 {
        let (mut mines, mut safe) = (0.0, 0.0);
        for (above, (ways, taken)) in self.spread.iter().zip(&self.later).enumerate() {
            if ways * taken > 0.0 {
                let held = self.spare - above;
                mines += ways * taken * held as f64;
                safe += ways * taken * (self.sea - held) as f64;
            }
        }
        mines / (mines + safe)
    }
}
