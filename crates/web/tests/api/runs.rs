//! Tournaments and trainings on the server.

use serde_json::{Value, json};

use crate::laboratory::Laboratory;
use crate::{events, position, rules, with};

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
