//! Risks from layouts drawn at random.
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
//! Fillings do not come as often as they should, and it is known how often each does. So each
//! counts with its weight, (ρ / (1 - ρ)) for each of its mines, divided by the chance to have come
//! upon it; ρ is the share of mines among all unknown cells. A risk is the weight of the fillings
//! with a mine in the cell. It is drawn a little towards one half, by as much as one filling more,
//! since fillings prove nothing.
//!
//! A teacher, and a yardstick: what many weak looks are worth beside one exact count.

use deminer_game::{
    Agent, ClueKind, Decision, Entry, Kind, OptionEntry, Rng, Rules, Supports, Values, View,
};

use crate::arrangement::Arrangement;
use crate::beliefs::Beliefs;
use crate::risk::{LEAST_DENSITY, TELLING};
use deminer_inference::frontier::{Frontier, Region};

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
        TELLING,
    ],
    supports: Supports { clues: &[ClueKind::Exact, ClueKind::Blind], ..Supports::ALL },
    build: |options| {
        let draws = options.number("draws", 500.0) as usize;
        let drawing = Drawing { draws, arrangement: Arrangement::default(), mined: Vec::new() };
        let tells = options.flag("estimates");
        Ok(Box::new(Sampled { tells, beliefs: Beliefs::new(), drawing }))
    },
    ..Entry::PLAIN
};

/// Where there is a choice, a mine comes at least so often, and no mine too.
const LEAST_SHARE: f64 = 0.05;

struct Sampled {
    /// Whether every decision tells the risks.
    tells: bool,
    beliefs: Beliefs,
    drawing: Drawing,
}

struct Drawing {
    draws: usize,
    arrangement: Arrangement,
    /// The cells mined in the last filling.
    mined: Vec<u16>,
}

impl Drawing {
    fn weigh(&mut self, beliefs: &mut Beliefs, rng: &mut Rng) {
        let Beliefs { frontier, risks, density, mines_left, .. } = beliefs;
        let density = density.clamp(LEAST_DENSITY, 1.0 - LEAST_DENSITY);
        let odds = density / (1.0 - density);
        for region in frontier.regions() {
            // The weight of all fillings, of its squares, and of those with a mine in each cell.
            let (mut all, mut squares) = (0.0, 0.0);
            let mut weights = vec![0.0; frontier.cells.len()];
            for _ in 0..self.draws {
                self.mined.clear();
                let drawn = fill(&mut self.arrangement, frontier, &region, odds, rng, |cell| {
                    self.mined.push(cell);
                });
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
                // As many fillings of equal weight would tell as much.
                let worth = all * all / squares;
                for &cell in &region.cells {
                    let share = weights[usize::from(cell)] / all;
                    risks[usize::from(cell)] = (share * worth + 0.5) / (worth + 1.0);
                }
            }
        }
    }
}

/// Fills a region. Tells its mines, and what the filling weighs; nothing if it came to an end.
fn fill(
    arrangement: &mut Arrangement,
    frontier: &Frontier,
    region: &Region,
    odds: f64,
    rng: &mut Rng,
    mut mined: impl FnMut(u16),
) -> Option<f64> {
    arrangement.clear(frontier);
    let mut weight = 1.0;
    for &cell in &region.cells {
        let admits = |mine| arrangement.admits(frontier, cell, mine);
        let chance = match (admits(true), admits(false)) {
            (false, false) => return None,
            (true, false) => 1.0,
            (false, true) => 0.0,
            (true, true) => arrangement.share(frontier, cell).clamp(LEAST_SHARE, 1.0 - LEAST_SHARE),
        };
        let mine = rng.unit() < chance;
        arrangement.put(frontier, cell, mine);
        if mine {
            mined(cell);
        }
        weight *= if mine { odds / chance } else { 1.0 / (1.0 - chance) };
    }
    Some(weight)
}

impl Agent for Sampled {
    fn begin(&mut self, rules: &Rules) {
        self.beliefs.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let Self { tells, beliefs, drawing } = self;
        beliefs.open_or_guess(view, rng, *tells, |beliefs, rng| drawing.weigh(beliefs, rng))
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::Value;

    use super::*;
    use crate::pictures::distance_from_exact;

    #[test]
    fn the_longer_it_draws_the_nearer_it_comes_to_exact_odds() {
        let distance = |often| distance_from_exact(&ENTRY, &[("draws", Value::Number(often))]);
        let (short, long) = (distance(5.0), distance(2_000.0));
        assert!(long < 0.01 && long < short / 2.0, "{short} {long}");
    }
}
