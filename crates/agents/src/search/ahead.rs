//! One opening ahead: the odds after each symbol that a cell may show.

use std::ops::ControlFlow;

use deminer_game::{Cell, Face, Form, Shape, Shown, View};
use deminer_inference::count::{Engine, Odds, OddsError};
use deminer_inference::deduce::SinglePoint;

use super::endgame::tells_the_truth;
use crate::risk::{ALIKE, risk};

/// Opens cells in thought, with an engine of its own, so that regions which a cell does not touch
/// are remembered from symbol to symbol and from cell to cell.
pub struct Ahead {
    engine: Engine,
    known: SinglePoint,
}

/// Additions spent on a region: many thoughts must be quick.
const BUDGET: usize = 2_000_000;

/// A symbol that a cell may show if it is safe, and what is known after it.
pub struct Seen<'a> {
    /// How likely it is.
    pub chance: f64,
    /// The view with it.
    pub view: &'a View,
    /// The odds then.
    pub odds: &'a Odds,
}

impl Default for Ahead {
    fn default() -> Self {
        let nothing = Shape::new(Form::Rect, 1, 1).expect("one cell makes a board");
        Self { engine: Engine::new(BUDGET), known: SinglePoint::new(&nothing) }
    }
}

impl Ahead {
    /// Opens a covered cell that may be safe, once for each symbol it may show, the likely ones
    /// first, until `see` has enough. `odds` are those of the view, which comes back as it was.
    ///
    /// # Errors
    /// If what the cell may show cannot be counted.
    pub fn open(
        &mut self,
        view: &mut View,
        known: &SinglePoint,
        odds: &Odds,
        cell: Cell,
        see: impl FnMut(Seen<'_>) -> ControlFlow<()>,
    ) -> Result<(), OddsError> {
        match odds.log10_layouts() {
            Some(layouts) if odds.is_exact() && tells_the_truth(view) => {
                self.open_counting(view, known, odds, layouts, cell, see)
            }
            _ => self.open_weighing(view, known, cell, see),
        }
    }

    /// Where layouts are counted, those left after a symbol tell how likely it was.
    fn open_counting(
        &mut self,
        view: &mut View,
        known: &SinglePoint,
        odds: &Odds,
        layouts: f64,
        cell: Cell,
        mut see: impl FnMut(Seen<'_>) -> ControlFlow<()>,
    ) -> Result<(), OddsError> {
        let safe = layouts + (1.0 - risk(odds, cell)).log10();
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
        let mut left = 1.0;
        for number in outward {
            let shown = Shown::Number(number);
            view.suppose(cell, shown);
            self.known.clone_from(known);
            self.known.update(view);
            let odds = match self.engine.odds_knowing(view, &self.known) {
                Err(OddsError::Contradiction) => {
                    view.take_back();
                    continue;
                }
                Err(error) => {
                    view.take_back();
                    return Err(error);
                }
                Ok(odds) => odds,
            };
            let after = odds.log10_layouts().expect("clues are as certain as before");
            let chance = 10f64.powf(after - safe);
            let flow = see(Seen { chance, view, odds });
            view.take_back();
            left -= chance;
            if flow.is_break() || left < ALIKE {
                break;
            }
        }
        Ok(())
    }

    fn open_weighing(
        &mut self,
        view: &mut View,
        known: &SinglePoint,
        cell: Cell,
        mut see: impl FnMut(Seen<'_>) -> ControlFlow<()>,
    ) -> Result<(), OddsError> {
        let counts = self.engine.around(view, cell)?;
        for (shown, chance) in symbols(view, cell, counts) {
            view.suppose(cell, shown);
            self.known.clone_from(known);
            self.known.update(view);
            let flow = self
                .engine
                .odds_knowing(view, &self.known)
                .map(|odds| see(Seen { chance, view, odds }));
            view.take_back();
            if flow?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// What a cell may show if it is safe, likeliest first, given how likely each count around it is.
fn symbols(view: &View, cell: Cell, counts: [f64; 9]) -> Vec<(Shown, f64)> {
    let (rule, degree) = (view.rules().clues(), view.shape().degree(cell) as u8);
    let chance = |shown| {
        let shows = |(count, chance)| chance * rule.likelihood(shown, count, degree);
        (0..).zip(counts).map(shows).sum::<f64>()
    };
    let numbers = (0..=8).map(|number| (Shown::Number(number), chance(Shown::Number(number))));
    let mut symbols: Vec<(Shown, f64)> = numbers.filter(|(_, chance)| *chance > 0.0).collect();
    // Any position may hold a cell that shows nothing, but only some rules make one: it has what
    // the numbers leave.
    let blank = 1.0 - symbols.iter().map(|(_, chance)| chance).sum::<f64>();
    if blank > ALIKE {
        symbols.push((Shown::Blank, blank));
    }
    symbols.sort_by(|a, b| b.1.total_cmp(&a.1));
    symbols
}
