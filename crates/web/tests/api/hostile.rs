//! Whatever is sent, the answer is an answer: no panic, no fault of ours, always a problem where
//! it is not a success.

use std::sync::OnceLock;

use axum::body::Body;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::laboratory::{Laboratory, request};

const PATHS: [&str; 11] = [
    "/api/v1/coach",
    "/api/v1/measure",
    "/api/v1/analyze",
    "/api/v1/hint",
    "/api/v1/boards",
    "/api/v1/play",
    "/api/v1/convert",
    "/api/v1/convert?to=text",
    "/api/v1/picture",
    "/api/v1/records",
    "/api/v1/runs",
];

fn send(path: &str, body: Vec<u8>) {
    static LAB: OnceLock<(Runtime, Laboratory)> = OnceLock::new();
    let (runtime, lab) = LAB.get_or_init(|| {
        let runtime = Runtime::new().unwrap();
        let lab = runtime.block_on(async { Laboratory::new() });
        (runtime, lab)
    });
    let answer = runtime.block_on(lab.ask(request("POST", path, Body::from(body.clone()))));
    let told = String::from_utf8_lossy(&body);
    assert!(answer.status.as_u16() != 500, "{path} {told}: {}", answer.text());
}

/// Any JSON.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let field = prop::sample::select(vec![
            "rows",
            "mines",
            "shape",
            "rules",
            "board",
            "agent",
            "seed",
            "level",
            "record",
            "kind",
            "spec",
            "text",
            "estimates",
            "first",
            "options",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((field, inner), 0..6).prop_map(|fields| {
                fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
            }),
        ]
    })
}

/// Positions, most of which cannot be.
fn any_position() -> impl Strategy<Value = Value> {
    let size = (1..=7_usize, 1..=6_usize);
    size.prop_flat_map(|(width, height)| {
        let row = prop::string::string_regex(&format!("[#F.0-8?*]{{{width}}}")).unwrap();
        let rows = prop::collection::vec(row, height);
        let shape = prop::sample::select(vec!["rect", "torus", "hex"]);
        let clues = prop::sample::select(vec!["exact", "blind:0.2", "optimistic", "cautious"]);
        (rows, 0..=width * height + 1, shape, clues)
    })
    .prop_map(|(rows, mines, shape, clues)| {
        json!({"rows": rows, "mines": mines, "shape": shape, "clues": clues})
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(path in prop::sample::select(&PATHS[..]), body in prop::collection::vec(any::<u8>(), 0..200)) {
        send(path, body);
    }

    #[test]
    fn any_document(path in prop::sample::select(&PATHS[..]), body in any_json()) {
        send(path, body.to_string().into_bytes());
    }

    #[test]
    fn any_cells(position in any_position(), level in 0..6_u8) {
        let mut hint = position.clone();
        hint["level"] = json!(level);
        send("/api/v1/hint", hint.to_string().into_bytes());
        let mut why = position.clone();
        why["why"] = json!(true);
        why["exact"] = json!(true);
        send("/api/v1/analyze", why.to_string().into_bytes());
        let mut picture = position;
        picture["kind"] = json!("svg");
        send("/api/v1/picture", picture.to_string().into_bytes());
    }

    #[test]
    fn any_agent_on_any_cells(
        position in any_position(),
        agent in prop::sample::select(deminer::roster::entries().map(|entry| entry.name).collect::<Vec<_>>()),
    ) {
        let mut request = position;
        request["agent"] = json!(agent);
        send("/api/v1/analyze", request.to_string().into_bytes());
    }
}
