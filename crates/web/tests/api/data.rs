//! The data folder: what was reported as kept is there after every failure and every restart.

use std::path::Path;
use std::time::{Duration, SystemTime};
use std::{fs, io};

use deminer_lab::disk::{Disk, Failure};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::laboratory::Laboratory;

/// The names of all runs, oldest first.
async fn run_names(lab: &Laboratory) -> Vec<String> {
    let runs = lab.get(RUNS).await.json();
    let name = |run: &Value| run["id"].as_str().unwrap().to_owned();
    runs["runs"].as_array().unwrap().iter().rev().map(name).collect()
}

const RUNS: &str = "/api/v1/runs";
const RECORDS: &str = "/api/v1/records";

fn path_of(run: &str) -> String {
    format!("{RUNS}/{run}")
}

fn tournament(seed: u64) -> Value {
    let agents = ["random"];
    json!({"kind": "tournament",
        "spec": {"agents": agents, "board": "4x3x2", "games": 40, "shard": 20, "seed": seed}})
}

fn training() -> Value {
    json!({"kind": "train", "learner": "tree", "options": {"games": 20}})
}

fn record(player: &str) -> Value {
    json!({"schema_version": 1, "kind": "record", "player": player, "layout": ["*...", "...."], "outcome": "undecided",
        "rules": {"board": "4x2x1", "shape": "rect", "start": "unsafe", "cascade": "on",
            "clues": "exact"},
        "moves": [{"by": "start", "action": "open", "cell": [0, 3], "why": {"kind": "start"}}]})
}

fn scratch() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn try_open(data: &TempDir, disk: &Disk) -> io::Result<Laboratory> {
    Laboratory::open(data.path(), |options| options.disk = disk.clone())
}

fn open(data: &TempDir) -> Laboratory {
    try_open(data, &Disk::default()).unwrap()
}

#[tokio::test]
async fn one_server_has_a_data_folder() {
    let data = scratch();
    let first = open(&data);
    let refused = try_open(&data, &Disk::default()).err().unwrap().to_string();
    let holder = format!("in use by another deminer (process {})", std::process::id());
    assert!(refused.contains(&holder) && refused.contains("--data"), "{refused}");
    drop(first);
    open(&data);
}

#[tokio::test]
async fn numbers_go_on_and_are_never_used_twice() {
    let data = scratch();
    let lab = open(&data);
    for number in 1..=3 {
        let (status, run) = lab.post(RUNS, &tournament(number)).await.parts();
        assert_eq!((status, &run["id"]), (201, &json!(format!("run-00000{number}"))), "{run}");
        lab.wait(&path_of(&format!("run-00000{number}")), "finished").await;
    }
    assert_eq!(lab.delete(&path_of("run-000003")).await.status, 204);
    drop(lab);
    let lab = open(&data);
    assert_eq!(lab.post(RUNS, &tournament(4)).await.parts().1["id"], "run-000004");
}

#[tokio::test]
async fn what_failed_stays_failed_until_it_is_resumed() {
    let data = scratch();
    let lab = open(&data);
    lab.post(RUNS, &training()).await;
    let failed = lab.wait(&path_of("run-000001"), "failed").await;
    assert!(failed["error"].as_str().unwrap().contains("cannot start /nowhere"), "{failed}");
    drop(lab);
    let lab = open(&data);
    let again = lab.get(&path_of("run-000001")).await.json();
    assert_eq!((&again["state"], &again["error"]), (&json!("failed"), &failed["error"]));
    let (status, run) = lab.post(&(path_of("run-000001") + "/resume"), &Value::Null).await.parts();
    assert_eq!((status, &run["state"], run.get("error")), (202, &json!("queued"), None));
    lab.wait(&path_of("run-000001"), "failed").await;
}

#[tokio::test]
async fn damaged_runs_are_told_and_can_be_removed() {
    let data = scratch();
    let lab = open(&data);
    for seed in 1..=3 {
        lab.post(RUNS, &tournament(seed)).await;
        lab.wait(&path_of(&format!("run-00000{seed}")), "finished").await;
    }
    drop(lab);
    let file = |run: &str, name: &str| data.path().join("runs").join(run).join(name);
    let text = fs::read(file("run-000001", "job.json")).unwrap();
    fs::write(file("run-000001", "job.json"), &text[..text.len() / 2]).unwrap();
    fs::remove_file(file("run-000002", "job.json")).unwrap();
    let totals = file("run-000003", "run").join("totals.json");
    let sealed = fs::read(&totals).unwrap();
    fs::write(&totals, &sealed[..sealed.len() / 2]).unwrap();

    let lab = open(&data);
    let runs = lab.get(RUNS).await.json();
    for (run, reason) in [("run-000001", "EOF"), ("run-000002", "No such file")] {
        let told = runs["damaged"][run].as_str().unwrap();
        assert!(told.starts_with("job.json: ") && told.contains(reason), "{told}");
        let (status, problem) = lab.get(&path_of(run)).await.parts();
        assert_eq!(status, 409, "{problem}");
        assert_eq!(lab.delete(&path_of(run)).await.status, 204);
    }
    // Torn totals are counted again.
    lab.wait(&path_of("run-000003"), "finished").await;
    assert_eq!(run_names(&lab).await, ["run-000003"]);
    assert_eq!(lab.get(RUNS).await.json().get("damaged"), None);
    assert_eq!(lab.delete(&path_of("run-000001")).await.status, 404);
    assert_eq!(lab.post(RUNS, &tournament(9)).await.parts().1["id"], "run-000004");
}

#[tokio::test]
async fn a_run_whose_folder_is_gone_can_be_removed() {
    let data = scratch();
    let lab = open(&data);
    lab.post(RUNS, &tournament(1)).await;
    lab.wait(&path_of("run-000001"), "finished").await;
    fs::remove_dir_all(data.path().join("runs/run-000001")).unwrap();
    assert_eq!(lab.delete(&path_of("run-000001")).await.status, 204);
    assert_eq!(run_names(&lab).await, [""; 0]);
}

#[tokio::test]
async fn records_of_any_time_are_listed_and_damaged_ones_written_again() {
    let data = scratch();
    let lab = open(&data);
    let keep = async |player: &str| {
        let (status, kept) = lab.post(RECORDS, &record(player)).await.parts();
        assert_eq!(status, 201, "{kept}");
        data.path().join(format!("records/{}.json", kept["id"].as_str().unwrap()))
    };
    let old = keep("old").await;
    let year = Duration::from_secs(365 * 86_400);
    let set = |path: &Path, time| fs::File::open(path).unwrap().set_modified(time).unwrap();
    set(&old, SystemTime::UNIX_EPOCH - 5 * year);
    set(&keep("future").await, SystemTime::now() + 100 * year);
    let damaged = keep("damaged").await;
    fs::write(&damaged, b"{").unwrap();
    assert_eq!(keep("damaged").await, damaged);
    let list = lab.get(RECORDS).await.json();
    let players: Vec<&str> = list["records"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["player"].as_str().unwrap())
        .collect();
    assert_eq!(players, ["future", "damaged", "old"]);
}

/// What the server reported as kept: records by id, and runs.
#[derive(Default)]
struct Told {
    records: Vec<String>,
    runs: Vec<String>,
    removed: Vec<String>,
    refused: usize,
}

/// Keeps and removes, and notes what was reported as done.
async fn session(lab: &Laboratory) -> Told {
    let mut told = Told::default();
    for number in 0..2 {
        match lab.post(RECORDS, &record(&format!("player {number}"))).await.parts() {
            (201, kept) => told.records.push(kept["id"].as_str().unwrap().to_owned()),
            _ => told.refused += 1,
        }
        match lab.post(RUNS, &tournament(number)).await.parts() {
            (201, run) => told.runs.push(run["id"].as_str().unwrap().to_owned()),
            _ => told.refused += 1,
        }
    }
    for run in &told.runs {
        for _ in 0..2000 {
            let run = lab.get(&path_of(run)).await.json();
            if run["state"] == "finished" || run["state"] == "failed" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
    if told.runs.len() == 2 {
        match lab.delete(&path_of("run-000001")).await.status.as_u16() {
            204 => told.removed.push("run-000001".to_owned()),
            _ => told.refused += 1,
        }
    }
    told
}

#[tokio::test]
async fn whatever_fails_what_was_reported_as_kept_is_there_once() {
    let mut points = 0;
    for failure in Failure::ALL {
        for at in 0.. {
            let data = scratch();
            let disk = Disk::failing(failure, at);
            let told = match try_open(&data, &disk) {
                Ok(lab) => session(&lab).await,
                Err(_) => Told::default(),
            };
            if !disk.has_failed() {
                assert_eq!((told.records.len(), told.runs.len(), told.refused), (2, 2, 0));
                break;
            }
            points += 1;
            let lab = open(&data);
            let place = format!("{failure:?} at step {at}");
            let records = lab.get(RECORDS).await.json();
            let ids = records["records"].as_array().unwrap().iter().map(|one| one["id"].clone());
            let ids: Vec<Value> = ids.collect();
            assert!(told.records.iter().all(|id| ids.contains(&json!(id))), "{place}");
            let runs = run_names(&lab).await;
            for run in told.runs.iter().filter(|run| !told.removed.contains(run)) {
                // A removal that failed may have happened.
                let may_be_gone = told.runs.len() == 2 && run == "run-000001";
                assert!(runs.contains(run) || may_be_gone, "{place}: {run} of {runs:?}");
                if runs.contains(run) {
                    if lab.get(&path_of(run)).await.json()["state"] == "failed" {
                        lab.post(&(path_of(run) + "/resume"), &Value::Null).await;
                    }
                    let run = lab.wait(&path_of(run), "finished").await;
                    assert_eq!(run["totals"]["agents"][0]["games"], 40, "{place}");
                }
            }
            assert!(told.removed.iter().all(|run| !runs.contains(run)), "{place}: {runs:?}");
            assert_eq!(lab.get(RUNS).await.json().get("damaged"), None, "{place}");
            // And a client that was refused can try again.
            let (status, run) = lab.post(RUNS, &tournament(7)).await.parts();
            assert_eq!(status, 201, "{place}: {run}");
            assert!(!told.runs.contains(&run["id"].as_str().unwrap().to_owned()), "{place}");
        }
    }
    assert!(points > 200, "{points} points of failure");
}

#[tokio::test]
async fn a_disk_that_was_full_once_stops_nothing_later() {
    for at in 0..60 {
        let data = scratch();
        let Ok(lab) = try_open(&data, &Disk::failing(Failure::Once, at)) else { continue };
        let mut kept = Vec::new();
        for seed in 0..3 {
            if let (201, run) = lab.post(RUNS, &tournament(seed)).await.parts() {
                kept.push(run["id"].as_str().unwrap().to_owned());
            }
        }
        assert!(kept.len() >= 2, "step {at}: {kept:?}");
        assert_eq!(run_names(&lab).await, kept, "step {at}");
    }
}
