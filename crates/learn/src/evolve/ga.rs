//! A genetic algorithm that places mines on the fringe until the numbers fit, anew for each move.
//!
//! Individuals are bit vectors over the covered cells next to numbers; what is minimized is how
//! far the numbers are from the mines around them. Steady state: parents win binary tournaments,
//! children take the places of the losers of others. The best individuals of several independent
//! runs make a pool, and the share of the pool with a mine on a cell is its risk: cells of
//! (almost) none are opened, or else the one of least risk.
//!
//! Populations have twice as many members as the frontier has cells, at least ten; three cuts of
//! the k-point crossover, 1/n as rate of mutation. A run ends after iterations without improvement,
//! not at its first individual without errors: the population goes on to fit, and the best five of
//! it with it. What the paper leaves open is chosen here: 500 such iterations, ten runs, five
//! individuals of each, 0.05 as "almost". Flags change nothing and are left out.
//!
//! With `split` each part of the frontier evolves by itself. The paper's parts are "connected":
//! their cells touch one another. A number may see two parts, and its error is measured in each as
//! if the other had no mines, which is why splitting hurts:
//!
//! ```text
//! # . #
//! # 2 #      two parts, each of which is asked for both mines of the 2
//! # . #
//! ```
//!
//! With `regions` parts are what numbers tie together, so none is seen by the numbers of another.
//!
//! Runs do not know of each other, so they could be shared out to threads; a tournament plays
//! games on all cores already, so an agent runs them one after another.

use deminer_game::stop;
use deminer_game::{
    Agent, Cell, ClueKind, Decision, Entry, Estimates, Face, Kind, OptionEntry, Options, Premise,
    Rng, Rules, Shape, Supports, Values, View, Why,
};
use deminer_inference::constraints::Constraints;
use std::num::NonZero;

use super::placing::{
    Crossover, OpenLater, PartOfFrontier, Placement, Placing, fittest, off_frontier, share_mined,
};

pub use super::placing::Parts;

/// The paper's player.
pub const ENTRY: Entry = Entry {
    name: "ga",
    about: "a genetic algorithm that fits mines to the numbers",
    kind: Kind::Evolution,
    paper: Some(PAPER),
    options: &[
        OptionEntry {
            name: "crossover",
            values: Values::OneOf(&["uniform", "one-point", "k-point"]),
            about: "how two parents share out their genes; k-point cuts three times",
        },
        OptionEntry {
            name: "parts",
            values: Values::OneOf(&["whole", "split", "regions"]),
            about: "what evolves by itself: the whole frontier, its parts that do not touch (the \
                    paper's), or those that no number ties together",
        },
        OptionEntry {
            name: "perfect",
            values: Values::Flag,
            about: "end a run at its first individual without errors, too",
        },
        OptionEntry {
            name: "pool",
            values: Values::OneOf(&["five", "best"]),
            about: "the five best of each run, or all with the fewest errors of more and longer runs",
        },
        OptionEntry {
            name: "population",
            values: Values::Number(2.0, 10_000.0),
            about: "the least size of a population (10)",
        },
        OptionEntry {
            name: "runs",
            values: Values::Number(1.0, 1000.0),
            about: "independent runs for each move (10; 30 with pool=best)",
        },
        OptionEntry {
            name: "stall",
            values: Values::Number(1.0, 1_000_000.0),
            about: "iterations without improvement after which a run ends (500; 1000 with pool=best)",
        },
        OptionEntry {
            name: "eps",
            values: Values::Number(0.0, 0.5),
            about: "cells of at most this risk are all opened (0.05)",
        },
    ],
    supports: SUPPORTS,
    build: |options| {
        let (frontier, planned) = (Constraints::default(), OpenLater::default());
        Ok(Box::new(Ga { plan: Plan::of(options), frontier, planned }))
    },
    ..Entry::PLAIN
};

/// Author, title and year.
pub(super) const PAPER: &str = "J. Park, J. Liou, E. Bray, E. Pyon, D. Francesconi, Solving \
                                Minesweeper Using Genetic Algorithm and Genetic Programming, 2021";

/// Played as in the paper: exact numbers and cascades.
pub(super) const SUPPORTS: Supports =
    Supports { clues: &[ClueKind::Exact], no_cascade: false, ..Supports::ALL };

/// How mines are fitted to the numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Plan {
    /// How two parents share out their genes.
    pub crossover: Crossover,
    /// What evolves by itself.
    pub parts: Parts,
    /// Whether a run ends at its first individual without errors, too.
    pub ends_perfect: bool,
    /// Whether only individuals with the fewest errors count.
    pub best: bool,
    /// The least size of a population.
    pub population: usize,
    /// Independent runs.
    pub runs: usize,
    /// A run ends after this many iterations without improvement.
    pub stall: u64,
    /// Cells of at most this risk are opened without weighing.
    pub eps: f64,
}

impl Default for Plan {
    /// The paper's, and ours where it says nothing.
    fn default() -> Self {
        Self {
            crossover: Crossover::Uniform,
            parts: Parts::Whole,
            ends_perfect: false,
            best: false,
            population: 10,
            runs: 10,
            stall: 500,
            eps: 0.05,
        }
    }
}

/// How many of each run get into the pool.
pub(super) const BEST_OF_RUN: usize = 5;

impl Plan {
    fn of(options: &Options) -> Self {
        let best = options.word("pool", "five") == "best";
        // Few of a run have the fewest errors, so there are more and longer runs.
        let honest = Self { runs: 30, stall: 1000, ..Self::default() };
        let plain = if best { honest } else { Self::default() };
        Self {
            crossover: match options.word("crossover", "uniform") {
                "one-point" => Crossover::OnePoint,
                "k-point" => Crossover::KPoint(3),
                _ => Crossover::Uniform,
            },
            parts: match options.word("parts", "whole") {
                "split" => Parts::Touching,
                "regions" => Parts::Regions,
                _ => Parts::Whole,
            },
            ends_perfect: options.flag("perfect"),
            best,
            population: options.number("population", plain.population as f64) as usize,
            runs: options.number("runs", plain.runs as f64) as usize,
            stall: options.number("stall", plain.stall as f64) as u64,
            eps: options.number("eps", plain.eps),
        }
    }

    /// Fits mines to the numbers of a view.
    pub fn fit(&self, frontier: &Constraints, shape: &Shape, rng: &mut Rng) -> Vec<Part> {
        let placing = |(cells, clues): &PartOfFrontier| {
            let part = Placing::new(frontier, cells, clues);
            Placing { crossover: self.crossover, ..part }
        };
        let parts = self.parts.of(frontier, shape);
        parts.iter().map(|part| self.evolve(placing(part), rng)).collect()
    }

    fn evolve(&self, placing: Placing, rng: &mut Rng) -> Part {
        let mut part = Part { placing, pool: Vec::new(), iterations: 0 };
        for _ in 0..self.runs {
            let population = self.population.max(2 * part.placing.genes());
            let mut run = part.placing.evolution(population, rng);
            while run.state().stalled < self.stall
                && !(self.ends_perfect && run.perfect())
                && !stop::is_raised()
            {
                run.step(NonZero::<usize>::MIN);
            }
            part.iterations += run.state().iteration;
            let taken = if self.best { population } else { BEST_OF_RUN };
            part.pool.extend(fittest(&run, taken));
        }
        if self.best {
            // Those with the fewest errors, each once.
            let least = part.pool.iter().map(|placement| placement.errors).min().unwrap_or(0);
            part.pool.retain(|placement| placement.errors == least);
            part.pool.sort_by(|a, b| a.bits.cmp(&b.bits));
            part.pool.dedup();
        }
        part
    }
}

/// A part of the frontier, or all of it, and the mines that fit it best.
#[derive(Clone, Debug)]
pub struct Part {
    /// What was asked.
    pub placing: Placing,
    /// The best individuals of all runs.
    pub pool: Vec<Placement>,
    /// Iterations of all runs.
    pub iterations: u64,
}

impl Part {
    /// The risk of each of its cells: the share of the pool with a mine there.
    pub fn risks(&self) -> impl Iterator<Item = (Cell, f64)> + '_ {
        let cells = self.placing.cells.iter().enumerate();
        cells.map(|(gene, &cell)| (cell, share_mined(&self.pool, gene)))
    }

    /// The errors of all individuals of the pool together.
    pub fn errors(&self) -> u32 {
        self.pool.iter().map(|placement| placement.errors).sum()
    }
}

struct Ga {
    plan: Plan,
    frontier: Constraints,
    planned: OpenLater,
}

impl Agent for Ga {
    fn begin(&mut self, _: &Rules) {
        self.planned.0.clear();
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        if let Some(decision) = self.planned.next(view) {
            return decision;
        }
        self.frontier.read(view, |_| None);
        let parts = self.plan.fit(&self.frontier, view.shape(), rng);
        let mut estimates = Estimates::new(view.shape().size());
        let mut least: Option<(Cell, f64)> = None;
        for (part, (cell, risk)) in
            parts.iter().flat_map(|part| part.risks().map(move |risk| (part, risk)))
        {
            estimates.believe(cell, risk);
            if view.face(cell) != Face::Covered {
                continue;
            }
            if risk <= self.plan.eps {
                self.planned.0.push_back((cell, almost_free(&part.placing, cell)));
            }
            if least.is_none_or(|(_, other)| risk < other) {
                least = Some((cell, risk));
            }
        }
        let decision = match (self.planned.next(view), least) {
            (Some(decision), _) => decision,
            (None, Some((cell, risk))) => Decision::risk(cell, risk),
            (None, None) => match rng.pick(&off_frontier(view, &self.frontier)) {
                Some(&cell) => Decision::blind(cell),
                None => Decision::decline(),
            },
        };
        let all = |count: fn(&Part) -> usize| parts.iter().map(count).sum::<usize>() as f64;
        decision.with_estimates(estimates).with_effort(vec![
            ("genes", self.frontier.cells.len() as f64),
            ("iterations", all(|part| part.iterations as usize)),
            ("pool", all(|part| part.pool.len())),
            ("errors", all(|part| part.errors() as usize)),
        ])
    }
}

/// Hardly any individual has a mine there: what the numbers around say of it.
pub(super) fn almost_free(placing: &Placing, cell: Cell) -> Why {
    let gene = placing.cells.iter().position(|&other| other == cell);
    let clues = gene.map_or(&[][..], |gene| &placing.seen_by[gene]);
    let clue = |&clue: &u16| Premise::Clue(placing.clues[usize::from(clue)].cell);
    Why::rule("free-in-the-pool", clues.iter().map(clue).collect())
}
