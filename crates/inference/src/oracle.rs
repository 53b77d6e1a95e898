//! Brute force: slow and obviously right; tests compare with it.

use deminer_game::{Cell, Face, Shown, View};
use thiserror::Error;

use crate::deduce::Fact;

/// Sums over all layouts that fit a view, each with its weight.
///
/// Every way to put the remaining mines on the covered cells is tried. A layout fits when every
/// clue admits its count; its weight is the product of the likelihoods of all that is shown.
/// With exact clues all layouts have the same weight:
///
/// ```text
/// mines 3
/// # # # #     nine layouts of three mines on the border: one of the three cells on the
/// # 1 2 #     left, none of the four that both clues see, two of the three on the right
/// # # # #
/// ```
///
/// Flags are covered cells like others; mines shown are mines.
#[derive(Clone, Debug)]
pub struct Oracle {
    layouts: u64,
    weight: f64,
    /// For each cell; meaningful where it is covered.
    cells: Vec<Sum>,
    view: View,
}

/// What the layouts say of one cell.
#[derive(Clone, Default, Debug)]
struct Sum {
    /// Layouts with a mine here.
    mined: u64,
    /// The sum of their weights.
    mine: f64,
    /// The weight of the layouts without a mine here, by the number of mines around.
    safe: [f64; 9],
}

/// Trying every layout would take too long.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct TooManyLayouts(String);

impl Oracle {
    /// Tries every layout, if there are at most `limit`.
    pub fn of(view: &View, limit: u128) -> Result<Self, TooManyLayouts> {
        let shown = view.shown_mines().count();
        let cells = vec![Sum::default(); view.shape().size()];
        let mut oracle = Self { layouts: 0, weight: 0.0, cells, view: view.clone() };
        let Some(mines) = view.rules().mines().checked_sub(shown) else { return Ok(oracle) };
        let cells: Vec<Cell> = view.covered().collect();
        let layouts = choose(cells.len(), mines);
        if layouts > limit {
            let position = format!("{mines} mines on {} covered cells", cells.len());
            let message = format!("{position} make {layouts} layouts, more than {limit}");
            return Err(TooManyLayouts(message));
        }
        let mut mined: Vec<bool> = view.faces().iter().map(|&face| face == Face::Mine).collect();
        oracle.place(&cells, mines, &mut mined);
        Ok(oracle)
    }

    /// Puts this number of mines on these cells in every way.
    fn place(&mut self, cells: &[Cell], mines: usize, mined: &mut [bool]) {
        if mines == 0 {
            return self.weigh(mined);
        }
        for (first, cell) in cells.iter().enumerate() {
            mined[cell.index()] = true;
            self.place(&cells[first + 1..], mines - 1, mined);
            mined[cell.index()] = false;
        }
    }

    /// Adds a layout, if it fits.
    fn weigh(&mut self, mined: &[bool]) {
        let shape = self.view.shape();
        let count = |cell| -> u8 {
            shape.neighbors(cell).iter().map(|near| u8::from(mined[near.index()])).sum()
        };
        let mut weight = 1.0;
        for &cell in self.view.opened() {
            let Face::Open { shown, clue } = self.view.face(cell) else { continue };
            if !clue.admits(count(cell)) {
                return;
            }
            let degree = shape.degree(cell) as u8;
            weight *= self.view.rules().clues().likelihood(shown, count(cell), degree);
        }
        self.layouts += 1;
        self.weight += weight;
        for cell in self.view.covered() {
            let sum = &mut self.cells[cell.index()];
            if mined[cell.index()] {
                sum.mined += 1;
                sum.mine += weight;
            } else {
                sum.safe[usize::from(count(cell))] += weight;
            }
        }
    }

    /// How many layouts fit.
    #[inline]
    pub fn layouts(&self) -> u64 {
        self.layouts
    }

    /// The sum of their weights.
    #[inline]
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The probability of a mine under a covered cell, if any layout fits.
    #[inline]
    pub fn mine(&self, cell: Cell) -> Option<f64> {
        let known = self.view.face(cell).is_covered() && self.weight > 0.0;
        known.then(|| self.cells[cell.index()].mine / self.weight)
    }

    /// What all layouts that fit say of a covered cell, if they agree and there are any.
    pub fn fact(&self, cell: Cell) -> Option<Fact> {
        if self.layouts == 0 || !self.view.face(cell).is_covered() {
            return None;
        }
        match self.cells[cell.index()].mined {
            0 => Some(Fact::Safe),
            mined if mined == self.layouts => Some(Fact::Mine),
            _ => None,
        }
    }

    /// How likely each number of mines around a covered cell is, if it is safe; none if it
    /// cannot be.
    pub fn counts(&self, cell: Cell) -> Option<[f64; 9]> {
        let safe = self.cells[cell.index()].safe;
        let weight: f64 = safe.iter().sum();
        (weight > 0.0).then(|| safe.map(|count| count / weight))
    }

    /// How likely a covered cell shows each symbol once opened, if it is safe; none if it
    /// cannot be. Symbols it cannot show are left out.
    pub fn shows(&self, cell: Cell) -> Option<Vec<(Shown, f64)>> {
        let counts = self.counts(cell)?;
        let (rule, degree) = (self.view.rules().clues(), self.view.shape().degree(cell) as u8);
        let numbers = (0..=8).map(Shown::Number).map(|shown| {
            let shows = |(count, chance)| chance * rule.likelihood(shown, count, degree);
            (shown, (0..).zip(counts).map(shows).sum::<f64>())
        });
        let mut symbols: Vec<(Shown, f64)> = numbers.filter(|&(_, chance)| chance > 0.0).collect();
        // A position may hold `?` under any rule, but only some show it: it has the remaining chance.
        let blank = 1.0 - symbols.iter().map(|&(_, chance)| chance).sum::<f64>();
        if blank > 1e-9 {
            symbols.push((Shown::Blank, blank));
        }
        Some(symbols)
    }
}

/// Ways to choose `k` of `n`, `u128::MAX` if there are more than fit.
fn choose(n: usize, k: usize) -> u128 {
    if k > n {
        return 0;
    }
    let step = |ways: u128, i: usize| Some(ways.checked_mul((n - i) as u128)? / (i as u128 + 1));
    (0..k.min(n - k)).try_fold(1, step).unwrap_or(u128::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oracle(position: &str) -> Oracle {
        Oracle::of(&position.parse().unwrap(), 1 << 20).unwrap()
    }

    /// Compares the number of layouts, and the chance of a mine as a fraction for each covered
    /// cell: `a/b` times, cells apart by spaces, `-` where it is not covered.
    fn check(position: &str, layouts: u64, fractions: &str) {
        let oracle = oracle(position);
        assert_eq!(oracle.layouts(), layouts, "{position}");
        let number = |text: &str| text.parse::<f64>().ok();
        let expected = fractions.split_whitespace().map(|fraction| {
            let (above, below) = fraction.split_once('/').unwrap_or((fraction, "1"));
            Some(number(above)? / number(below)?)
        });
        let expected: Vec<Option<f64>> = expected.collect();
        let found: Vec<Option<f64>> =
            oracle.view.shape().cells().map(|cell| oracle.mine(cell)).collect();
        let same = |(found, expected): (&Option<f64>, &Option<f64>)| {
            found.is_some() == expected.is_some()
                && (found.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-12
        };
        assert_eq!(found.len(), expected.len());
        let all = found.iter().zip(&expected).all(same);
        assert!(all, "{found:?} instead of {expected:?}\n{position}");
    }

    #[test]
    fn all_layouts_that_fit_are_counted() {
        // Three mines leave the overlap free, two put one of them there.
        check(
            "mines 3\n# # # #\n# 1 2 #\n# # # #",
            9,
            "1/3 0   0   2/3
             1/3 -   -   2/3
             1/3 0   0   2/3",
        );
        check(
            "mines 2\n# # # #\n# 1 2 #\n# # # #",
            12,
            "0 1/4 1/4 1/3
             0 -   -   1/3
             0 1/4 1/4 1/3",
        );
        // Flags are covered, and mines shown are mines.
        check("mines 1\nF 1 #\n# # #", 5, "1/5 - 1/5 1/5 1/5 1/5");
        check("mines 2\n* 1 #\n# # #", 0, "- - - - - -");
        check("mines 2\n* 1 # #\n# # # #", 2, "- - 0 1/2 0 0 0 1/2");
    }

    #[test]
    fn layouts_weigh_what_their_clues_are_likely_to_show() {
        // One mine beside the 1 shows 0 or 1, two show 0, 1 or 2: 1/2 against 1/3 each.
        check("mines 2\nclues optimistic\n# 1 #\n", 1, "1 - 1");
        check("mines 2\nclues optimistic\n# 1 # #\n", 3, "5/8 - 5/8 6/8");
        check("mines 1\nclues blind:0.3\n# ? # #\n", 3, "1/3 - 1/3 1/3");
    }

    #[test]
    fn a_view_that_nothing_fits_has_no_odds() {
        for position in ["mines 1\n8 #\n# #", "mines 1\n2 #\n# #", "mines 1\n* *", "mines 2\n. #"] {
            let oracle = oracle(position);
            assert_eq!((oracle.layouts(), oracle.weight()), (0, 0.0), "{position}");
            for cell in oracle.view.shape().cells() {
                assert_eq!((oracle.mine(cell), oracle.fact(cell)), (None, None));
                assert!(oracle.counts(cell).is_none() && oracle.shows(cell).is_none());
            }
        }
    }

    #[test]
    fn what_a_cell_would_show_follows_the_clue_rule() {
        let shows = |clues: &str| {
            let oracle = oracle(&format!("mines 1\nclues {clues}\n# # ? #"));
            oracle.shows(oracle.view.shape().nth(0).unwrap()).unwrap()
        };
        let number = |number, chance| (Shown::Number(number), chance);
        assert_eq!(shows("exact"), [number(0, 0.5), number(1, 0.5)]);
        assert_eq!(shows("optimistic"), [number(0, 0.75), number(1, 0.25)]);
        let blind = [number(0, 0.375), number(1, 0.375), (Shown::Blank, 0.25)];
        assert_eq!(shows("blind:0.25"), blind);
    }

    #[test]
    fn too_many_layouts_are_refused() {
        let view: View = "mines 4\n#####\n#####\n#####".parse().unwrap();
        let message = "4 mines on 15 covered cells make 1365 layouts, more than 1000";
        assert_eq!(Oracle::of(&view, 1000).unwrap_err().to_string(), message);
        assert_eq!(Oracle::of(&view, 1365).unwrap().layouts(), 1365);
        assert_eq!(choose(480, 99), u128::MAX);
        assert_eq!((choose(5, 2), choose(3, 4), choose(0, 0)), (10, 0, 1));
    }
}
