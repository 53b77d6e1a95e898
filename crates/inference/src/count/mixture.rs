//! Puts regions and sea together under the mine total.
//!
//! Each region holds a number of mines with so many arrangements each; what the regions leave of
//! the total goes to the sea. The weight that everything else gives to one region's number of
//! mines is all that the region needs to know of the rest.

use deminer_game::Rng;

use super::engine::pick;

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
    log2_sea: f64,
    log2_tilt: f64,
}

/// Beyond these the sum of all ways is not trusted to have kept what matters.
const SMALL: f64 = 1e-100;
const LARGE: f64 = 1e100;

#[derive(Clone, Copy)]
struct Scaled {
    at: usize,
    len: usize,
    /// Where its weights begin.
    weights: usize,
    /// What a tilt took from its totals.
    log2_peak: f64,
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
        self.regions.push(Scaled { at, len: totals.len(), weights, log2_peak: 0.0 });
        self.log2_scale += most.log2() + log2_scale;
    }

    /// Weighs everything. `spare` mines are left for the sea and for what regions hold above
    /// their least.
    pub fn weigh(&mut self, sea: usize, spare: usize) -> Result<(), Unmet> {
        (self.sea, self.spare, self.log2_tilt) = (sea, spare, 0.0);
        let most: usize = self.regions.iter().map(|region| region.len - 1).sum();
        if spare > sea + most {
            return Err(Unmet);
        }
        self.weigh_all(most);
        if !(SMALL..=LARGE).contains(&self.all) {
            if !self.is_possible(usize::MAX, 0) {
                return Err(Unmet);
            }
            self.tilt();
            self.weigh_all(most);
        }
        Ok(())
    }

    fn weigh_all(&mut self, most: usize) {
        self.weigh_sea(most);
        self.weigh_later(most);
        self.weigh_regions();
        self.all = self.later[*self.later_starts.last().expect("the sea is always there")];
    }

    /// Makes each mine in a region, or in the sea, count for more or less, alike everywhere, so
    /// that the total becomes a typical one. That changes no odds, since the total is fixed, but
    /// keeps the numbers that matter away from the ends of what floats can hold.
    fn tilt(&mut self) {
        // The logarithm of the factor, by bisection: more mines the larger it is.
        let (mut low, mut high) = (-500.0f64, 500.0f64);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if self.expected(middle) < self.spare as f64 { low = middle } else { high = middle }
        }
        let log = (low + high) / 2.0;
        for region in &mut self.regions {
            let totals = &mut self.totals[region.at..][..region.len];
            let most = log_peak(totals, log);
            region.log2_peak = most / std::f64::consts::LN_2;
            for (above, total) in totals.iter_mut().enumerate().filter(|(_, total)| **total > 0.0) {
                *total = (total.ln() + log * above as f64 - most).exp().max(SMALL);
            }
            self.log2_scale += region.log2_peak;
        }
        self.log2_tilt = log / std::f64::consts::LN_2;
    }

    /// The mines expected above the regions' least when each counts for so much.
    fn expected(&self, log: f64) -> f64 {
        let region = |region: &Scaled| {
            let totals = &self.totals[region.at..][..region.len];
            let most = log_peak(totals, log);
            let (mut sum, mut mines) = (0.0, 0.0);
            for (above, total) in totals.iter().enumerate().filter(|(_, total)| **total > 0.0) {
                let weight = (total.ln() + log * above as f64 - most).exp();
                sum += weight;
                mines += weight * above as f64;
            }
            mines / sum
        };
        let sea = self.sea as f64 / (1.0 + (-log).exp());
        sea + self.regions.iter().map(region).sum::<f64>()
    }

    /// Ways of the sea to take what is left, for each number of mines above the regions' least,
    /// relative to one of them.
    fn weigh_sea(&mut self, most: usize) {
        self.later.clear();
        self.later_starts.clear();
        self.log2_sea = 0.0;
        self.later.resize(most + 1, 0.0);
        let fewest = self.spare.saturating_sub(self.sea);
        let largest = most.min(self.spare);
        let mut ways = 1.0f64;
        let less = (-self.log2_tilt).exp2();
        for above in fewest..=largest {
            self.later[above] = ways;
            // One mine less for the sea: C(sea, t - 1) / C(sea, t) = t / (sea - t + 1).
            let taken = self.spare - above;
            ways *= less * taken as f64 / (self.sea + 1 - taken.min(self.sea)) as f64;
            if ways > LARGE {
                // Keep the largest at 1; what vanishes beside it does not matter.
                self.later[fewest..=above].iter_mut().for_each(|held| *held /= ways);
                self.log2_sea += ways.log2();
                ways = 1.0;
            }
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
                // What a tilt made of the totals, the weights do to the groups' counts.
                if self.log2_tilt != 0.0 {
                    *weight *= (self.log2_tilt * held as f64 - region.log2_peak).exp2();
                }
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

    /// Draws how many mines above its least each region holds.
    pub fn sample(&self, rng: &mut Rng) -> Vec<usize> {
        let count = self.regions.len();
        let mut before = 0;
        let mut held = Vec::with_capacity(count);
        for (number, region) in self.regions.iter().enumerate() {
            let after = &self.later[self.later_starts[count - number - 1]..];
            let totals = &self.totals[region.at..][..region.len];
            let weights: Vec<f64> =
                totals.iter().zip(&after[before..]).map(|(total, after)| total * after).collect();
            let above = pick(&weights, rng);
            before += above;
            held.push(above);
        }
        held
    }

    /// Whether a region can hold so many mines above its least, going by structure alone: other
    /// regions and the sea can make up the total.
    pub fn is_possible(&self, region: usize, above: usize) -> bool {
        let mut reachable = vec![false; self.spare + 1];
        if above > self.spare {
            return false;
        }
        reachable[above] = true;
        for (number, other) in self.regions.iter().enumerate() {
            if number == region || other.len == 1 {
                continue;
            }
            let totals = &self.totals[other.at..][..other.len];
            let mut next = vec![false; self.spare + 1];
            for held in (0..=self.spare).filter(|&held| reachable[held]) {
                for (more, total) in totals.iter().enumerate() {
                    if *total > 0.0 && held + more <= self.spare {
                        next[held + more] = true;
                    }
                }
            }
            reachable = next;
        }
        (0..=self.spare).any(|held| reachable[held] && self.spare - held <= self.sea)
    }

    /// The binary logarithm of all ways together.
    pub fn log2_all(&self) -> f64 {
        let fewest = self.spare.saturating_sub(self.sea);
        let reference = log2_binomial(self.sea, self.spare - fewest);
        // With a tilt, all mines but the sea's at the reference count for more or less.
        let tilted = self.log2_tilt * fewest as f64;
        self.all.log2() + self.log2_scale + self.log2_sea + reference - tilted
    }
}

/// The largest logarithm of a total times the factor of its mines.
fn log_peak(totals: &[f64], log: f64) -> f64 {
    let logs = totals.iter().enumerate().filter(|(_, total)| **total > 0.0);
    logs.map(|(above, total)| total.ln() + log * above as f64).fold(f64::NEG_INFINITY, f64::max)
}

/// The binary logarithm of n choose k.
fn log2_binomial(n: usize, k: usize) -> f64 {
    (log_factorial(n) - log_factorial(k) - log_factorial(n - k)) / std::f64::consts::LN_2
}

/// The natural logarithm of n!, by Stirling's series where it is good to the last digit.
fn log_factorial(n: usize) -> f64 {
    if n < 32 {
        return (2..=n).map(|k| (k as f64).ln()).sum();
    }
    let x = n as f64;
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln() + series
}
