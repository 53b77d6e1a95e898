//! Helpers for agents that use exact mine probabilities.

use deminer_game::{Alternative, Cell, OptionEntry, Values};
use deminer_inference::odds::Odds;

/// Risks closer than this count as equal: counts round, and symmetric cells may differ in the
/// last digits.
pub const ALIKE: f64 = 1e-9;

/// How many alternatives a decision lists.
pub const LISTED: usize = 8;

/// The option to give estimates with every decision.
pub const ESTIMATES: OptionEntry = OptionEntry {
    name: "estimates",
    values: Values::Flag,
    about: "tell the risks at every decision, not only at guesses: slower, for pupils to watch",
};

/// Densities stay this far from 0 and 1, so that every arrangement has a positive weight.
pub const LEAST_DENSITY: f64 = 1e-6;

/// The exact risk of a covered cell.
pub fn risk(odds: &Odds, cell: Cell) -> f64 {
    odds.mine(cell).expect("covered cells have odds")
}

/// The least risk, with the cells that have it.
pub fn least(risks: &[(Cell, f64)], ties: &mut Vec<Cell>) -> f64 {
    let least = risks.iter().map(|(_, risk)| *risk).fold(f64::INFINITY, f64::min);
    ties.clear();
    let alike = risks.iter().filter(|(_, risk)| *risk <= least + ALIKE);
    ties.extend(alike.map(|(cell, _)| cell));
    least
}

/// The safest cells, safest first.
pub fn alternatives(risks: &[(Cell, f64)]) -> Vec<Alternative> {
    let mut list: Vec<Alternative> = Vec::with_capacity(LISTED + 1);
    for &(cell, risk) in risks {
        let safety = 1.0 - risk;
        if list.len() == LISTED && list.last().is_some_and(|last| last.safety >= safety) {
            continue;
        }
        let at = list.partition_point(|held| held.safety >= safety);
        list.insert(at, Alternative { cell, safety, win: None });
        list.truncate(LISTED);
    }
    list
}
