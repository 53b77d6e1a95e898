//! Lubarski, Samujło and Wszeborowski, Table 2: linear equations and a local guess.

use super::line::UNSTATED;
use super::s000_t1::{PAPER, trial};
use super::{Line, Played, Reading, Table, Target};

pub const TABLE: Table = Table {
    id: "s000-t2",
    title: "Linear equations and a local guess",
    paper: Some(PAPER),
    about: "Where no cell is decided, the one is opened whose adjacent clues ask for the fewest \
            mines on their covered cells; `orig` keeps flaws of the published program, `rows=bounds` \
            knows that cells hold 0 or 1 mines. The paper prints 7x7 with 7 mines here and with 5 \
            mines among its later results; both were played. On 20x20 with 20 mines its 99.9 % \
            are one loss in 1000 games, which is more than the exact odds of `lowest-risk` win.",
    trials: || BOARDS.iter().map(|&(board, _)| trial(board, AGENTS)).collect(),
    studies: super::no_studies,
    read,
    digest: None,
};

const AGENTS: &[&str] =
    &["gauss-csp+", "gauss-csp+:orig", "gauss-csp+:rows=bounds", "single-point", "lowest-risk"];

const BOARDS: [(&str, f64); 4] =
    [("7x7x5", 0.930), ("7x7x7", 0.732), ("10x10x10", 0.891), ("20x20x20", 0.999)];

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for (board, paper) in BOARDS {
        for agent in AGENTS {
            let games = played.games(board, agent);
            let target = match agent.starts_with("gauss") {
                true => Target::Reach { paper, games: UNSTATED },
                false => Target::None,
            };
            lines.push(Line::new(board, *agent, "won", target, games.won()));
        }
    }
    Reading::of("Linear equations and a local guess", lines)
}
