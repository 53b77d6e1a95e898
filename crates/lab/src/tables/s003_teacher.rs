//! Tortay and Yurchenko: the simple solver that teaches their second network.

use super::line::UNSTATED;
use super::{Line, Played, Reading, Table, Target, Trial};

pub const PAPER: &str = "A. Tortay, O. Yurchenko, Minesweeper solver using NN, 2016";

pub const TABLE: Table = Table {
    id: "s003-teacher",
    title: "The simple solver behind MSLA",
    paper: Some(PAPER),
    about: "The paper says only that its teacher is a very simple solver that uses the \
            additivity of the numbers. Ours is the one of several readings that comes nearest: \
            flags by counting, then the perimeter cell whose highest ratio of missing mines to \
            covered cells is smallest. It must be as weak as theirs. Safe start in the corner.",
    trials: || BOARDS.iter().map(|&(board, _)| trial(board)).collect(),
    studies: super::no_studies,
    read,
    digest: None,
};

const BOARDS: [(&str, f64); 5] = [
    ("8x8x8", 0.335),
    ("8x8x10", 0.153),
    ("10x10x10", 0.40),
    ("16x16x20", 0.47),
    ("16x16x40", 0.0),
];

fn trial(board: &str) -> Trial {
    Trial::new(board, &["msla-teacher"], board, 10_000)
}

fn read(played: &Played) -> Reading {
    let line = |(board, paper): (&str, f64)| {
        let games = played.games(board, "msla-teacher");
        // No wins were seen: in so many games that says little, so chance gets half a point.
        let target = match paper {
            0.0 => Target::Within { paper, tolerance: 0.005 },
            _ => Target::Same { paper, games: UNSTATED },
        };
        Line::new(board, "msla-teacher", "won", target, games.won())
    };
    Reading::of("The simple solver behind MSLA", BOARDS.into_iter().map(line).collect())
}
