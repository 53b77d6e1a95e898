//! Several clues: their needs as linear equations, added and subtracted until each row says as
//! little as it can.
//!
//! Cells that the same clues see make one unknown, from 0 to as many mines as there are cells.
//! A clue that admits several counts takes an unknown of its own for its count. Arithmetic is
//! in integers; a region whose numbers grow too large is left alone, so no answer is wrong.

use deminer_game::{Cell, CellSet, Premise, View};

use super::need::{Asked, grounds, groups, regions};
use super::{Conclusion, Fact, Facts, Findings, Rule, Rung};

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
    let needs = Asked::all(view, facts);
    let mut findings = Findings::new(view);
    for region in regions(view, &needs).iter().filter(|region| region.len() > 1) {
        let needs: Vec<&Asked> = region.iter().map(|&place| &needs[place]).collect();
        if let Some(system) = System::of(&needs, None).reduced() {
            system.bounded(|cells, fact, clues| {
                let clues = clues.iter().map(|&place| needs[place].clue);
                findings.add(cells, fact, || grounds(view, facts, clues.clone()));
            });
        }
    }
    findings.list
}

/// What linear elimination proves without that knowledge: cells with the same value in every
/// solution of the equations, be they mines, fractions or less than nothing.
///
/// Clues that admit several counts make no equations. It proves less than the ladder's rule;
/// some published players do no more.
pub fn unique(view: &View, facts: &Facts) -> Vec<Conclusion> {
    let exact = |need: &Asked| need.counts.is_power_of_two();
    let needs: Vec<Asked> = Asked::all(view, facts).into_iter().filter(exact).collect();
    let mut findings = Findings::new(view);
    for region in regions(view, &needs) {
        let needs: Vec<&Asked> = region.iter().map(|&place| &needs[place]).collect();
        if let Some(system) = System::of(&needs, None).reduced() {
            system.unique(|cells, fact, clues| {
                let clues = clues.iter().map(|&place| needs[place].clue);
                findings.add(cells, fact, || grounds(view, facts, clues.clone()));
            });
        }
    }
    findings.list
}

/// What elimination proves from all needs and the mine total.
pub(super) fn with_total(view: &View, facts: &Facts, left: usize, findings: &mut Findings) {
    let needs = Asked::all(view, facts);
    let needs: Vec<&Asked> = needs.iter().collect();
    let mut fringe = CellSet::new(view.shape().size());
    for &cell in needs.iter().flat_map(|need| &need.cells) {
        fringe.insert(cell);
    }
    let sea = facts.unknown_cells().filter(|&cell| !fringe.contains(cell)).collect();
    let Some(system) = System::of(&needs, Some((left, sea))).reduced() else { return };
    system.bounded(|cells, fact, rows| {
        // Rows without the total are the business of the rung below.
        if rows.last() != Some(&needs.len()) {
            return;
        }
        let clues = rows[..rows.len() - 1].iter().map(|&place| needs[place].clue);
        findings.add(cells, fact, || {
            let mut premises: Vec<Premise> = clues.clone().map(Premise::Clue).collect();
            premises.extend(super::total::known(view, facts, |_| true));
            premises
        });
    });
}

/// Systems with more numbers than this are left alone: their reduction would take seconds.
const MOST_NUMBERS: usize = 1 << 20;

/// Equations over bounded unknowns.
struct System {
    unknowns: Vec<Unknown>,
    rows: Vec<Row>,
}

/// The mines in a group of cells, or the count of a clue that admits several.
struct Unknown {
    cells: Vec<Cell>,
    low: i64,
    high: i64,
}

#[derive(Clone)]
struct Row {
    factors: Vec<i64>,
    value: i64,
    /// The equations it was made from, one bit each.
    sources: Vec<u64>,
}

impl System {
    /// The needs' equations and, after them, the mine total's: so many mines on all cells, those
    /// that no clue sees included.
    fn of(needs: &[&Asked], total: Option<(usize, Vec<Cell>)>) -> Self {
        let groups = groups(needs);
        let mut unknowns: Vec<Unknown> = Vec::new();
        let equations = needs.len() + usize::from(total.is_some());
        let row = |place: usize| {
            let mut sources = vec![0; equations.div_ceil(64)];
            sources[place / 64] = 1 << (place % 64);
            Row { factors: Vec::new(), value: 0, sources }
        };
        let mut rows: Vec<Row> = (0..equations).map(row).collect();
        let set = |row: &mut Row, unknown: usize, factor| {
            row.factors.resize(row.factors.len().max(unknown + 1), 0);
            row.factors[unknown] = factor;
        };
        for (cells, seen_by) in groups {
            for place in seen_by {
                set(&mut rows[place], unknowns.len(), 1);
            }
            let high = cells.len() as i64;
            unknowns.push(Unknown { cells, low: 0, high });
        }
        if let Some((left, sea)) = total {
            let row = &mut rows[needs.len()];
            row.value = left as i64;
            if !sea.is_empty() {
                let high = sea.len() as i64;
                unknowns.push(Unknown { cells: sea, low: 0, high });
            }
            row.factors = vec![1; unknowns.len()];
        }
        for (place, need) in needs.iter().enumerate() {
            let (low, high) = (need.low() as i64, need.high() as i64);
            if low == high {
                rows[place].value = low;
            } else {
                set(&mut rows[place], unknowns.len(), -1);
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
                // What this term must make up, whatever the others do.
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

impl Row {
    /// Takes away so much of the pivot that the unknown's factor becomes 0. None on overflow.
    fn clear(&mut self, unknown: usize, pivot: &Row) -> Option<()> {
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
