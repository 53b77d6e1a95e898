//! Mines on the frontier as bits: the genome of the genetic algorithm.
//!
//! ```text
//! # # # #      a b c d      genes a b c d e f, one a frontier cell: 0 1 0 0 0 0 puts a mine on
//! # 1 2 #  ->  e 1 2 f      b. The 1 has its mine, the 2 lacks one: one error.
//! ```
//!
//! A genome keeps how many mines each clue sees, so changing a gene costs as much as clues see
//! its cell: eight at most.

use std::collections::VecDeque;
use std::num::NonZero;

use arrayvec::ArrayVec;
use deminer_game::{Action, Cell, Decision, Face, Rng, Shape, View, Why};
use deminer_inference::constraints::{Constraint, Constraints};
use serde::{Deserialize, Serialize};

use super::engine::{Evolution, Problem, Replacement, Scheme, Settings};

/// How two parents share out their genes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crossover {
    /// One cut: genes before it from one parent, after it from the other.
    OnePoint,
    /// This many cuts.
    KPoint(usize),
    /// Every gene from one of them at random.
    Uniform,
    /// A patch of cells that clues tie together from one parent, the rest from the other.
    Patch,
}

/// Where mines may lie, and how good that is.
#[derive(Clone, Debug)]
pub struct Placing {
    /// The cells of the genes.
    pub cells: Vec<Cell>,
    /// For each gene, the clues that see its cell.
    pub seen_by: Vec<ArrayVec<u16, 8>>,
    /// What is asked.
    pub clues: Vec<Constraint>,
    /// What an error at each clue weighs.
    pub weights: Vec<u16>,
    /// How two parents share out their genes.
    pub crossover: Crossover,
    /// How many mines there may be at least and at most.
    pub mines: (u16, u16),
    /// Whether children are repaired: at most this many changes for each clue that is not met.
    pub repair: u32,
    /// A gene that must have this value.
    pub forced: Option<(usize, bool)>,
}

/// Mines on the cells of a frontier.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Placement {
    /// The genes, packed.
    pub(super) bits: Vec<u64>,
    /// How many mines each clue sees.
    counts: Vec<u8>,
    /// The sum of all weighted errors but that of the number of mines.
    weighted: u32,
    /// How many mines too many or too few the clues see, all together.
    pub(super) errors: u32,
    pub(super) mines: u16,
}

impl Placement {
    /// Whether there is a mine at a gene.
    pub fn mine(&self, gene: usize) -> bool {
        self.bits[gene / 64] >> (gene % 64) & 1 == 1
    }
}

/// One in this many changes of a repair is made at random.
const STRAY: usize = 5;

impl Placing {
    /// Some cells of a frontier and the clues that see them, as the paper plays: every clue weighs
    /// the same, and cells that are not among these have no mines.
    pub fn new(frontier: &Constraints, genes: &[u16], clues: &[u16]) -> Self {
        let mut gene_of = vec![u16::MAX; frontier.cells.len()];
        for (gene, &place) in genes.iter().enumerate() {
            gene_of[usize::from(place)] = gene as u16;
        }
        let mut seen_by = vec![ArrayVec::new(); genes.len()];
        let mut parts = Vec::with_capacity(clues.len());
        for (number, &clue) in clues.iter().enumerate() {
            let mut clue = frontier.clues[usize::from(clue)].clone();
            clue.cells = clue.cells.iter().map(|&cell| gene_of[usize::from(cell)]).collect();
            clue.cells.retain(|gene| *gene != u16::MAX);
            clue.cells.iter().for_each(|&gene| seen_by[usize::from(gene)].push(number as u16));
            parts.push(clue);
        }
        Self {
            cells: genes.iter().map(|&place| frontier.cells[usize::from(place)]).collect(),
            seen_by,
            weights: vec![1; parts.len()],
            clues: parts,
            crossover: Crossover::Uniform,
            mines: (0, u16::MAX),
            repair: 0,
            forced: None,
        }
    }

    /// A population in a steady state.
    pub(super) fn evolution(&self, population: usize, rng: &mut Rng) -> Evolution<Self> {
        let settings = Settings {
            scheme: Scheme::Steady(Replacement::WorseOfTwo),
            population,
            distinct: false,
            seed: rng.bits(),
        };
        Evolution::new(self.clone(), settings, NonZero::<usize>::MIN)
    }

    /// How many genes there are.
    pub fn genes(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn empty(&self) -> Placement {
        let error =
            |(clue, &weight): (&Constraint, &u16)| u32::from(clue.need.low()) * u32::from(weight);
        Placement {
            bits: vec![0; self.genes().div_ceil(64)],
            counts: vec![0; self.clues.len()],
            weighted: self.clues.iter().zip(&self.weights).map(error).sum(),
            errors: self.clues.iter().map(|clue| u32::from(clue.need.low())).sum(),
            mines: 0,
        }
    }

    /// Changes one gene; costs as much as clues see its cell.
    fn flip(&self, placement: &mut Placement, gene: usize) {
        let bit = 1 << (gene % 64);
        placement.bits[gene / 64] ^= bit;
        let mine = placement.bits[gene / 64] & bit != 0;
        placement.mines = if mine { placement.mines + 1 } else { placement.mines - 1 };
        for &clue in &self.seen_by[gene] {
            let clue = usize::from(clue);
            let (need, count) = (self.clues[clue].need.low(), &mut placement.counts[clue]);
            // A mine less where there are too many, or one more where there are too few.
            let better = if mine { *count < need } else { *count > need };
            *count = if mine { *count + 1 } else { *count - 1 };
            let weight = u32::from(self.weights[clue]);
            if better {
                placement.errors -= 1;
                placement.weighted -= weight;
            } else {
                placement.errors += 1;
                placement.weighted += weight;
            }
        }
    }

    /// The weighted errors that changing a gene would add, or take away.
    fn cost(&self, placement: &Placement, gene: usize) -> i32 {
        let mine = placement.mine(gene);
        let clues = self.seen_by[gene].iter().map(|&clue| usize::from(clue));
        let clue_cost = |clue: usize| {
            let (need, count) = (self.clues[clue].need.low(), placement.counts[clue]);
            let better = if mine { count > need } else { count < need };
            let weight = i32::from(self.weights[clue]);
            if better { -weight } else { weight }
        };
        clues.map(clue_cost).sum()
    }

    /// How many mines too many or too few there are.
    fn off_total(&self, placement: &Placement) -> u32 {
        let (low, high) = self.mines;
        u32::from(low.saturating_sub(placement.mines) + placement.mines.saturating_sub(high))
    }

    /// Whether nothing is wrong with it.
    pub fn fits(&self, placement: &Placement) -> bool {
        placement.errors == 0 && self.off_total(placement) == 0
    }

    /// The genes that the second child has from the first parent's partner.
    fn mask(&self, rng: &mut Rng, mask: &mut [u64]) {
        let genes = self.genes();
        let from = |mask: &mut [u64], start: usize| {
            // Every gene from here on changes sides.
            for (word, bits) in mask.iter_mut().enumerate() {
                let first = start.saturating_sub(64 * word);
                if first < 64 {
                    *bits ^= u64::MAX << first;
                }
            }
        };
        match self.crossover {
            Crossover::Uniform => mask.iter_mut().for_each(|word| *word = rng.bits()),
            Crossover::OnePoint => from(mask, 1 + rng.below(genes.max(2) - 1)),
            Crossover::KPoint(cuts) => {
                (0..cuts).for_each(|_| from(mask, 1 + rng.below(genes.max(2) - 1)));
            }
            Crossover::Patch => self.patch(rng, mask),
        }
        if !genes.is_multiple_of(64) {
            mask[genes / 64] &= (1 << (genes % 64)) - 1;
        }
    }

    /// Half of the cells or fewer, spreading from one by clues.
    fn patch(&self, rng: &mut Rng, mask: &mut [u64]) {
        let wanted = 1 + rng.below(self.genes().div_ceil(2));
        let mut reached: Vec<u16> = vec![rng.below(self.genes()) as u16];
        mask[usize::from(reached[0]) / 64] |= 1 << (reached[0] % 64);
        for at in 0.. {
            let Some(&gene) = reached.get(at) else { break };
            for &clue in &self.seen_by[usize::from(gene)] {
                for &near in &self.clues[usize::from(clue)].cells {
                    let (word, bit) = (usize::from(near) / 64, 1 << (near % 64));
                    if reached.len() < wanted && mask[word] & bit == 0 {
                        mask[word] |= bit;
                        reached.push(near);
                    }
                }
            }
        }
    }

    /// Changes every gene with probability 1/n: jumps from one change to the next.
    fn mutate(&self, placement: &mut Placement, rng: &mut Rng) {
        let genes = self.genes();
        if genes == 1 {
            return self.flip(placement, 0);
        }
        let stay = (1.0 - 1.0 / genes as f64).ln();
        let mut gene = 0;
        loop {
            gene += ((1.0 - rng.unit()).ln() / stay) as usize;
            if gene >= genes {
                return;
            }
            self.flip(placement, gene);
            gene += 1;
        }
    }

    /// Counting repair: a clue that is not met gets a mine or gives one up, the one that hurts
    /// its neighbors least, now and then any.
    fn mend(&self, placement: &mut Placement, rng: &mut Rng) {
        if self.repair == 0 || self.clues.is_empty() {
            return;
        }
        let unmet = |placement: &Placement, clue: usize| {
            placement.counts[clue] != self.clues[clue].need.low()
        };
        let mut changes = self.repair * placement.errors.max(1);
        while placement.errors > 0 && changes > 0 {
            changes -= 1;
            let start = rng.below(self.clues.len());
            let clue = (start..self.clues.len())
                .chain(0..start)
                .find(|&clue| unmet(placement, clue))
                .expect("some clue is not met while there are errors");
            let lacking = placement.counts[clue] < self.clues[clue].need.low();
            let mut choices: ArrayVec<usize, 8> = ArrayVec::new();
            for &gene in &self.clues[clue].cells {
                let gene = usize::from(gene);
                let free = self.forced.is_none_or(|(forced, _)| forced != gene);
                if placement.mine(gene) != lacking && free {
                    choices.push(gene);
                }
            }
            if choices.is_empty() {
                continue;
            }
            let gene = if rng.below(STRAY) == 0 {
                choices[rng.below(choices.len())]
            } else {
                let first = rng.below(choices.len());
                choices.rotate_left(first);
                let cost = |gene: &&usize| self.cost(placement, **gene);
                *choices.iter().min_by_key(cost).expect("there are choices")
            };
            self.flip(placement, gene);
        }
    }

    fn force(&self, placement: &mut Placement) {
        if let Some((gene, mine)) = self.forced
            && placement.mine(gene) != mine
        {
            self.flip(placement, gene);
        }
    }
}

impl Problem for Placing {
    type Genome = Placement;

    fn random(&self, rng: &mut Rng) -> Placement {
        let mut placement = self.empty();
        for word in 0..placement.bits.len() {
            let mut draw = rng.bits();
            while draw != 0 {
                let gene = 64 * word + draw.trailing_zeros() as usize;
                if gene >= self.genes() {
                    break;
                }
                self.flip(&mut placement, gene);
                draw &= draw - 1;
            }
        }
        self.force(&mut placement);
        self.mend(&mut placement, rng);
        placement
    }

    fn breed(&self, parents: [&Placement; 2], children: &mut [Placement; 2], rng: &mut Rng) {
        let mut mask: ArrayVec<u64, 1024> = ArrayVec::new();
        mask.extend(std::iter::repeat_n(0, self.genes().div_ceil(64)));
        self.mask(rng, &mut mask);
        for (child, parent) in children.iter_mut().zip(parents) {
            child.clone_from(parent);
        }
        for (word, mask) in mask.iter().enumerate() {
            let mut exchanged = mask & (parents[0].bits[word] ^ parents[1].bits[word]);
            while exchanged != 0 {
                let gene = 64 * word + exchanged.trailing_zeros() as usize;
                children.iter_mut().for_each(|child| self.flip(child, gene));
                exchanged &= exchanged - 1;
            }
        }
        for child in children {
            self.mutate(child, rng);
            self.force(child);
            self.mend(child, rng);
        }
    }

    fn fitness(&self, placement: &Placement, _: u64) -> f64 {
        -f64::from(placement.weighted + self.off_total(placement))
    }

    fn perfect(&self) -> f64 {
        0.0
    }

    fn size(&self, _: &Placement) -> usize {
        self.genes()
    }
}

/// At most `most` of the fittest members of a run, right or wrong.
pub(super) fn fittest(run: &Evolution<Placing>, most: usize) -> impl Iterator<Item = Placement> {
    let mut members: Vec<_> = run.state().members.iter().collect();
    members.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
    members.into_iter().take(most).map(|member| member.genome.clone())
}

/// The share of placements with a mine at a gene.
pub(super) fn share_mined(placements: &[Placement], gene: usize) -> f64 {
    let mined = placements.iter().filter(|placement| placement.mine(gene)).count();
    mined as f64 / placements.len().max(1) as f64
}

/// Cells to open in the next turns, with their reasons.
#[derive(Default)]
pub(super) struct OpenLater(pub VecDeque<(Cell, Why)>);

impl OpenLater {
    /// Opens the next of them that no cascade has opened meanwhile.
    pub fn next(&mut self, view: &View) -> Option<Decision> {
        let covered = |(cell, _): &(Cell, Why)| view.face(*cell) == Face::Covered;
        let (cell, why) = std::iter::from_fn(|| self.0.pop_front()).find(covered)?;
        Some(Decision::new(Action::Open(cell), why))
    }
}

/// A part of a frontier: places of cells and indices of clues, both in ascending order.
pub type PartOfFrontier = (Vec<u16>, Vec<u16>);

/// What of a frontier evolves by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parts {
    /// All of it.
    Whole,
    /// Parts whose cells touch one another, each with all clues that see any of its cells. A clue
    /// that sees two parts belongs to both and asks each for all of its mines.
    Touching,
    /// Regions: no clue sees cells of two.
    Regions,
}

impl Parts {
    /// The parts.
    pub fn of(self, constraints: &Constraints, shape: &Shape) -> Vec<PartOfFrontier> {
        if constraints.cells.is_empty() {
            return Vec::new();
        }
        let mut parts = match self {
            Parts::Whole => {
                let all = |count: usize| (0..count as u16).collect();
                vec![(all(constraints.cells.len()), all(constraints.clues.len()))]
            }
            Parts::Touching => touching(constraints, shape),
            Parts::Regions => {
                let regions = constraints.regions().into_iter();
                regions.map(|region| (region.cells, region.clues)).collect()
            }
        };
        for (cells, clues) in &mut parts {
            cells.sort_unstable();
            clues.sort_unstable();
        }
        parts
    }
}

/// The cells of a frontier that touch one another, with the clues that see any of them.
fn touching(constraints: &Constraints, shape: &Shape) -> Vec<PartOfFrontier> {
    let mut taken = vec![false; constraints.cells.len()];
    let mut parts = Vec::new();
    for start in 0..constraints.cells.len() {
        if std::mem::replace(&mut taken[start], true) {
            continue;
        }
        let mut cells = vec![start as u16];
        let mut next = 0;
        while let Some(&place) = cells.get(next) {
            next += 1;
            let around = shape.neighbors(constraints.cells[usize::from(place)]);
            for (other, cell) in constraints.cells.iter().enumerate() {
                if around.contains(cell) && !std::mem::replace(&mut taken[other], true) {
                    cells.push(other as u16);
                }
            }
        }
        let seeing = cells.iter().flat_map(|&cell| &constraints.seen_by[usize::from(cell)]);
        let mut clues: Vec<u16> = seeing.copied().collect();
        clues.sort_unstable();
        clues.dedup();
        parts.push((cells, clues));
    }
    parts
}

/// The covered cells without a flag that are not on the frontier.
pub fn off_frontier(view: &View, frontier: &Constraints) -> Vec<Cell> {
    view.openable().filter(|&cell| !frontier.contains(cell)).collect()
}
