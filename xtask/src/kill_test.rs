//! The long form of the kill test: a million games, killed at random moments.

use anyhow::{Result, bail};

/// Plays a durable run of `--games N`, kills it `--kills N` times and compares its totals with
/// those of a tournament that was not interrupted.
pub fn run(options: &[&str]) -> Result<()> {
    let (mut games, mut kills) = (1_000_000, 10);
    let mut words = options.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--games" => games = crate::number(word, words.next(), 1)?,
            "--kills" => kills = crate::number(word, words.next(), 0)?,
            _ => {
                bail!(
                    "unknown option `{word}`; usage: cargo xtask kill-test [--games N] [--kills N]"
                )
            }
        }
    }
    let test = ["test", "--release", "--locked", "-p", "deminer-cli", "--test", "kill"];
    let output = ["--", "--nocapture"];
    let (games, kills) = (games.to_string(), kills.to_string());
    let environment = [("DEMINER_KILL_GAMES", games.as_str()), ("DEMINER_KILLS", kills.as_str())];
    crate::cargo(&[&test[..], &output].concat(), &environment)
}
