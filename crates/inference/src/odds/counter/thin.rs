//! Keeps a random sample of the states, for regions too wide to count in full.

use super::super::number::Number;
use super::{Counter, Span, StateEntry};

impl<const W: usize, N: Number> Counter<W, N> {
    /// Keeps a random choice of a table's states, the weightier the surer, and makes up for those
    /// dropped: every sum over the table keeps its expected value.
    pub(super) fn thin_out(&mut self, output: Span, moves: Span) -> Span {
        let Some((limit, rng)) = &mut self.thin else { return moves };
        if output.len() <= *limit {
            return moves;
        }
        let weight = |entry: &StateEntry<W>| {
            let counts = &self.values[entry.vector.range()];
            counts.iter().map(Number::approximate).sum::<f64>()
        };
        let weights: Vec<f64> = self.entries[output.range()].iter().map(weight).collect();
        let level = keeping_level(&weights, *limit);
        let mut factors = vec![None; output.len()];
        for (factor, weight) in factors.iter_mut().zip(&weights) {
            let chance = (weight / level).min(1.0);
            if rng.unit() < chance {
                *factor = Some(1.0 / chance);
            }
        }
        for (entry, factor) in self.entries[output.range()].iter_mut().zip(&factors) {
            match factor {
                Some(factor) => {
                    for value in &mut self.values[entry.vector.range()] {
                        value.scale(*factor);
                    }
                }
                None => entry.vector.len = 0,
            }
        }
        let mut kept = self.moves.split_off(moves.range().start);
        kept.retain_mut(|moved| {
            let factor = factors[(moved.to - output.from) as usize];
            if let Some(factor) = factor {
                moved.weight.scale(factor);
            }
            factor.is_some()
        });
        self.moves.append(&mut kept);
        Span { to: self.moves.len() as u32, ..moves }
    }
}

/// The level such that keeping each weight with probability weight / level, at most 1, keeps
/// about this number.
fn keeping_level(weights: &[f64], limit: usize) -> f64 {
    let mut sorted = weights.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let mut rest: f64 = sorted.iter().sum();
    for (kept, weight) in sorted.iter().enumerate() {
        let level = rest / (limit - kept).max(1) as f64;
        if *weight <= level || kept + 1 >= limit {
            return level;
        }
        rest -= weight;
    }
    f64::MIN_POSITIVE
}
