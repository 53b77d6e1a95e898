//! Games per second of CPU time, and the share of dealing boards in it.
//!
//! Prints, for the baselines and the strongest player on the standard boards, games per CPU second
//! on one thread; boards dealt with their first opening, as a ratio to the games of the same run;
//! and how long decisions take that are guesses: half of them, 99 in 100, all.
//!
//! `cargo bench -p deminer-lab -- [--games N] [--json FILE]`; the file gets the rows of
//! `cargo xtask bench-all` and the build.

use std::num::NonZero;
use std::sync::Arc;
use std::{env, fs};

use cpu_time::ThreadTime;
use deminer::roster::{self, Spec};
use deminer_game::{Action, Board, FirstClick, GameSeed, Match, Rules, Size};
use deminer_lab::provenance::Build;
use deminer_lab::tournament::Tournament;
use serde_json::json;

/// Games of each agent on each board, unless `--games` is given; a tenth of them times guesses.
const GAMES: u64 = 20_000;

fn main() {
    let (games, file) = options();
    let mut rows = Vec::new();
    println!(
        "{:<14} {:<14} {:>16} {:>16} {:>12} {:>10} {:>10}",
        "board", "agent", "games / CPU s", "deals per game", "a guess, ms", "99 %", "all"
    );
    for (level, size) in Size::LEVELS {
        let rules = Rules::of(size).expect("levels fit");
        let deals = deals_per_second(&rules);
        println!("{level:<14} {:<14} {deals:>16.0} {:>16}", "(deal + open)", "");
        for agent in ["random", "single-point", "lowest-risk", "best"] {
            let spec = roster::agent(agent).expect("in the roster");
            let results = Tournament::plain(vec![spec.clone()], rules.clone(), 1, games)
                .run(NonZero::<usize>::MIN, &Arc::default(), |_| {})
                .expect("baselines always build");
            let speed = results.tallies[0].games_per_cpu_second();
            print!("{level:<14} {agent:<14} {speed:>16.0} {:>16.1}", deals / speed);
            let [half, most, all] = guesses(&spec, &rules, games / 10);
            println!(" {half:>12.4} {most:>10.4} {all:>10.4}");
            rows.push(
                json!({ "what": format!("{level}, {agent}"), "unit": "games/s", "ours": speed }),
            );
            if agent == "best" {
                let what = format!("{level}, {agent}: 99 % of guesses take at most");
                rows.push(json!({ "what": what, "unit": "ms", "ours": most }));
            }
        }
    }
    if let Some(file) = file {
        let document = json!({ "build": Build::here(), "rows": rows });
        fs::write(&file, document.to_string()).expect("the file can be written");
    }
}

/// The number of games, and the file for rows.
fn options() -> (u64, Option<String>) {
    let (mut games, mut file) = (GAMES, None);
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{word} needs a value"));
        match word.as_str() {
            // Cargo says so to every benchmark.
            "--bench" => {}
            "--games" => games = value().parse().expect("--games takes a number"),
            "--json" => file = Some(value()),
            _ => panic!("`{word}` is no option (there are --games and --json)"),
        }
    }
    assert!(games >= 10, "--games takes 10 or more");
    (games, file)
}

/// The time that half, 99 in 100 and all of the guesses take at most, in ms.
fn guesses(spec: &Spec, rules: &Rules, games: u64) -> [f64; 3] {
    let mut agent = spec.build().expect("baselines always build");
    let mut times = Vec::new();
    for game in 0..games {
        let mut game = Match::new(rules.clone(), FirstClick::Corner, GameSeed { seed: 1, game });
        loop {
            let start = ThreadTime::now();
            let Some((_, decision)) = game.ask(agent.as_mut()) else { break };
            if decision.why.is_guess() {
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
            game.carry_out(&decision);
        }
    }
    times.sort_by(f64::total_cmp);
    [0.5, 0.99, 1.0].map(|share| times[((times.len() - 1) as f64 * share) as usize])
}

/// Boards dealt and opened at the corner, a second.
fn deals_per_second(rules: &Rules) -> f64 {
    const DEALS: u64 = 200_000;
    let corner = rules.shape().nth(0).expect("boards have cells");
    let start = ThreadTime::now();
    let mut opened = 0;
    for game in 0..DEALS {
        let mut board = Board::dealt(rules.clone(), GameSeed { seed: 1, game });
        board.act(Action::Open(corner));
        opened += board.view().opened().len();
    }
    std::hint::black_box(opened);
    DEALS as f64 / start.elapsed().as_secs_f64()
}
