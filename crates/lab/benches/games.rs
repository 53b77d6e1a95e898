//! Games per second of CPU time, and the share of dealing boards in it.
//!
//! Prints, for the baselines on the standard boards, games per CPU second on one thread; and
//! boards dealt with their first opening, as a ratio to the games of the same run.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use cpu_time::ThreadTime;
use deminer_game::{Action, At, Board, GameSeed, Rules, Size};
use deminer_lab::run::{Estimator, Tournament};

const GAMES: u64 = 20_000;

fn main() {
    println!("{:<14} {:<14} {:>16} {:>16}", "board", "agent", "games / CPU s", "deals per game");
    for (level, size) in Size::LEVELS {
        let rules = Rules::of(size).expect("levels fit");
        let deals = deals_per_second(&rules);
        println!("{level:<14} {:<14} {deals:>16.0} {:>16}", "(deal + open)", "");
        for agent in ["random", "single-point", "lowest-risk"] {
            let tournament = Tournament {
                agents: vec![agent.parse().expect("in the roster")],
                rules: rules.clone(),
                at: At::Corner,
                seed: 1,
                games: 0..GAMES,
                estimator: Estimator::Plain,
                measures: Vec::new(),
            };
            let results = tournament
                .run(NonZero::<usize>::MIN, &AtomicBool::new(false), |_| {})
                .expect("baselines always build");
            let speed = results.tallies[0].games_per_cpu_second();
            println!("{level:<14} {agent:<14} {speed:>16.0} {:>16.1}", deals / speed);
        }
    }
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
