//! Training samples: windows around fringe cells, with the agent's estimates.

use deminer_game::{Cell, Estimates, HexWindowError, View};
use rustc_hash::FxHashMap;

use super::features::Codes;
use crate::touches_open;

/// What an agent believes of a cell, in four classes of risk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// A risk of at most a quarter.
    NotMine,
    /// At most a half.
    ProbablyNotMine,
    /// At most three quarters.
    ProbablyMine,
    /// More.
    Mine,
}
deminer_game::words!(
    Class, "a class":
    NotMine = "not a mine",
    ProbablyNotMine = "probably not a mine",
    ProbablyMine = "probably a mine",
    Mine = "a mine",
);

impl Class {
    /// The class of a risk.
    pub fn of(risk: f64) -> Self {
        match risk {
            risk if risk <= 0.25 => Class::NotMine,
            risk if risk <= 0.5 => Class::ProbablyNotMine,
            risk if risk <= 0.75 => Class::ProbablyMine,
            _ => Class::Mine,
        }
    }
}

/// What samples add up to. Risks are kept in millionths, so sums do not depend on their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    /// Samples of each class, in the order of [`Class::ALL`].
    pub classes: [u64; Class::ALL.len()],
    /// The sum of their risks, in millionths.
    pub risk: u64,
}

/// Parts of a risk of 1.
pub(super) const MILLION: f64 = 1e6;

impl Tally {
    /// One sample.
    pub fn of(risk: f64) -> Self {
        let mut tally = Self::default();
        tally.classes[Class::of(risk) as usize] = 1;
        tally.risk = (risk.clamp(0.0, 1.0) * MILLION).round() as u64;
        tally
    }

    /// How many samples.
    #[inline]
    pub fn samples(&self) -> u64 {
        self.classes.iter().sum()
    }

    /// The class of most samples, the safer of equals.
    pub fn class(&self) -> Class {
        let most = self.classes.iter().max().expect("there are classes");
        let at = self.classes.iter().position(|count| count == most);
        Class::ALL[at.expect("one of them is the most")]
    }

    /// The mean risk; 0 where there is no sample.
    pub fn mean_risk(&self) -> f64 {
        match self.samples() {
            0 => 0.0,
            samples => self.risk as f64 / MILLION / samples as f64,
        }
    }

    /// Adds samples.
    #[inline]
    pub fn add(&mut self, other: &Tally) {
        for (sum, more) in self.classes.iter_mut().zip(other.classes) {
            *sum += more;
        }
        self.risk += other.risk;
    }

    /// Takes samples away that were added before.
    #[inline]
    pub fn remove(&mut self, other: &Tally) {
        for (sum, less) in self.classes.iter_mut().zip(other.classes) {
            *sum -= less;
        }
        self.risk -= other.risk;
    }
}

/// Windows and what was believed of their middle cells. Equal windows are kept once, so what a
/// hundred thousand games show fits into memory.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Samples {
    windows: FxHashMap<Codes, Tally>,
}

impl Samples {
    /// Takes in every fringe cell of a view of which the agent believes something. Boards of
    /// hexagons have no windows.
    pub fn see(&mut self, view: &View, estimates: &Estimates) -> Result<(), HexWindowError> {
        for cell in fringe(view) {
            if let Some(risk) = estimates.mine(cell) {
                self.add(Codes::around(view, cell)?, &Tally::of(risk));
            }
        }
        Ok(())
    }

    /// Adds what is known of one window.
    pub fn add(&mut self, window: Codes, tally: &Tally) {
        self.windows.entry(window).or_default().add(tally);
    }

    /// Takes in all of the others.
    pub fn merge(&mut self, others: &Samples) {
        for (&window, tally) in &others.windows {
            self.add(window, tally);
        }
    }

    /// Different windows with what is known of them, in a fixed order.
    pub fn sorted(&self) -> Vec<(Codes, Tally)> {
        let mut rows: Vec<(Codes, Tally)> =
            self.windows.iter().map(|(&window, &tally)| (window, tally)).collect();
        rows.sort_unstable_by_key(|&(window, _)| window);
        rows
    }

    /// Different windows with what is known of them, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (Codes, &Tally)> {
        self.windows.iter().map(|(&window, tally)| (window, tally))
    }

    /// How many different windows there are.
    pub fn windows(&self) -> usize {
        self.windows.len()
    }

    /// All samples together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.windows.values().for_each(|tally| total.add(tally));
        total
    }

    /// The share of samples that agree with the most frequent class of their window: no player
    /// that sees but the window can be more faithful on these.
    pub fn ceiling(&self) -> f64 {
        let agreed: u64 =
            self.windows.values().map(|tally| tally.classes[tally.class() as usize]).sum();
        agreed as f64 / self.total().samples() as f64
    }
}

/// The covered cells without a flag that some open cell touches, row by row.
pub(super) fn fringe(view: &View) -> impl Iterator<Item = Cell> + '_ {
    view.openable().filter(|&cell| touches_open(view, cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_end_at_the_quarters() {
        let classes = [0.0, 0.25, 0.2501, 0.5, 0.75, 0.7501, 1.0].map(Class::of);
        let expected = [0, 0, 1, 1, 2, 3, 3].map(|class: usize| Class::ALL[class]);
        assert_eq!(classes, expected);
    }

    #[test]
    fn equal_windows_are_one_row_and_the_sea_is_none() {
        // The two cells beside the 1 at the end look alike once mirrored, not before.
        let view: View = "mines 2
                          # 1 1 #
                          # # # #
                          # # # #"
            .parse()
            .unwrap();
        let mut estimates = Estimates::new(12);
        for cell in view.covered() {
            estimates.believe(cell, 0.3);
        }
        let mut samples = Samples::default();
        samples.see(&view, &estimates).unwrap();
        samples.see(&view, &estimates).unwrap();
        assert_eq!((samples.windows(), samples.total().samples()), (6, 12));
        assert_eq!(samples.total().classes, [0, 12, 0, 0]);
        assert_eq!(samples.total().risk, 12 * 300_000);
        assert_eq!(samples.ceiling(), 1.0);
        let mut twice = samples.clone();
        twice.merge(&samples);
        assert_eq!((twice.windows(), twice.total().samples()), (6, 24));
    }

    #[test]
    fn flags_are_not_asked_about() {
        let view: View = "mines 2\n# 1 F #".parse().unwrap();
        let cells: Vec<usize> = fringe(&view).map(Cell::index).collect();
        assert_eq!(cells, [0]);
    }
}
