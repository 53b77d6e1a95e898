//! Kills a campaign at random moments, again and again, and compares what it comes to with an
//! undisturbed `bench`. `cargo xtask kill-test` is the long form of this test.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use deminer_game::Rng;
use serde_json::Value;

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    let given = env::var(name).ok();
    given.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is `{text}`")))
}

fn deminer(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deminer"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs to the end; gives what was printed, and what was said besides.
fn finish(arguments: &[&str]) -> (String, String) {
    let output = deminer(arguments).output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    (stdout, stderr)
}

/// A document without what differs from run to run: times, and who ran it.
fn repeatable(text: &str) -> Value {
    let mut document: Value = serde_json::from_str(text).unwrap();
    for key in ["fingerprint", "parts", "builds", "provenance"] {
        document.as_object_mut().unwrap().remove(key);
    }
    for agent in document["agents"].as_array_mut().unwrap() {
        for key in ["cpu_seconds", "games_per_cpu_second"] {
            agent.as_object_mut().unwrap().remove(key).expect("agents have times");
        }
    }
    document
}

/// How many names in a folder end so.
fn count(folder: &Path, ending: &str) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .filter(|entry| entry.as_ref().unwrap().path().to_string_lossy().ends_with(ending))
        .count()
}

#[test]
fn a_campaign_killed_again_and_again_comes_to_the_same() {
    let games = number("DEMINER_KILL_GAMES", 20_000);
    let kills = number("DEMINER_KILLS", 3);
    let shard = (games / 100).max(1);
    let shards = games.div_ceil(shard) as usize;
    let scratch = tempfile::tempdir().unwrap();
    let (spec, folder) = (scratch.path().join("spec.toml"), scratch.path().join("campaign"));
    let text = format!("agents = [\"single-point\"]\ngames = {games}\nshard = {shard}\nseed = 5\n");
    fs::write(&spec, text).unwrap();
    let [spec, out] = [&spec, &folder].map(|path| path.to_str().unwrap());

    let start = Instant::now();
    let bench = format!("bench --agent single-point --games {games} --seed 5 --json");
    let undisturbed = repeatable(&finish(&bench.split(' ').collect::<Vec<_>>()).0);
    let whole = start.elapsed();
    println!("undisturbed: {games} games in {:.2} s", whole.as_secs_f64());

    let seed = RandomState::new().hash_one("moments");
    let mut rng = Rng::new(seed);
    let run = ["run", spec, "--out", out];
    let mut killed = 0;
    for kill in 1..=kills {
        // On average the lives share what is left evenly, one more of them being the last.
        let left = (shards - count(&folder, ".parquet")) as f64 / shards as f64;
        let mean = whole.mul_f64(left) / (kills - kill + 2) as u32;
        let life = mean.mul_f64(2.0 * rng.unit()) + Duration::from_millis(5);
        let mut child = deminer(&run).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(life);
        let alive = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
        killed += u64::from(alive);
        println!(
            "kill {kill} after {:.0} ms{}: {} of {shards} shards, {} claims, {} unfinished",
            1000.0 * life.as_secs_f64(),
            if alive { "" } else { " came too late" },
            count(&folder, ".parquet"),
            count(&folder, ".lock"),
            count(&folder, ".unfinished"),
        );
    }
    assert!(killed > 0, "nothing was killed");

    let (_, said) = finish(&run);
    assert_eq!(said, "", "a kill leaves nothing to complain about");
    let sealed = finish(&["seal", out, "--json"]).0;
    assert_eq!(repeatable(&sealed), undisturbed);
    assert_eq!(fs::read_to_string(folder.join("totals.json")).unwrap(), sealed);
    // Parts, spec and totals; nothing is left lying about.
    assert_eq!(count(&folder, ""), shards + 2);
    println!("{killed} kills, {games} games, the same totals: {}", undisturbed["agents"][0]);
}
