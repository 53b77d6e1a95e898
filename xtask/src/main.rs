//! deminer's own chores: `cargo xtask --help` lists them.

mod against;
#[cfg(feature = "engine")]
mod bench_all;
#[cfg(feature = "bindgen")]
mod bindgen;
#[cfg(feature = "engine")]
mod book;
#[cfg(feature = "engine")]
mod corpus;
mod dependencies;
#[cfg(feature = "engine")]
mod duel;
#[cfg(feature = "engine")]
mod filter;
mod fuzz;
#[cfg(feature = "engine")]
mod icons;
mod kill_test;
#[cfg(feature = "engine")]
mod outlook;
mod page;
mod python;
mod release;
#[cfg(feature = "engine")]
mod replays;
#[cfg(feature = "engine")]
mod rollouts;
mod spelling;
#[cfg(feature = "engine")]
mod survivor;
mod wasm;
#[cfg(feature = "engine")]
mod zini;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail, ensure};

/// One check of `cargo xtask test`.
struct Check {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result<()>,
}

const FORMAT: Check = Check {
    name: "fmt",
    about: "the sources are formatted",
    run: || cargo(&["fmt", "--all", "--", "--check"], &[]),
};

/// All checks, in the order in which they run.
const CHECKS: &[Check] = &[
    FORMAT,
    Check {
        name: "clippy",
        about: "no warnings, nor in the crate `deminer` without its features",
        run: || {
            clippy()?;
            lint(&["--package", "deminer", "--no-default-features"])
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
    Check { name: "fuzz", about: "the fuzz targets compile", run: fuzz::check },
    Check { name: "spelling", about: "no misspelled words", run: spelling::check },
    Check {
        name: "dependencies",
        about: "their licenses, duplicates and sources, where cargo-deny is installed",
        run: dependencies::check,
    },
    Check {
        name: "packages",
        about: "the published crates: packed, and their examples run from an empty project",
        run: release::check_packages,
    },
    Check { name: "light", about: "the crate `deminer` alone needs few crates", run: light },
    Check {
        name: "wasm",
        about: "the npm package: engine of these sources, types, conformance in Node",
        run: wasm::check,
    },
    Check {
        name: "python",
        about: "the Python package: its wheel, tests, examples and types",
        run: python::check,
    },
    Check { name: PAGE, about: "the page: types, unit tests, committed bundle", run: page::check },
    Check {
        name: "browser",
        about: "the page in Chromium, on a server of its own",
        run: page::check_in_browser,
    },
];

/// This check needs no cargo, so it runs in the background while the others compile.
const PAGE: &str = "page";

/// What `cargo xtask test quick` runs.
const QUICK: &[Check] = &[
    FORMAT,
    Check { name: "clippy", about: "no warnings", run: clippy },
    Check { name: "rust", about: "unit tests but the slow ones", run: quick_tests },
    Check {
        name: "page-tests",
        about: "types and unit tests of the page, if installed",
        run: page::check_quick,
    },
];

/// Unit tests that take five seconds or more; `cargo xtask test quick` skips them.
const SLOW: &[&str] = &[
    "every_move_wins_what_trying_everything_wins",
    "every_rule_is_sound",
    "every_table_shows_its_rows",
    "every_turn_is_a_frame_and_the_end_stays_longest",
    "no_changed_byte_and_no_cut_passes",
    "several_at_once_share_the_work",
    "the_corpus_is_what_its_command_writes",
    "the_shipped_theory_decides_like_the_published_rules",
    "weighted_and_plain_games_agree",
];

fn clippy() -> Result<()> {
    lint(&["--workspace", "--all-targets"])
}

fn lint(packages: &[&str]) -> Result<()> {
    let rest = ["--locked", "--", "-D", "warnings"];
    cargo(&[&["clippy"], packages, &rest].concat(), &[])
}

/// Without its features, the crate `deminer` builds with fewer crates than this, itself included.
const LIGHT: usize = 25;

fn light() -> Result<()> {
    let tree = ["tree", "--locked", "--package", "deminer", "--no-default-features"];
    let tree = [&tree[..], &["--edges", "normal,build", "--prefix", "none"]].concat();
    let tree = page::output("cargo", &tree).context("cargo tree failed")?;
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    let crates: BTreeSet<&str> = names.collect();
    println!("{} crates", crates.len());
    ensure!((4..LIGHT).contains(&crates.len()), "{} are too many: {crates:?}", crates.len());
    Ok(())
}

fn quick_tests() -> Result<()> {
    let mut words = vec!["test", "--workspace", "--locked", "--lib", "--bins", "--quiet", "--"];
    words.extend(SLOW.iter().flat_map(|name| ["--skip", name]));
    cargo(&words, &[])
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match (std::env::var_os(python::REAL_CARGO), words.as_slice()) {
        (Some(cargo), words) => python::shared_build(&cargo, words),
        (None, words) => chore(words),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Does what the words ask for.
fn chore(words: &[&str]) -> Result<()> {
    match words {
        ["test", "quick"] => run_checks(&QUICK.iter().collect::<Vec<_>>()),
        ["test", "ray"] => python::check_ray(),
        ["test", chosen @ ..] => test(chosen),
        ["against", options @ ..] => against::run(options),
        ["gradients"] => gradients(),
        #[cfg(feature = "bindgen")]
        ["bindgen", options @ ..] => bindgen::run(options),
        [chore, options @ ..] if ENGINE.contains(chore) => with_engine(chore, options),
        ["fuzz", options @ ..] => fuzz::run(options),
        ["oracle", options @ ..] => {
            boards(options, "--boards", "DEMINER_BOARDS", &["--lib", "agrees_with_the_oracle"])
        }
        ["proofs", options @ ..] => {
            boards(options, "--positions", "DEMINER_POSITIONS", &["--test", "proofs"])
        }
        ["kill-test", options @ ..] => kill_test::run(options),
        ["dist", options @ ..] => release::dist(options),
        ["publish", options @ ..] => release::publish(options),
        ["version", options @ ..] => release::version(options),
        ["wasm", options @ ..] => wasm::run(options),
        ["load", options @ ..] => load(options),
        ["site", options @ ..] => site(options),
        ["repaint"] => page::repaint(),
        [chore @ ("gradients" | "repaint"), option, ..] => {
            Err(anyhow!("{chore} takes no `{option}`"))
        }
        [] | ["help" | "--help" | "-h", ..] => {
            print!("{}", usage());
            Ok(())
        }
        [unknown, ..] => Err(anyhow!("there is no chore `{unknown}`\n\n{}", usage())),
    }
}

/// The chores that need the engine.
const ENGINE: &[&str] = &[
    "bench-all",
    "book",
    "corpus",
    "duel",
    "filter",
    "icons",
    "outlook",
    "replays",
    "rollouts",
    "zini",
];

#[cfg(feature = "engine")]
fn with_engine(chore: &str, options: &[&str]) -> Result<()> {
    match chore {
        "bench-all" => bench_all::run(options),
        "book" => book::run(options),
        "corpus" => corpus::run(options),
        "duel" => duel::run(options),
        "filter" => filter::run(options),
        "icons" => icons::run(options),
        "outlook" => outlook::run(options),
        "rollouts" => rollouts::run(options),
        "replays" => replays::run(options),
        _ => zini::run(options),
    }
}

/// Starts the program that has the engine.
#[cfg(not(feature = "engine"))]
fn with_engine(chore: &str, options: &[&str]) -> Result<()> {
    let run = ["run", "--quiet", "--locked", "--package", "xtask", "--", chore];
    cargo(&[&run[..], options].concat(), &[])
}

fn usage() -> String {
    let list = |checks: &[Check]| -> String {
        let line = |check: &Check| format!("  {:<11} {}\n", check.name, check.about);
        checks.iter().map(line).collect()
    };
    format!("{USAGE}{}\n`cargo xtask test quick` runs:\n{}", list(CHECKS), list(QUICK))
}

const USAGE: &str = "\
usage: cargo xtask test [quick | ray | CHECK…]
       cargo xtask against COMMIT [--rounds N]
       cargo xtask bench-all [--quick] [--out DIR]
       cargo xtask book [DIR]
       cargo xtask corpus [--check]
       cargo xtask dist [DIR]
       cargo xtask duel [OPTIONS] SETTINGS…
       cargo xtask filter [--windows N] [--seed N] [--check]
       cargo xtask fuzz [--minutes N] [--target NAME]
       cargo xtask gradients
       cargo xtask icons [--check]
       cargo xtask kill-test [--games N] [--kills N] | kill-test --points N
       cargo xtask load [CLIENTS] [REQUESTS] | load --minutes N
       cargo xtask oracle [--boards N]
       cargo xtask outlook [GAMES]
       cargo xtask proofs [--positions N]
       cargo xtask publish [--dry-run]
       cargo xtask repaint
       cargo xtask replays [--coach PROGRAM] FOLDER
       cargo xtask rollouts [OPTIONS]
       cargo xtask site [--force] DIR
       cargo xtask version [VERSION]
       cargo xtask wasm [--ratios]
       cargo xtask zini [--boards N | --golden]

test       runs all checks, the quick ones, or those named (see below); `ray` plays durable runs on
           two local Ray nodes and kills them
against    builds the program of a commit beside this one, plays the same games with both in turn,
           and prints the CPU time of each and their ratio
bench-all  runs every benchmark and writes results/speed, or DIR: games a second, odds beside other
           engines, Python, WebAssembly, networks; --quick measures less and leaves out what takes
           minutes to build
book       writes what is generated in docs/book, and the guide as HTML to target/book or DIR
corpus     writes boards/corpus/positions.txt, or checks that it is up to date
dist       writes an archive of the program for this platform into target/archives or DIR: manual
           pages, completions and a checksum with it
duel       plays the same boards with several settings of `best` and compares the win rates
filter     finds the templates of the agent `filter` and prints or checks them
fuzz       runs the fuzz targets, a minute each unless given, and prints executions and coverage;
           a failing input is made small (needs nightly and cargo-fuzz)
gradients  writes crates/neural/tests/gradients.txt with a tensor library (slow to build)
icons      draws the icons of the page, or checks that they are up to date
kill-test  kills a durable run of 1000000 games 10 times and compares its totals; with --points,
           kills runs, trainings and servers, each at N random moments
load       measures how long analyses take when many clients ask the web server at once
           (16 clients with 200 requests each, unless given); with --minutes, among slow and
           hostile clients
oracle     compares the engine with brute force and with big integers (1000000 boards unless given)
outlook    plays games and prints the weights with which `best` estimates win chances
proofs     checks explanations and conflicts with code of its own (100000 positions unless given)
publish    publishes the crates, or with --dry-run tries all but the upload
repaint    measures how long a board of 100x100 takes to repaint in Chromium
replays    reads every file of a folder, converts it to RawVF and back, and damages it in many ways
rollouts   plays close guesses of `best` to the end and shows which traits of a cell it misjudges
site       builds deminer and writes page and guide as plain files for a static host
version    prints the version if all files have the same, or writes a new one everywhere
wasm       builds the WebAssembly engine into npm/wasm, or prints how much slower than native
           code it is
zini       compares 3BV, openings, islands and ZiNi of 3 x 1000 boards with ms_toollib (Python),
           or prints the numbers for crates/game/tests/zini.txt

`cargo xtask test` runs:
";

fn test(chosen: &[&str]) -> Result<()> {
    let named = |check: &&Check| chosen.is_empty() || chosen.contains(&check.name);
    if let Some(unknown) =
        chosen.iter().find(|name| CHECKS.iter().all(|check| check.name != **name))
    {
        bail!("there is no check `{unknown}`\n\n{}", usage());
    }
    run_checks(&CHECKS.iter().filter(named).collect::<Vec<_>>())
}

/// Runs checks one after another and prints how long each took.
fn run_checks(checks: &[&Check]) -> Result<()> {
    let start = Instant::now();
    // Alone it prints as it goes.
    let background = checks.len() > 1 && checks.iter().any(|check| check.name == PAGE);
    let mut page = background.then(Background::start).transpose()?;
    let mut times = String::new();
    for check in checks {
        println!("== {}: {}", check.name, check.about);
        let start = Instant::now();
        let done = match page.take_if(|_| check.name == PAGE) {
            Some(page) => page.finish(),
            None => (check.run)(),
        };
        done.with_context(|| format!("{} failed", check.name))?;
        times += &format!("{:>6} s  {}\n", start.elapsed().as_secs(), check.name);
    }
    println!("== all checks passed in {} s\n{times}", start.elapsed().as_secs());
    Ok(())
}

/// The check of the page in a process of its own, whose output goes to a file.
struct Background {
    process: Child,
    log: PathBuf,
}

impl Background {
    fn start() -> Result<Self> {
        let log = page::target().join("xtask-page.log");
        let file = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        let process = Command::new(std::env::current_exe()?)
            .args(["test", PAGE])
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file)
            .spawn()?;
        Ok(Self { process, log })
    }

    /// Waits for the end and prints the output.
    fn finish(mut self) -> Result<()> {
        let status = self.process.wait()?;
        print!("{}", fs::read_to_string(&self.log)?);
        ensure!(status.success(), "it ended with {status}");
        Ok(())
    }
}

/// If another check fails, this one ends too.
impl Drop for Background {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Asks the tensor library for the gradients that tests compare ours with.
fn gradients() -> Result<()> {
    let test = ["test", "--locked", "-p", "deminer-neural", "--features", "library"];
    let names = ["--test", "gradients"];
    let file = "the_file_holds_the_librarys_gradients";
    let write = [("DEMINER_WRITE_GRADIENTS", "1")];
    cargo(&[&test[..], &names, &["--", file]].concat(), &write)?;
    cargo(&[&test[..], &names].concat(), &[])
}

/// Writes page and guide for a static host.
fn site(options: &[&str]) -> Result<()> {
    let run = ["run", "--release", "--locked", "--bin", "deminer", "--", "site"];
    cargo(&[&run[..], options].concat(), &[])
}

/// Measures the web server with many clients at once.
fn load(options: &[&str]) -> Result<()> {
    let example = ["run", "--release", "--locked", "-p", "deminer-web", "--example", "load", "--"];
    cargo(&[&example[..], options].concat(), &[])
}

/// Runs tests of the engine on as many random boards as the option says.
fn boards(options: &[&str], option: &str, variable: &str, tests: &[&str]) -> Result<()> {
    let count = match options {
        [] if variable == "DEMINER_BOARDS" => 1_000_000,
        [] => 100_000,
        [word, count] if *word == option => number(option, Some(count), 1)?,
        [word, ..] => bail!("this takes {option} N, not `{word}`"),
    };
    // The engine is optimized in tests, too.
    let test = ["test", "--locked", "-p", "deminer-inference"];
    let words = [&test[..], tests, &["--", "--nocapture"]].concat();
    cargo(&words, &[(variable, &count.to_string())])
}

/// Reads the number after an option.
fn number(argument: &str, word: Option<&str>, least: u64) -> Result<u64> {
    let word = word.with_context(|| format!("{argument} needs a number"))?;
    let fits = word.parse().ok().filter(|&number| number >= least);
    fits.with_context(|| {
        format!("{argument} must be a whole number of at least {least}, not `{word}`")
    })
}

/// Builds the program as `cargo test --workspace` does, so that nothing is compiled twice: cargo uses
/// the features that tests ask for only when it builds a test or an example too.
const PROGRAM: &[&str] =
    &["build", "--locked", "--workspace", "--bin", "deminer", "--example", "first_program"];

/// Writes a file that a chore makes, or checks that it is what the chore writes.
#[cfg(feature = "engine")]
fn keep(file: &str, bytes: &[u8], check: bool, chore: &str) -> Result<()> {
    let path = root().join(file);
    if !check {
        return fs::write(&path, bytes).with_context(|| format!("cannot write {file}"));
    }
    let found = fs::read(&path).with_context(|| format!("cannot read {file}"))?;
    let line = 1 + found
        .iter()
        .zip(bytes)
        .take_while(|(a, b)| a == b)
        .filter(|(a, _)| **a == b'\n')
        .count();
    ensure!(found == bytes, "{file} is not what `cargo xtask {chore}` writes, from line {line} on");
    Ok(())
}

/// The cargo that runs this program, in the workspace.
fn cargo_command() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs cargo in the workspace.
fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> Result<()> {
    let mut command = cargo_command();
    command.args(arguments).envs(environment.iter().copied());
    succeed(&mut command, &format!("cargo {}", arguments.join(" ")))
}

/// Runs a command that must succeed; `words` name it in errors.
fn succeed(command: &mut Command, words: &str) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {words}"))?;
    ensure!(status.success(), "{words} ended with {status}");
    Ok(())
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().expect("xtask lies in the workspace").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "engine")]
    #[test]
    fn a_kept_file_that_differs_is_named_with_its_line() {
        let kept = fs::read(root().join("Cargo.toml")).unwrap();
        keep("Cargo.toml", &kept, true, "chore").unwrap();
        for other in [&b"[workspace]\nother"[..], b"[workspace]\n"] {
            let error = keep("Cargo.toml", other, true, "chore").unwrap_err().to_string();
            let expected = "Cargo.toml is not what `cargo xtask chore` writes, from line 2 on";
            assert_eq!(error, expected);
        }
    }

    #[test]
    fn bad_numbers_are_refused_with_a_reason() {
        let read = |word| number("--games", word, 1).map_err(|error| error.to_string());
        assert_eq!(read(Some("12")), Ok(12));
        assert_eq!(read(None), Err("--games needs a number".to_owned()));
        for word in ["many", "-3", "0", "1e6", ""] {
            let error = format!("--games must be a whole number of at least 1, not `{word}`");
            assert_eq!(read(Some(word)), Err(error));
        }
    }
}
