//! Examples prepared for fast matching, and the sets of examples that clauses cover.

use std::num::NonZero;
use std::sync::Arc;

use deminer_game::View;
use deminer_inference::relations::Remaining;
use rustc_hash::FxHashMap;

use super::background::Reach;
use super::clause::Target;
use super::example::Example;
use super::program::Program;
use super::situation::{Situation, Surveyor};
use crate::parallel::in_order;

/// An example with what the background knowledge says of it.
#[derive(Debug)]
pub struct Case {
    /// The example.
    pub example: Example,
    /// What rules see of it.
    pub situation: Situation,
}

impl Case {
    /// Whether the target holds of it.
    pub fn is_positive(&self, target: Target) -> bool {
        self.example.label == Some(target.fact())
    }
}

/// Examples that clauses are tried on.
#[derive(Debug, Default)]
pub struct Pool {
    cases: Vec<Case>,
}

impl Pool {
    /// These examples.
    pub fn new(examples: Vec<Example>, reach: Reach, surveyor: &mut Surveyor) -> Self {
        let mut pool = Self::default();
        pool.extend(examples, reach, surveyor);
        pool
    }

    /// Takes in examples.
    pub fn extend(&mut self, examples: Vec<Example>, reach: Reach, surveyor: &mut Surveyor) {
        // Examples share their views.
        let mut left: FxHashMap<*const View, Remaining> = FxHashMap::default();
        for example in examples {
            let remaining = left
                .entry(Arc::as_ptr(&example.view))
                .or_insert_with(|| surveyor.remaining(&example.view));
            let remaining = Some(*remaining);
            let situation = surveyor.survey(&example.view, example.cell, reach, remaining);
            self.cases.push(Case { example, situation });
        }
    }

    /// Takes examples out that no rule can tell from others with another label. Gives the places
    /// of those that stay.
    pub fn drop_contradictions(&mut self, target: Target) -> Vec<usize> {
        // What is left on the rest of the board may differ.
        let looks: Vec<Vec<u64>> =
            self.cases.iter().map(|case| case.situation.likeness()).collect();
        let mut labels: FxHashMap<&[u64], [bool; 2]> = FxHashMap::default();
        for (case, look) in self.cases.iter().zip(&looks) {
            labels.entry(look).or_default()[usize::from(case.is_positive(target))] = true;
        }
        let keep: Vec<bool> = looks.iter().map(|look| labels[&look[..]] != [true; 2]).collect();
        let mut places = 0..;
        self.cases.retain(|_| keep[places.next().expect("there is always another")]);
        (0..keep.len()).filter(|&place| keep[place]).collect()
    }

    /// The examples.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// Those of which the target holds.
    pub fn positives(&self, target: Target) -> Bits {
        let mut bits = Bits::none(self.cases.len());
        let positive = |&place: &usize| self.cases[place].is_positive(target);
        (0..self.cases.len()).filter(positive).for_each(|place| bits.set(place));
        bits
    }

    /// Those of which it does not hold.
    pub fn negatives(&self, target: Target) -> Bits {
        let mut bits = Bits::all(self.cases.len());
        bits.remove(&self.positives(target));
        bits
    }

    /// Which of these a program covers. Costs an evaluation for each of them.
    pub fn covered(&self, program: &Program, among: &Bits) -> Bits {
        let mut bits = Bits::none(self.cases.len());
        for place in among.iter() {
            if program.covers(&self.cases[place].situation) {
                bits.set(place);
            }
        }
        bits
    }

    /// Which of all examples each program covers, on some threads. The same for any number of
    /// them.
    pub fn cover(&self, programs: &[Program], threads: NonZero<usize>) -> Vec<Bits> {
        let size = self.cases.len();
        let stretch = size.div_ceil(threads.get()).max(1);
        let parts = in_order(threads, size.div_ceil(stretch), |part| -> Vec<Bits> {
            let from = part * stretch;
            let among = Bits::between(size, from, size.min(from + stretch));
            programs.iter().map(|program| self.covered(program, &among)).collect()
        });
        let mut all = vec![Bits::none(size); programs.len()];
        for part in parts {
            all.iter_mut().zip(part).for_each(|(bits, part)| bits.add(&part));
        }
        all
    }
}

/// A set of examples, one bit each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// None of `size` examples.
    pub fn none(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    /// All of `size` examples.
    pub fn all(size: usize) -> Self {
        Self::between(size, 0, size)
    }

    fn between(size: usize, from: usize, to: usize) -> Self {
        let mut bits = Self::none(size);
        (from..to).for_each(|place| bits.set(place));
        bits
    }

    /// Puts one in.
    pub fn set(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    /// Takes one out.
    pub fn clear(&mut self, place: usize) {
        self.0[place / 64] &= !(1 << (place % 64));
    }

    /// Whether it is in.
    pub fn has(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    /// How many are in.
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// How many are in both.
    pub fn common(&self, other: &Bits) -> usize {
        self.0.iter().zip(&other.0).map(|(one, other)| (one & other).count_ones() as usize).sum()
    }

    /// Puts all of the others in.
    pub fn add(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one |= other);
    }

    /// Takes all of the others out.
    pub fn remove(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(one, other)| *one &= !other);
    }

    /// Those that are in, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            let mut bits = bits;
            std::iter::from_fn(move || {
                let next = bits.trailing_zeros() as usize;
                let any = bits != 0;
                bits &= bits.wrapping_sub(1);
                any.then_some(64 * word + next)
            })
        })
    }
}
