//! What the number of mines on the whole board adds.

use deminer_game::{Cell, CellSet, Premise, View};

use super::need::{Asked, earlier};
use super::{Conclusion, Fact, Facts, Findings, Rule, Rung, gauss};

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
fn find(view: &View, facts: &Facts) -> Vec<Conclusion> {
    let mut findings = Findings::new(view);
    let Some(left) = view.rules().mines().checked_sub(facts.mines()) else { return Vec::new() };
    let unknown: Vec<Cell> = facts.unknown_cells().collect();
    let premises = |matters: fn(&Premise) -> bool| known(view, facts, matters).collect::<Vec<_>>();
    if left == 0 {
        let mines = |premise: &Premise| !matches!(premise, Premise::Safe(_));
        findings.add(&unknown, Fact::Safe, || premises(mines));
    } else if left == unknown.len() {
        let safe = |premise: &Premise| !matches!(premise, Premise::Mine(_));
        findings.add(&unknown, Fact::Mine, || premises(safe));
    } else {
        disjoint(view, facts, left, &unknown, &mut findings);
    }
    if findings.list.is_empty() {
        gauss::with_total(view, facts, left, &mut findings);
    }
    findings.list
}

/// Notes what follows when clues that share no cells take all the mines left, or so few that
/// the cells outside them are all mined.
fn disjoint(view: &View, facts: &Facts, left: usize, unknown: &[Cell], findings: &mut Findings) {
    let needs = Asked::all(view, facts);
    let most_needed = |need: &Asked| (usize::MAX - need.low(), need.cells.len());
    let most_room = |need: &Asked| (usize::MAX - (need.cells.len() - need.high()), need.high());

    let (chosen, outside) = apart(view, &needs, unknown, most_needed);
    if chosen.iter().map(|need| need.low()).sum::<usize>() == left {
        findings.add(&outside, Fact::Safe, || premises(view, facts, &chosen));
    }
    let (chosen, outside) = apart(view, &needs, unknown, most_room);
    if chosen.iter().map(|need| need.high()).sum::<usize>() + outside.len() == left {
        findings.add(&outside, Fact::Mine, || premises(view, facts, &chosen));
    }
}

/// Needs that share no cells, taken in the order of the key, and the unknown cells outside them.
fn apart<'a>(
    view: &View,
    needs: &'a [Asked],
    unknown: &[Cell],
    key: impl Fn(&Asked) -> (usize, usize),
) -> (Vec<&'a Asked>, Vec<Cell>) {
    let mut order: Vec<&Asked> = needs.iter().collect();
    order.sort_by_key(|need| key(need));
    let mut taken = CellSet::new(view.shape().size());
    let mut chosen = Vec::new();
    for need in order {
        if need.cells.iter().all(|&cell| !taken.contains(cell)) {
            need.cells.iter().for_each(|&cell| {
                taken.insert(cell);
            });
            chosen.push(need);
        }
    }
    let outside = unknown.iter().copied().filter(|&cell| !taken.contains(cell)).collect();
    (chosen, outside)
}

fn premises(view: &View, facts: &Facts, chosen: &[&Asked]) -> Vec<Premise> {
    let clues = chosen.iter().map(|need| Premise::Clue(need.clue));
    clues.chain(known(view, facts, |_| true)).collect()
}

/// The mine total as a premise, and all that was proved of covered cells before, as far as it
/// matters: how many mines are left for how many cells depends on it.
pub(super) fn known(
    view: &View,
    facts: &Facts,
    matters: impl Fn(&Premise) -> bool,
) -> impl Iterator<Item = Premise> {
    let proved = view.covered().filter_map(|cell| earlier(view, facts, cell)).filter(matters);
    std::iter::once(Premise::MineTotal).chain(proved)
}
