//! Iterative deepening A*: R. Korf, "Iterative-deepening A*: an optimal admissible tree search"
//! (1985).
//!
//! A clause costs its literals and those that it still needs before it can say something of a
//! set: that the cell is in it, and how many mines it has. Clauses up to a cost are tried, then
//! those up to the next, until some clause covers nothing unwanted: dearer ones are not looked at.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Cover, Found, Trial};
use crate::ilp::background::Meaning;
use crate::ilp::clause::{Term, Variable};
use crate::ilp::macros::{Chain, merge};

pub fn search(mut trial: Trial<'_>, steps: &[Chain]) -> Found {
    let mut covers = FxHashMap::default();
    let everything = trial.everything();
    let mut threshold = Some(missing(&trial, &Chain::new()));
    while let Some(most) = threshold.filter(|&most| most <= trial.bounds.body) {
        let mut round = Round {
            trial: &mut trial,
            steps,
            most,
            next: usize::MAX,
            covers: &mut covers,
            seen: FxHashSet::default(),
        };
        round.deepen(&Chain::new(), &everything, 0);
        let next = round.next;
        let goes_on = next < usize::MAX && !trial.found.limited && trial.found.clause.is_none();
        threshold = goes_on.then_some(next);
    }
    trial.found
}

/// All clauses up to one cost.
struct Round<'a, 'b> {
    trial: &'a mut Trial<'b>,
    steps: &'a [Chain],
    most: usize,
    /// The least cost beyond.
    next: usize,
    /// What clauses cover, kept for the rounds to come.
    covers: &'a mut FxHashMap<Chain, Cover>,
    seen: FxHashSet<Chain>,
}

impl Round<'_, '_> {
    fn deepen(&mut self, chain: &Chain, cover: &Cover, from: usize) {
        for step in from..self.steps.len() {
            if self.trial.found.limited {
                return;
            }
            let mut longer = chain.clone();
            merge(&mut longer, &self.steps[step]);
            if longer.len() == chain.len() || !self.is_closed(&longer, step) {
                continue;
            }
            let cost = longer.len() + missing(self.trial, &longer);
            if cost > self.most {
                self.next = self.next.min(cost);
                continue;
            }
            if !self.seen.insert(longer.clone()) {
                continue;
            }
            if !self.trial.count() {
                return;
            }
            let covered = match self.covers.get(&longer) {
                Some(known) => known.clone(),
                None => {
                    let covered = self.trial.cover(&longer, &cover.bits);
                    self.covers.insert(longer.clone(), covered.clone());
                    covered
                }
            };
            self.trial.note(&longer, &covered);
            // What covers nothing unwanted gains nothing from more literals, and what covers less
            // than the best can become no better.
            let best = self.trial.found.clause.as_ref().map_or(0, |best| best.wanted);
            if covered.unwanted > 0 && covered.wanted > best {
                self.deepen(&longer, &covered, step + 1);
            }
        }
    }

    /// Whether a clause gives all that its newest step asks for.
    fn is_closed(&self, chain: &Chain, step: usize) -> bool {
        let bottom = self.trial.bottom;
        let has = |giver: &usize| chain.binary_search(&(*giver as u16)).is_ok();
        self.steps[step].iter().all(|&literal| {
            bottom.inputs(usize::from(literal)).all(|input| bottom.givers(input).iter().any(has))
        })
    }
}

/// The fewest literals that a clause needs before it says of some set that the cell is in it and
/// how many mines it has.
fn missing(trial: &Trial<'_>, chain: &Chain) -> usize {
    let literals = chain.iter().map(|&literal| &trial.bottom.literals()[usize::from(literal)]);
    let (mut zone, mut set) = (false, false);
    let mut tested: Vec<(Variable, bool)> = Vec::new();
    for literal in literals {
        match literal.predicate.meaning {
            Meaning::Zone(_) => zone = true,
            Meaning::Any(_) | Meaning::Whole(_) | Meaning::Join(_) => set = true,
            Meaning::Holds(_) => tested.push((literal.variable(1), true)),
            Meaning::Count(_) if matches!(literal.terms[1], Term::Number(_)) => {
                tested.push((literal.variable(0), false));
            }
            Meaning::Measures(_) => tested.push((literal.variable(0), false)),
            Meaning::Relates(_) => return 0,
            Meaning::Count(_) | Meaning::Board(_) | Meaning::Left(_) => {}
        }
    }
    let whole = tested.iter().any(|&(variable, place)| {
        tested.iter().any(|&(other, value)| other == variable && value != place)
    });
    match (whole, tested.is_empty(), set, zone) {
        (true, ..) => 0,
        (_, false, ..) => 1,
        (_, _, true, _) => 2,
        (_, _, _, true) => 3,
        _ => 4,
    }
}
