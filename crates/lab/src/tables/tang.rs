//! Tang and coauthors: logic, enumeration and sampling.

use deminer_game::{At, Outcome, Start};

use super::{Line, Played, Reading, Table, Target, Trial};

pub const TABLE: Table = Table {
    id: "tang",
    title: "Logic, enumeration, then sampling",
    paper: Some(
        "Y. Tang, T. Jiang, Y. Hu, A Minesweeper Solver Using Logic Inference, CSP and Sampling, 2018",
    ),
    about: "The authors' rates with a safe first click and with one that may be a mine, from \
            10 000, 10 000 and 1000 games that begin in the corner; their beginner board is 8x8. \
            The stored version of their program divides wins by the games that outlive both the \
            corner and its first own move, which would explain why their two columns are further \
            apart than a safe first cell can bring them; so that share is shown too.",
    trials: || {
        let starts = |&(board, ..): &(&str, u64, _)| {
            STARTS.map(|start| {
                let name = format!("{board} {}", start.name());
                Trial::new(name, &["tang"], board, GAMES).start(start, At::Corner)
            })
        };
        BOARDS.iter().flat_map(starts).collect()
    },
    studies: super::no_studies,
    read,
    digest: None,
};

const STARTS: [Start; 2] = [Start::Safe, Start::Unsafe];

/// Boards, the authors' games, and their rates with a safe and an unsafe start.
const BOARDS: [(&str, u64, [f64; 2]); 3] = [
    ("8x8x10", 10_000, [0.7523, 0.5222]),
    ("16x16x40", 10_000, [0.7054, 0.4803]),
    ("30x16x99", 1_000, [0.192, 0.102]),
];

/// Ours.
const GAMES: u64 = 10_000;

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for (board, theirs, papers) in BOARDS {
        for (start, paper) in STARTS.into_iter().zip(papers) {
            let setting = format!("{board} {}", start.name());
            let games = played.games(&setting, "tang");
            let target = Target::Reach { paper, games: theirs };
            lines.push(Line::new(&setting, "tang", "won", target, games.won()));
            let outlived = games.mean(|row| {
                let won = row.outcome == Outcome::Won;
                (won || row.survived >= 1).then(|| f64::from(u8::from(won)))
            });
            let measure = "won, if the first own move survives";
            lines.push(Line::new(setting, "tang", measure, Target::Beside { paper }, outlived));
        }
    }
    Reading::of("Logic, enumeration, then sampling", lines)
}
