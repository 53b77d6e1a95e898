//! Zhang, Wu, Li and Xu: open rate at 20 % mines.

use super::s001_e1::{PAPER, mines, setting, trial};
use super::{Line, Played, Reading, Table, Target};
use crate::run::GameRow;

pub const TABLE: Table = Table {
    id: "s001-e2",
    title: "Open rate at 20 % mines on 64x64",
    paper: Some(PAPER),
    about: "The share of safe cells opened, over all boards, and over those of which at least \
            5 % were opened: most of the rest is lost in the first few guesses. The paper's \
            numbers come from few boards, so 3 and 6 points off are near enough. How many boards \
            are begun is decided by the first openings, the middles of edges and the corners, \
            before any clue tells a thing: at 20 % mines some 72 % of the games get there, \
            whatever the stages do later, so the mean over all boards cannot be much above ours.",
    trials: || vec![trial(DENSITY, &["cs520", "cs520x"], 2_000)],
    studies: super::no_studies,
    read,
    digest: None,
};

const DENSITY: f64 = 20.0;
/// Boards opened less than this are left out of some means.
pub(super) const A_START: f64 = 0.05;

/// The share of safe cells opened.
pub(super) fn open_rate(row: &GameRow, percent: f64) -> f64 {
    let side = super::s001_e1::SIDE;
    f64::from(row.opened) / (side * side - mines(percent)) as f64
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for agent in ["cs520", "cs520x"] {
        let games = played.games(&setting(DENSITY), agent);
        let rate = |row: &GameRow| open_rate(row, DENSITY);
        let target = |paper: f64, tolerance: f64| match agent {
            "cs520" => Target::Within { paper, tolerance },
            _ => Target::Beside { paper },
        };
        let begun = games.mean(|row| Some(rate(row)).filter(|&rate| rate >= A_START));
        let all = games.mean(|row| Some(rate(row)));
        lines.push(Line::new("20 %", agent, "open rate, begun", target(0.971389, 0.03), begun));
        lines.push(Line::new("20 %", agent, "open rate, all", target(0.670673, 0.06), all));
    }
    Reading::of("Open rate at 20 % mines", lines)
}
