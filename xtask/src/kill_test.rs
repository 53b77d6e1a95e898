//! The long form of the kill test: millions of games, killed at random moments.

use anyhow::{Context, Result, bail};

/// `--games N --kills N`: plays so many games and kills the run so often, then compares the
/// totals with those of an undisturbed tournament.
pub fn run(options: &[&str]) -> Result<()> {
    let (mut games, mut kills) = ("1000000", "10");
    for option in options.chunks(2) {
        match *option {
            ["--games", number] => games = number,
            ["--kills", number] => kills = number,
            _ => bail!("`{}` is not `--games N` or `--kills N`", option.join(" ")),
        }
        option[1].parse::<u64>().with_context(|| format!("{}: not a number", option.join(" ")))?;
    }
    let test = ["test", "--release", "--locked", "-p", "deminer-cli", "--test", "kill"];
    let loudly = ["--", "--nocapture"];
    let environment = [("DEMINER_KILL_GAMES", games), ("DEMINER_KILLS", kills)];
    crate::cargo(&[&test[..], &loudly].concat(), &environment)
}
