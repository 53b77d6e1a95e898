//! The long form of the kill test: millions of games, killed at random moments.

use anyhow::{Result, bail};

/// `--games N --kills N`: plays so many games and kills the run so often, then compares the
/// totals with those of an undisturbed tournament.
pub fn run(options: &[&str]) -> Result<()> {
    let (mut games, mut kills) = (1_000_000, 10);
    let mut words = options.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--games" => games = crate::number(word, words.next(), 1)?,
            "--kills" => kills = crate::number(word, words.next(), 0)?,
            _ => {
                bail!("`{word}` is no option; usage: cargo xtask kill-test [--games N] [--kills N]")
            }
        }
    }
    let test = ["test", "--release", "--locked", "-p", "deminer-cli", "--test", "kill"];
    let loudly = ["--", "--nocapture"];
    let (games, kills) = (games.to_string(), kills.to_string());
    let environment = [("DEMINER_KILL_GAMES", games.as_str()), ("DEMINER_KILLS", kills.as_str())];
    crate::cargo(&[&test[..], &loudly].concat(), &environment)
}
