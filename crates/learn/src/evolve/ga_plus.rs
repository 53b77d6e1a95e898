//! The genetic algorithm with repair, the mine total and an unbiased pool.
//!
//! What Park, Liou, Bray, Pyon and Francesconi wish for, and what their numbers ask for, each of
//! which can be left out:
//!
//! - `patterns`: what single clues prove is no gene but a fact;
//! - `split`: parts of the frontier that no clue ties together evolve apart, and again only when
//!   they have changed;
//! - `repair`: a child's clues that are not met get mines or give them up;
//! - `weights`: errors at clues that see few cells weigh more, and the number of mines on the
//!   board is a clue too;
//! - `patch`: crossover exchanges patches of the board, not stretches of a list;
//! - `population`: at least 60 members, however short the frontier;
//! - `honest`: the pool is every placement without an error that was met, each once;
//! - `total`: a placement weighs as much as there are ways to put the other mines elsewhere;
//! - `challenge`: before a cell that no placement of the pool mines is opened, a population with
//!   a mine there tries to fit.

use std::num::NonZero;

use deminer_game::stop;
use deminer_game::{
    Agent, Cell, Decision, Entry, Estimates, Face, Kind, OptionEntry, Options, Rng, Rules, Shape,
    Values, View, Why,
};
use deminer_inference::constraints::Constraints;
use deminer_inference::deduce::{Fact, SinglePoint};
use rustc_hash::FxHashSet;

use super::ga::{BEST_OF_RUN, PAPER, SUPPORTS, almost_free};
use super::placing::{
    Crossover, OpenLater, Parts, Placement, Placing, fittest, off_frontier, share_mined,
};

/// The improved player.
pub const ENTRY: Entry = Entry {
    name: "ga+",
    about: "the genetic algorithm with repair, the mine total and an honest pool",
    kind: Kind::Evolution,
    paper: Some(PAPER),
    options: &[OptionEntry {
        name: "without",
        values: Values::ListOf(&IMPROVEMENTS),
        about: "improvements to leave out",
    }],
    supports: SUPPORTS,
    build: |options| Ok(Box::new(GaPlus::new(Improvements::of(options)))),
    ..Entry::PLAIN
};

/// What can be left out.
pub const IMPROVEMENTS: [&str; 9] = [
    "patterns",
    "split",
    "repair",
    "weights",
    "patch",
    "population",
    "honest",
    "total",
    "challenge",
];

#[derive(Clone, Copy, Debug)]
struct Improvements {
    patterns: bool,
    split: bool,
    repair: bool,
    weights: bool,
    patch: bool,
    population: bool,
    honest: bool,
    total: bool,
    challenge: bool,
}

impl Improvements {
    fn of(options: &Options) -> Self {
        let without = options.list("without").unwrap_or_default();
        let with = |name: &str| !without.iter().any(|word| word == name);
        let [patterns, split, repair, weights, patch, population, honest, total, challenge] =
            IMPROVEMENTS.map(with);
        Self { patterns, split, repair, weights, patch, population, honest, total, challenge }
    }
}

/// Runs of each part of the frontier.
const RUNS: usize = 3;
/// A run ends after this many iterations without a better best or a placement that is new.
const STALL: u64 = 300;
/// The least size of a population.
const POPULATION: usize = 60;
/// The most placements of a pool.
const POOL: usize = 2000;
/// Changes of a repair for each error.
const REPAIRS: u32 = 6;
/// Members and iterations of a challenge.
const CHALLENGERS: usize = 10;
const CHALLENGE: u64 = 60;

struct GaPlus {
    improvements: Improvements,
    known: SinglePoint,
    frontier: Constraints,
    /// Parts of the frontier and their pools, as they were last seen.
    parts: Vec<Pool>,
    planned: OpenLater,
}

/// A part of the frontier and what fits it.
struct Pool {
    /// Its clues: where they stand and what they need of how many cells.
    key: Vec<(Cell, u8, u8)>,
    placing: Placing,
    placements: Vec<Placement>,
}

impl GaPlus {
    fn new(improvements: Improvements) -> Self {
        let nothing = Shape::new(Default::default(), 1, 1).expect("one cell makes a board");
        Self {
            improvements,
            known: SinglePoint::new(&nothing),
            frontier: Constraints::default(),
            parts: Vec::new(),
            planned: OpenLater::default(),
        }
    }

    /// Takes the view in: facts of single clues first, then parts and their pools.
    fn look(&mut self, view: &View, rng: &mut Rng) {
        let (known, facts) = (&self.known, self.improvements.patterns);
        self.frontier.read(view, |cell| if facts { known.fact(cell) } else { None });
        let mut old = std::mem::take(&mut self.parts);
        let parts = if self.improvements.split { Parts::Regions } else { Parts::Whole };
        for (cells, clues) in parts.of(&self.frontier, view.shape()) {
            let key: Vec<(Cell, u8, u8)> = clues
                .iter()
                .map(|&clue| &self.frontier.clues[usize::from(clue)])
                .map(|clue| (clue.cell, clue.need.low(), clue.cells.len() as u8))
                .collect();
            let same = old.iter().position(|pool| pool.key == key);
            let pool = match same.filter(|_| self.improvements.split) {
                Some(same) => old.swap_remove(same),
                None => {
                    let placing = self.placing(&cells, &clues, view);
                    self.evolve(key, placing, rng)
                }
            };
            self.parts.push(pool);
        }
    }

    fn placing(&self, cells: &[u16], clues: &[u16], view: &View) -> Placing {
        let mut placing = Placing::new(&self.frontier, cells, clues);
        if self.improvements.weights {
            // Of a clue that sees one cell everything is known; each further one is a doubt.
            let weight = |cells: usize| 9 - cells as u16;
            placing.weights = placing.clues.iter().map(|clue| weight(clue.cells.len())).collect();
            let (mines, elsewhere) = self.mines_left(view);
            let elsewhere = elsewhere + self.frontier.cells.len() - cells.len();
            placing.mines = (mines.saturating_sub(elsewhere) as u16, mines as u16);
        }
        if self.improvements.patch {
            placing.crossover = Crossover::Patch;
        }
        placing.repair = if self.improvements.repair { REPAIRS } else { 0 };
        placing
    }

    /// What single clues prove of a cell.
    fn fact(&self, cell: Cell) -> Option<Fact> {
        if self.improvements.patterns { self.known.fact(cell) } else { None }
    }

    /// The mines that are not known, and the unknown cells off the frontier.
    fn mines_left(&self, view: &View) -> (usize, usize) {
        let (mut mines, mut unknown) = (view.shown_mines().count(), 0);
        for cell in view.covered() {
            match self.fact(cell) {
                None => unknown += 1,
                Some(Fact::Mine) => mines += 1,
                Some(Fact::Safe) => {}
            }
        }
        (view.rules().mines().saturating_sub(mines), unknown - self.frontier.cells.len())
    }

    fn evolve(&self, key: Vec<(Cell, u8, u8)>, placing: Placing, rng: &mut Rng) -> Pool {
        let mut pool = Gathering::default();
        let least = if self.improvements.population { POPULATION } else { 10 };
        let population = least.max(2 * placing.genes());
        for _ in 0..RUNS {
            let mut run = placing.evolution(population, rng);
            let mut quiet = 0;
            run.state().members.iter().for_each(|member| pool.offer(&placing, &member.genome));
            while quiet < STALL && pool.placements.len() < POOL && !stop::is_raised() {
                let before = (run.state().best.fitness, pool.placements.len());
                run.step(NonZero::<usize>::MIN);
                run.newest().for_each(|member| pool.offer(&placing, &member.genome));
                let after = (run.state().best.fitness, pool.placements.len());
                quiet = if after == before { quiet + 1 } else { 0 };
            }
            if !self.improvements.honest || pool.placements.is_empty() {
                pool.others.extend(fittest(&run, BEST_OF_RUN));
            }
        }
        if self.improvements.challenge {
            challenge(&placing, &mut pool, rng);
        }
        let mut placements = pool.placements;
        if !self.improvements.honest || placements.is_empty() {
            placements = pool.others;
        }
        Pool { key, placing, placements }
    }

    /// The risk of every frontier cell, and that of the cells elsewhere.
    fn risks(&self, view: &View) -> (Vec<(Cell, f64, usize)>, f64) {
        let (mines, elsewhere) = self.mines_left(view);
        let ways = Ways::of(&self.parts, mines, elsewhere, self.improvements.total);
        let mut risks = Vec::with_capacity(self.frontier.cells.len());
        let mut expected = 0.0;
        for (number, pool) in self.parts.iter().enumerate() {
            let weights: Vec<f64> = pool
                .placements
                .iter()
                .map(|placement| ways.weight(number, usize::from(placement.mines)))
                .collect();
            let all: f64 = weights.iter().sum();
            for (gene, &cell) in pool.placing.cells.iter().enumerate() {
                let both = pool.placements.iter().zip(&weights);
                let mined = both.filter(|(placement, _)| placement.mine(gene));
                let mined: f64 = mined.map(|(_, weight)| weight).sum();
                // Where the pool does not fit the total at all, its shares must do.
                let risk =
                    if all > 0.0 { mined / all } else { share_mined(&pool.placements, gene) };
                expected += risk;
                risks.push((cell, risk, number));
            }
        }
        let left = (mines as f64 - expected).max(0.0);
        (risks, (left / (elsewhere.max(1)) as f64).min(1.0))
    }
}

/// Placements without error, each once, in the order in which they were met; and others.
#[derive(Default)]
struct Gathering {
    met: FxHashSet<Vec<u64>>,
    placements: Vec<Placement>,
    others: Vec<Placement>,
}

impl Gathering {
    fn offer(&mut self, placing: &Placing, placement: &Placement) {
        let known = |pool: &Self| pool.met.contains(&placement.bits);
        if placing.fits(placement) && self.placements.len() < POOL && !known(self) {
            self.met.insert(placement.bits.clone());
            self.placements.push(placement.clone());
        }
    }
}

/// Puts a mine on every cell that no placement mines, and sees whether evolution makes it fit.
fn challenge(placing: &Placing, pool: &mut Gathering, rng: &mut Rng) {
    for gene in 0..placing.genes() {
        if pool.placements.iter().any(|placement| placement.mine(gene)) {
            continue;
        }
        let forced = Placing { forced: Some((gene, true)), ..placing.clone() };
        let mut run = forced.evolution(CHALLENGERS, rng);
        while run.state().iteration < CHALLENGE && !run.perfect() && !stop::is_raised() {
            run.step(NonZero::<usize>::MIN);
        }
        for member in &run.state().members {
            pool.offer(placing, &member.genome);
        }
    }
}

/// In how many ways all other mines can be placed once a part has a number of mines.
struct Ways(Vec<Vec<f64>>);

impl Ways {
    /// The other parts' placements are counted by their mines and combined; the mines that are
    /// left then lie anywhere elsewhere. Costs the square of parts times that of mines.
    fn of(parts: &[Pool], mines: usize, elsewhere: usize, total: bool) -> Self {
        if !total {
            return Self(Vec::new());
        }
        let tally = |pool: &Pool| {
            let mut tally = vec![0.0; pool.placing.genes() + 1];
            for placement in &pool.placements {
                tally[usize::from(placement.mines)] += 1.0;
            }
            tally
        };
        let tallies: Vec<Vec<f64>> = parts.iter().map(tally).collect();
        // Binomials by their logarithms, with the greatest as 1.
        let ways: Vec<f64> = (0..=mines).map(|left| log_binomial(elsewhere, left)).collect();
        let greatest = ways.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let others = |number: usize| {
            let mut others = vec![1.0];
            for (_, tally) in tallies.iter().enumerate().filter(|(other, _)| *other != number) {
                others = product(&others, tally, mines);
            }
            others
        };
        let weights = |number: usize| {
            let others = others(number);
            let weight = |own: usize| -> f64 {
                let fits = others.iter().enumerate().filter(|(more, _)| own + more <= mines);
                let ways = |more: usize| (ways[mines - own - more] - greatest).exp();
                fits.map(|(more, count)| count * ways(more)).sum()
            };
            (0..=parts[number].placing.genes()).map(weight).collect()
        };
        Self((0..parts.len()).map(weights).collect())
    }

    fn weight(&self, part: usize, mines: usize) -> f64 {
        self.0.get(part).map_or(1.0, |weights| weights[mines])
    }
}

/// How often two counts add up to each number up to `most`, scaled to stay within range.
fn product(one: &[f64], other: &[f64], most: usize) -> Vec<f64> {
    let mut sums = vec![0.0; (one.len() + other.len() - 1).min(most + 1)];
    for (a, &ways) in one.iter().enumerate().filter(|(_, ways)| **ways > 0.0) {
        for (b, &more) in other.iter().enumerate() {
            if let Some(sum) = sums.get_mut(a + b) {
                *sum += ways * more;
            }
        }
    }
    let all: f64 = sums.iter().sum();
    if all > 0.0 {
        sums.iter_mut().for_each(|sum| *sum /= all);
    }
    sums
}

fn log_binomial(n: usize, k: usize) -> f64 {
    if k > n {
        return f64::NEG_INFINITY;
    }
    (1..=k).map(|i| ((n - k + i) as f64 / i as f64).ln()).sum()
}

impl Agent for GaPlus {
    fn begin(&mut self, rules: &Rules) {
        self.known.reset(rules.shape());
        self.parts.clear();
        self.planned.0.clear();
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        if let Some(decision) = self.planned.next(view) {
            return decision;
        }
        if self.improvements.patterns {
            self.known.update(view);
            for cell in view.openable().filter(|&cell| self.known.fact(cell) == Some(Fact::Safe)) {
                let proof = self.known.proof(view, cell).expect("facts are proved");
                self.planned.0.push_back((cell, Why::Proved(proof)));
            }
            if let Some(decision) = self.planned.next(view) {
                return decision;
            }
        }
        self.look(view, rng);
        let (risks, elsewhere) = self.risks(view);
        let mut estimates = Estimates::new(view.shape().size());
        let mut others = off_frontier(view, &self.frontier);
        others.retain(|&cell| self.fact(cell) != Some(Fact::Mine));
        others.iter().for_each(|&cell| estimates.believe(cell, elsewhere));
        let mut least: Vec<Cell> = Vec::new();
        let mut lowest = if others.is_empty() { f64::INFINITY } else { elsewhere };
        for &(cell, risk, part) in &risks {
            estimates.believe(cell, risk);
            if view.face(cell) != Face::Covered {
                continue;
            }
            if risk == 0.0 {
                let why = almost_free(&self.parts[part].placing, cell);
                self.planned.0.push_back((cell, why));
            }
            if risk <= lowest {
                if risk < lowest {
                    least.clear();
                    lowest = risk;
                }
                least.push(cell);
            }
        }
        let choices = if least.is_empty() { &others } else { &least };
        let decision = match (self.planned.next(view), rng.pick(choices)) {
            (Some(decision), _) => decision,
            (None, Some(&cell)) => Decision::risk(cell, lowest),
            (None, None) => match view.openable().next() {
                Some(cell) => Decision::blind(cell),
                None => Decision::decline(),
            },
        };
        let pool: usize = self.parts.iter().map(|part| part.placements.len()).sum();
        decision.with_estimates(estimates).with_effort(vec![
            ("genes", self.frontier.cells.len() as f64),
            ("parts", self.parts.len() as f64),
            ("pool", pool as f64),
        ])
    }
}
