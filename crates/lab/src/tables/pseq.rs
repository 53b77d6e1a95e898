//! Tu's PSEQ: successive filters on exact probabilities, with and without the endgame search.

use super::{Line, Played, Reading, Table, Target, Trial};

pub const TABLE: Table = Table {
    id: "pseq",
    title: "PSEQ and D256, the best known rates",
    paper: Some(
        "J. Tu, T. Li, S. Chen, C. Zu, Z. Gu, Exploring Efficient Strategies for Minesweeper, 2017",
    ),
    about: "Tu's public solver, from ten to a hundred million games, safe start in the corner: \
            the smallest risk, then the best chance of a safe cell next, then the most of them, \
            then the most information; D256 searches to the end once 256 layouts are left. Half \
            a point below is near enough.",
    trials: || {
        let trial = |&(board, games, ..): &(&str, u64, f64, f64)| {
            Trial::new(board, &["pseq", "pseq:d=0", "lowest-risk"], board, games)
        };
        BOARDS.iter().map(trial).collect()
    },
    studies: super::no_studies,
    read,
    digest: None,
};

/// Boards, our games, and the rates of D256 and of PSEQ alone.
const BOARDS: [(&str, u64, f64, f64); 4] = [
    ("8x8x10", 100_000, 0.8177, 0.8164),
    ("9x9x10", 100_000, 0.9169, 0.9168),
    ("16x16x40", 50_000, 0.7823, 0.7812),
    ("30x16x99", 40_000, 0.4004, 0.3961),
];

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for (board, _, with_search, alone) in BOARDS {
        for (agent, paper) in [("pseq", with_search), ("pseq:d=0", alone)] {
            let target = Target::AtLeast { paper, least: paper - 0.005 };
            let won = played.games(board, agent).won();
            lines.push(Line::new(board, agent, "won", target, won));
        }
        let plain = played.games(board, "lowest-risk").won();
        lines.push(Line::new(board, "lowest-risk", "won", Target::None, plain));
    }
    Reading::of("PSEQ and D256", lines)
}
