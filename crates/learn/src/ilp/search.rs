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
#[derive(Clone, Debug, Default)]
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
    pub(super) fn rank(&self) -> (usize, Reverse<usize>) {
        (self.wanted, Reverse(self.clause.body().len()))
    }
}

/// Searches the subsets of a bottom clause.
pub fn search(bottom: &Bottom, goal: Goal<'_>, strategy: Strategy, bounds: Bounds) -> Found {
    let trial = Trial { bottom, goal, bounds, found: Found::default() };
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
    found: Found,
}

/// What a clause covers of what matters.
#[derive(Clone, Debug)]
struct Cover {
    bits: Bits,
    wanted: usize,
    unwanted: usize,
}

impl<'a> Trial<'a> {
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
        self.found.limited |= self.found.explored == self.bounds.clauses;
        self.found.explored += usize::from(!self.found.limited);
        !self.found.limited
    }

    /// What a clause covers, which is no more than a more general one covers.
    fn cover(&self, chain: &Chain, general: &Bits) -> Cover {
        let program = Program::new(&self.bottom.clause(self.goal.target, chain));
        self.measure(self.goal.pool.covered(&program, general))
    }

    /// Notes a clause if it is the best so far that covers nothing unwanted.
    fn note(&mut self, chain: &Chain, cover: &Cover) {
        if cover.unwanted > 0 || cover.wanted == 0 {
            return;
        }
        let rank = (cover.wanted, Reverse(chain.len()));
        if self.found.clause.as_ref().is_none_or(|best| rank > best.rank()) {
            let clause = self.bottom.clause(self.goal.target, chain);
            self.found.clause = Some(Gain { clause, wanted: cover.wanted });
        }
    }
}
