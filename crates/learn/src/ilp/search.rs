//! The search for a clause, from general to specific, among the subsets of a bottom clause.

mod greedy;
mod ida;

use std::cmp::Reverse;

use super::bottom::Bottom;
use super::clause::{Clause, Target};
use super::macros::{Chain, macros};
use super::pool::{Bits, Pool};
use super::program::Program;

/// How clauses are refined and in which order they are tried.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strategy {
    /// Literal by literal, by iterative deepening.
    Ida,
    /// Macro by macro, by iterative deepening.
    IdaWithMacros,
    /// Pairs of macros first, then the best of them extended.
    GreedyWithMacros,
}

/// Where a search ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The most clauses that are tried.
    pub clauses: usize,
    /// The most literals of a body.
    pub body: usize,
    /// How many clauses a greedy search keeps to extend them; with none it tries single macros.
    pub kept: usize,
}

impl Bounds {
    /// The paper's limit of 4000 clauses; the others are ours.
    pub const PAPER: Self = Self { clauses: 4000, body: 9, kept: 20 };
}

/// What a clause is to cover.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'a> {
    /// The examples.
    pub pool: &'a Pool,
    /// What is concluded.
    pub target: Target,
    /// The examples that are still to be covered.
    pub wanted: &'a Bits,
    /// The examples that must not be covered.
    pub unwanted: &'a Bits,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The best clause that covers something wanted and nothing unwanted.
    pub clause: Option<Gain>,
    /// How many clauses were tried.
    pub explored: usize,
    /// Whether the limit ended it.
    pub limited: bool,
}

/// A clause and what it covers.
#[derive(Clone, Debug)]
pub struct Gain {
    /// The clause.
    pub clause: Clause,
    /// How many wanted examples it covers.
    pub wanted: usize,
}

impl Gain {
    /// Better is what covers more, then what is shorter.
    pub fn is_better_than(&self, other: &Gain) -> bool {
        let rank = |gain: &Gain| (gain.wanted, Reverse(gain.clause.body().len()));
        rank(self) > rank(other)
    }
}

/// Searches the subsets of a bottom clause.
pub fn search(bottom: &Bottom, goal: Goal<'_>, strategy: Strategy, bounds: Bounds) -> Found {
    let trial = Trial::new(bottom, goal, bounds);
    match strategy {
        Strategy::Ida => {
            let steps = (0..bottom.literals().len() as u16).map(|literal| vec![literal]);
            ida::search(trial, &steps.collect::<Vec<_>>())
        }
        Strategy::IdaWithMacros => ida::search(trial, &macros(bottom)),
        Strategy::GreedyWithMacros => greedy::search(trial, &macros(bottom)),
    }
}

/// A search under way.
struct Trial<'a> {
    bottom: &'a Bottom,
    goal: Goal<'a>,
    bounds: Bounds,
    explored: usize,
    limited: bool,
    best: Option<Gain>,
}

/// What a clause covers of what matters.
#[derive(Clone, Debug)]
struct Cover {
    bits: Bits,
    wanted: usize,
    unwanted: usize,
}

impl<'a> Trial<'a> {
    fn new(bottom: &'a Bottom, goal: Goal<'a>, bounds: Bounds) -> Self {
        Self { bottom, goal, bounds, explored: 0, limited: false, best: None }
    }

    /// What the empty clause covers: everything.
    fn everything(&self) -> Cover {
        let mut bits = self.goal.wanted.clone();
        bits.add(self.goal.unwanted);
        self.measure(bits)
    }

    fn measure(&self, bits: Bits) -> Cover {
        let (wanted, unwanted) = (bits.common(self.goal.wanted), bits.common(self.goal.unwanted));
        Cover { bits, wanted, unwanted }
    }

    /// Counts one clause; false once there have been enough.
    fn count(&mut self) -> bool {
        if self.explored == self.bounds.clauses {
            self.limited = true;
            return false;
        }
        self.explored += 1;
        true
    }

    fn clause(&self, chain: &Chain) -> Clause {
        let literal = |&literal: &u16| self.bottom.literals()[usize::from(literal)].clone();
        Clause::new(self.goal.target, chain.iter().map(literal).collect())
            .expect("subsets of a bottom clause that are closed under providers are well-typed")
    }

    /// What a clause covers, which is no more than a more general one covers.
    fn cover(&self, chain: &Chain, general: &Bits) -> Cover {
        let program = Program::new(&self.clause(chain));
        self.measure(self.goal.pool.covered(&program, general))
    }

    /// Notes a clause if it is the best so far that covers nothing unwanted.
    fn note(&mut self, chain: &Chain, cover: &Cover) {
        if cover.unwanted > 0 || cover.wanted == 0 {
            return;
        }
        let better = self.best.as_ref().is_none_or(|best| {
            (cover.wanted, Reverse(chain.len())) > (best.wanted, Reverse(best.clause.body().len()))
        });
        if better {
            self.best = Some(Gain { clause: self.clause(chain), wanted: cover.wanted });
        }
    }

    fn finish(self) -> Found {
        Found { clause: self.best, explored: self.explored, limited: self.limited }
    }
}
