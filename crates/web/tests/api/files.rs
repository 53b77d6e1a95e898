//! Files that are read and written, kept records, and pictures.

use axum::body::Body;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::laboratory::{Laboratory, request};
use crate::{a_record, position, with};

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
