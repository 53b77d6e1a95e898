//! Peña Castillo and Wrobel: games won by the learned rules.

use deminer_game::{At, Start};

use super::{Line, Played, Reading, Table, Target, Trial};
use crate::measure::Measure;

pub const PAPER: &str =
    "L. Peña Castillo, S. Wrobel, Learning Minesweeper with Multirelational Learning, 2003";

pub const TABLE: Table = Table {
    id: "s002-play",
    title: "The learned rules at play, 8x8 with 10 mines",
    paper: Some(PAPER),
    about: "The first probe is random and may be a mine. The paper's rule player guesses at \
            random where no rule fires (52 % of 1000 games), with its probability heuristic it \
            won 57.9 % of 1000 and 60 % of 10 000 games; eleven people won 35 ± 8 %. The rules \
            do not ask for the size of the board, so larger ones are shown too.",
    trials: || {
        let paper = trial("8x8x10", AGENTS, 100_000, Start::Unsafe);
        let nine = trial("9x9x10", AGENTS, 20_000, Start::Safe);
        let larger = [("16x16x40", 5_000), ("30x16x99", 2_000)];
        let larger = larger.map(|(board, games)| trial(board, QUICK, games, Start::Safe));
        [paper, nine].into_iter().chain(larger).collect()
    },
    studies: super::no_studies,
    read,
    digest: None,
};

pub(super) fn trial(board: &str, agents: &[&str], games: u64, start: Start) -> Trial {
    Trial::new(board, agents, board, games)
        .start(start, At::Random)
        .measuring(&[Measure::Unneeded, Measure::Usage])
}

const AGENTS: &[&str] = &["mio-rules", "mio-rules+prob", "pgms", "lowest-risk"];

/// Those that are quick on large boards too.
const QUICK: &[&str] = &["mio-rules", "mio-rules+prob", "lowest-risk"];

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for (trial, games) in played.all() {
        let target = match (trial.name.as_str(), games.agent.as_str()) {
            ("8x8x10", "mio-rules") => Target::AtLeast { paper: 0.52, least: 0.515 },
            ("8x8x10", "mio-rules+prob") => Target::AtLeast { paper: 0.60, least: 0.59 },
            ("8x8x10", "pgms") => Target::AtLeast { paper: 0.60, least: 0.59 },
            _ => Target::None,
        };
        lines.push(Line::new(&trial.name, &games.agent, "won", target, games.won()));
    }
    let mut reading = Reading::of("The learned rules at play", lines);
    reading.notes.push(
        "Eleven people of the paper won 35 ± 8 % of their games on 8x8 with 10 mines, the first \
         click included."
            .into(),
    );
    reading
}
