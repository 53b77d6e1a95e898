//! How fast this machine's own code answers: the native side of `cargo xtask wasm --ratios`.
//! Writes target/corpus.jsonl (the odds of the positions of the corpus that come up in play) and
//! target/pace.json. A whole analysis of the others, made to be hard to count, takes minutes.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use deminer::requests::{Context, TournamentRequest, answer_json, read_json};
use deminer::roster::Roster;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let roster = Roster::default();
    let stop = Arc::default();
    let context = Context { agents: &roster, stop: &stop, any_seed: || 1, clock: || 0 };
    let text = fs::read_to_string(root.join("boards/corpus/positions.txt"))?;
    let mut lines = String::new();
    let mut micros = Vec::new();
    for block in text.split("> ").skip(1) {
        let mut rows = block.lines().filter(|line| !line.is_empty());
        let name = rows.next().ok_or("a position has a name")?;
        if name.starts_with("hard_") {
            continue;
        }
        let header = rows.next().ok_or("a position has a header")?;
        let mines: usize = header.trim_start_matches("mines ").parse()?;
        let request =
            json!({ "rows": rows.collect::<Vec<_>>(), "mines": mines, "budget": 200_000_000 });
        let request = request.to_string();
        let start = Instant::now();
        let answer = answer_json("analyze", request.as_bytes(), &context)?;
        micros.push(start.elapsed().as_secs_f64() * 1e6);
        let answer: Value = serde_json::from_slice(&answer)?;
        let line = json!({ "name": name, "mine_probability": answer["mine_probability"] });
        lines += &format!("{line}\n");
    }
    fs::write(root.join("target/corpus.jsonl"), lines)?;
    micros.sort_by(f64::total_cmp);
    let games = 300;
    let request = json!({ "agents": ["best"], "rules": { "board": "expert" }, "games": games });
    let request: TournamentRequest = read_json(request.to_string().as_bytes())?;
    let mut tournament = request.begin(&context)?;
    let start = Instant::now();
    tournament.play(games);
    let pace = json!({
        "analyze_micros": { "median": micros[micros.len() / 2], "p99": micros[micros.len() * 99 / 100] },
        "best_games_per_second": games as f64 / start.elapsed().as_secs_f64(),
        "won": tournament.totals().agents[0].won,
    });
    fs::write(root.join("target/pace.json"), pace.to_string())?;
    println!("native {pace}");
    Ok(())
}
