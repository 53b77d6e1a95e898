//! What is shipped: tables, the leaderboard, artifacts and trees.

use serde_json::{Value, json};

use crate::laboratory::Laboratory;

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
