//! Lubarski, Samujło and Wszeborowski, Table 1: linear equations without a guess.

use deminer_game::{At, Outcome, Start};

use super::line::UNSTATED;
use super::{Line, Played, Reading, Table, Target, Trial};

pub const PAPER: &str =
    "K. Lubarski, B. Samujło, K. Wszeborowski, Neural Networks in solving Minesweeper";

pub const TABLE: Table = Table {
    id: "s000-t1",
    title: "Linear equations, no guess",
    paper: Some(PAPER),
    about: "The system of equations of all clues is reduced, and a cell is opened when every \
            solution makes it safe; a game in which none is left undecided. The paper's player \
            never loses, and decides as many games as its reading of \"solution\" allows: values \
            unique over the real numbers. With the bounds 0 and 1 kept in mind (`rows=bounds`) \
            the same equations decide far more.",
    trials: || BOARDS.iter().map(|&(board, _)| trial(board, AGENTS)).collect(),
    studies: super::no_studies,
    read,
    digest: None,
};

const AGENTS: &[&str] = &["gauss-csp", "gauss-csp:rows=bounds", "single-point"];

/// Boards, and the paper's wins.
const BOARDS: [(&str, f64); 3] = [("7x7x7", 0.127), ("10x10x10", 0.339), ("20x20x20", 0.922)];

/// Games of a table: the first cell is random and opens.
pub(super) fn trial(board: &str, agents: &[&str]) -> Trial {
    Trial::new(board, agents, board, 10_000).start(Start::Open, At::Random)
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for (board, paper) in BOARDS {
        let games = played.games(board, "gauss-csp");
        let wins = Target::Same { paper, games: UNSTATED };
        lines.push(Line::new(board, &games.agent, "won", wins, games.won()));
        let lost = games.share(|row| row.outcome == Outcome::Lost);
        let never = Target::Within { paper: 0.0, tolerance: 0.0 };
        lines.push(Line::new(board, &games.agent, "lost", never, lost));
        for other in &AGENTS[1..] {
            let games = played.games(board, other);
            lines.push(Line::new(board, *other, "won", Target::None, games.won()));
        }
    }
    Reading::of("Linear equations, no guess", lines)
}
