//! Tang and coauthors: logic, enumeration and sampling.

use deminer_game::{At, Start};

use super::line::UNSTATED;
use super::{Line, Played, Reading, Table, Target, Trial};

pub const TABLE: Table = Table {
    id: "tang",
    title: "Logic, enumeration, then sampling",
    paper: Some(
        "Y. Tang, T. Jiang, Y. Hu, A Minesweeper Solver Using Logic Inference, CSP and Sampling, 2018",
    ),
    about: "The authors' rates with a safe first click and with one that may be a mine. They do \
            not say whether their beginner board has 8x8 or 9x9 cells; both are shown.",
    trials: || {
        let starts = |&(board, games, _): &(&str, u64, _)| {
            STARTS.map(|start| {
                let name = format!("{board} {}", start.name());
                Trial::new(name, &["tang"], board, games).start(start, At::Random)
            })
        };
        BOARDS.iter().flat_map(starts).collect()
    },
    read,
    digest: None,
};

const STARTS: [Start; 2] = [Start::Safe, Start::Unsafe];

/// Boards, our games, and the authors' rates with a safe and an unsafe start.
const BOARDS: [(&str, u64, [f64; 2]); 4] = [
    ("8x8x10", 10_000, [0.752, 0.522]),
    ("9x9x10", 10_000, [0.752, 0.522]),
    ("16x16x40", 5_000, [0.705, 0.480]),
    ("30x16x99", 2_000, [0.192, 0.102]),
];

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for (board, _, papers) in BOARDS {
        for (start, paper) in STARTS.into_iter().zip(papers) {
            let setting = format!("{board} {}", start.name());
            let won = played.games(&setting, "tang").won();
            let target = Target::Reach { paper, games: UNSTATED };
            lines.push(Line::new(setting, "tang", "won", target, won));
        }
    }
    Reading::of("Logic, enumeration, then sampling", lines)
}
