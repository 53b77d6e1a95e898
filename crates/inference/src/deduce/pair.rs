//! Two clues that share cells: what one needs bounds what the other can have.

use deminer_game::{Cell, Premise, View};

use super::need::{Asked, grounds};
use super::{Conclusion, Fact, Facts, Findings, Rule, Rung};
use crate::need::upto;

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
fn find(view: &View, facts: &Facts) -> Vec<Conclusion> {
    let needs = Asked::all(view, facts);
    let mut at = vec![usize::MAX; view.shape().size()];
    for (place, need) in needs.iter().enumerate() {
        at[need.clue.index()] = place;
    }
    let mut findings = Findings::new(view);
    let mut partners = Vec::new();
    for (place, need) in needs.iter().enumerate() {
        partners.clear();
        for &cell in &need.cells {
            let near = view.shape().neighbors(cell).iter().map(|near| at[near.index()]);
            partners.extend(near.filter(|&other| other != usize::MAX && other > place));
        }
        partners.sort_unstable();
        partners.dedup();
        for &other in &partners {
            combine(need, &needs[other], &mut findings, || {
                grounds(view, facts, [need.clue, needs[other].clue])
            });
        }
    }
    findings.list
}

/// Notes what two needs prove together.
fn combine(
    one: &Asked,
    other: &Asked,
    findings: &mut Findings,
    premises: impl Fn() -> Vec<Premise>,
) {
    let (shared, left): (Vec<Cell>, Vec<Cell>) =
        one.cells.iter().partition(|cell| other.cells.contains(cell));
    let right: Vec<Cell> =
        other.cells.iter().copied().filter(|cell| !shared.contains(cell)).collect();

    // The mines each part may hold, one bit for each number.
    let (mut in_left, mut in_shared, mut in_right) = (0u16, 0u16, 0u16);
    for mines in 0..=shared.len() {
        let rest_left = one.counts >> mines & upto(left.len() as u8);
        let rest_right = other.counts >> mines & upto(right.len() as u8);
        if rest_left != 0 && rest_right != 0 {
            in_left |= rest_left;
            in_shared |= 1 << mines;
            in_right |= rest_right;
        }
    }
    for (cells, possible) in [(left, in_left), (shared, in_shared), (right, in_right)] {
        if possible == 1 {
            findings.add(&cells, Fact::Safe, &premises);
        } else if possible == 1 << cells.len() {
            findings.add(&cells, Fact::Mine, &premises);
        }
    }
}
