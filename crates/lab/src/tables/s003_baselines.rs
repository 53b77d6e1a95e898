//! The student project that Tortay and Yurchenko compare with: a table of values, and weighed sums.

use super::{Line, Played, Reading, Table, Target, Trial, no_studies};

pub const TABLE: Table = Table {
    id: "s003-baselines",
    title: "Learning without hidden layers",
    paper: Some(
        "L. Gardea, G. Koontz, R. Silva, Training a Minesweeper Solver, Stanford University 2015, \
         as quoted by A. Tortay and O. Yurchenko",
    ),
    about: "Q-learning with a table of all views is quoted with 70 % on 4x4 boards with 3 mines \
            and about 5 % on 5x5 boards with 5, linear regression and linear support vector \
            machines with less. Our table turns and mirrors views, so that it meets each eight \
            times as often; as shipped, it keeps the views met often. The weighed sums see 5x5 \
            windows, one channel for each code, and are taught exact odds. The start rule of the \
            project is not known; here it is a safe corner.",
    trials: || BOARDS.iter().map(|(board, agents, _)| trial(board, agents)).collect(),
    studies: no_studies,
    read,
    digest: None,
};

/// The quoted share of wins of the first agent.
type Quoted = Option<f64>;

const BOARDS: [(&str, &[&str], Quoted); 4] = [
    ("4x4x3", TINY, Some(0.70)),
    ("5x5x5", TINY, Some(0.05)),
    ("8x8x10", SUMS, None),
    ("16x16x40", SUMS, None),
];
const TINY: &[&str] = &["q-table", "svm-lin", "reg-lin", "lowest-risk", "random"];
const SUMS: &[&str] = &["svm-lin", "reg-lin", "sla-small", "lowest-risk", "random"];

fn trial(board: &str, agents: &[&str]) -> Trial {
    Trial::new(board, agents, board, 10_000)
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for (board, agents, quoted) in BOARDS {
        for (place, agent) in agents.iter().enumerate() {
            let target = match quoted.filter(|_| place == 0) {
                Some(paper) => Target::AtLeast { paper, least: paper },
                None => Target::None,
            };
            lines.push(Line::new(board, *agent, "won", target, played.games(board, agent).won()));
        }
    }
    Reading::of("Learning without hidden layers", lines)
}
