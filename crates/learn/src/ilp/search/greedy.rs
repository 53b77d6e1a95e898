//! Greedy search with macros: all macros are tried and, unless one will do by itself, all pairs of
//! them; the best are kept. Then those that cover something unwanted are combined with every
//! macro, again and again.

use std::cmp::Reverse;

use rustc_hash::FxHashSet;

use super::{Cover, Found, Trial};
use crate::ilp::macros::{Chain, merge};

pub fn search(mut trial: Trial<'_>, macros: &[Chain]) -> Found {
    let everything = trial.everything();
    let mut beam = Beam { kept: Vec::new(), seen: FxHashSet::default() };
    let mut alone: Vec<Option<Cover>> = Vec::new();
    for chain in macros {
        alone.push(beam.consider(&mut trial, chain.clone(), &everything));
    }
    // Where one macro will do, or none are kept, none are combined.
    if trial.found.clause.is_some() || trial.bounds.kept == 0 {
        return trial.found;
    }
    for (place, one) in macros.iter().enumerate() {
        // What covers nothing unwanted by itself gains nothing from a second macro.
        let Some(cover) = alone[place].as_ref().filter(|cover| cover.unwanted > 0) else {
            continue;
        };
        for other in &macros[..place] {
            let mut both = one.clone();
            merge(&mut both, other);
            beam.consider(&mut trial, both, cover);
        }
    }
    while !trial.found.limited {
        beam.shrink(trial.bounds.kept);
        let open: Vec<Candidate> = beam
            .kept
            .iter()
            .filter(|kept| kept.cover.unwanted > 0 && !kept.extended)
            .cloned()
            .collect();
        if open.is_empty() {
            break;
        }
        beam.kept.iter_mut().for_each(|kept| kept.extended = true);
        for clause in open {
            for chain in macros {
                let mut longer = clause.chain.clone();
                merge(&mut longer, chain);
                beam.consider(&mut trial, longer, &clause.cover);
            }
        }
    }
    trial.found
}

/// A clause that may be extended.
#[derive(Clone)]
struct Candidate {
    chain: Chain,
    cover: Cover,
    extended: bool,
}

struct Beam {
    kept: Vec<Candidate>,
    seen: FxHashSet<Chain>,
}

impl Beam {
    /// Tries a clause, unless it is known or too long, and gives what it covers.
    fn consider(&mut self, trial: &mut Trial<'_>, chain: Chain, general: &Cover) -> Option<Cover> {
        let known = trial.found.limited
            || chain.len() > trial.bounds.body
            || !self.seen.insert(chain.clone());
        if known || !trial.count() {
            return None;
        }
        let cover = trial.cover(&chain, &general.bits);
        trial.note(&chain, &cover);
        if cover.wanted > 0 {
            self.kept.push(Candidate { chain, cover: cover.clone(), extended: false });
        }
        Some(cover)
    }

    /// Keeps the clauses that cover the most wanted and the fewest unwanted examples.
    fn shrink(&mut self, most: usize) {
        self.kept.sort_by_key(|kept| {
            let surplus = kept.cover.wanted as i64 - kept.cover.unwanted as i64;
            (Reverse(surplus), kept.chain.len())
        });
        self.kept.truncate(most);
    }
}
