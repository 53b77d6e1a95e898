//! The conformance set: requests with their answers, which every door must give. `conformance/`
//! holds it; `DEMINER_WRITE_CONFORMANCE=1 cargo test -p deminer --test conformance` writes it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use deminer::requests::{Context, PlayEvent, PlayRequest, answer_json};
use deminer::roster::{Roster, entries};
use serde_json::{Map, Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance")
}

/// Answers with the shipped artifacts, without a clock.
fn with_context<T>(use_it: impl FnOnce(&Context) -> T) -> T {
    let roster = Roster::new(deminer_artifacts::shipped());
    let stop = Arc::new(AtomicBool::new(false));
    use_it(&Context { agents: &roster, stop: &stop, any_seed: || 7, clock: || 0 })
}

fn write(file: &str, cases: &Value) {
    let mut text = serde_json::to_string_pretty(cases).unwrap();
    text.push('\n');
    fs::write(folder().join(file), text).unwrap();
}

fn read(file: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(folder().join(file)).unwrap()).unwrap()
}

/// The same but for rounding: numbers within 1e-12.
fn check_alike(found: &Value, expected: &Value, at: &str) {
    match (found, expected) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            assert!((a - b).abs() <= 1e-12, "{at}: {a} is not {b}");
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{at}");
            for (number, (a, b)) in a.iter().zip(b).enumerate() {
                check_alike(a, b, &format!("{at}[{number}]"));
            }
        }
        (Value::Object(a), Value::Object(b)) => {
            let keys = |object: &Map<String, Value>| object.keys().cloned().collect::<Vec<_>>();
            assert_eq!(keys(a), keys(b), "{at}");
            for (key, a) in a {
                check_alike(a, &b[key], &format!("{at}.{key}"));
            }
        }
        (a, b) => assert_eq!(a, b, "{at}"),
    }
}

/// What a request is answered with: `answer`, or `error`.
fn answered(name: &str, request: &Value, context: &Context) -> (&'static str, Value) {
    match answer_json(name, request.to_string().as_bytes(), context) {
        Ok(answer) => ("answer", serde_json::from_slice(&answer).unwrap()),
        Err(error) => ("error", serde_json::to_value(&error).unwrap()),
    }
}

#[test]
fn requests_are_answered_as_ever() {
    with_context(|context| {
        for file in ["positions.json", "errors.json", "formats.json"] {
            let mut cases = read(file);
            for case in cases.as_array_mut().unwrap() {
                let name = case["request"].as_str().unwrap();
                let (kind, found) = answered(name, &case["body"], context);
                if std::env::var_os("DEMINER_WRITE_CONFORMANCE").is_some() {
                    case[kind] = found;
                } else {
                    check_alike(&found, &case[kind], &format!("{file} {}", case["name"]));
                }
            }
            write_if_asked(file, &cases);
        }
    });
}

fn write_if_asked(file: &str, cases: &Value) {
    if std::env::var_os("DEMINER_WRITE_CONFORMANCE").is_some() {
        write(file, cases);
    }
}

/// Boards small enough for every agent; the first one that an agent plays is taken.
const BOARDS: [&str; 6] = ["8x8x10", "7x7x5", "10x10x10", "5x5x5", "4x4x3", "16x16x40"];

fn games() -> Value {
    let roster = Roster::new(deminer_artifacts::shipped());
    let cases = entries().filter_map(|entry| {
        let spec = roster.agent(entry.name).unwrap();
        let rules = |board: &str| deminer::Rules::of(board.parse().unwrap()).unwrap();
        let board = BOARDS.into_iter().find(|board| spec.can_play(&rules(board)))?;
        Some((0..3).map(move |game| {
            let rules = json!({ "board": board });
            let play = json!({ "agent": entry.name, "rules": rules, "seed": 25, "game": game });
            json!({ "name": format!("{} {game}", entry.name), "play": play })
        }))
    });
    cases.flatten().collect()
}

/// A game of an agent: its outcome and its moves.
fn played(request: &Value, context: &Context) -> (Value, Value) {
    let request: PlayRequest = serde_json::from_value(request.clone()).unwrap();
    let mut moves = Vec::new();
    for event in request.begin(context).unwrap() {
        match event.unwrap() {
            PlayEvent::Begin(_) => {}
            PlayEvent::Decision(decision) => moves.push(json!([decision.action, decision.cell])),
            PlayEvent::End(end) => {
                return (serde_json::to_value(&end).unwrap()["outcome"].clone(), moves.into());
            }
        }
    }
    panic!("every game ends");
}

#[test]
fn agents_play_as_ever() {
    with_context(|context| {
        let writes = std::env::var_os("DEMINER_WRITE_CONFORMANCE").is_some();
        let mut cases = if writes { games() } else { read("games.json") };
        for case in cases.as_array_mut().unwrap() {
            let (outcome, moves) = played(&case["play"], context);
            if writes {
                (case["outcome"], case["moves"]) = (outcome, moves);
            } else {
                assert_eq!(
                    (&outcome, &moves),
                    (&case["outcome"], &case["moves"]),
                    "{}",
                    case["name"]
                );
            }
        }
        write_if_asked("games.json", &cases);
        let names: Vec<&Value> =
            cases.as_array().unwrap().iter().map(|case| &case["name"]).collect();
        assert!(names.len() >= 3 * (entries().count() - 3), "{names:?}");
    });
}
