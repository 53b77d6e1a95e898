//! Positions: analysis, the best move, hints, and bad positions.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::laboratory::Laboratory;
use crate::{position, rules, with};

#[tokio::test]
async fn positions_are_analyzed() {
    let lab = Laboratory::new();
    let request = with(with(position(), "why", json!(true)), "exact", json!(true));
    let answer = lab.post("/api/v1/analyze", &with(request, "around", json!([0, 0]))).await.good();
    assert_eq!(answer["safe"].as_array().unwrap().len(), 4);
    assert_eq!(answer["layouts"], "9");
    assert_eq!(answer["proofs"].as_array().unwrap().len(), 4);
    assert_eq!(answer["best"]["safety"], 1.0);
    assert_eq!(answer["best"]["agent"], "best");
    assert!(answer["best"]["alternatives"].as_array().unwrap().len() >= 4);
    assert!(answer["dead"].is_array() && answer["fifty_fifty"].is_array());
    assert_eq!(answer["around"].as_array().unwrap().len(), 9);
}

/// A move is as safe as its odds say. Only the rules can promise more, and only where nothing has
/// happened.
#[tokio::test]
async fn no_move_is_called_safer_than_it_is() {
    let lab = Laboratory::new();
    let positions = [
        (json!(["###", "###"]), 2),
        (json!(["F##", "###"]), 2),
        (json!(["#*", "##"]), 3),
        (json!(["#*F", "###"]), 2),
        (json!(["#1#", "###"]), 1),
        (json!(["1##", "###", "##*"]), 3),
        (json!(["####", "#12#", "####"]), 3),
    ];
    for (rows, mines) in positions {
        for start in [None, Some("unsafe"), Some("safe"), Some("open")] {
            for shape in ["rect", "torus", "hex"] {
                for clues in ["exact", "blind:0.2", "optimistic"] {
                    let mut request =
                        json!({"rows": rows, "mines": mines, "shape": shape, "clues": clues});
                    start.into_iter().for_each(|start| request["start"] = json!(start));
                    let text = rows.to_string();
                    let is_fresh = !text.contains(['*', '1', '2']);
                    let is_promised = is_fresh && matches!(start, Some("safe" | "open"));
                    let answer = lab.post("/api/v1/analyze", &request).await.good();
                    if answer["consistent"] == false {
                        continue;
                    }
                    let safety = |cell: &Value| {
                        let at = |place: usize| cell[place].as_u64().unwrap() as usize;
                        let odds = &answer["mine_probability"][at(0)][at(1)];
                        if is_promised { 1.0 } else { 1.0 - odds.as_f64().unwrap() }
                    };
                    let best = &answer["best"];
                    assert_eq!(best["safety"], safety(&best["cell"]), "{request} {answer}");
                    let says_safe = best["why"].as_str().unwrap().contains("first click");
                    assert_eq!(says_safe, is_promised, "{request} {best}");
                    for other in best["alternatives"].as_array().unwrap() {
                        assert_eq!(other["safety"], safety(&other["cell"]), "{request} {other}");
                        assert_eq!(other["win"].is_null(), best["win"].is_null(), "{request}");
                    }
                    let hint = lab.post("/api/v1/hint", &with(request, "level", json!(4))).await;
                    let hint = hint.good();
                    assert_eq!(hint["safety"], safety(&hint["cell"]), "{hint}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_guess_comes_with_its_reasons() {
    let lab = Laboratory::new();
    let request = json!({"rows": ["#1.", "#1."], "mines": 1});
    let best = lab.post("/api/v1/analyze", &request).await.good()["best"].clone();
    let reasons = best["reasons"].as_array().unwrap();
    assert!(reasons.len() > 3, "{best}");
    assert!(best["why"].as_str().unwrap().starts_with(reasons[0].as_str().unwrap()));
    let other = &best["alternatives"][1];
    assert_eq!((&other["progress"], &other["next_safety"]), (&json!(1.0), &json!(1.0)));
    assert_eq!(other["settles"], json!([[[0, 0], [1, 0]]]));
    assert!(other["why"].as_str().unwrap().starts_with("As safe as the best move"), "{other}");
    let hint = lab.post("/api/v1/hint", &with(request, "level", json!(4))).await.good();
    assert_eq!(hint["reasons"], best["reasons"]);
}

#[tokio::test]
async fn any_agent_of_the_roster_chooses_a_move() {
    let lab = Laboratory::new();
    let agents = lab.get("/api/v1/agents").await.good();
    for agent in agents["agents"].as_array().unwrap() {
        let request = with(position(), "agent", agent["name"].clone());
        let answer = lab.post("/api/v1/analyze", &request).await;
        // A network plays boards like those it was trained on, if it was trained at all; a table
        // tiny ones.
        let chooses = agent["networks"].is_object() || agent["name"] == "q-table";
        if chooses && !answer.status.is_success() {
            assert_eq!(answer.problem(), (422, "agent".into()));
            continue;
        }
        let answer = answer.good();
        let best = &answer["best"];
        assert!(best.is_null() || best["agent"] == agent["name"], "{best}");
    }
}

#[tokio::test]
async fn a_position_that_cannot_be_is_an_answer_with_its_conflict() {
    let lab = Laboratory::new();
    let request = json!({"rows": ["13#", "###"], "mines": 2});
    let answer = lab.post("/api/v1/analyze", &request).await.good();
    assert_eq!(answer["consistent"], false);
    assert_eq!(answer["conflict"], json!([[0, 1]]));
    assert_eq!(answer["conflict_total"], true);
    let hint = lab.post("/api/v1/hint", &with(request, "level", json!(4))).await;
    assert_eq!(hint.problem().0, 409);
}

#[tokio::test]
async fn bad_positions_are_refused_with_their_place() {
    let lab = Laboratory::new();
    let long = "#".repeat(101);
    for (request, status, at) in [
        (json!({"rows": ["#x"], "mines": 1}), 422, "rows[0][1]"),
        (json!({"rows": ["##", "#"], "mines": 1}), 422, "rows[1]"),
        (json!({"rows": [], "mines": 0}), 422, "rows"),
        (json!({"rows": [""], "mines": 0}), 422, "rows"),
        (json!({"rows": ["##"], "mines": 3}), 422, "mines"),
        (json!({"rows": ["##"], "mines": -1}), 422, ""),
        (json!({"rows": ["##"]}), 422, "mines"),
        (json!({"rows": [long], "mines": 1}), 413, "rows"),
        (json!({"rows": vec!["#"; 101], "mines": 1}), 413, "rows"),
        (with(position(), "shape", json!("cube")), 422, "shape"),
        (with(position(), "clues", json!("blind:2")), 422, "clues"),
        (with(position(), "cascade", json!("maybe")), 422, "cascade"),
        (with(position(), "start", json!("never")), 422, "start"),
        (with(position(), "around", json!([9, 9])), 422, "around"),
        (with(position(), "agent", json!("unknown")), 422, "agent"),
        (with(position(), "agent", json!("tree:/etc/passwd")), 422, "agent"),
        (with(position(), "budget", json!(1)), 422, "budget"),
        (with(position(), "colour", json!(1)), 422, "colour"),
    ] {
        let answer = lab.post("/api/v1/analyze", &request).await;
        let (found, place) = answer.problem();
        assert_eq!(found, status, "{request}");
        assert!(at.is_empty() || place == at, "{request}: {place}");
    }
}

#[tokio::test]
async fn giant_boards_and_malformed_links_are_refused_at_once() {
    let lab = Laboratory::new();
    let since = Instant::now();
    let giants = ["100000x10000x1", "4294967296x4294967296x1", "101x1x1", "65535x1x7", "0x0x0"];
    for board in giants {
        let boards = json!({"rules": rules(board), "no_guess": true});
        let play = json!({"agent": "ga", "rules": rules(board), "seed": 1});
        let spec = json!({"agents": ["random"], "board": board, "games": 1});
        for (path, body) in [
            ("/api/v1/boards", boards),
            ("/api/v1/play", play),
            ("/api/v1/runs", json!({"kind": "tournament", "spec": spec})),
        ] {
            let (status, _) = lab.post(path, &body).await.problem();
            assert!(status == 413 || status == 422, "{path} {board}: {status}");
        }
    }
    for file in [
        "?b=&m=",
        "?b=99999999999999999999&m=0",
        "?b=84&m=zzzz",
        "https://example.org/?analysis=",
        "?analysis=%00%ff",
        "1000000000x1x1\nH",
        "mines 99999999999999999999\n##",
        "mines 1",
        "{\"schema_version\": 1",
        "RawVF_Version: Rev5\nWidth: 1000000000\nHeight: 1000000000\nBoard:\n",
    ] {
        let text = json!({"text": file});
        let (status, _) = lab.post("/api/v1/convert", &text).await.problem();
        assert!(status == 413 || status == 422, "{file}: {status}");
        let (status, _) = lab.post("/api/v1/coach", &text).await.problem();
        assert!(status == 413 || status == 422, "{file}: {status}");
    }
    let took = since.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[tokio::test]
async fn hints_tell_no_more_than_asked() {
    let lab = Laboratory::new();
    let mut cells = Vec::new();
    for (level, fields) in [(1, 2), (2, 3), (3, 6), (4, 9)] {
        let request = with(position(), "level", json!(level));
        let hint = lab.post("/api/v1/hint", &request).await.good();
        assert_eq!(hint.as_object().unwrap().len(), fields, "{hint}");
        assert_eq!(hint["safe_exists"], true);
        cells.extend(hint.get("cell").cloned());
    }
    assert_eq!(cells[0], cells[1]);
    let answer = lab.post("/api/v1/hint", &with(position(), "level", json!(5))).await;
    assert_eq!(answer.problem(), (422, "level".into()));
    let done = json!({"rows": ["*1", "11"], "mines": 1, "level": 1});
    assert_eq!(lab.post("/api/v1/hint", &done).await.problem().0, 409);
}
