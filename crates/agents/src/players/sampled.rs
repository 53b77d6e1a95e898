//! Estimates risks from randomly drawn layouts.
//!
//! What single clues prove is opened. Otherwise every region of cells tied by clues is filled
//! `draws` times, cell by cell along its clues: where the clues leave a choice, a mine comes as
//! often as the clues around still need mines in their empty cells; where they leave none, what
//! they ask; a filling that comes to a cell where nothing fits is thrown away.
//!
//! ```text
//! a b c     a: the first 1 needs one mine in three empty cells, so a mine one time in three.
//! 1 1 ?     Without one there, b has one every second time, ...
//! ```
//!
//! This does not draw fillings with their true probabilities, but the probability of each draw is
//! known. So each filling has a weight: (ρ / (1 - ρ)) for each of its mines, divided by the
//! probability that it was drawn; ρ is the share of mines among all unknown cells. The risk of a
//! cell is the weight of the fillings with a mine there, moved a little towards one half, as if one
//! more filling had been drawn, since samples prove nothing.
//!
//! Networks can learn from it, and it shows how close random sampling comes to an exact count.

use deminer_game::stop::Pace;
use deminer_game::{Agent, Decision, Entry, Kind, OptionEntry, Rng, Rules, Supports, Values, View};

use deminer_inference::constraints::{Constraints, Filling, Region};

use crate::parts::local_odds::LocalOdds;
use crate::parts::risk::{ESTIMATES, LEAST_DENSITY};

pub const ENTRY: Entry = Entry {
    name: "sampled",
    about: "single clues, then risks from layouts drawn at random",
    kind: Kind::Odds,
    options: &[
        OptionEntry {
            name: "draws",
            values: Values::Number(1.0, 1e6),
            about: "fillings drawn of every region; 500 unless given",
        },
        ESTIMATES,
    ],
    supports: Supports::NUMBERS,
    build: |options| {
        let draws = options.number("draws", 500.0) as usize;
        let drawing = Drawing { draws, filling: Filling::default(), mined: Vec::new() };
        let always_estimates = options.flag("estimates");
        Ok(Box::new(Sampled { always_estimates, odds: LocalOdds::default(), drawing }))
    },
    ..Entry::PLAIN
};

/// The least probability of a mine, and of no mine, where both are possible.
const LEAST_SHARE: f64 = 0.05;

struct Sampled {
    /// Whether every decision carries estimates.
    always_estimates: bool,
    odds: LocalOdds,
    drawing: Drawing,
}

struct Drawing {
    draws: usize,
    filling: Filling,
    /// The cells mined in the last filling.
    mined: Vec<u16>,
}

impl Drawing {
    fn estimate(&mut self, odds: &mut LocalOdds, rng: &mut Rng) {
        let LocalOdds { constraints, risks, density, mines_left, .. } = odds;
        let density = density.clamp(LEAST_DENSITY, 1.0 - LEAST_DENSITY);
        let mine_weight = density / (1.0 - density);
        let mut pace = Pace::default();
        for region in constraints.regions() {
            // The weight of all fillings, of its squares, and of those with a mine in each cell.
            let (mut all, mut squares) = (0.0, 0.0);
            let mut weights = vec![0.0; constraints.cells.len()];
            for _ in 0..self.draws {
                if pace.step(region.cells.len()) {
                    break;
                }
                self.mined.clear();
                let add = |cell| self.mined.push(cell);
                let drawn = fill(&mut self.filling, constraints, &region, mine_weight, rng, add);
                let Some(weight) = drawn.filter(|_| self.mined.len() <= *mines_left) else {
                    continue;
                };
                all += weight;
                squares += weight * weight;
                for &cell in &self.mined {
                    weights[usize::from(cell)] += weight;
                }
            }
            if all > 0.0 {
                // The number of fillings with equal weights that would be as precise.
                let worth = all * all / squares;
                for &cell in &region.cells {
                    let share = weights[usize::from(cell)] / all;
                    risks[usize::from(cell)] = (share * worth + 0.5) / (worth + 1.0);
                }
            }
        }
    }
}

/// Fills a region, calls `mined` for its mines and returns the weight of the filling; none if it
/// came to a cell where nothing fits.
fn fill(
    filling: &mut Filling,
    constraints: &Constraints,
    region: &Region,
    mine_weight: f64,
    rng: &mut Rng,
    mut mined: impl FnMut(u16),
) -> Option<f64> {
    filling.clear(constraints);
    let mut weight = 1.0;
    for &cell in &region.cells {
        let admits = |mine| filling.admits(constraints, cell, mine);
        let chance = match (admits(true), admits(false)) {
            (false, false) => return None,
            (true, false) => 1.0,
            (false, true) => 0.0,
            (true, true) => filling.share(constraints, cell).clamp(LEAST_SHARE, 1.0 - LEAST_SHARE),
        };
        let mine = rng.unit() < chance;
        filling.put(constraints, cell, mine);
        if mine {
            mined(cell);
        }
        weight *= if mine { mine_weight / chance } else { 1.0 / (1.0 - chance) };
    }
    Some(weight)
}

impl Agent for Sampled {
    fn begin(&mut self, rules: &Rules) {
        self.odds.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let Self { always_estimates, odds, drawing } = self;
        odds.open_or_guess(view, rng, *always_estimates, |odds, rng| drawing.estimate(odds, rng))
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::Value;

    use super::*;
    use crate::parts::pictures::distance_from_exact;

    #[test]
    fn the_longer_it_draws_the_nearer_it_comes_to_exact_odds() {
        let distance = |often| distance_from_exact(&ENTRY, &[("draws", Value::Number(often))]);
        let (short, long) = (distance(5.0), distance(2_000.0));
        assert!(long < 0.01 && long < short / 2.0, "{short} {long}");
    }
}
