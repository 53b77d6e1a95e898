//! Runs the fuzz targets of `fuzz/` one after another.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::{number, root};

/// A target and the feature of the fuzz crate that it needs.
const TARGETS: &[(&str, &str)] = &[
    ("notation", ""),
    ("formats", ""),
    ("analysis", ""),
    ("whole_numbers", ""),
    ("following", ""),
    ("artifacts", "agents"),
    ("agent_specs", "agents"),
    ("durable_parts", "lab"),
    ("run_specs", "lab"),
    ("http", "lab"),
];

/// The most bytes of an input. Positions need few; files and requests more.
const LONGEST: &str = "-max_len=4096";
/// An input that takes longer is a finding, in seconds; so is one that takes more megabytes.
const SLOWEST: &str = "-timeout=20";
const LARGEST: &str = "-rss_limit_mb=2048";

/// Compiles the targets, without the fuzzer.
pub fn check() -> Result<()> {
    let manifest = folder().join("Cargo.toml");
    let manifest = manifest.to_str().context("the path of the project is no text")?;
    let check = ["check", "--quiet", "--locked", "--manifest-path", manifest, "--all-targets"];
    let features = ["--no-default-features", "--features", "lab"];
    crate::cargo(&[&check[..], &features].concat(), &[])
}

/// Fuzzes each target, or one of them, for a number of minutes.
pub fn run(options: &[&str]) -> Result<()> {
    let (mut minutes, mut chosen) = (1, None);
    let mut words = options.iter();
    while let Some(&word) = words.next() {
        match word {
            "--minutes" => minutes = number(word, words.next().copied(), 1)?,
            "--target" => chosen = Some(*words.next().context("--target needs a name")?),
            _ => bail!("fuzz takes --minutes N and --target NAME, not `{word}`"),
        }
    }
    let names = || TARGETS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let known = |name: &str| TARGETS.iter().any(|(known, _)| *known == name);
    ensure!(chosen.is_none_or(known), "there is no such target; there are {}", names());
    let ready = Command::new("cargo").args(["+nightly", "fuzz", "--version"]).output()?;
    ensure!(
        ready.status.success(),
        "fuzzing needs the nightly toolchain and `cargo install cargo-fuzz`"
    );
    let mut failed = Vec::new();
    for (name, feature) in TARGETS.iter().filter(|(name, _)| chosen.is_none_or(|one| one == *name))
    {
        // All of them with the same features, so that their crates are built once.
        let feature = if chosen.is_none() { "lab" } else { feature };
        if !fuzz(name, feature, minutes)? {
            failed.push(*name);
        }
    }
    ensure!(failed.is_empty(), "found something: {}", failed.join(", "));
    Ok(())
}

/// Fuzzes one target. Whether it found nothing.
fn fuzz(name: &str, feature: &str, minutes: u64) -> Result<bool> {
    // What is found on the way stays outside of the committed inputs.
    let grown = folder().join("grown").join(name);
    fs::create_dir_all(&grown).with_context(|| format!("cannot create {}", grown.display()))?;
    let seconds = format!("-max_total_time={}", 60 * minutes);
    let seeds = folder().join("corpus").join(name);
    let mut command = cargo_fuzz("run", name, feature);
    command.args([&grown, &seeds]).args(["--", &seconds, LONGEST, SLOWEST, LARGEST]);
    let output = command.arg("-print_final_stats=1").stdout(Stdio::null()).output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    println!("{}", summary(name, &log));
    if output.status.success() {
        return Ok(true);
    }
    let Some(found) = finding(&log) else { bail!("{name} did not run:\n{log}") };
    let message = log.lines().find(|line| line.contains("panicked at") || line.contains("ERROR"));
    println!("  {}", message.unwrap_or("it ended early"));
    let tried = cargo_fuzz("tmin", name, feature).arg(&found).output()?;
    let tried = String::from_utf8_lossy(&tried.stderr).into_owned();
    let smaller = finding(&tried).unwrap_or(found);
    println!("  the smallest input found: {}", smaller.display());
    println!("  after the fix it belongs into {}", seeds.display());
    Ok(false)
}

/// A command of cargo-fuzz. All code is safe, so no sanitizer is needed, and without one targets
/// are built and run twice as fast.
fn cargo_fuzz(verb: &str, name: &str, feature: &str) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root()).args(["+nightly", "fuzz", verb, "--sanitizer", "none"]);
    if !feature.is_empty() {
        command.args(["--features", feature]);
    }
    command.arg(name);
    command
}

fn folder() -> PathBuf {
    root().join("fuzz")
}

/// One line: executions, and how much of the code they reached.
fn summary(name: &str, log: &str) -> String {
    let stat = |wanted: &str| {
        let line = log.lines().rev().find_map(|line| line.strip_prefix(wanted));
        line.map_or("?", str::trim).to_owned()
    };
    let reached = log.lines().rev().find_map(|line| line.split_once(" cov: "));
    let reached = reached.and_then(|(_, rest)| rest.split_whitespace().next()).unwrap_or("?");
    format!(
        "{name:<14} {:>11} executions, {:>6} a second, {reached:>6} branches reached",
        stat("stat::number_of_executed_units:"),
        stat("stat::average_exec_per_sec:"),
    )
}

/// The input that libFuzzer or the minimizer has written.
fn finding(log: &str) -> Option<PathBuf> {
    let marks =
        ["Test unit written to ", "Minimized artifact:", "CRASH_MIN: failed to minimize beyond "];
    let line = log.lines().rev().find_map(|line| {
        let (_, rest) = marks.iter().find_map(|mark| line.split_once(mark))?;
        Some(rest.split_whitespace().next()?.to_owned())
    })?;
    Some(Path::new(&line).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_a_file_and_inputs() {
        for (name, _) in TARGETS {
            assert!(folder().join(format!("targets/{name}.rs")).is_file(), "{name}");
            let mut inputs = fs::read_dir(folder().join("corpus").join(name)).unwrap();
            assert!(inputs.next().is_some(), "{name}");
        }
    }

    #[test]
    fn logs_are_read() {
        let log = "#12 NEW    cov: 340 ft: 9 corp: 1/1b\nstat::number_of_executed_units: 81\n\
                   stat::average_exec_per_sec:     27\nTest unit written to /tmp/crash-1\n";
        assert!(summary("notation", log).contains("81 executions,     27 a second,    340"));
        assert_eq!(finding(log), Some(PathBuf::from("/tmp/crash-1")));
    }
}
