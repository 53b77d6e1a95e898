//! A tournament of your own: agents by name on the same seeded boards.
//!
//! `cargo run --release -p deminer --example tournament -- 1000 lowest-risk best`

use std::env;
use std::error::Error;

use deminer::{FirstClick, GameSeed, Match, Outcome, Rules, agent};

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    // Inside a test the arguments belong to the test runner.
    let mut arguments = env::args().skip(1).filter(|_| !cfg!(test));
    let games: u64 = arguments.next().map_or(Ok(30), |text| text.parse())?;
    let mut names: Vec<String> = arguments.collect();
    if names.is_empty() {
        names = ["random", "single-point", "best"].map(String::from).to_vec();
    }
    let rules = Rules::of("intermediate".parse()?)?;
    let mut rates = Vec::new();
    for name in &names {
        let mut player = agent(name)?.build()?;
        let won = (0..games).filter(|&game| {
            let seed = GameSeed { seed: 1, game };
            let mut game = Match::new(rules.clone(), FirstClick::Corner, seed);
            game.play(player.as_mut()) == Outcome::Won
        });
        let rate = won.count() as f64 / games as f64;
        println!("{name:<14} won {:.1} % of {games} games", 100.0 * rate);
        rates.push(rate);
    }
    assert!(rates.iter().all(|rate| (0.0..=1.0).contains(rate)));
    Ok(())
}
