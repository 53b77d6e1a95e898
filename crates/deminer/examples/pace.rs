//! How fast this machine's own code answers: the native side of `cargo xtask wasm --ratios`.
//! Writes target/corpus.jsonl (the odds of the positions of the corpus, or of the file that
//! DEMINER_CORPUS names) and target/pace.json.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cpu_time::ThreadTime;
use deminer::requests::{Context, TournamentRequest, answer_json, read_json};
use deminer::roster::Roster;
use serde_json::{Value, json};

/// Groups that are left out: to find the dead cells of one takes 10 seconds or more.
const SLOW: [&str; 3] = ["hard_checker", "hard_reveal100x100p40", "hard_ring"];

/// What a caller may spend on a region.
const BUDGET: usize = 200_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let roster = Roster::default();
    let stop = Arc::default();
    let context = Context { agents: &roster, stop: &stop, any_seed: || 1, clock: || 0 };
    let corpus = std::env::var_os("DEMINER_CORPUS")
        .map_or_else(|| root.join("boards/corpus/positions.txt"), PathBuf::from);
    let text = fs::read_to_string(corpus)?;
    let mut lines = String::new();
    let mut expert = Vec::new();
    let mut slowest = (0.0, "");
    for block in text.split("> ").skip(1) {
        let mut rows = block.lines().filter(|line| !line.is_empty());
        let name = rows.next().ok_or("a position has a name")?;
        let header = rows.next().ok_or("a position has a header")?;
        let mines: usize = header.trim_start_matches("mines ").parse()?;
        if SLOW.iter().any(|group| name.starts_with(group)) {
            continue;
        }
        let rows: Vec<_> = rows.collect();
        let request = |why| json!({ "rows": rows, "mines": mines, "why": why, "budget": BUDGET });
        // Proofs of wide positions made to be hard may take longer than all else.
        let request = request(!name.starts_with("hard_")).to_string();
        let start = ThreadTime::now();
        let answer = answer_json("analyze", request.as_bytes(), &context)?;
        let micros = start.elapsed().as_secs_f64() * 1e6;
        if name.starts_with("expert_guess") {
            expert.push(micros);
        }
        if micros > slowest.0 {
            slowest = (micros, name);
        }
        let answer: Value = serde_json::from_slice(&answer)?;
        let line = json!({ "name": name, "mine_probability": answer["mine_probability"] });
        lines += &format!("{line}\n");
    }
    fs::write(root.join("target/corpus.jsonl"), lines)?;
    expert.sort_by(f64::total_cmp);
    println!("slowest analysis: {:.1} ms, {}", slowest.0 / 1000.0, slowest.1);
    let games = 300;
    let request = json!({ "agents": ["best"], "rules": { "board": "expert" }, "games": games });
    let request: TournamentRequest = read_json(request.to_string().as_bytes())?;
    let mut tournament = request.begin(&context)?;
    let start = ThreadTime::now();
    tournament.play(games);
    let pace = json!({
        "expert_micros": {
            "median": expert[expert.len() / 2],
            "p99": expert[expert.len() * 99 / 100],
            "most": expert[expert.len() - 1],
        },
        "best_games_per_second": games as f64 / start.elapsed().as_secs_f64(),
        "won": tournament.totals().agents[0].won,
    });
    fs::write(root.join("target/pace.json"), pace.to_string())?;
    println!("native {pace}");
    Ok(())
}
