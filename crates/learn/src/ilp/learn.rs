//! The covering algorithm: learns clauses until every example is covered or given up.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

use deminer_game::Rng;

use super::background::{Meaning, Predicate, Reach};
use super::bottom::{Bottom, Saturation};
use super::clause::{Clause, Target};
use super::pool::{Bits, Pool};
use super::program::Program;
use super::search::{Bounds, Gain, Goal, Strategy, search};
use crate::parallel::in_order;

/// How clauses are learned.
#[derive(Clone, Debug)]
pub struct Method {
    /// What they are made of.
    pub predicates: Vec<&'static Predicate>,
    /// How far examples are looked into.
    pub saturation: Saturation,
    /// How clauses are sought.
    pub strategy: Strategy,
    /// Where a search ends.
    pub bounds: Bounds,
    /// How many examples are searched from at once; the best clause of all wins.
    pub seeds: usize,
}

impl Method {
    /// How far zones reach.
    pub fn reach(&self) -> Reach {
        let reaches = self.predicates.iter().filter_map(|predicate| match predicate.meaning {
            Meaning::Zone(reach) => Some(reach),
            _ => None,
        });
        reaches.max().unwrap_or(Reach::Near)
    }
}

/// What searches cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Effort {
    /// Searches.
    pub searches: usize,
    /// Clauses tried in all of them.
    pub clauses: usize,
    /// Searches that the limit ended.
    pub limited: usize,
}

impl Effort {
    /// Adds other searches.
    pub fn join(&mut self, other: Effort) {
        self.searches += other.searches;
        self.clauses += other.clauses;
        self.limited += other.limited;
    }

    /// Clauses tried in a search, on average.
    pub fn mean(&self) -> f64 {
        self.clauses as f64 / self.searches.max(1) as f64
    }

    /// The share of searches that the limit ended.
    pub fn limited_share(&self) -> f64 {
        self.limited as f64 / self.searches.max(1) as f64
    }
}

/// What is to be learned, and how.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The examples.
    pub pool: &'a Pool,
    /// What is concluded.
    pub target: Target,
    /// Clauses that are known.
    pub known: &'a [Clause],
    /// Examples that need not be searched from.
    pub given_up: &'a Bits,
    /// How.
    pub method: &'a Method,
}

/// What has been learned.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The new clauses.
    pub clauses: Vec<Clause>,
    /// What they cost.
    pub effort: Effort,
    /// The examples from which nothing was found, now or before.
    pub given_up: Bits,
}

/// Learns clauses that together cover the positive examples of a pool, beyond those that are
/// known, and no others.
///
/// Some of the examples not yet covered are drawn and searched from at once; the clause that
/// covers most is taken. Examples from which nothing was found are given up: more examples to
/// be avoided would not help. The result depends on the random numbers, not on the threads. When
/// stopped, what has been learned so far is given.
pub fn learn(
    task: Task<'_>,
    rng: &mut Rng,
    threads: NonZero<usize>,
    stop: &AtomicBool,
    mut progress: impl FnMut(&Gain, Effort),
) -> Learned {
    let Task { pool, target, known, given_up, method } = task;
    let negatives = pool.negatives(target);
    let mut wanted = pool.positives(target);
    for clause in known {
        wanted.remove(&pool.covered(&Program::new(clause), &wanted));
    }
    let mut untried = wanted.clone();
    untried.remove(given_up);
    let mut given_up = given_up.clone();
    let (mut clauses, mut effort) = (Vec::new(), Effort::default());
    // Searches from one example.
    let search_from = |place: usize, wanted: &Bits| {
        let situation = &pool.cases()[place].situation;
        let bottom = Bottom::saturate(situation, &method.predicates, method.saturation);
        let goal = Goal { pool, target, wanted, unwanted: &negatives };
        search(&bottom, goal, method.strategy, method.bounds)
    };
    while untried.count() > 0 && !stop.load(Ordering::Relaxed) {
        let mut candidates: Vec<usize> = untried.iter().collect();
        rng.shuffle(&mut candidates);
        candidates.truncate(method.seeds);
        let found = in_order(threads, candidates.len(), |at| search_from(candidates[at], &wanted));
        for (&place, found) in candidates.iter().zip(&found) {
            let (clauses, limited) = (found.explored, usize::from(found.limited));
            effort.join(Effort { searches: 1, clauses, limited });
            if found.clause.is_none() {
                untried.clear(place);
                given_up.set(place);
            }
        }
        let gains = found.into_iter().filter_map(|found| found.clause);
        if let Some(gain) =
            gains.reduce(|best, gain| if gain.rank() > best.rank() { gain } else { best })
        {
            let covered = pool.covered(&Program::new(&gain.clause), &wanted);
            wanted.remove(&covered);
            untried.remove(&covered);
            progress(&gain, effort);
            clauses.push(gain.clause);
        }
    }
    Learned { clauses, effort, given_up }
}
