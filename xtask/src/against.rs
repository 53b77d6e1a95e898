//! `cargo xtask against COMMIT`: the speed of these sources beside that of a commit.
//!
//! Both are built for release, each in a folder of its own. Then both play the same games in turn,
//! several rounds of them. What counts is the CPU time of the whole program: other work on the
//! machine disturbs it less than the clock, and turns share the rest of the disturbance.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::page::{output, target};
use crate::{cargo_command, number, root, succeed};

/// What is measured, and the command that does it.
const WORK: &[(&str, &str)] = &[
    ("odds", "bench --agent lowest-risk --board expert --games 40000"),
    ("best", "bench --agent best --board expert --games 8000"),
    ("network, windows", "bench --agent cnn-5x5 --board 16x16x40 --games 500"),
    ("network, self-taught", "bench --agent sla-small --board 10x10x10 --games 6000"),
    ("network, whole board", "bench --agent mlp-full --board 20x20x20 --games 60000"),
    ("network, any board", "bench --agent convnet --board expert --games 300"),
];

pub fn run(options: &[&str]) -> Result<()> {
    let (commit, rounds) = match options {
        [commit] => (commit, 5),
        [commit, "--rounds", rounds] => (commit, number("--rounds", Some(rounds), 1)?),
        _ => bail!("usage: cargo xtask against COMMIT [--rounds N]"),
    };
    let programs = [build(&check_out(commit)?)?, build(&root())?];
    println!("{:<22} {:>9} {:>9} {:>7}", "CPU seconds", commit, "here", "speed");
    for (name, words) in WORK {
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            for (program, times) in programs.iter().zip(&mut times) {
                times.push(time(program, words)?);
            }
        }
        let [there, here] = times.map(median);
        println!("{name:<22} {there:>9.2} {here:>9.2} {:>5.0} %", 100.0 * there / here);
    }
    Ok(())
}

/// Unpacks the sources of a commit, once.
fn check_out(commit: &str) -> Result<PathBuf> {
    let hash = output("git", &["rev-parse", "--verify", &format!("{commit}^{{commit}}")]);
    let hash = hash.with_context(|| format!("there is no commit `{commit}`"))?;
    let folder = target().join("against").join(hash);
    if !folder.join("Cargo.toml").exists() {
        fs::create_dir_all(&folder)?;
        let archive = folder.join("sources.tar");
        let mut git = Command::new("git");
        git.current_dir(root()).args(["archive", "--output"]).arg(&archive).arg(commit);
        succeed(&mut git, "git archive")?;
        let mut tar = Command::new("tar");
        succeed(tar.arg("-xf").arg(&archive).arg("-C").arg(&folder), "tar")?;
    }
    Ok(folder)
}

/// Builds the program of some sources.
fn build(sources: &Path) -> Result<PathBuf> {
    let built = sources.join("target");
    let mut cargo = cargo_command();
    cargo.current_dir(sources).env("CARGO_TARGET_DIR", &built);
    cargo.args(["build", "--release", "--locked", "--bin", "deminer"]);
    succeed(&mut cargo, &format!("cargo build in {}", sources.display()))?;
    Ok(built.join("release/deminer"))
}

/// The CPU time of a command in seconds.
fn time(program: &Path, words: &str) -> Result<f64> {
    let before = children()?;
    let mut command = Command::new(program);
    command.args(words.split(' ')).args(["--threads", "1", "--quiet"]).stdout(Stdio::null());
    succeed(&mut command, &format!("deminer {words}"))?;
    Ok((children()? - before) as f64 / 100.0)
}

/// The CPU time of all processes that this one has started and that have ended, in hundredths of a
/// second.
fn children() -> Result<u64> {
    let text = fs::read_to_string("/proc/self/stat").context("this needs Linux")?;
    let (_, fields) = text.rsplit_once(") ").context("/proc/self/stat has no name")?;
    // The fields `cutime` and `cstime`, which are 16 and 17 of all.
    fields.split(' ').skip(13).take(2).map(|field| Ok(field.parse::<u64>()?)).sum()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
