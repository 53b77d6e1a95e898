//! Ramsdell's PGMS, as Peña Castillo and Wrobel compare with it.

use deminer_game::{At, Start};

use super::s002_play::PAPER;
use super::{Line, Played, Reading, Table, Target, Trial};

pub const TABLE: Table = Table {
    id: "s002-pgms",
    title: "PGMS: equations, differences and three rules",
    paper: Some(PAPER),
    about: "Ramsdell's player won 60 % of 10 000 games on 8x8 with 10 mines when the first probe \
            may be a mine, which is 71 % of the games that survive it. His page gives about 20 % \
            for expert boards, 26 % of those that survive the first probe.",
    trials: || {
        let trial = |board: &str, games| {
            Trial::new(board, &["pgms"], board, games).start(Start::Unsafe, At::Random)
        };
        vec![trial("8x8x10", 100_000), trial("30x16x99", 2_000)]
    },
    studies: super::no_studies,
    read,
    digest: None,
};

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    let paper = Target::AtLeast { paper: 0.60, least: 0.59 };
    // His page says "about" for expert boards, and no number of games.
    for (board, target, surviving) in
        [("8x8x10", paper, 0.71), ("30x16x99", Target::Beside { paper: 0.20 }, 0.26)]
    {
        let games = played.games(board, "pgms");
        lines.push(Line::new(board, "pgms", "won", target, games.won()));
        let won = |row: &crate::run::GameRow| {
            (row.opened > 0).then(|| f64::from(u8::from(row.outcome == deminer_game::Outcome::Won)))
        };
        let target = Target::Beside { paper: surviving };
        let survivors = games.mean(won);
        lines.push(Line::new(board, "pgms", "won, if the first survives", target, survivors));
    }
    Reading::of("PGMS", lines)
}
