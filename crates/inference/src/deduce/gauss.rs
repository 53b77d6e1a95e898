//! Several clues: their needs as linear equations, added and subtracted until each row says as
//! little as it can.
//!
//! Cells that the same clues see make one unknown, from 0 to as many mines as there are cells.
//! A clue that admits several counts takes an unknown of its own for its count. Arithmetic is
//! in integers; a region whose numbers grow too large is left alone, so no answer is wrong.

use deminer_game::{Cell, Premise, View};

use super::grounds::{constraints, constraints_of, grounds};
use super::{Conclusion, Fact, Facts, Findings, Rule, Rung};
use crate::constraints::{Constraint, Constraints, Group};

pub(super) const RULE: Rule = Rule {
    name: "several clues",
    rung: Rung::Several,
    about: "linear elimination; a reduced row that only one filling satisfies decides its cells",
    find,
};

/// What linear elimination proves, knowing that a cell holds no less than 0 and no more than 1
/// mine.
///
/// ```text
/// # # # #  ->  A B C C    a + b = 1, b + c = 2, c = 1 for the groups A, B, C:
/// 1 # 2 1      1 B 2 1    the first less the second plus the third leaves a = 0
/// ```
fn find(view: &View, facts: &Facts) -> Vec<Conclusion> {
    let constraints = constraints(view, facts);
    let mut findings = Findings::new(view);
    for region in constraints.regions().iter().filter(|region| region.clues.len() > 1) {
        if let Some(system) = LinearSystem::of(&constraints, &region.clues, None).reduced() {
            system.bounded(|cells, fact, rows| {
                let clues = cells_of(&constraints, &region.clues, rows);
                findings.add(cells, fact, || grounds(view, facts, clues.clone()));
            });
        }
    }
    findings.list
}

/// What linear elimination proves without these bounds: cells with the same value in every solution
/// of the equations, also fractional and negative ones.
///
/// Clues that admit several counts make no equations. It proves less than the ladder's rule;
/// some published players do no more.
pub fn unique(view: &View, facts: &Facts) -> Vec<Conclusion> {
    let known = |cell| facts.get(cell);
    let exact = |&clue: &Cell| {
        Constraint::of(view, clue, known).is_some_and(|clue| clue.need.counts().is_power_of_two())
    };
    let clues: Vec<Cell> = view.opened().iter().copied().filter(exact).collect();
    let constraints = constraints_of(view, facts, &clues);
    let mut findings = Findings::new(view);
    for region in constraints.regions() {
        if let Some(system) = LinearSystem::of(&constraints, &region.clues, None).reduced() {
            system.unique(|cells, fact, rows| {
                let clues = cells_of(&constraints, &region.clues, rows);
                findings.add(cells, fact, || grounds(view, facts, clues.clone()));
            });
        }
    }
    findings.list
}

/// What elimination proves from all needs and the mine total.
pub(super) fn with_total(view: &View, facts: &Facts, left: usize, findings: &mut Findings) {
    let constraints = constraints(view, facts);
    let sea = facts.unknown_cells().filter(|&cell| !constraints.contains(cell)).collect();
    let clues: Vec<u16> = (0..constraints.clues.len() as u16).collect();
    let Some(system) = LinearSystem::of(&constraints, &clues, Some((left, sea))).reduced() else {
        return;
    };
    system.bounded(|cells, fact, rows| {
        // The rung below has tried the rows without the total.
        let Some((&last, rows)) = rows.split_last() else { return };
        if last != clues.len() {
            return;
        }
        let clues = cells_of(&constraints, &clues, rows);
        findings.add(cells, fact, || {
            let mut premises: Vec<Premise> = clues.clone().map(Premise::Clue).collect();
            premises.extend(super::total::known(view, facts, |_| true));
            premises
        });
    });
}

/// The cells of the clues that these equations stand for.
fn cells_of<'a>(
    constraints: &'a Constraints,
    clues: &'a [u16],
    rows: &'a [usize],
) -> impl Iterator<Item = Cell> + Clone + 'a {
    rows.iter().map(|&row| constraints.clues[usize::from(clues[row])].cell)
}

/// Systems with more numbers than this are left alone: their reduction would take seconds.
const MOST_NUMBERS: usize = 1 << 20;

/// Equations over bounded unknowns.
struct LinearSystem {
    unknowns: Vec<Unknown>,
    rows: Vec<GaussRow>,
}

/// The mines in a group of cells, or the count of a clue that admits several.
struct Unknown {
    cells: Vec<Cell>,
    low: i64,
    high: i64,
}

#[derive(Clone)]
struct GaussRow {
    factors: Vec<i64>,
    value: i64,
    /// The equations it was made from, one bit each.
    sources: Vec<u64>,
}

impl LinearSystem {
    /// The equations of some clues and, after them, of the mine total: the mines left in all
    /// unknown cells, with the cells that no clue sees.
    fn of(constraints: &Constraints, clues: &[u16], total: Option<(usize, Vec<Cell>)>) -> Self {
        let mut unknowns: Vec<Unknown> = Vec::new();
        let equations = clues.len() + usize::from(total.is_some());
        let row = |place: usize| {
            let mut sources = vec![0; equations.div_ceil(64)];
            sources[place / 64] = 1 << (place % 64);
            GaussRow { factors: Vec::new(), value: 0, sources }
        };
        let mut rows: Vec<GaussRow> = (0..equations).map(row).collect();
        let set = |row: &mut GaussRow, unknown: usize, factor| {
            row.factors.resize(row.factors.len().max(unknown + 1), 0);
            row.factors[unknown] = factor;
        };
        for Group { cells, clues } in constraints.groups(clues.iter().copied()) {
            for row in clues {
                set(&mut rows[row], unknowns.len(), 1);
            }
            let high = cells.len() as i64;
            unknowns.push(Unknown { cells, low: 0, high });
        }
        if let Some((left, sea)) = total {
            let row = &mut rows[clues.len()];
            row.value = left as i64;
            if !sea.is_empty() {
                let high = sea.len() as i64;
                unknowns.push(Unknown { cells: sea, low: 0, high });
            }
            row.factors = vec![1; unknowns.len()];
        }
        for (row, &clue) in rows.iter_mut().zip(clues) {
            let need = constraints.clues[usize::from(clue)].need;
            let (low, high) = (i64::from(need.low()), i64::from(need.high()));
            if low == high {
                row.value = low;
            } else {
                set(row, unknowns.len(), -1);
                unknowns.push(Unknown { cells: Vec::new(), low, high });
            }
        }
        for row in &mut rows {
            row.factors.resize(unknowns.len(), 0);
        }
        Self { unknowns, rows }
    }

    /// The same with each row solved for an unknown of its own, which no other row has. None if
    /// it is too large or its numbers become so.
    fn reduced(mut self) -> Option<Self> {
        if self.rows.len() * self.unknowns.len() > MOST_NUMBERS {
            return None;
        }
        let mut done = 0;
        for unknown in 0..self.unknowns.len() {
            let rest = (done..self.rows.len()).filter(|&row| self.rows[row].factors[unknown] != 0);
            let Some(pivot) = rest.min_by_key(|&row| self.rows[row].factors[unknown].abs()) else {
                continue;
            };
            self.rows.swap(done, pivot);
            let pivot = self.rows[done].clone();
            for (place, row) in self.rows.iter_mut().enumerate() {
                if place != done && row.factors[unknown] != 0 {
                    row.clear(unknown, &pivot)?;
                }
            }
            done += 1;
        }
        self.rows.truncate(done);
        Some(self)
    }

    /// Calls back with cells that are all safe or all mines because a row has no other filling
    /// within the bounds of its unknowns, and the equations that the row was made from.
    fn bounded(&self, mut decide: impl FnMut(&[Cell], Fact, &[usize])) {
        for row in &self.rows {
            let terms = || {
                let pairs = row.factors.iter().zip(&self.unknowns);
                pairs.filter(|&(&factor, _)| factor != 0)
            };
            let span = |factor: i64, unknown: &Unknown| {
                let ends = (factor * unknown.low, factor * unknown.high);
                (ends.0.min(ends.1), ends.0.max(ends.1))
            };
            let (least, most) = terms()
                .map(|(&factor, unknown)| span(factor, unknown))
                .fold((0, 0), |sum, span| (sum.0 + span.0, sum.1 + span.1));
            if !(least..=most).contains(&row.value) {
                // No layout fits: nothing is proved.
                return;
            }
            for (&factor, unknown) in terms().filter(|(_, unknown)| !unknown.cells.is_empty()) {
                let own = span(factor, unknown);
                // The range of this term, for any values of the others.
                let (low, high) = (row.value - (most - own.1), row.value - (least - own.0));
                let fact = if (factor > 0 && high < factor) || (factor < 0 && low > factor) {
                    Fact::Safe
                } else if (factor > 0 && low > factor * (unknown.high - 1))
                    || (factor < 0 && high < factor * (unknown.high - 1))
                {
                    Fact::Mine
                } else {
                    continue;
                };
                decide(&unknown.cells, fact, &row.equations());
            }
        }
    }

    /// Calls back with single cells whose value a row gives outright.
    fn unique(&self, mut decide: impl FnMut(&[Cell], Fact, &[usize])) {
        for row in &self.rows {
            let mut terms = row.factors.iter().zip(&self.unknowns).filter(|term| *term.0 != 0);
            let (Some((&factor, unknown)), None) = (terms.next(), terms.next()) else { continue };
            let fact = match row.value {
                0 => Fact::Safe,
                value if value == factor => Fact::Mine,
                _ => continue,
            };
            if unknown.cells.len() == 1 {
                decide(&unknown.cells, fact, &row.equations());
            }
        }
    }
}

impl GaussRow {
    /// Subtracts a multiple of the pivot, so that the unknown's factor becomes 0. None on overflow.
    fn clear(&mut self, unknown: usize, pivot: &GaussRow) -> Option<()> {
        let (mine, its) = (self.factors[unknown], pivot.factors[unknown]);
        let common = gcd(mine, its);
        let (times, less) = (its / common, mine / common);
        let combine =
            |mine: i64, its: i64| mine.checked_mul(times)?.checked_sub(its.checked_mul(less)?);
        self.value = combine(self.value, pivot.value)?;
        let mut content = self.value.abs();
        for (factor, &its) in self.factors.iter_mut().zip(&pivot.factors) {
            *factor = combine(*factor, its)?;
            content = gcd(content, *factor);
        }
        if content > 1 {
            self.value /= content;
            self.factors.iter_mut().for_each(|factor| *factor /= content);
        }
        for (sources, its) in self.sources.iter_mut().zip(&pivot.sources) {
            *sources |= its;
        }
        // Sums over a row must not overflow either: 2³¹ times 2¹⁶ cells leaves room.
        let small = |number: i64| number.abs() < 1 << 31;
        (small(self.value) && self.factors.iter().all(|&factor| small(factor))).then_some(())
    }

    /// The places of the equations it was made from.
    fn equations(&self) -> Vec<usize> {
        let bits = self.sources.iter().enumerate();
        bits.flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit)
        })
        .collect()
    }
}

/// The greatest common divisor, never negative.
pub(super) fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}
