//! Several clues: their needs as linear equations, added and subtracted until each row says as
//! little as it can.
//!
//! Cells that the same clues see make one unknown, from 0 to as many mines as there are cells.
//! A clue that admits several counts takes an unknown of its own for its count. Arithmetic is
//! in integers; a region whose numbers grow too large is left alone, so no answer is wrong.

use deminer_game::stop::Pace;
use deminer_game::{Cell, View};

use super::grounds::{constraints, grounds};
use super::row::Row;
use super::{Conclusion, Fact, Facts, Findings, Rule, Rung};
use crate::constraints::{Constraints, Group};

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
fn find(view: &View, facts: &Facts, clues: &[Cell]) -> Vec<Conclusion> {
    let constraints = constraints(view, facts, clues);
    let mut findings = Findings::new(view);
    for region in constraints.regions().iter().filter(|region| region.clues.len() > 1) {
        if let Some(system) = LinearSystem::of(&constraints, &region.clues, None).reduced() {
            system.bounded(|cells, fact, rows| {
                let clues = cells_of(&constraints, &region.clues, rows);
                findings.add(cells, fact, || grounds(view, facts, clues.clone(), false));
            });
        }
    }
    findings.list
}

/// What elimination proves from all needs and the mine total.
pub(super) fn with_total(
    view: &View,
    facts: &Facts,
    constraints: &Constraints,
    left: usize,
    findings: &mut Findings,
) {
    let sea = facts.unknown_cells().filter(|&cell| !constraints.contains(cell)).collect();
    let clues: Vec<u16> = (0..constraints.clues.len() as u16).collect();
    let Some(system) = LinearSystem::of(constraints, &clues, Some((left, sea))).reduced() else {
        return;
    };
    system.bounded(|cells, fact, rows| {
        // The rung below has tried the rows without the total.
        let Some((&last, rows)) = rows.split_last() else { return };
        if last != clues.len() {
            return;
        }
        let clues = cells_of(constraints, &clues, rows);
        findings.add(cells, fact, || grounds(view, facts, clues.clone(), true));
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
pub(super) struct LinearSystem {
    pub unknowns: Vec<Unknown>,
    /// Each names the equations it was made from.
    pub rows: Vec<Row<usize, usize>>,
}

/// The mines in a group of cells, or the count of a clue that admits several.
pub(super) struct Unknown {
    pub cells: Vec<Cell>,
    low: i64,
    high: i64,
}

impl LinearSystem {
    /// The equations of some clues and, after them, of the mine total: the mines left in all
    /// unknown cells, with the cells that no clue sees.
    pub fn of(constraints: &Constraints, clues: &[u16], total: Option<(usize, Vec<Cell>)>) -> Self {
        let mut unknowns: Vec<Unknown> = Vec::new();
        let equations = clues.len() + usize::from(total.is_some());
        let row = |place| Row { sources: vec![place], ..Row::default() };
        let mut rows: Vec<Row<usize, usize>> = (0..equations).map(row).collect();
        for Group { cells, clues } in constraints.groups(clues.iter().copied()) {
            for row in clues {
                rows[usize::from(row)].terms.push((unknowns.len(), 1));
            }
            unknowns.push(Unknown { low: 0, high: cells.len() as i64, cells });
        }
        if let Some((left, sea)) = total {
            if !sea.is_empty() {
                unknowns.push(Unknown { low: 0, high: sea.len() as i64, cells: sea });
            }
            let row = &mut rows[clues.len()];
            row.value = left as i64;
            row.terms = (0..unknowns.len()).map(|unknown| (unknown, 1)).collect();
        }
        for (row, &clue) in rows.iter_mut().zip(clues) {
            let need = constraints.clues[usize::from(clue)].need;
            let (low, high) = (i64::from(need.low()), i64::from(need.high()));
            if low == high {
                row.value = low;
            } else {
                row.terms.push((unknowns.len(), -1));
                unknowns.push(Unknown { cells: Vec::new(), low, high });
            }
        }
        Self { unknowns, rows }
    }

    /// The same with each row solved for an unknown of its own, which no other row has. None if
    /// it is too large or its numbers become so, or it is no longer wanted.
    pub fn reduced(mut self) -> Option<Self> {
        if self.rows.len() * self.unknowns.len() > MOST_NUMBERS {
            return None;
        }
        let mut pace = Pace::default();
        let mut done = 0;
        let mut buffer = Row::default();
        // Sums over a row must not overflow either: 2³¹ times 2¹⁶ cells leaves room.
        let is_small = |number: i64| number.abs() < 1 << 31;
        for unknown in 0..self.unknowns.len() {
            let factor = |&row: &usize| self.rows[row].factor(unknown).abs();
            let rest = (done..self.rows.len()).filter(|row| factor(row) != 0);
            let Some(pivot) = rest.min_by_key(|row| factor(row)) else {
                continue;
            };
            self.rows.swap(done, pivot);
            let pivot = self.rows[done].clone();
            for (place, row) in self.rows.iter_mut().enumerate() {
                if place != done && row.factor(unknown) != 0 {
                    row.clear(unknown, &pivot, &mut buffer)?;
                    if pace.step(row.terms.len()) {
                        return None;
                    }
                    let mut numbers = row.terms.iter().map(|term| term.1).chain([row.value]);
                    numbers.all(is_small).then_some(())?;
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
            let terms =
                || row.terms.iter().map(|&(unknown, factor)| (factor, &self.unknowns[unknown]));
            let span = |factor: i64, unknown: &Unknown| {
                let ends = (factor * unknown.low, factor * unknown.high);
                (ends.0.min(ends.1), ends.0.max(ends.1))
            };
            let (least, most) = terms()
                .map(|(factor, unknown)| span(factor, unknown))
                .fold((0, 0), |sum, span| (sum.0 + span.0, sum.1 + span.1));
            if !(least..=most).contains(&row.value) {
                // No layout fits: nothing is proved.
                return;
            }
            for (factor, unknown) in terms().filter(|(_, unknown)| !unknown.cells.is_empty()) {
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
                decide(&unknown.cells, fact, &row.sources);
            }
        }
    }
}
