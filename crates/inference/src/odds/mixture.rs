//! Combines regions and sea under the mine total.
//!
//! A region has a number of arrangements for each number of mines. The mines that are not in
//! regions are in the sea. For each number of mines in one region, all other regions and the sea
//! give a weight; the region needs no other information about them.
//!
//! Every mine in a region is multiplied by a common factor, and every mine in the sea divided by
//! it. Since the total is fixed, that changes no odds. With a factor that fits the density of
//! mines, each region becomes a probability distribution in which the total is typical, and no
//! number comes near the limits of floats.

use deminer_game::{Rng, stop};

use super::engine::pick;

/// How many ways the sea takes what the regions leave, and what that means for each region.
#[derive(Default)]
pub struct Mixture {
    regions: Vec<Held>,
    /// For each region, its arrangements by mines above its least, the most of them 1.
    totals: Vec<f64>,
    /// What each number of mines counts for; totals times factors sum to 1.
    factors: Vec<f64>,
    /// Totals times factors.
    shares: Vec<f64>,
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
    /// The logarithm of what a mine counts for.
    log_factor: f64,
    /// Binary logarithms of what regions and sea were divided by.
    log2_regions: f64,
    log2_tilt: f64,
    log2_sea: f64,
}

/// Where a region's numbers are.
#[derive(Clone, Copy)]
struct Held {
    at: usize,
    len: usize,
    /// The logarithm of what each mine counts for in the totals already.
    log_tilt: f64,
}

/// Why nothing is weighed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmixed {
    /// No arrangement has the required number of mines.
    Unmet,
    /// The weights are no longer wanted.
    Stopped,
}

/// If the total is less likely than this, another factor is chosen.
const SMALL: f64 = 1e-100;

/// The sea's weights are kept below this while they are made.
const LARGE: f64 = 1e100;

/// Powers of the factor stay within the range of floats up to this number of mines.
const SHORT: usize = 64;

impl Mixture {
    /// Forgets all regions.
    pub fn clear(&mut self) {
        self.regions.clear();
        self.totals.clear();
        self.log2_regions = 0.0;
    }

    /// Adds a region's arrangements by number of mines, from its least on, with the binary
    /// logarithm of what they were divided by, and the logarithm of what each mine above the
    /// least counts for in them.
    pub fn add(&mut self, totals: &[f64], log2_scale: f64, log_tilt: f64) {
        let most = totals.iter().copied().fold(0.0, f64::max);
        self.regions.push(Held { at: self.totals.len(), len: totals.len(), log_tilt });
        self.totals.extend(totals.iter().map(|total| total / most));
        self.log2_regions += most.log2() + log2_scale;
    }

    /// Weighs everything. `spare` mines are left for the sea and for what regions hold above
    /// their least; `density` is about the share of mines among unknown cells.
    pub fn weigh(&mut self, sea: usize, spare: usize, density: f64) -> Result<(), Unmixed> {
        (self.sea, self.spare) = (sea, spare);
        let most: usize = self.regions.iter().map(|region| region.len - 1).sum();
        if spare > sea + most {
            return Err(Unmixed::Unmet);
        }
        let density = density.clamp(1e-3, 1.0 - 1e-3);
        self.weigh_with((density / (1.0 - density)).ln(), most)?;
        if self.all < SMALL {
            if !self.is_possible(usize::MAX, 0) {
                return Err(Unmixed::Unmet);
            }
            let factor = self.typical_factor();
            self.weigh_with(factor, most)?;
        }
        Ok(())
    }

    fn weigh_with(&mut self, log_factor: f64, most: usize) -> Result<(), Unmixed> {
        self.log_factor = log_factor;
        self.tilt();
        self.weigh_sea(most);
        self.weigh_later(most)?;
        self.weigh_regions()?;
        self.all = self.later[*self.later_starts.last().expect("the sea is always there")];
        Ok(())
    }

    /// Makes each region a distribution in which every mine counts for the factor.
    fn tilt(&mut self) {
        self.factors.clear();
        self.shares.clear();
        self.log2_tilt = 0.0;
        for region in &self.regions {
            let totals = &self.totals[region.at..][..region.len];
            let log_factor = self.log_factor - region.log_tilt;
            if region.len <= SHORT {
                let step = log_factor.exp();
                let powers = std::iter::successors(Some(1.0), |power| Some(power * step));
                self.factors.extend(powers.take(region.len));
            } else {
                let peak = log_peak(totals, log_factor);
                let power = |above: usize| (log_factor * above as f64 - peak).exp();
                self.factors.extend((0..region.len).map(power));
                self.log2_tilt += peak / std::f64::consts::LN_2;
            }
            let factors = &mut self.factors[region.at..];
            let sum: f64 = totals.iter().zip(&*factors).map(|(total, factor)| total * factor).sum();
            factors.iter_mut().for_each(|factor| *factor /= sum);
            self.log2_tilt += sum.log2();
            self.shares.extend(totals.iter().zip(factors).map(|(total, factor)| total * *factor));
        }
    }

    /// Ways of the sea to take the remaining mines, for each number of mines above the regions' least,
    /// relative to the largest.
    fn weigh_sea(&mut self, most: usize) {
        self.later.clear();
        self.later_starts.clear();
        self.log2_sea = 0.0;
        self.later.resize(most + 1, 0.0);
        let fewest = self.spare.saturating_sub(self.sea);
        let largest = most.min(self.spare);
        let less = (-self.log_factor).exp();
        let (mut ways, mut peak) = (1.0f64, 1.0f64);
        for above in fewest..=largest {
            self.later[above] = ways;
            peak = peak.max(ways);
            // One mine less for the sea: C(sea, t - 1) / C(sea, t) = t / (sea - t + 1).
            let taken = self.spare - above;
            ways *= less * taken as f64 / (self.sea + 1 - taken.min(self.sea)) as f64;
            if ways > LARGE {
                // Numbers far below the largest do not matter.
                self.later[fewest..=above].iter_mut().for_each(|held| *held /= ways);
                self.log2_sea += ways.log2();
                (ways, peak) = (1.0, 1.0);
            }
        }
        self.later.iter_mut().for_each(|held| *held /= peak);
        self.log2_sea += peak.log2();
        self.later_starts.push(0);
    }

    /// From the last region to the first: what it, all later ones and the sea make of a number
    /// of mines held by the regions before.
    fn weigh_later(&mut self, most: usize) -> Result<(), Unmixed> {
        let mut pace = stop::Pace::default();
        let mut room = most;
        let mut start = 0;
        for region in self.regions.iter().rev() {
            if region.len == 1 {
                self.later_starts.push(start);
                continue;
            }
            room -= region.len - 1;
            let next = self.later.len();
            let shares = &self.shares[region.at..][..region.len];
            for before in 0..=room {
                let after = &self.later[start + before..][..region.len];
                let sum = shares.iter().zip(after).map(|(a, b)| a * b).sum();
                self.later.push(sum);
            }
            start = next;
            self.later_starts.push(start);
            if pace.step(room + 1) {
                return Err(Unmixed::Stopped);
            }
        }
        Ok(())
    }

    /// From the first region to the last: the weight of each number of mines it may hold.
    fn weigh_regions(&mut self) -> Result<(), Unmixed> {
        self.weights.clear();
        self.before.clear();
        self.before.push(1.0);
        let count = self.regions.len();
        let mut pace = stop::Pace::default();
        for (number, region) in self.regions.iter().enumerate() {
            if pace.step(self.before.len()) {
                return Err(Unmixed::Stopped);
            }
            let after = &self.later[self.later_starts[count - number - 1]..];
            if region.len == 1 {
                self.weights.push(1.0);
                continue;
            }
            for held in 0..region.len {
                let ways = self.before.iter().zip(&after[held..]);
                let rest: f64 = ways.map(|(a, b)| a * b).sum();
                self.weights.push(rest * self.factors[region.at + held]);
            }
            self.scratch.clear();
            self.scratch.resize(self.before.len() + region.len - 1, 0.0);
            let shares = &self.shares[region.at..][..region.len];
            for (shift, share) in shares.iter().enumerate() {
                for (sum, ways) in self.scratch[shift..].iter_mut().zip(&self.before) {
                    *sum += share * ways;
                }
            }
            std::mem::swap(&mut self.before, &mut self.scratch);
        }
        std::mem::swap(&mut self.spread, &mut self.before);
        Ok(())
    }

    /// The weight that everything else gives to each number of mines a region may hold.
    pub fn weights(&self, region: usize) -> &[f64] {
        let Held { at, len, .. } = self.regions[region];
        &self.weights[at..][..len]
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
            let shares = &self.shares[region.at..][..region.len];
            let weights: Vec<f64> =
                shares.iter().zip(&after[before..]).map(|(share, after)| share * after).collect();
            let above = pick(&weights, rng);
            before += above;
            held.push(above);
        }
        held
    }

    /// Whether a region can hold `above` mines more than its least, so that the other regions and the
    /// sea can make up the total. Weights are not looked at.
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
        // The sea gives back what mines count for in the regions, but for the fewest there.
        let given_back = self.log_factor / std::f64::consts::LN_2 * fewest as f64;
        let scale = self.log2_regions + self.log2_tilt + self.log2_sea;
        self.all.log2() + scale + reference - given_back
    }

    /// The logarithm of the factor with which the total is a typical one, by bisection: the
    /// larger the factor, the more mines are expected.
    fn typical_factor(&self) -> f64 {
        let (mut low, mut high) = (-500.0f64, 500.0f64);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if self.expected(middle) < self.spare as f64 { low = middle } else { high = middle }
        }
        (low + high) / 2.0
    }

    /// The mines expected above the regions' least when each counts for so much.
    fn expected(&self, log_factor: f64) -> f64 {
        let region = |region: &Held| {
            let totals = &self.totals[region.at..][..region.len];
            let log_factor = log_factor - region.log_tilt;
            let most = log_peak(totals, log_factor);
            let (mut sum, mut mines) = (0.0, 0.0);
            for (above, total) in totals.iter().enumerate().filter(|(_, total)| **total > 0.0) {
                let weight = (total.ln() + log_factor * above as f64 - most).exp();
                sum += weight;
                mines += weight * above as f64;
            }
            mines / sum
        };
        let sea = self.sea as f64 / (1.0 + (-log_factor).exp());
        sea + self.regions.iter().map(region).sum::<f64>()
    }
}

/// The largest logarithm of a total times the factor of its mines.
fn log_peak(totals: &[f64], log_factor: f64) -> f64 {
    let logs = totals.iter().enumerate().filter(|(_, total)| **total > 0.0);
    let logs = logs.map(|(above, total)| total.ln() + log_factor * above as f64);
    logs.fold(f64::NEG_INFINITY, f64::max)
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
