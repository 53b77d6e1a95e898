//! Every path, with good requests and bad ones.

mod data;
mod hostile;
mod laboratory;

use std::time::{Duration, Instant};

use axum::body::Body;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use laboratory::{Laboratory, request};
use serde_json::{Value, json};

fn position() -> Value {
    json!({"rows": ["####", "#12#", "####"], "mines": 3})
}

fn with(mut request: Value, field: &str, value: Value) -> Value {
    request[field] = value;
    request
}

fn rules(board: &str) -> Value {
    json!({"board": board, "start": "open"})
}

#[tokio::test]
async fn the_server_tells_who_it_is() {
    let lab = Laboratory::new();
    assert_eq!(lab.get("/healthz").await.text(), "ok");
    let version = lab.get("/api/v1/version").await.good();
    assert_eq!(version["schema_version"], 1);
    assert!(version["agents"].as_u64().unwrap() > 10);
    let agents = lab.get("/api/v1/agents").await.good();
    assert_eq!(agents["agents"].as_array().unwrap().len() as u64, version["agents"]);
    let api = lab.get("/api/v1/openapi.json").await.good();
    assert!(api["paths"]["/api/v1/analyze"]["post"].is_object());
}

/// Requests and answers of an earlier version, one a line.
#[tokio::test]
async fn old_requests_have_the_same_answers() {
    let lab = Laboratory::new();
    for line in include_str!("samples.jsonl").lines() {
        let sample: Value = serde_json::from_str(line).unwrap();
        let path = format!("/api/v1/{}", sample["path"].as_str().unwrap());
        let answer = lab.post(&path, &sample["body"]).await;
        assert_eq!(answer.status.as_u16(), sample["status"], "{path} {}", sample["body"]);
        assert_eq!(answer.json(), sample["answer"], "{path} {}", sample["body"]);
    }
}

/// The conformance set, as far as HTTP has a path for its requests.
#[tokio::test]
async fn the_conformance_set_is_answered_as_by_every_door() {
    let lab = Laboratory::new();
    let paths = [
        ("analyze", "analyze"),
        ("hint", "hint"),
        ("board", "boards"),
        ("lesson", "lesson"),
        ("review", "coach"),
        ("measure", "measure"),
        ("read", "convert"),
    ];
    let mut asked = 0;
    for set in [
        include_str!("../../../../conformance/positions.json"),
        include_str!("../../../../conformance/errors.json"),
        include_str!("../../../../conformance/formats.json"),
    ] {
        for case in serde_json::from_str::<Vec<Value>>(set).unwrap() {
            let request = case["request"].as_str().unwrap();
            let Some((_, path)) = paths.iter().find(|(name, _)| *name == request) else { continue };
            let answer = lab.post(&format!("/api/v1/{path}"), &case["body"]).await;
            asked += 1;
            match case.get("error") {
                None => assert_eq!(answer.good(), case["answer"], "{}", case["name"]),
                Some(error) => {
                    let problem = answer.json();
                    assert_eq!(problem["detail"], error["detail"], "{}", case["name"]);
                    assert_eq!(problem.get("at"), error.get("at"), "{}", case["name"]);
                }
            }
        }
    }
    assert!(asked > 40, "{asked}");
}

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
        (with(position(), "agent", json!("nobody")), 422, "agent"),
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
async fn games_are_looked_at_again() {
    let lab = Laboratory::new();
    let record = a_record(&lab).await;
    let review = lab.post("/api/v1/coach", &json!({"record": record})).await.good();
    let moves = review["moves"].as_array().unwrap();
    assert_eq!(moves.len(), record["moves"].as_array().unwrap().len());
    assert_eq!((&moves[0]["number"], &moves[0]["verdict"]), (&json!(1), &json!("start")));
    assert!(!review["summary"].as_array().unwrap().is_empty());
    assert_eq!(review["outcome"], record["outcome"]);
    let file = json!({"name": "game.json", "text": record.to_string()});
    assert_eq!(lab.post("/api/v1/coach", &file).await.good(), review);
    let mut lied = record.clone();
    lied["outcome"] = json!("stuck");
    for (body, status) in [
        (json!({"record": lied}), 422),
        (json!({"record": 7}), 422),
        (json!({"text": "mines 1\n##1"}), 422),
        (json!({}), 422),
    ] {
        assert_eq!(lab.post("/api/v1/coach", &body).await.problem().0, status, "{body}");
    }
}

#[tokio::test]
async fn games_are_measured() {
    let lab = Laboratory::new();
    let record = a_record(&lab).await;
    let measures = lab.post("/api/v1/measure", &json!({"record": record})).await.good();
    let number = |field: &str| measures[field].as_u64().unwrap();
    assert!(number("three_bv") >= number("openings") + number("islands"));
    assert!((1..=number("human_zini")).contains(&number("zini")), "{measures}");
    assert!(number("solved_three_bv") <= number("three_bv"));
    let opened = record["moves"].as_array().unwrap().iter().filter(|step| step["action"] == "open");
    assert_eq!(measures["clicks"]["left"], json!(opened.count()));
    let mut review = lab.post("/api/v1/coach", &json!({"record": record})).await.good();
    review["measures"]["schema_version"] = json!(1);
    assert_eq!(review["measures"], measures);
    let mut empty = record.clone();
    empty["moves"] = json!([]);
    empty["outcome"] = json!("undecided");
    empty.as_object_mut().unwrap().remove("layout");
    for body in [json!({"record": empty}), json!({"record": 7}), json!({}), json!({"text": "x"})] {
        assert_eq!(lab.post("/api/v1/measure", &body).await.problem().0, 422, "{body}");
    }
}

#[tokio::test]
async fn undone_moves_are_looked_at_too() {
    let lab = Laboratory::new();
    let mut record = a_record(&lab).await;
    let step = record["moves"].as_array_mut().unwrap().pop().unwrap();
    let left = record["moves"].as_array().unwrap().len();
    record["outcome"] = json!("undecided");
    record["help"] = json!({
        "undone": [{"at": left, "move": step}], "hints": [{"at": left, "level": 2}], "odds": true,
    });
    let review = lab.post("/api/v1/coach", &json!({"record": record})).await.good();
    let undone = &review["undone"][0];
    assert_eq!((&undone["at"], &undone["number"]), (&json!(left), &json!(left + 1)));
    let told = (&review["practice"], &review["hints"], &review["odds"]);
    assert_eq!(told, (&json!(true), &json!(1), &json!(true)));
    let practice = "Practice: 1 move was undone, 1 hint was used, odds were shown.";
    assert_eq!(review["summary"][1], json!(practice));
    assert!(undone["cost"].is_number() && undone["at_millis"].is_number(), "{undone}");
    record["help"]["undone"][0]["at"] = json!(left + 1);
    assert_eq!(lab.post("/api/v1/coach", &json!({"record": record})).await.problem().0, 422);
}

#[tokio::test]
async fn bodies_that_are_none_are_refused() {
    let lab = Laboratory::new();
    let send = |body: Vec<u8>| lab.ask(request("POST", "/api/v1/analyze", Body::from(body)));
    assert_eq!(send(b"{".to_vec()).await.problem().0, 400);
    assert_eq!(send(b"\xff\xfe".to_vec()).await.problem().0, 400);
    assert_eq!(send(Vec::new()).await.problem().0, 400);
    assert_eq!(send(b"[]".to_vec()).await.problem().0, 422);
    assert_eq!(send(vec![b' '; 65 * 1024]).await.problem().0, 413);
    let nested = r#"{"rows":"#.to_owned() + &"[".repeat(60_000);
    assert_eq!(send(nested.into_bytes()).await.problem().0, 422);
    let mut plain = request("POST", "/api/v1/analyze", Body::from("{}"));
    plain.headers_mut().insert("content-type", "text/plain".parse().unwrap());
    assert_eq!(lab.ask(plain).await.problem().0, 415);
}

#[tokio::test]
async fn foreign_hosts_origins_and_paths_are_refused() {
    let lab = Laboratory::new();
    let change = |name: &'static str, value: &str| {
        let mut request = request("POST", "/api/v1/analyze", Body::from(position().to_string()));
        request.headers_mut().insert(name, value.parse().unwrap());
        lab.ask(request)
    };
    assert_eq!(change("host", "evil.example").await.problem().0, 421);
    assert_eq!(change("origin", "http://evil.example").await.problem().0, 403);
    assert_eq!(change("sec-fetch-site", "cross-site").await.problem().0, 403);
    assert!(change("origin", "http://127.0.0.1:7654").await.status.is_success());
    let mut nameless = request("GET", "/healthz", Body::empty());
    nameless.headers_mut().remove("host");
    assert_eq!(lab.ask(nameless).await.problem().0, 400);
    for path in [
        "/api",
        "/api/v1",
        "/api/v2/analyze",
        "/api/v1/tables/../../../etc/passwd",
        "/api/v1/tables/%2e%2e/Cargo.toml",
        "/api/v1/records/..%2f..%2fetc",
        "/assets/..%5c..%5cCargo.toml",
        "/../Cargo.toml",
        "//etc/passwd",
        "/Cargo.toml",
        "/.git/config",
    ] {
        assert_eq!(lab.get(path).await.problem().0, 404, "{path}");
    }
    assert_eq!(lab.delete("/api/v1/analyze").await.problem().0, 405);
    assert_eq!(lab.delete("/").await.problem().0, 405);
}

#[tokio::test]
async fn the_page_or_a_word_about_it_is_at_the_root_and_in_the_rooms() {
    let lab = Laboratory::new();
    for path in ["/", "/play", "/watch"] {
        let answer = lab.get(path).await;
        assert_eq!(answer.status, 200);
        assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"));
        assert_eq!(answer.headers["cache-control"], "no-cache");
        assert!(answer.text().contains("deminer"));
    }
}

#[tokio::test]
async fn the_guide_is_beside_the_page() {
    let lab = Laboratory::new();
    for path in ["/guide/", "/guide/index.html", "/guide/tutorial/first-game.html"] {
        let answer = lab.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"));
        assert!(answer.text().contains("index.html\">Laboratory</a>"), "{path}");
    }
    let answer = lab.get("/guide").await;
    assert_eq!(answer.status, 308);
    assert_eq!(answer.headers["location"], "/guide/");
}

#[tokio::test]
async fn a_browser_at_a_wrong_address_gets_a_page_with_a_way_back() {
    let lab = Laboratory::new();
    for path in ["/nothing", "/nothing/here", "/assets/none.js"] {
        assert_eq!(lab.get(path).await.problem().0, 404, "{path}");
        let mut browser = request("GET", path, Body::empty());
        let accepted = "text/html,application/xhtml+xml,*/*;q=0.8".parse().unwrap();
        browser.headers_mut().insert("accept", accepted);
        let answer = lab.ask(browser).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.headers["content-type"].to_str().unwrap().starts_with("text/html"));
        assert!(answer.text().contains("<h1>Not found</h1>"));
        assert!(answer.text().contains("<a href=\"/\">"));
    }
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

#[tokio::test]
async fn boards_come_from_seeds() {
    let lab = Laboratory::new();
    let request = json!({"rules": rules("8x5x6"), "seed": 7, "first": [2, 3]});
    let board = lab.post("/api/v1/boards", &request).await.good();
    assert_eq!(board, lab.post("/api/v1/boards", &request).await.good());
    assert_eq!(board["rows"].as_array().unwrap().len(), 5);
    assert_eq!(board["first"], json!([2, 3]));
    assert_eq!(board["rules"]["start"], "open");
    let solvable = json!({"rules": {"board": "9x7x12"}, "seed": 1, "difficulty": "extreme"});
    let board = lab.post("/api/v1/boards", &solvable).await.good();
    assert_eq!(board["difficulty"], "extreme");
    assert_eq!(board["rules"]["start"], "open");
    let large = with(request.clone(), "seed", json!("18446744073709551615"));
    assert!(lab.post("/api/v1/boards", &large).await.status.is_success());
    let wrong = [
        (json!({"rules": rules("1000000000x1x1")}), "rules.board"),
        (json!({"rules": rules("4x4x16")}), "rules.board"),
        (json!({"rules": rules("0x4x1")}), "rules.board"),
        (with(request.clone(), "first", json!([9, 9])), "first"),
        (with(request.clone(), "difficulty", json!("silly")), "difficulty"),
        (with(request, "seed", json!("x")), ""),
    ];
    lab.refuses("/api/v1/boards", wrong).await;
}

/// The events of a stream: name, id and data.
fn events(text: &str) -> Vec<(String, usize, Value)> {
    let field = |block: &str, name: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().trim_start_matches(": ").to_owned()
    };
    let blocks = text.split("\n\n").filter(|block| block.contains("event:"));
    let read = |block: &str| {
        let data: Value = serde_json::from_str(&field(block, "data")).unwrap();
        (field(block, "event"), field(block, "id").parse().unwrap(), data)
    };
    blocks.map(read).collect()
}

#[tokio::test]
async fn games_are_streamed_and_go_on_after_an_event() {
    let lab = Laboratory::new();
    let request = json!({"agent": "lowest-risk", "rules": rules("9x9x10"), "seed": 3, "at": "4,4"});
    let answer = lab.post("/api/v1/play", &request).await;
    assert_eq!(answer.headers["content-type"], "text/event-stream");
    let all = events(&answer.text());
    assert_eq!(all[0].0, "begin");
    assert_eq!(all[0].2["rows"].as_array().unwrap().len(), 9);
    let (decisions, end) = (&all[1..all.len() - 1], &all[all.len() - 1]);
    assert!(decisions.iter().all(|(name, id, data)| name == "decision" && data["number"] == *id));
    assert_eq!(decisions[0].2["by"], "start");
    let believed = |(_, _, data): &&(String, usize, Value)| data["estimates"].is_array();
    assert!(decisions.iter().filter(believed).count() > 0, "the agent tells what it believes");
    assert!(decisions.iter().all(|(_, _, data)| !data["sentence"].as_str().unwrap().is_empty()));
    assert_eq!(end.0, "end");
    assert_eq!(end.2["record"]["kind"], "record");

    let mut again = laboratory::request("POST", "/api/v1/play", Body::from(request.to_string()));
    again.headers_mut().insert("last-event-id", "2".parse().unwrap());
    let rest = events(&lab.ask(again).await.text());
    assert_eq!(rest.len(), all.len() - 3);
    let cells = |events: &[(String, usize, Value)]| -> Vec<Value> {
        events.iter().map(|(_, _, data)| data["cell"].clone()).collect()
    };
    assert_eq!(cells(&rest), cells(&all[3..]));
}

#[tokio::test]
async fn every_agent_can_be_watched() {
    let lab = Laboratory::new();
    let agents = lab.get("/api/v1/agents").await.good();
    for agent in agents["agents"].as_array().unwrap() {
        let board = match &agent["networks"]["present"] {
            Value::Array(present) => match present.first() {
                Some(network) => network["board"].clone(),
                None => continue,
            },
            // It looks through all games there are.
            _ if agent["name"] == "optimal" => json!("4x3x2"),
            _ if agent["name"] == "q-table" => json!("4x4x3"),
            _ => json!("7x6x6"),
        };
        let request = json!({"agent": agent["name"], "rules": {"board": board}, "seed": 5});
        let answer = lab.post("/api/v1/play", &request).await;
        assert!(answer.status.is_success(), "{agent}: {}", answer.text());
        let all = events(&answer.text());
        assert_eq!(all.last().unwrap().0, "end", "{agent}: {}", answer.text());
    }
}

#[tokio::test]
async fn games_that_cannot_be_played_are_refused() {
    let lab = Laboratory::new();
    let wrong = [
        (json!({"agent": "nobody", "rules": rules("9x9x10")}), "agent"),
        (json!({"agent": "tree", "rules": {"board": "9x9x10", "shape": "hex"}}), "agent"),
        (json!({"agent": "random", "rules": rules("999x9x10")}), "rules.board"),
        (json!({"agent": "random", "rules": rules("9x9x10"), "at": "9,9"}), "at"),
        (json!({"agent": "random"}), "rules"),
    ];
    lab.refuses("/api/v1/play", wrong).await;
    let body = json!({"agent": "random", "rules": rules("9x9x10"), "seed": 1}).to_string();
    let mut wrong = request("POST", "/api/v1/play", Body::from(body));
    wrong.headers_mut().insert("last-event-id", "x".parse().unwrap());
    assert_eq!(lab.ask(wrong).await.problem(), (422, "Last-Event-ID".into()));
}

#[tokio::test]
async fn files_are_read_and_written() {
    let lab = Laboratory::new();
    let formats = lab.get("/api/v1/formats").await.good();
    assert!(formats["formats"].as_array().unwrap().len() >= 10);
    let link = json!({"text": "?b=84&m=01g0508"});
    let held = lab.post("/api/v1/convert", &link).await.good();
    assert_eq!(held["kind"], "layout");
    assert_eq!(held["layout"]["mines"], 5);
    assert!(held["formats"].as_array().unwrap().contains(&json!("mbf")));
    let text = lab.post("/api/v1/convert?to=text", &link).await;
    assert!(text.text().starts_with("mines 5\n"));
    let base64 = json!({"name": "a.txt", "base64": "bWluZXMgMQojIyMK"});
    let held = lab.post("/api/v1/convert", &base64).await.good();
    assert_eq!(held["position"]["rows"], json!(["###"]));
    let mut raw = request("POST", "/api/v1/convert", Body::from("mines 1\n##1\n"));
    raw.headers_mut().insert("content-type", "application/octet-stream".parse().unwrap());
    assert_eq!(lab.ask(raw).await.good()["kind"], "position");
    for (path, request, status) in [
        ("/api/v1/convert", json!({"text": "garbage"}), 422),
        ("/api/v1/convert", json!({"base64": "@"}), 422),
        ("/api/v1/convert", json!({}), 422),
        ("/api/v1/convert?to=nothing", link.clone(), 422),
        ("/api/v1/convert?too=text", link.clone(), 422),
        ("/api/v1/convert?to=record", link.clone(), 422),
        ("/api/v1/convert", json!({"text": format!("mines 1\n{}", "#".repeat(200))}), 413),
    ] {
        assert_eq!(lab.post(path, &request).await.problem().0, status, "{path} {request}");
    }
}

/// A game in RawVF with a comment that makes it this long.
fn rawvf(bytes: usize) -> String {
    let game = "Program: Example\nPlayer: me\nWidth: 4\nHeight: 2\nTime: 1.5\n\
                Board:\n*000\n0000\nEvents:\n0.001 mv 1 1 (3 9)\n0.5 lc 4 1 (56 8)\n\
                0.6 lr 4 1 (56 8)\n1.4 lc 1 2 (8 24)\n1.5 lr 1 2 (8 24)\n";
    let head = "Comment: \n";
    let comment = "x".repeat(bytes - head.len() - game.len());
    format!("Comment: {comment}\n{game}")
}

#[tokio::test]
async fn a_replay_has_its_format_and_its_mouse_events() {
    let lab = Laboratory::new();
    let held = lab.post("/api/v1/convert", &json!({"text": rawvf(300)})).await.good();
    assert_eq!((&held["format"], &held["kind"]), (&json!("rawvf"), &json!("replay")));
    assert_eq!(held["record"]["outcome"], "won");
    assert_eq!(held["position"]["rows"], json!(["#1..", "11.."]));
    let replay = &held["replay"];
    assert_eq!((&replay["player"], &replay["program"]), (&json!("me"), &json!("Example")));
    assert_eq!((&replay["cell_size"], &replay["millis"]), (&json!(16), &json!(1500)));
    let events = replay["events"].as_array().unwrap();
    assert_eq!(events[0], json!([1, "mv", 3, 9]));
    assert_eq!(events.last().unwrap(), &json!([1500, "lr", 8, 24]));
    let held = lab.post("/api/v1/convert", &json!({"text": "mines 1\n##1\n"})).await.good();
    assert_eq!((&held["format"], &held["replay"]), (&json!("text"), &Value::Null));
}

#[tokio::test]
async fn files_up_to_the_limit_are_read_and_larger_ones_are_told_it() {
    let lab = Laboratory::new();
    let most = 4 << 20;
    let large = rawvf(most);
    let base64 = BASE64_STANDARD.encode(&large);
    let held = lab.post("/api/v1/convert", &json!({"base64": base64})).await.good();
    assert_eq!(held["replay"]["events"].as_array().unwrap().len(), 5);
    let reviewed = lab.post("/api/v1/coach", &json!({"base64": base64})).await.good();
    assert_eq!(reviewed["outcome"], "won");
    let raw = |bytes: Vec<u8>| {
        let mut raw = request("POST", "/api/v1/convert?to=record", Body::from(bytes));
        raw.headers_mut().insert("content-type", "application/octet-stream".parse().unwrap());
        raw
    };
    let record = lab.ask(raw(large.into_bytes())).await;
    assert!(record.status.is_success());
    let limit = "This file has 4.1 MB; deminer reads files up to 4 MB.";
    for answer in [
        lab.ask(raw(vec![b' '; most + 1])).await,
        lab.post("/api/v1/convert", &json!({"text": " ".repeat(most + 1)})).await,
        lab.post("/api/v1/coach", &json!({"text": " ".repeat(most + 1)})).await,
    ] {
        assert_eq!(answer.status, 413);
        assert!(answer.text().contains(limit), "{}", answer.text());
    }
    let giant = lab.ask(raw(vec![b' '; 9 << 20])).await;
    assert_eq!(giant.status, 413);
    assert!(giant.text().contains("has 9 MB; deminer reads files up to 4 MB"), "{}", giant.text());
}

async fn a_record(lab: &Laboratory) -> Value {
    let request = json!({"agent": "single-point", "rules": rules("5x4x3"), "seed": 2, "at": "1,1"});
    let answer = lab.post("/api/v1/play", &request).await;
    events(&answer.text()).last().unwrap().2["record"].clone()
}

#[tokio::test]
async fn records_are_kept_listed_and_removed() {
    let lab = Laboratory::new();
    let record = a_record(&lab).await;
    let kept = lab.post("/api/v1/records", &record).await;
    assert_eq!(kept.status, 201);
    let path = kept.headers["location"].to_str().unwrap().to_owned();
    lab.post("/api/v1/records", &record).await.good();
    let list = lab.get("/api/v1/records").await.good();
    assert_eq!(list["records"].as_array().unwrap().len(), 1);
    assert_eq!(list["records"][0]["player"], "single-point");
    assert_eq!(lab.get(&path).await.good(), record);
    assert_eq!(lab.delete(&path).await.status, 204);
    assert_eq!(lab.get(&path).await.problem().0, 404);
    assert_eq!(lab.delete(&path).await.problem().0, 404);
    assert_eq!(lab.get("/api/v1/records/passwd").await.problem().0, 404);
    let impossible = with(record, "outcome", json!("stuck"));
    assert_eq!(lab.post("/api/v1/records", &impossible).await.problem(), (422, "record".into()));
}

#[tokio::test]
async fn pictures_are_drawn() {
    let lab = Laboratory::new();
    let record = a_record(&lab).await;
    let svg = with(position(), "kind", json!("svg"));
    let svg = with(svg, "estimates", json!([[0.5, null], [0.25]]));
    assert!(lab.post("/api/v1/picture", &svg).await.text().contains("<svg"));
    let png = lab.post("/api/v1/picture", &with(position(), "kind", json!("png"))).await;
    assert!(png.bytes.starts_with(b"\x89PNG"));
    let film = json!({"record": record, "kind": "gif", "chains": true, "dark": true});
    let gif = lab.post("/api/v1/picture", &film).await;
    assert!(gif.bytes.starts_with(b"GIF89a"));
    assert_eq!(gif.headers["content-type"], "image/gif");
    let wrong = [
        (with(position(), "kind", json!("bmp")), "kind"),
        (with(position(), "kind", json!("gif")), "record"),
        (json!({"kind": "svg"}), "rows"),
        (with(svg.clone(), "estimates", json!([[2.0]])), "estimates[0][0]"),
        (with(svg.clone(), "estimates", json!([[], [], [], [0.5]])), "estimates[3][0]"),
        (with(svg, "heat", json!("red-green")), "heat"),
    ];
    lab.refuses("/api/v1/picture", wrong).await;
}

#[tokio::test]
async fn tables_and_the_leaderboard_are_embedded() {
    let lab = Laboratory::new();
    let tables = lab.get("/api/v1/tables").await.good();
    let first = &tables["tables"][0];
    assert_eq!(first["id"], "s000-t1");
    let table = lab.get("/api/v1/tables/s000-t1").await.good();
    assert_eq!(table["table"]["id"], "s000-t1");
    let picture = table["pictures"][0].as_str().unwrap();
    let picture = lab.get(&format!("/api/v1/tables/s000-t1/{picture}")).await;
    assert_eq!(picture.headers["content-type"], "image/svg+xml");
    assert_eq!(lab.get("/api/v1/leaderboard").await.good()["id"], "arena");
    for path in ["/api/v1/tables/nothing", "/api/v1/tables/s000-t1/nothing.svg"] {
        assert_eq!(lab.get(path).await.problem().0, 404);
    }
}

#[tokio::test]
async fn artifacts_tell_where_they_come_from() {
    let lab = Laboratory::new();
    let list = lab.get("/api/v1/artifacts").await.good();
    let tree = list["artifacts"]
        .as_array()
        .unwrap()
        .iter()
        .find(|artifact| artifact["name"] == "lowest-risk-depth-8.tree")
        .unwrap();
    assert!(tree["header"]["command"].as_str().unwrap().starts_with("deminer train tree"));
    let path = "/api/v1/artifacts/lowest-risk-depth-8.tree";
    let document = lab.get(path).await.good();
    assert!(document["tree"]["nodes"].as_array().unwrap().len() > 100);
    assert!(lab.get(&format!("{path}/text")).await.text().starts_with("deminer tree 1"));
    for drawing in tree["drawings"].as_array().unwrap() {
        let drawing = format!("{path}/{}?depth=2&dark=true", drawing.as_str().unwrap());
        assert!(lab.get(&drawing).await.text().contains("<svg"));
    }
    assert_eq!(lab.get(&format!("{path}/tree.svg?depth=60")).await.problem().0, 422);
    assert_eq!(lab.get(&format!("{path}/leaves.svg")).await.problem().0, 404);
    assert_eq!(lab.get("/api/v1/artifacts/nothing").await.problem().0, 404);
}

#[tokio::test]
async fn tournaments_run_are_followed_and_removed() {
    let lab = Laboratory::new();
    let spec = json!({"agents": ["random", "single-point"], "games": 400, "board": "6x5x4"});
    let begun = lab.post("/api/v1/runs", &json!({"kind": "tournament", "spec": spec})).await;
    assert_eq!(begun.status, 201);
    let path = begun.headers["location"].to_str().unwrap().to_owned();
    let followed = lab.get(&format!("{path}/events")).await;
    let all = events(&followed.text());
    let (_, _, last) = all.last().unwrap();
    assert_eq!(last["state"], "finished");
    assert_eq!(last["progress"]["share"], 1.0);
    assert_eq!(last["agents"][1]["games"], 400);
    assert_eq!(last["totals"]["paired"].as_array().unwrap().len(), 1);
    let list = lab.get("/api/v1/runs").await.good();
    assert_eq!(list["runs"].as_array().unwrap().len(), 1);
    assert_eq!(list["learners"][0]["name"], "tree");
    assert_eq!(lab.delete(&path).await.status, 204);
    assert_eq!(lab.get(&path).await.problem().0, 404);
}

#[tokio::test]
async fn a_run_stops_and_goes_on_even_in_another_server() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_owned();
    let lab = Laboratory::with(|options| options.data = folder.clone());
    let spec = json!({"agents": ["lowest-risk"], "games": 20_000, "board": "expert", "shard": 50});
    let begun = lab.post("/api/v1/runs", &json!({"kind": "tournament", "spec": spec})).await.good();
    let path = format!("/api/v1/runs/{}", begun["id"].as_str().unwrap());
    lab.wait(&path, "running").await;
    assert_eq!(lab.delete(&path).await.status, 202);
    lab.wait(&path, "stopped").await;
    assert_eq!(lab.post(&format!("{path}/resume"), &json!({})).await.status, 202);
    assert_eq!(lab.post(&format!("{path}/resume"), &json!({})).await.problem().0, 409);
    lab.wait(&path, "running").await;
    drop(lab);

    let lab = Laboratory::with(|options| options.data = folder);
    let run = lab.wait(&path, "running").await;
    assert_eq!(run["spec"]["games"], 20_000);
    assert_eq!(lab.post(&format!("{path}/stop"), &json!({})).await.status, 202);
    lab.wait(&path, "stopped").await;
    assert_eq!(lab.delete(&path).await.status, 204);
}

#[tokio::test]
async fn runs_that_cannot_be_are_refused_and_failures_are_told() {
    let lab = Laboratory::new();
    let spec = |field: &str, value: Value| {
        let spec = json!({"agents": ["random"], "games": 10});
        json!({"kind": "tournament", "spec": with(spec, field, value)})
    };
    let wrong = [
        (spec("agents", json!([])), "spec.agents"),
        (spec("agents", json!(["tree:/etc/passwd"])), "spec.agents"),
        (spec("games", json!(0)), "spec.games"),
        (spec("games", json!(1_000_000_000_000_u64)), "spec.games"),
        (spec("board", json!("1000x1000x9")), ""),
        (spec("board", json!("200x200x9")), "spec.board"),
        (spec("estimator", json!("lucky")), "spec.estimator"),
        (spec("out", json!("/etc")), "spec.out"),
        (json!({"kind": "train", "learner": "cheat"}), "learner"),
        (json!({"kind": "train", "learner": "tree", "options": {"out": "/x"}}), "options.out"),
        (json!({"kind": "nothing"}), ""),
    ];
    lab.refuses("/api/v1/runs", wrong).await;
    // The program is not there, so a training fails, and says so.
    let train = json!({"kind": "train", "learner": "tree", "options": {"games": 5}});
    let begun = lab.post("/api/v1/runs", &train).await.good();
    let path = format!("/api/v1/runs/{}", begun["id"].as_str().unwrap());
    let failed = lab.wait(&path, "failed").await;
    assert!(failed["error"].as_str().unwrap().contains("cannot start"));
    assert_eq!(lab.get(&format!("{path}/artifact")).await.problem().0, 404);
    assert_eq!(lab.get("/api/v1/runs/run-999999").await.problem().0, 404);
}

#[tokio::test]
async fn others_start_nothing_unless_allowed() {
    let open = |allow: bool| {
        Laboratory::with(|options| {
            options.listen = "0.0.0.0:7654".parse().unwrap();
            options.allow_jobs = allow;
        })
    };
    let order = json!({"kind": "tournament", "spec": {"agents": ["random"], "games": 10}});
    let lab = open(false);
    assert_eq!(lab.post("/api/v1/runs", &order).await.problem().0, 403);
    assert_eq!(lab.post("/api/v1/records", &json!({})).await.problem().0, 403);
    assert_eq!(lab.get("/api/v1/runs").await.good()["allowed"], false);
    assert!(lab.post("/api/v1/analyze", &position()).await.status.is_success());
    assert_eq!(open(true).post("/api/v1/runs", &order).await.status, 201);
}

#[tokio::test]
async fn the_committed_description_is_the_true_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
    let true_one = deminer_web::openapi().to_pretty_json().unwrap() + "\n";
    if std::env::var_os("DEMINER_WRITE_OPENAPI").is_some() {
        std::fs::write(path, &true_one).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == true_one,
        "docs/openapi.json is old: DEMINER_WRITE_OPENAPI=1 cargo test -p deminer-web --test api \
         description writes it"
    );
}

#[test]
fn every_operation_is_described_by_a_name_of_its_own() {
    let description = serde_json::to_value(deminer_web::openapi()).unwrap();
    let paths = description["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|path| path.as_object().unwrap().values());
    let names: Vec<&str> =
        operations.map(|operation| operation["operationId"].as_str().unwrap()).collect();
    let different: std::collections::BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(different.len(), names.len(), "{names:?}");
}

/// A data folder in which trainings were finished: their learner, and what they made.
fn trained(options: &mut deminer_web::Options, trainings: &[(&str, &str, &str)]) {
    let shipped = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../artifacts");
    for (number, (learner, name, file)) in trainings.iter().enumerate() {
        let folder = options.data.join(format!("runs/run-{:06}", number + 1));
        std::fs::create_dir_all(&folder).unwrap();
        let order = json!({"kind": "train", "learner": learner, "options": {}});
        let job = json!({"schema_version": 1, "created": 1, "stopped": false, "order": order});
        std::fs::write(folder.join("job.json"), job.to_string()).unwrap();
        std::fs::copy(shipped.join(file), folder.join(name)).unwrap();
        std::fs::write(folder.join("done"), "").unwrap();
    }
}

#[tokio::test]
async fn what_a_training_made_plays_and_is_measured() {
    let lab = Laboratory::with(|options| {
        let tree = ("tree", "artifact.tree", "trees/lowest-risk-depth-8.tree");
        let table = ("q-table", "artifact.q", "q-tables/4x4x3.q");
        trained(options, &[tree, table]);
    });
    let run = lab.get("/api/v1/runs/run-000001").await.good();
    assert_eq!(run["state"], "finished");
    assert_eq!(run["player"]["agent"], "tree:run-000001");
    assert_eq!(run["player"]["board"], "10x10x10");
    assert_eq!(run["player"]["rivals"], json!(["tree", "best"]));
    let play = json!({"agent": "tree:run-000001", "rules": rules("9x9x10"), "seed": 1});
    let played = lab.post("/api/v1/play", &play).await;
    assert!(played.text().contains("event: end"), "{}", played.text());
    assert!(!played.text().contains("event: error"));

    let spec = json!({"agents": ["q-table:run-000002", "q-table"], "board": "4x4x3", "games": 20});
    let begun = lab.post("/api/v1/runs", &json!({"kind": "tournament", "spec": spec})).await.good();
    assert_eq!(begun["id"], "run-000003");
    let done = lab.wait("/api/v1/runs/run-000003", "finished").await;
    let agents = &done["totals"]["agents"];
    assert_eq!(agents[0]["agent"], "q-table:run-000002");
    assert_eq!(agents[0]["won"], agents[1]["won"], "it is the shipped table");
    assert_eq!(done["totals"]["paired"][0]["p_value"], 1.0);
}

#[tokio::test]
async fn agents_of_runs_that_are_gone_or_different_are_refused_with_the_reason() {
    let lab = Laboratory::with(|options| {
        trained(options, &[("q-table", "artifact.q", "q-tables/4x4x3.q")]);
        std::fs::write(options.data.join("runs/last-run"), "7").unwrap();
    });
    for (agent, words) in [
        ("tree:run-000009", "there is no run `run-000009`"),
        ("tree:run-000001", "`run-000001` trained `q-table`, not `tree`"),
        ("q-table:run-000001", "no table for it"),
        ("tree:run-000001/../../x", "shipped names"),
    ] {
        let play = json!({"agent": agent, "rules": rules("5x5x5"), "seed": 1});
        let answer = lab.post("/api/v1/play", &play).await;
        assert!(answer.text().contains(words), "{agent}: {}", answer.text());
        assert_eq!(answer.problem(), (422, "agent".into()), "{agent}");
        let spec = json!({"agents": [agent], "board": "5x5x5", "games": 1});
        let order = json!({"kind": "tournament", "spec": spec});
        assert_eq!(lab.post("/api/v1/runs", &order).await.problem(), (422, "spec.agents".into()));
    }
    // The numbers of runs that were removed are not used again.
    let order = json!({"kind": "tournament", "spec": {"agents": ["random"], "games": 1}});
    assert_eq!(lab.post("/api/v1/runs", &order).await.good()["id"], "run-000008");
}

#[tokio::test]
async fn trainings_are_checked_before_they_start_and_the_field_is_named() {
    let lab = Laboratory::new();
    let train =
        |board: &str| json!({"kind": "train", "learner": "tree", "options": {"board": board}});
    let answer = lab.post("/api/v1/runs", &train("banana")).await;
    assert!(answer.text().contains("banana"));
    assert_eq!(answer.problem(), (422, "options.board".into()));
    assert_eq!(lab.get("/api/v1/runs").await.good()["runs"], json!([]));
    assert_eq!(lab.post("/api/v1/runs", &train("9x9x10")).await.status, 201);
}

#[tokio::test]
async fn every_shipped_tree_answers_for_a_painted_window() {
    let lab = Laboratory::new();
    let artifacts = lab.get("/api/v1/artifacts").await.good();
    let trees = artifacts["artifacts"].as_array().unwrap().iter();
    let trees: Vec<&Value> = trees.filter(|artifact| artifact["kind"] == "trees").collect();
    assert!(trees.len() >= 3);
    for tree in trees {
        let path = format!("/api/v1/artifacts/{}/walk", tree["name"].as_str().unwrap());
        let window = json!({"rows": ["-11##", "-1###", "-1###", "-12##", "-####"]});
        let walk = lab.post(&path, &window).await.good();
        assert!(!walk["asked"].as_array().unwrap().is_empty(), "{path}");
        assert!((0.0..=1.0).contains(&walk["risk"].as_f64().unwrap()), "{path}");
        let open = json!({"rows": ["#####", "#111#", "#1#1#", "#111#", "#####"]});
        assert_ne!(lab.post(&path, &open).await.good()["risk"], walk["risk"], "{path}");
        for wrong in
            [json!({"rows": ["#"]}), json!({"rows": ["#####", "#####", "##x##", "#####", "#####"]})]
        {
            assert_eq!(lab.post(&path, &wrong).await.problem(), (422, "rows".into()));
        }
    }
    let window = json!({"rows": ["#####", "#####", "#####", "#####", "#####"]});
    assert_eq!(lab.post("/api/v1/artifacts/paper.pl/walk", &window).await.problem().0, 404);
}

#[tokio::test]
async fn the_leaderboard_names_every_agent_of_the_roster_or_says_why_not() {
    let lab = Laboratory::new();
    let board = lab.get("/api/v1/leaderboard").await.good();
    let agents = lab.get("/api/v1/agents").await.good();
    let of = |field: &str, setting: &str, agent: &Value| {
        board[field].as_array().unwrap().iter().any(|entry| {
            let settings = entry["settings"].as_array();
            let here = settings.is_some_and(|all| all.iter().any(|one| one == setting));
            entry["agent"] == *agent && (here || entry["setting"] == setting)
        })
    };
    for agent in agents["agents"].as_array().unwrap() {
        let name = &agent["name"];
        let found = [of("lines", "expert safe", name), of("absent", "expert safe", name)];
        assert!(found[0] != found[1], "{name}: {found:?}");
    }
}
