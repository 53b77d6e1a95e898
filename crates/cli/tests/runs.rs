//! Durable runs as processes: several at once, interrupted, killed, out of room.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use std::{fs, thread};

use tempfile::TempDir;

fn deminer(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deminer"));
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

const RUN: [&str; 4] = ["run", "spec.toml", "--out", "run"];

/// A folder with a spec in it.
fn campaign(games: u64, shard: u64) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let spec = format!("agents = [\"single-point\"]\ngames = {games}\nshard = {shard}\n");
    fs::write(folder.path().join("spec.toml"), spec).unwrap();
    folder
}

fn names(folder: &TempDir, ending: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder.path().join("run")) else { return Vec::new() };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(ending)).collect()
}

fn wait_for_parts(folder: &TempDir, parts: usize) {
    for _ in 0..6000 {
        if names(folder, ".parquet").len() >= parts {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("no {parts} parts in a minute");
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn two_processes_share_a_run() {
    let folder = campaign(20_000, 500);
    let both = [(); 2].map(|()| deminer(folder.path(), &RUN).spawn().unwrap());
    for child in both {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(stderr(&output), "");
    }
    assert_eq!(names(&folder, ".parquet").len(), 40);
    let output = deminer(folder.path(), &["seal", "run", "--quiet"]).output().unwrap();
    assert!(output.status.success() && names(&folder, "").len() == 42, "{}", stderr(&output));
}

#[test]
fn an_interrupted_run_says_how_to_go_on_and_leaves_no_claims() {
    for name in ["-INT", "-TERM"] {
        let folder = campaign(100_000_000, 20_000);
        let child = deminer(folder.path(), &RUN).spawn().unwrap();
        wait_for_parts(&folder, 1);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let message = stderr(&output);
        let finished = names(&folder, ".parquet").len();
        assert_eq!(
            message,
            format!(
                "error: interrupted: {finished} of 5000 shards are finished; the same command \
                 resumes\n"
            )
        );
        assert!(names(&folder, ".lock").is_empty() && names(&folder, ".unfinished").is_empty());

        let output = deminer(folder.path(), &["seal", "run"]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("of 5000 shards are missing"), "{}", stderr(&output));
    }
}

#[test]
fn the_shard_of_a_killed_process_is_taken_over() {
    let folder = campaign(400_000, 200_000);
    let mut stuck = deminer(folder.path(), &RUN).spawn().unwrap();
    while names(&folder, ".lock") != ["shard-000000.parquet.lock"] {
        thread::sleep(Duration::from_millis(1));
    }
    // A process that is stopped lives, and keeps its claim.
    signal(&stuck, "-STOP");
    let shard = ["run-shard", "spec.toml", "--out", "run", "--shard", "0"];
    let mut waiting = deminer(folder.path(), &shard).spawn().unwrap();
    thread::sleep(Duration::from_millis(300));
    assert!(waiting.try_wait().unwrap().is_none(), "shard 0 is still claimed");
    assert!(names(&folder, ".parquet").is_empty());

    stuck.kill().unwrap();
    stuck.wait().unwrap();
    let output = waiting.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(names(&folder, ".parquet"), ["shard-000000.parquet"]);
}

#[test]
fn a_full_disk_is_told_and_leaves_nothing_half_written() {
    let folder = campaign(30_000, 10_000);
    // No file may be longer than a few blocks; without the trap the system would end the
    // program instead of refusing the write.
    let script = "trap '' XFSZ; ulimit -f 20; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_deminer")])
        .args(RUN)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.starts_with("error: cannot write run/shard-00000"), "{message}");
    assert!(message.trim_end().ends_with("File too large (os error 27)"), "{message}");
    assert_eq!(names(&folder, ""), ["spec.toml"]);

    let output = deminer(folder.path(), &RUN).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}
