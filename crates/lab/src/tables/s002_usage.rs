//! Peña Castillo and Wrobel: how often each learned rule is used.

use deminer_game::Start;

use super::s002_play::{PAPER, trial};
use super::{Line, Measured, Played, Reading, Table, Target};
use crate::stats;

pub const TABLE: Table = Table {
    id: "s002-usage",
    title: "How often each learned rule is used",
    paper: Some(PAPER),
    about: "Actions in 1000 games of the rule player on 8x8 with 10 mines, by the rule that gave \
            them. The paper counts one run of 1000 games; 15 % off is near enough, for the rare \
            rule S-3 anything between 40 and 90.",
    trials: || vec![trial("8x8x10", &["mio-rules"], 100_000, Start::Unsafe)],
    studies: super::no_studies,
    read,
    digest: None,
};

/// What the actions are called, by which reasons they are, and the paper's number of them in
/// 1000 games. Its first probe is a guess too.
const PROFILE: [(&str, &[&str], f64); 5] = [
    ("guesses", &["start", "blind guess"], 2762.0),
    ("S-1", &["S-1"], 169.0),
    ("S-2", &["S-2"], 10_285.0),
    ("S-3", &["S-3"], 54.0),
    ("M-1", &["M-1"], 2211.0),
];

fn read(played: &Played) -> Reading {
    let games = played.games("8x8x10", "mio-rules");
    let lines = PROFILE.into_iter().map(|(measure, names, paper)| {
        let uses: Vec<f64> = games
            .rows
            .iter()
            .map(|row| {
                let uses = row.measured.usage.iter();
                let own = uses.filter(|(rule, _)| names.contains(&rule.as_ref()));
                1000.0 * f64::from(own.map(|(_, count)| count).sum::<u32>())
            })
            .collect();
        let interval = stats::bootstrap(&uses);
        let value = uses.iter().sum::<f64>() / uses.len() as f64;
        let ours =
            Measured { value, low: interval.low, high: interval.high, games: uses.len() as u64 };
        let target = match measure {
            "S-3" => Target::Between { paper, low: 40.0, high: 90.0 },
            _ => Target::Within { paper, tolerance: 0.15 * paper },
        };
        Line::new("8x8x10", "mio-rules", measure, target, ours).in_numbers()
    });
    Reading { lines: lines.collect(), ..Reading::default() }
}
