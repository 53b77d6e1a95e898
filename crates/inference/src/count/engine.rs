//! The exact engine: odds of a view, with buffers kept from call to call.

use deminer_game::{Cell, View};
use thiserror::Error;

use super::counter::{Counter, Tally, TooWide};
use super::mixture::Mixture;
use crate::deduce::Fact;
use crate::fringe::{Fringe, Misfit, NO_GROUP, Standing};

/// How likely a mine is in each covered cell, and what is certain.
#[derive(Clone, Debug, Default)]
pub struct Odds {
    mine: Vec<f64>,
}

impl Odds {
    /// The probability of a mine; none for open cells and mines shown.
    pub fn mine(&self, cell: Cell) -> Option<f64> {
        Some(self.mine[cell.index()]).filter(|mine| !mine.is_nan())
    }

    /// What is proved of a covered cell: no layout has a mine here, or every one has. Decided by
    /// the structure of the count, never by a small number.
    pub fn fact(&self, cell: Cell) -> Option<Fact> {
        match self.mine[cell.index()] {
            0.0 => Some(Fact::Safe),
            1.0 => Some(Fact::Mine),
            _ => None,
        }
    }
}

/// Why there are no exact odds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum OddsError {
    /// No layout fits the view.
    #[error("no layout fits this position")]
    Contradiction,
    /// Some region is too wide to be counted within the budget.
    #[error("some region is too wide to be counted within the budget")]
    TooWide,
}

impl From<Misfit> for OddsError {
    fn from(_: Misfit) -> Self {
        OddsError::Contradiction
    }
}

impl From<TooWide> for OddsError {
    fn from(_: TooWide) -> Self {
        OddsError::TooWide
    }
}

/// Computes exact odds, one view after another.
pub struct Engine {
    fringe: Fringe,
    counter: Counter<u64, f64>,
    wide: Option<Box<Counter<[u64; 4], f64>>>,
    arena: Vec<f64>,
    tallies: Vec<Tally>,
    mixture: Mixture,
    group_risks: Vec<f64>,
    odds: Odds,
    budget: usize,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

/// The least risk that is not none, and the greatest that is not certain.
const LEAST: f64 = f64::MIN_POSITIVE;
const MOST: f64 = 1.0 - f64::EPSILON / 2.0;

impl Engine {
    /// An engine with the usual budget.
    pub fn new() -> Self {
        Self {
            fringe: Fringe::default(),
            counter: Counter::new(),
            wide: None,
            arena: Vec::new(),
            tallies: Vec::new(),
            mixture: Mixture::default(),
            group_risks: Vec::new(),
            odds: Odds::default(),
            budget: 50_000_000,
        }
    }

    /// The odds of a view.
    pub fn odds(&mut self, view: &View) -> Result<&Odds, OddsError> {
        self.fringe.read(view, [])?;
        self.count_regions()?;
        self.mix(view)?;
        self.weigh_groups();
        self.write(view);
        Ok(&self.odds)
    }

    fn count_regions(&mut self) -> Result<(), OddsError> {
        self.arena.clear();
        self.tallies.clear();
        for span in self.fringe.regions() {
            let region = self.fringe.region(span);
            let tally = self.counter.count(region, None, self.budget, &mut self.arena);
            let tally = match tally {
                Ok(tally) => tally,
                Err(TooWide) => {
                    let wide = self.wide.get_or_insert_with(|| Box::new(Counter::new()));
                    wide.count(region, None, self.budget, &mut self.arena)?
                }
            };
            if tally.len == 0 {
                return Err(OddsError::Contradiction);
            }
            self.tallies.push(tally);
        }
        Ok(())
    }

    fn mix(&mut self, view: &View) -> Result<(), OddsError> {
        self.mixture.clear();
        let mut least = self.fringe.known_mines();
        for tally in &self.tallies {
            self.mixture.add(tally.totals(&self.arena), tally.log2_scale);
            least += tally.low;
        }
        let spare = view.rules().mines().checked_sub(least).ok_or(OddsError::Contradiction)?;
        self.mixture.weigh(self.fringe.sea(), spare).map_err(|_| OddsError::Contradiction)
    }

    fn weigh_groups(&mut self) {
        self.group_risks.clear();
        for (number, (tally, span)) in self.tallies.iter().zip(self.fringe.regions()).enumerate() {
            let weights = self.mixture.weights(number);
            for group in 0..span.groups.len() {
                let sum =
                    |counts: &[f64]| counts.iter().zip(weights).map(|(a, b)| a * b).sum::<f64>();
                let mines = sum(tally.mines(&self.arena, group));
                let safe = sum(tally.safe(&self.arena, group));
                let risk = if mines == 0.0 {
                    0.0
                } else if safe == 0.0 {
                    1.0
                } else {
                    (mines / (mines + safe)).clamp(LEAST, MOST)
                };
                self.group_risks.push(risk);
            }
        }
    }

    fn write(&mut self, view: &View) {
        let sea = self.mixture.sea_risk();
        self.odds.mine.clear();
        let groups = self.fringe.group_of();
        for cell in view.shape().cells() {
            let risk = match self.fringe.standing(cell) {
                Standing::Open => f64::NAN,
                Standing::Safe => 0.0,
                Standing::Mine if view.face(cell).is_covered() => 1.0,
                Standing::Mine => f64::NAN,
                Standing::Unknown => match groups[cell.index()] {
                    NO_GROUP => sea,
                    group => self.group_risks[group as usize],
                },
            };
            self.odds.mine.push(risk);
        }
    }
}
