//! Looks one move ahead: the odds after each symbol that a cell may show.

use arrayvec::ArrayVec;
use deminer_game::{Cell, Face, Shown, View};
use deminer_inference::deduce::{Fact, SinglePoint};
use deminer_inference::odds::{Engine, Odds, OddsError};

use super::endgame::has_exact_clues;
use super::safe_openings::SafeOpenings;
use crate::parts::risk::{ALIKE, risk};

/// Tries openings without playing them, with its own engine, so that regions which a cell does not touch
/// are remembered from symbol to symbol and from cell to cell.
pub struct CandidateSearch {
    engine: Engine,
    known: SinglePoint,
    safe_openings: SafeOpenings,
}

/// Additions spent on a region: many thoughts must be quick.
pub(super) const BUDGET: usize = 2_000_000;

/// A symbol that a cell may show if it is safe, and what is known after it.
pub struct NextPosition<'a> {
    /// How likely it is.
    pub chance: f64,
    /// The view with it.
    pub view: &'a mut View,
    /// What single clues prove then, and the odds.
    pub known: &'a SinglePoint,
    pub odds: &'a Odds,
    safe_openings: &'a mut SafeOpenings,
}

impl Default for CandidateSearch {
    fn default() -> Self {
        let (known, safe_openings) = (SinglePoint::default(), SafeOpenings::default());
        Self { engine: Engine::new(BUDGET), known, safe_openings }
    }
}

impl NextPosition<'_> {
    /// What the position promises. If at most `most` cells are safe, and the symbol is not rare,
    /// they are opened first.
    pub fn promise(&mut self, most: usize) -> f64 {
        let most = if self.chance < RARE { 0 } else { most };
        self.safe_openings.promise(self.view, self.known, self.odds, most)
    }
}

/// Symbols less likely than this are rated before their safe cells are open.
const RARE: f64 = 0.1;

/// An opening that is being tried, symbol by symbol.
pub struct Lookahead {
    cell: Cell,
    /// Symbols not yet seen, the last one next.
    symbols: Symbols,
    /// The logarithm of how many layouts have the cell safe, where layouts are counted.
    safe: f64,
    /// How likely the symbols are that have not been seen.
    left: f64,
}

/// Symbols, with how likely they are where that is known before they are seen.
pub(super) type Symbols = ArrayVec<(Shown, Option<f64>), 10>;

impl Lookahead {
    /// How likely the symbols are that have not been seen.
    pub fn left(&self) -> f64 {
        self.left
    }
}

impl CandidateSearch {
    /// Begins to open a covered cell that may be safe. `odds` are those of the view.
    ///
    /// # Errors
    /// If what the cell may show cannot be counted.
    pub fn begin(&mut self, view: &View, odds: &Odds, cell: Cell) -> Result<Lookahead, OddsError> {
        let left = 1.0;
        match odds.log10_layouts() {
            // If layouts are counted, the number left after a symbol gives its probability.
            Some(layouts) if odds.is_exact() && has_exact_clues(view) => {
                let safe = layouts + (1.0 - risk(odds, cell)).log10();
                Ok(Lookahead { cell, symbols: outward(view, odds, cell), safe, left })
            }
            _ => {
                let counts = self.engine.around(view, cell)?;
                let likely = symbols(view, cell, counts).into_iter().rev();
                let symbols = likely.map(|(shown, chance)| (shown, Some(chance))).collect();
                Ok(Lookahead { cell, symbols, safe: 0.0, left })
            }
        }
    }

    /// The probability that some cells are all as supposed, by counting layouts. The odds are exact
    /// and those of the view. What is too wide to be counted is taken for unlikely.
    pub fn joint_probability(
        &mut self,
        view: &View,
        known: &SinglePoint,
        odds: &Odds,
        supposed: impl Iterator<Item = (Cell, Fact)>,
    ) -> f64 {
        let all = odds.log10_layouts().expect("layouts are counted");
        let some = self.engine.log10_layouts_supposing(view, known, supposed);
        some.map_or(0.0, |some| 10f64.powf(some - all))
    }

    /// Tries the next symbol of an opening; none after the last one. Likely symbols come early. The
    /// view is the one before the opening, and is the same again after the call.
    ///
    /// # Errors
    /// If what the cell shows cannot be counted.
    pub fn see<T>(
        &mut self,
        thought: &mut Lookahead,
        view: &mut View,
        known: &SinglePoint,
        mut see: impl FnMut(NextPosition<'_>) -> T,
    ) -> Result<Option<T>, OddsError> {
        while thought.left >= ALIKE {
            let Some((shown, chance)) = thought.symbols.pop() else { return Ok(None) };
            view.suppose(thought.cell, shown);
            self.known.clone_from(known);
            self.known.update(view);
            let Self { engine, known: after, safe_openings } = &mut *self;
            let seen = engine.odds_knowing(view, after).map(|odds| {
                let chance = chance.unwrap_or_else(|| {
                    let after = odds.log10_layouts().expect("clues are as certain as before");
                    10f64.powf(after - thought.safe)
                });
                thought.left -= chance;
                see(NextPosition { chance, view, known: after, odds, safe_openings })
            });
            view.take_back();
            match seen {
                // Only where it was not known how likely the symbol is.
                Err(OddsError::Contradiction) if chance.is_none() => {}
                seen => return seen.map(Some),
            }
        }
        Ok(None)
    }
}

/// The numbers that a cell may show, from the most to the least likely ones or nearly so: outward
/// from the number of mines to be expected around it. The last one is next.
pub(super) fn outward(view: &View, odds: &Odds, cell: Cell) -> Symbols {
    let (mut least, mut most, mut mean) = (0u8, 0u8, 0.0);
    for &near in view.shape().neighbors(cell) {
        let risk = match view.face(near) {
            Face::Mine => 1.0,
            _ => odds.mine(near).unwrap_or(0.0),
        };
        least += u8::from(risk == 1.0);
        most += u8::from(risk > 0.0);
        mean += risk;
    }
    let middle = (mean.round() as u8).clamp(least, most);
    let outward = (0..=most - least).flat_map(|step| {
        let above = middle.checked_add(step).filter(|&number| number <= most);
        let below = middle.checked_sub(step).filter(|&number| number >= least && step > 0);
        above.into_iter().chain(below)
    });
    let mut symbols: Symbols = outward.map(|number| (Shown::Number(number), None)).collect();
    symbols.reverse();
    symbols
}

/// What a cell may show if it is safe, likeliest first, given how likely each count around it is.
pub fn symbols(view: &View, cell: Cell, counts: [f64; 9]) -> ArrayVec<(Shown, f64), 10> {
    let (rule, degree) = (view.rules().clues(), view.shape().degree(cell) as u8);
    let chance = |shown| {
        let shows = |(count, chance)| chance * rule.likelihood(shown, count, degree);
        (0..).zip(counts).map(shows).sum::<f64>()
    };
    let numbers = (0..=8).map(|number| (Shown::Number(number), chance(Shown::Number(number))));
    let mut symbols: ArrayVec<(Shown, f64), 10> =
        numbers.filter(|(_, chance)| *chance > 0.0).collect();
    // Any position may hold a cell that shows nothing, but only some rules make one: it has what
    // the numbers leave.
    let blank = 1.0 - symbols.iter().map(|(_, chance)| chance).sum::<f64>();
    if blank > ALIKE {
        symbols.push((Shown::Blank, blank));
    }
    // Of equally likely symbols, the lowest number comes first.
    symbols.sort_by(|a, b| b.1.total_cmp(&a.1));
    symbols
}
