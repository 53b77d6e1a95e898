//! Version, recorded answers, the conformance set and the API's description.

use serde_json::Value;

use crate::laboratory::Laboratory;

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
