//! deminer's own chores. `cargo xtask test` checks everything there is to check;
//! `cargo xtask corpus` makes the positions on which the exact engine is measured;
//! `cargo xtask filter` mines the templates of the agent `filter`;
//! `cargo xtask outlook` fits the weights by which the agent `best` estimates its wins;
//! `cargo xtask duel` holds settings of that agent against each other;
//! `cargo xtask kill-test` kills a durable run again and again;
//! `cargo xtask zini` compares ZiNi and other measures of boards with ms_toollib;
//! `cargo xtask replays` tries the readers on a folder of replays;
//! `cargo xtask load` measures the server under many clients, `cargo xtask repaint` the board.

mod corpus;
mod duel;
mod filter;
mod kill_test;
mod licenses;
mod outlook;
mod page;
mod replays;
mod survivor;
mod zini;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};

/// A check by name.
struct Check {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result<()>,
}

const CHECKS: &[Check] = &[
    Check {
        name: "fmt",
        about: "the sources are formatted",
        run: || cargo(&["fmt", "--all", "--", "--check"], &[]),
    },
    Check {
        name: "clippy",
        about: "clippy finds nothing, in the lab without networks either",
        run: || {
            let lint = |chosen: &[&str]| {
                let rest = ["--locked", "--", "-D", "warnings"];
                cargo(&[&["clippy"], chosen, &rest].concat(), &[])
            };
            lint(&["--workspace", "--all-targets"])?;
            lint(&["--package", "deminer-lab", "--no-default-features"])
        },
    },
    Check {
        name: "rust",
        about: "unit, property, contract, documentation and command-line tests",
        run: || cargo(&["test", "--workspace", "--locked"], &[]),
    },
    Check {
        name: "docs",
        about: "the documentation builds without warnings",
        run: || {
            let docs = ["doc", "--workspace", "--no-deps", "--document-private-items", "--locked"];
            cargo(&docs, &[("RUSTDOCFLAGS", "-D warnings")])
        },
    },
    Check {
        name: "corpus",
        about: "boards/corpus is what `cargo xtask corpus` writes",
        run: || corpus::run(&["--check"]),
    },
    Check {
        name: "licenses",
        about: "every dependency has a license that ours allows",
        run: licenses::check,
    },
    Check {
        name: "page",
        about: "the page: types, unit tests, its bundle, its rooms in Chromium on the server",
        run: page::check,
    },
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test", chosen @ ..] => test(chosen),
        ["corpus", options @ ..] => corpus::run(options),
        ["filter", options @ ..] => filter::run(options),
        ["outlook", options @ ..] => outlook::run(options),
        ["duel", options @ ..] => duel::run(options),
        ["kill-test", options @ ..] => kill_test::run(options),
        ["zini", options @ ..] => zini::run(options),
        ["replays", options @ ..] => replays::run(options),
        ["load", options @ ..] => load(options),
        ["repaint"] => page::repaint(),
        ["repaint", option, ..] => Err(anyhow!("repaint takes no `{option}`")),
        [] | ["help" | "--help" | "-h", ..] => {
            print!("{}", usage());
            Ok(())
        }
        [unknown, ..] => Err(anyhow!("there is no chore `{unknown}`\n\n{}", usage())),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let mut text = "\
usage: cargo xtask corpus [--check]
       cargo xtask filter [--windows N] [--seed N] [--check]
       cargo xtask outlook [GAMES]
       cargo xtask duel [--board BOARD] [--open] [--games N] [--seed N] SETTINGS…
       cargo xtask kill-test [--games N] [--kills N]
       cargo xtask zini [--boards N | --golden]
       cargo xtask replays [--coach PROGRAM] FOLDER
       cargo xtask load [CLIENTS] [REQUESTS]
       cargo xtask repaint
       cargo xtask test [CHECK…]

corpus writes boards/corpus/positions.txt, or checks that it is up to date.
filter mines the templates of the agent `filter` and prints them, or checks them.
outlook plays games and prints the weights by which the agent `best` estimates its wins.
duel plays the same boards with several settings of `best` and prints how they differ.
kill-test kills a durable run of 1000000 games 10 times and compares its totals.
zini compares 3BV, openings, islands and ZiNi of 3 x 1000 boards with ms_toollib (Python), or
prints the numbers that crates/game/tests/zini.txt keeps.
replays opens every file of a folder, exports it to RawVF and back, and damages it in many ways.
load prints how long analyses take many clients (16, each 200 requests) of the web server.
repaint prints how long a board of 100x100 takes to repaint in Chromium.
test runs all checks, or those named:
"
    .to_owned();
    for check in CHECKS {
        text += &format!("  {:<10} {}\n", check.name, check.about);
    }
    text
}

fn test(chosen: &[&str]) -> Result<()> {
    if let Some(unknown) =
        chosen.iter().find(|name| CHECKS.iter().all(|check| check.name != **name))
    {
        bail!("there is no check `{unknown}`\n\n{}", usage());
    }
    let start = Instant::now();
    for check in CHECKS.iter().filter(|check| chosen.is_empty() || chosen.contains(&check.name)) {
        println!("== {}: {}", check.name, check.about);
        (check.run)().with_context(|| format!("{} failed", check.name))?;
    }
    println!("== all checks passed in {} s", start.elapsed().as_secs());
    Ok(())
}

/// Many clients of the web server at once.
fn load(options: &[&str]) -> Result<()> {
    let example = ["run", "--release", "--locked", "-p", "deminer-web", "--example", "load", "--"];
    cargo(&[&example[..], options].concat(), &[])
}

/// The number that an argument was given as.
fn number(argument: &str, word: Option<&str>, least: u64) -> Result<u64> {
    let word = word.with_context(|| format!("{argument} lacks its number"))?;
    let fits = word.parse().ok().filter(|&number| number >= least);
    fits.with_context(|| format!("{argument} is a whole number from {least} on, not `{word}`"))
}

/// Runs cargo in the workspace.
fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> Result<()> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root()).args(arguments).envs(environment.iter().copied());
    let status = command.status().context("cargo does not start")?;
    if !status.success() {
        bail!("cargo {} ended with {status}", arguments.join(" "));
    }
    Ok(())
}

/// The workspace's folder.
fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().expect("xtask lies in the workspace").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_none_are_told() {
        let told = |word| number("--games", word, 1).map_err(|error| error.to_string());
        assert_eq!(told(Some("12")), Ok(12));
        assert_eq!(told(None), Err("--games lacks its number".to_owned()));
        for word in ["many", "-3", "0", "1e6", ""] {
            let error = format!("--games is a whole number from 1 on, not `{word}`");
            assert_eq!(told(Some(word)), Err(error));
        }
    }
}
