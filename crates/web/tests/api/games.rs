//! Games: boards from seeds, agents at play, reviews and measures.

use axum::body::Body;
use serde_json::{Value, json};

use crate::laboratory::{self, Laboratory};
use crate::{a_record, events, rules, with};

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
        (json!({"agent": "unknown", "rules": rules("9x9x10")}), "agent"),
        (json!({"agent": "tree", "rules": {"board": "9x9x10", "shape": "hex"}}), "agent"),
        (json!({"agent": "random", "rules": rules("999x9x10")}), "rules.board"),
        (json!({"agent": "random", "rules": rules("9x9x10"), "at": "9,9"}), "at"),
        (json!({"agent": "random"}), "rules"),
    ];
    lab.refuses("/api/v1/play", wrong).await;
    let body = json!({"agent": "random", "rules": rules("9x9x10"), "seed": 1}).to_string();
    let mut wrong = laboratory::request("POST", "/api/v1/play", Body::from(body));
    wrong.headers_mut().insert("last-event-id", "x".parse().unwrap());
    assert_eq!(lab.ask(wrong).await.problem(), (422, "Last-Event-ID".into()));
}
