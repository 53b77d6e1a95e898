//! Records what the program is built from: compiler and, in a clone of the repository, commit.

use std::path::Path;
use std::process::Command;

/// The sources of results; a commit with local changes here is marked.
const SOURCES: [&str; 10] = [
    "src",
    "../game/src",
    "../formats/src",
    "../inference/src",
    "../agents/src",
    "../learn/src",
    "../neural/src",
    "../deminer/src",
    "../draw/src",
    "../../artifacts",
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for folder in SOURCES.iter().filter(|folder| Path::new(folder).exists()) {
        println!("cargo:rerun-if-changed={folder}");
    }
    let rustc = std::env::var("RUSTC").expect("cargo names the compiler");
    let rustc = ask(&rustc, &["--version"]).unwrap_or_else(|| "rustc".into());
    println!("cargo:rustc-env=DEMINER_RUSTC={}", rustc.trim_start_matches("rustc "));
    let target = std::env::var("TARGET").expect("cargo names the target");
    println!("cargo:rustc-env=DEMINER_TARGET={target}");
    println!("cargo:rustc-env=DEMINER_COMMIT={}", commit().unwrap_or_default());
}

/// The commit, with `+changes` where the sources differ from it; none outside a clone.
fn commit() -> Option<String> {
    // The log of HEAD grows with every commit and every change of branch.
    let log = ask("git", &["rev-parse", "--git-path", "logs/HEAD"])?;
    if Path::new(&log).exists() {
        println!("cargo:rerun-if-changed={log}");
    }
    // A copy inside some other repository has nothing to do with that one's commits.
    ask("git", &["ls-files", "--error-unmatch", "build.rs"])?;
    let commit = ask("git", &["rev-parse", "--short=12", "HEAD"])?;
    let mut status = vec!["--no-optional-locks", "status", "--porcelain", "--"];
    status.extend(SOURCES);
    let changes = ask("git", &status).is_none_or(|list| !list.is_empty());
    Some(if changes { format!("{commit}+changes") } else { commit })
}

/// The output of a program, if it runs and succeeds.
fn ask(program: &str, arguments: &[&str]) -> Option<String> {
    let answer = Command::new(program).args(arguments).output().ok()?;
    answer.status.success().then(|| String::from_utf8_lossy(&answer.stdout).trim().to_owned())
}
