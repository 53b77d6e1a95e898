//! Tortay and Yurchenko's column of Pedersen: limited search and estimates.

use deminer_game::{At, Start};

use super::s003_teacher::PAPER;
use super::{Line, Played, Reading, Table, Target, Trial};

pub const TABLE: Table = Table {
    id: "s003-pedersen",
    title: "Pedersen: limited search with probability estimates",
    paper: Some(PAPER),
    about: "Pedersen's thesis is quoted with 92.5 % for beginners, 67.7 % on 16x16 with 40 mines \
            and 25 % for experts, without its start rule. 92.5 % is more than the best player \
            known wins on 8x8 with 10 mines under any start rule (81.8 % safe, 90.3 % open) and \
            on 9x9 with 10 mines under a safe start (91.7 %), so it belongs to another board or \
            rule: every cell below says what is won there.",
    trials: || {
        let small = ["8x8x8", "8x8x10", "9x9x10"].into_iter();
        let small = small.flat_map(|board| Start::ALL.map(|start| trial(board, start, 10_000)));
        let large = [("16x16x40", 10_000), ("30x16x99", 5_000)];
        let large = large.map(|(board, games)| trial(board, Start::Safe, games));
        small.chain(large).collect()
    },
    studies: super::no_studies,
    read,
    digest: None,
};

fn name(board: &str, start: Start) -> String {
    format!("{board} {}", start.name())
}

fn trial(board: &str, start: Start, games: u64) -> Trial {
    Trial::new(name(board, start), &["pedersen"], board, games).start(start, At::Corner)
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    let mut notes = Vec::new();
    for (trial, games) in played.all() {
        let won = games.won();
        let target = match trial.name.as_str() {
            "16x16x40 safe" => Target::AtLeast { paper: 0.677, least: 0.677 },
            "30x16x99 safe" => Target::AtLeast { paper: 0.25, least: 0.25 },
            _ => Target::Beside { paper: 0.925 },
        };
        if let Target::Beside { paper } = target {
            let can = if won.high >= paper { "is reached" } else { "is not reached" };
            notes.push(format!("- {}: 92.5 % {can} ({:.2} %).", trial.name, 100.0 * won.value));
        }
        lines.push(Line::new(&trial.name, "pedersen", "won", target, won));
    }
    let mut reading = Reading::of("Pedersen", lines);
    reading.notes.push(notes.join("\n"));
    reading
}
