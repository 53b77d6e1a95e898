//! The long form of the kill tests.

use anyhow::{Result, bail};

/// Plays a durable run of `--games N`, kills it `--kills N` times and compares its totals with
/// those of a tournament that was not interrupted. With `--points N`, kills small runs, trainings
/// and servers instead, each kind at N random moments.
pub fn run(options: &[&str]) -> Result<()> {
    let (mut games, mut kills, mut points) = (1_000_000, 10, None);
    let mut words = options.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--games" => games = crate::number(word, words.next(), 1)?,
            "--kills" => kills = crate::number(word, words.next(), 0)?,
            "--points" => points = Some(crate::number(word, words.next(), 1)?),
            _ => bail!(
                "unknown option `{word}`; usage: cargo xtask kill-test [--games N] [--kills N] | \
                 kill-test --points N"
            ),
        }
    }
    let test = ["test", "--release", "--locked", "-p", "deminer-cli", "--test", "kill", "--"];
    let output = ["--nocapture", "--test-threads=1"];
    let (games, kills) = (games.to_string(), kills.to_string());
    let points = points.map(|points| points.to_string());
    let (name, environment) = match &points {
        None => {
            ("again_and_again", vec![("DEMINER_KILL_GAMES", &*games), ("DEMINER_KILLS", &kills)])
        }
        Some(points) => ("killed_anywhere", vec![("DEMINER_KILL_POINTS", &**points)]),
    };
    crate::cargo(&[&test[..], &output, &[name]].concat(), &environment)
}
