//! Two clues that share cells: what one needs bounds what the other can have.

use deminer_game::{Cell, Premise, View};

use super::grounds::{constraints, grounds};
use super::{Conclusion, Fact, Facts, Findings, Rule, Rung};
use crate::constraints::{Constraint, Constraints, upto};

pub(super) const RULE: Rule = Rule {
    name: "pair",
    rung: Rung::Pair,
    about: "two clues that share cells bound the mines they share and those they do not",
    find,
};

/// What pairs of clues prove.
///
/// Two clues cut their cells into three parts, and every number of mines in the part they
/// share leaves each of the others a range:
///
/// ```text
/// # # # #      s # # *    the 1 admits one mine among the two cells both clues see, so the 2
/// ? 1 2 ?  ->  ? 1 2 ?    needs the cell on the right too; its other mine is in a cell both
///                         see and is that of the 1, so the cell on the left is safe
/// ```
///
/// That one clue's cells lie within the other's is the case of an empty part.
fn find(view: &View, facts: &Facts, clues: &[Cell]) -> Vec<Conclusion> {
    let constraints = constraints(view, facts, clues);
    let mut findings = Findings::new(view);
    let mut partners = Vec::new();
    for (index, one) in constraints.clues.iter().enumerate() {
        partners.clear();
        for &cell in &one.cells {
            let clues = constraints.seen_by[usize::from(cell)].iter();
            partners.extend(clues.map(|&clue| usize::from(clue)).filter(|&other| other > index));
        }
        partners.sort_unstable();
        partners.dedup();
        for other in partners.iter().map(|&other| &constraints.clues[other]) {
            combine(&constraints, one, other, &mut findings, || {
                grounds(view, facts, [one.cell, other.cell], false)
            });
        }
    }
    findings.list
}

/// Notes what two clues prove together.
fn combine(
    constraints: &Constraints,
    one: &Constraint,
    other: &Constraint,
    findings: &mut Findings,
    premises: impl Fn() -> Vec<Premise>,
) {
    let (shared, left): (Vec<u16>, Vec<u16>) =
        one.cells.iter().partition(|cell| other.cells.contains(cell));
    let right: Vec<u16> =
        other.cells.iter().copied().filter(|cell| !shared.contains(cell)).collect();

    // The mines each part may hold, one bit for each number.
    let (mut in_left, mut in_shared, mut in_right) = (0u16, 0u16, 0u16);
    for mines in 0..=shared.len() {
        let rest_left = one.need.counts() >> mines & upto(left.len() as u8);
        let rest_right = other.need.counts() >> mines & upto(right.len() as u8);
        if rest_left != 0 && rest_right != 0 {
            in_left |= rest_left;
            in_shared |= 1 << mines;
            in_right |= rest_right;
        }
    }
    for (part, possible) in [(left, in_left), (shared, in_shared), (right, in_right)] {
        let fact = match possible {
            1 => Fact::Safe,
            _ if possible == 1 << part.len() => Fact::Mine,
            _ => continue,
        };
        findings.add(&constraints.cells_at(&part).collect::<Vec<_>>(), fact, &premises);
    }
}
