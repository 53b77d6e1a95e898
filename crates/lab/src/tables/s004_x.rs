//! What each improvement of the genetic algorithm is worth.

use deminer_game::{At, Start};

use super::s004_t2::PAPER;
use super::{Line, Played, Reading, Table, Target, Trial};
use crate::stats;

pub const TABLE: Table = Table {
    id: "s004-x",
    title: "ga+, one improvement less at a time",
    paper: Some(PAPER),
    about: "The authors wish for a fitness that knows the problem, for repair operators, and \
            blame the shape of the frontier for what crossover does; their split frontier shows \
            that pools need whole individuals. `ga+` does it all; each row of 16x16x40 leaves one \
            thing out, on the same boards. Asked of the whole: 80, 60 and 20 % on the three \
            boards with a safe start at a random cell.",
    trials: || {
        let plan = |board: &str, agents: &[&str], games| {
            Trial::new(board, agents, board, games).start(Start::Safe, At::Random).measuring(&[])
        };
        vec![
            plan("9x9x10", &[WHOLE, "ga"], 1000),
            plan("16x16x40", &AGENTS, 200),
            plan("30x16x99", &[WHOLE], 400),
        ]
    },
    studies: super::no_studies,
    read,
    digest: None,
};

const WHOLE: &str = "ga+";

const AGENTS: [&str; 12] = [
    "ga",
    "ga:pool=best",
    WHOLE,
    "ga+:without=patterns",
    "ga+:without=split",
    "ga+:without=repair",
    "ga+:without=weights",
    "ga+:without=patch",
    "ga+:without=population",
    "ga+:without=honest",
    "ga+:without=total",
    "ga+:without=challenge",
];

const ASKED: [(&str, f64); 3] = [("9x9x10", 0.8), ("16x16x40", 0.6), ("30x16x99", 0.2)];

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for (trial, games) in played.all() {
        let asked = ASKED.iter().find(|(board, _)| *board == trial.name);
        let target = match asked {
            Some(&(_, least)) if games.agent == WHOLE => Target::Outdo { other: least },
            _ => Target::None,
        };
        lines.push(Line::new(&trial.name, &games.agent, "won", target, games.won()));
    }
    let mut reading = Reading::of("ga+, one improvement less at a time", lines);
    let whole = played.games("16x16x40", WHOLE);
    let mut note = "Against the whole, in points won on the same boards of 16x16x40, with 95 % \
                    bootstrap intervals, and CPU seconds a game:\n\n"
        .to_owned();
    for agent in AGENTS {
        let own = played.games("16x16x40", agent);
        let weights = own.rows.iter().zip(whole.rows);
        let differences: Vec<f64> = weights.map(|(own, whole)| own.weight - whole.weight).collect();
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        let interval = stats::bootstrap(&differences);
        note += &format!(
            "- `{agent}`: {:+.1} ({:+.1} to {:+.1}), {:.3} s\n",
            100.0 * mean,
            100.0 * interval.low,
            100.0 * interval.high,
            own.seconds()
        );
    }
    let expert = played.games("30x16x99", WHOLE).seconds();
    note += &format!("\nOn 30x16x99 `ga+` takes {expert:.3} CPU seconds a game.");
    reading.notes.push(note);
    reading
}
