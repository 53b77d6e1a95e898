//! Facts proved by the total number of mines on the board.

use deminer_game::{Cell, CellSet, Premise, View};

use super::grounds::{constraints, grounds, with_total};
use super::{Conclusion, Fact, Facts, Findings, Rule, Rung, gauss};
use crate::constraints::{Constraint, Constraints};

pub(super) const RULE: Rule = Rule {
    name: "mine total",
    rung: Rung::MineTotal,
    about: "counts the mines left: none, one for each cell, all taken by clues; else elimination",
    find,
};

/// What the mine total proves, by the simplest of these that proves anything:
///
/// - no mine is left, or one for each unknown cell;
/// - clues that share no cells need all that are left, or have room for no more than what the
///   cells outside do not hold;
/// - linear elimination, the total being one more equation.
///
/// ```text
/// mines 1
/// # # #     the 1 takes the only mine, so the cells it does not see are safe
/// # # 1
/// ```
fn find(view: &View, facts: &Facts, clues: &[Cell]) -> Vec<Conclusion> {
    let constraints = constraints(view, facts, clues);
    let mut findings = Findings::new(view);
    let Some(left) = view.rules().mines().checked_sub(facts.mines()) else { return Vec::new() };
    let unknown: Vec<Cell> = facts.unknown_cells().collect();
    let premises =
        |matters: fn(&Premise) -> bool| with_total(view, facts, matters).collect::<Vec<_>>();
    if left == 0 {
        let mines = |premise: &Premise| !matches!(premise, Premise::Safe(_));
        findings.add(&unknown, Fact::Safe, || premises(mines));
    } else if left == unknown.len() {
        let safe = |premise: &Premise| !matches!(premise, Premise::Mine(_));
        findings.add(&unknown, Fact::Mine, || premises(safe));
    } else {
        disjoint(view, facts, &constraints, left, &unknown, &mut findings);
    }
    if findings.list.is_empty() {
        gauss::with_total(view, facts, &constraints, left, &mut findings);
    }
    findings.list
}

/// Compares clues that share no cells with the mines not yet found. If the clues need all of them,
/// the other cells are safe. If the rest fills the other cells, those are mines.
fn disjoint(
    view: &View,
    facts: &Facts,
    constraints: &Constraints,
    left: usize,
    unknown: &[Cell],
    findings: &mut Findings,
) {
    let low = |clue: &Constraint| usize::from(clue.need.low());
    let high = |clue: &Constraint| usize::from(clue.need.high());
    let most_needed = |clue: &Constraint| (usize::MAX - low(clue), clue.cells.len());
    let most_room = |clue: &Constraint| (usize::MAX - (clue.cells.len() - high(clue)), high(clue));

    let (chosen, outside) = apart(constraints, unknown, most_needed);
    if chosen.iter().copied().map(low).sum::<usize>() == left {
        findings.add(&outside, Fact::Safe, || premises(view, facts, &chosen));
    }
    let (chosen, outside) = apart(constraints, unknown, most_room);
    if chosen.iter().copied().map(high).sum::<usize>() + outside.len() == left {
        findings.add(&outside, Fact::Mine, || premises(view, facts, &chosen));
    }
}

/// Clues that share no cells, chosen in the order of the key, and the unknown cells that they do
/// not see.
fn apart<'a>(
    constraints: &'a Constraints,
    unknown: &[Cell],
    key: impl Fn(&Constraint) -> (usize, usize),
) -> (Vec<&'a Constraint>, Vec<Cell>) {
    let mut order: Vec<&Constraint> = constraints.clues.iter().collect();
    order.sort_by_key(|clue| key(clue));
    let mut outside =
        CellSet::of(unknown.last().map_or(0, |last| last.index() + 1), unknown.iter().copied());
    let mut chosen = Vec::new();
    for clue in order {
        if constraints.cells_at(&clue.cells).all(|cell| outside.contains(cell)) {
            for cell in constraints.cells_at(&clue.cells) {
                outside.remove(cell);
            }
            chosen.push(clue);
        }
    }
    let outside = outside.iter().collect();
    (chosen, outside)
}

fn premises(view: &View, facts: &Facts, chosen: &[&Constraint]) -> Vec<Premise> {
    grounds(view, facts, chosen.iter().map(|clue| clue.cell), true)
}
