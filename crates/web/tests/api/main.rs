//! Every path, with good requests and bad ones.

mod contract;
mod data;
mod files;
mod games;
mod hostile;
mod laboratory;
mod page;
mod positions;
mod runs;
mod shipped;

use laboratory::Laboratory;
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

async fn a_record(lab: &Laboratory) -> Value {
    let request = json!({"agent": "single-point", "rules": rules("5x4x3"), "seed": 2, "at": "1,1"});
    let answer = lab.post("/api/v1/play", &request).await;
    events(&answer.text()).last().unwrap().2["record"].clone()
}
