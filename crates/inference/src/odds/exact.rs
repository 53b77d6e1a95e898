//! The same counts in big integers: for `--exact`, and to check the floats.

use deminer_game::stop::{self, Pace};
use deminer_game::{Cell, View};
use num_bigint::BigUint;
use num_integer::Integer;

use super::counter::{Counter, Tally, TooWide};
use super::engine::OddsError;
use super::number::Number;
use super::region::{GroupedClue, GroupedRegion};
use crate::class::Class;
use crate::deduce::{Fact, SinglePoint};
use crate::fringe::Fringe;

/// Exact numbers of a view.
#[derive(Clone, Debug)]
pub struct ExactOdds {
    layouts: BigUint,
    mine: Vec<Option<Fraction>>,
}

/// A probability as a fraction in lowest terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fraction {
    /// Above the line.
    pub numerator: BigUint,
    /// Below the line.
    pub denominator: BigUint,
}

impl std::fmt::Display for Fraction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

impl Fraction {
    fn new(numerator: BigUint, denominator: BigUint) -> Self {
        let common = numerator.gcd(&denominator);
        Self { numerator: numerator / &common, denominator: denominator / common }
    }

    /// The nearest float, also for very large parts.
    pub fn to_f64(&self) -> f64 {
        // Shift both so that the quotient has 64 good bits.
        let bits = self.denominator.bits() as i64 - self.numerator.bits() as i64 + 64;
        let quotient = if bits >= 0 {
            (&self.numerator << bits as u64) / &self.denominator
        } else {
            &self.numerator / (&self.denominator << (-bits) as u64)
        };
        quotient.approximate() * (-bits as f64).exp2()
    }
}

impl ExactOdds {
    /// How many layouts fit the view; where clues are only likely, how many are possible.
    #[inline]
    pub fn layouts(&self) -> &BigUint {
        &self.layouts
    }

    /// The probability of a mine; none for open cells and mines shown.
    #[inline]
    pub fn mine(&self, cell: Cell) -> Option<&Fraction> {
        self.mine[cell.index()].as_ref()
    }

    /// Counts a view in whole numbers, with at most this number of additions for each region and
    /// for all regions together. An addition of large numbers counts for many.
    ///
    /// # Errors
    /// If no layout fits the view, or the budget does not suffice.
    pub fn of(view: &View, budget: usize) -> Result<Self, OddsError> {
        let mut known = SinglePoint::of(view);
        for &cell in view.promised() {
            known.suppose(view, cell, Fact::Safe);
        }
        if known.misfit().is_some() {
            return Err(OddsError::Contradiction);
        }
        let mut fringe = Fringe::default();
        fringe.read(view, &known, None);
        let parts = Parts::count(&fringe, budget, |clue| *clue)?;
        let sum = Sum::of(view, &fringe, &parts, budget)?;
        let layouts = if fringe.is_certain() {
            sum.all.clone()
        } else {
            let parts = Parts::count(&fringe, budget, possible)?;
            Sum::of(view, &fringe, &parts, budget)?.all
        };
        let groups = sum.group_risks(&fringe, &parts);
        let sea = sum.sea_risk(&fringe);
        let whole = |value: u32| Fraction::new(BigUint::whole(value), BigUint::whole(1));
        let mine = |class: &Class| match *class {
            Class::SHOWN => None,
            Class::MINE => Some(whole(1)),
            Class::SAFE => Some(whole(0)),
            class => Some(class.group().map_or(&sea, |group| &groups[group]).clone()),
        };
        Ok(Self { layouts, mine: fringe.classes().iter().map(mine).collect() })
    }
}

/// The same clue with all admitted counts equally likely.
fn possible(clue: &GroupedClue) -> GroupedClue {
    let flat = |weights: [u32; 9]| weights.map(|weight| u32::from(weight > 0));
    GroupedClue { weights: clue.weights.map(flat), ..*clue }
}

/// The tallies of all regions.
struct Parts {
    tallies: Vec<Tally>,
    arena: Vec<BigUint>,
}

impl Parts {
    fn count(
        fringe: &Fringe,
        budget: usize,
        read: fn(&GroupedClue) -> GroupedClue,
    ) -> Result<Self, OddsError> {
        let mut counter: Counter<4, BigUint> = Counter::default();
        let mut parts = Parts { tallies: Vec::new(), arena: Vec::new() };
        for span in fringe.regions() {
            let region = fringe.region(span);
            let clues: Vec<GroupedClue> = region.clues.iter().map(read).collect();
            let region = GroupedRegion { clues: &clues, ..region };
            let tally = counter
                .count(region, None, budget, &mut parts.arena)
                .map_err(|TooWide| OddsError::uncounted(clues.len()))?;
            if tally.len == 0 {
                return Err(OddsError::Contradiction);
            }
            parts.tallies.push(tally);
        }
        Ok(parts)
    }
}

/// Everything mixed under the mine total: plain polynomials, as in the mixture of floats.
struct Sum {
    all: BigUint,
    /// For each region, the weight of each number of mines it may hold.
    weights: Vec<Vec<BigUint>>,
    /// Ways with each number of mines in the sea.
    sea: Vec<(usize, BigUint)>,
}

/// Bytes that the numbers of all regions together may take.
const MOST_BYTES: usize = 1 << 27;

impl Sum {
    fn of(view: &View, fringe: &Fringe, parts: &Parts, budget: usize) -> Result<Self, OddsError> {
        let least = fringe.mines() + parts.tallies.iter().map(|tally| tally.low).sum::<usize>();
        let spare = view.rules().mines().checked_sub(least).ok_or(OddsError::Contradiction)?;
        let totals: Vec<&[BigUint]> =
            parts.tallies.iter().map(|tally| tally.totals(&parts.arena)).collect();
        let mut limits = Limits { work: budget, bytes: MOST_BYTES, pace: Pace::default() };
        let over = |_| match stop::is_raised() {
            true => OddsError::Stopped,
            false => OddsError::TooMany(totals.len()),
        };
        // What each region, all later ones and the sea make of the mines in the regions before.
        let most: usize = totals.iter().map(|totals| totals.len() - 1).sum();
        let binomials = binomials(fringe.sea(), spare);
        let taken = |above| spare.checked_sub(above).and_then(|left| binomials.get(left));
        let sea = (0..=most).map(|above| taken(above).cloned().unwrap_or_default());
        let mut later: Vec<Vec<BigUint>> = vec![sea.collect()];
        for totals in totals.iter().rev() {
            let after = later.last().expect("the sea is always there");
            let before = 0..after.len() + 1 - totals.len();
            let held = before.map(|before| limits.product(totals, &after[before..]));
            let held = held.collect::<Result<Vec<_>, _>>().map_err(over)?;
            limits.keep(&held).map_err(over)?;
            later.push(held);
        }
        later.reverse();
        let all = later[0][0].clone();
        if all.is_zero() {
            return Err(OddsError::Contradiction);
        }
        let mut before = vec![BigUint::whole(1)];
        let mut weights = Vec::with_capacity(totals.len());
        for (totals, after) in totals.iter().zip(&later[1..]) {
            let weight = |held: usize| limits.product(&before, &after[held..]);
            let held = (0..totals.len()).map(weight).collect::<Result<Vec<_>, _>>();
            weights.push(held.map_err(over)?);
            before = limits.convolution(&before, totals).map_err(over)?;
        }
        let sea = before.iter().zip(&later[totals.len()]).enumerate();
        let sea = sea
            .filter_map(|(above, (ways, taken))| Some((spare.checked_sub(above)?, ways * taken)));
        Ok(Self { all, weights, sea: sea.collect() })
    }

    fn group_risks(&self, fringe: &Fringe, parts: &Parts) -> Vec<Fraction> {
        let mut risks = Vec::new();
        for ((span, tally), weights) in
            fringe.regions().iter().zip(&parts.tallies).zip(&self.weights)
        {
            for group in 0..span.groups.len() {
                let sum = |counts: &[BigUint]| -> BigUint {
                    counts.iter().zip(weights).map(|(count, weight)| count * weight).sum()
                };
                let mines = sum(tally.mines(&parts.arena, group));
                let cells = &mines + sum(tally.safe(&parts.arena, group));
                risks.push(Fraction::new(mines, cells));
            }
        }
        risks
    }

    fn sea_risk(&self, fringe: &Fringe) -> Fraction {
        let mines: BigUint = self.sea.iter().map(|(held, ways)| ways * *held).sum();
        let cells = &self.all * fringe.sea().max(1);
        Fraction::new(mines, cells)
    }
}

/// What the mixture may still take.
struct Limits {
    /// In additions of floats.
    work: usize,
    bytes: usize,
    pace: Pace,
}

/// The work or the bytes ran out, or the numbers are no longer wanted.
struct Over;

impl Limits {
    fn spend(&mut self, work: usize) -> Result<(), Over> {
        self.work = self.work.checked_sub(work).ok_or(Over)?;
        if self.pace.step(work) { Err(Over) } else { Ok(()) }
    }

    fn keep(&mut self, numbers: &[BigUint]) -> Result<(), Over> {
        let bytes: usize = numbers.iter().map(|number| size_of::<BigUint>() + number.heap()).sum();
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Over)?;
        Ok(())
    }

    /// The sum of the products of numbers at the same place, as far as both go.
    fn product(&mut self, a: &[BigUint], b: &[BigUint]) -> Result<BigUint, Over> {
        let mut sum = BigUint::ZERO;
        for (a, b) in a.iter().zip(b).filter(|(a, b)| !a.is_zero() && !b.is_zero()) {
            self.spend(a.cost().max(b.cost()))?;
            sum += a * b;
        }
        Ok(sum)
    }

    /// The product of polynomials.
    fn convolution(&mut self, a: &[BigUint], b: &[BigUint]) -> Result<Vec<BigUint>, Over> {
        let mut product = vec![BigUint::ZERO; a.len() + b.len() - 1];
        for (shift, left) in a.iter().enumerate() {
            for (sum, right) in product[shift..].iter_mut().zip(b) {
                self.spend(left.cost().max(right.cost()))?;
                *sum += left * right;
            }
        }
        Ok(product)
    }
}

/// n choose k for all k up to `most`, none above n.
fn binomials(n: usize, most: usize) -> Vec<BigUint> {
    let mut row = vec![BigUint::whole(1)];
    for k in 1..=most.min(n) {
        let last = row.last().expect("the row begins with 1");
        row.push(last * (n - k + 1) / k);
    }
    row
}
