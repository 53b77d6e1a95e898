//! An engine that has grown its buffers allocates nothing for positions of usual width.

use std::alloc::System;

use deminer_game::{Action, Board, GameSeed, Rules, State, View};
use deminer_inference::deduce::Fact;
use deminer_inference::odds::Engine;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Every position of some expert games in which nothing was certain, played by least risk.
fn guesses() -> Vec<View> {
    let rules = Rules::of("expert".parse().unwrap()).unwrap();
    let mut engine = Engine::default();
    let mut views = Vec::new();
    for game in 0..40 {
        let mut board = Board::dealt(rules.clone(), GameSeed { seed: 11, game });
        board.act(Action::Open(rules.shape().nth(0).unwrap()));
        while board.state() == State::Live {
            let odds = engine.odds(board.view()).unwrap();
            let risk = |cell| odds.mine(cell).unwrap();
            let view = board.view();
            let cell = view.covered().min_by(|&a, &b| risk(a).total_cmp(&risk(b))).unwrap();
            if odds.fact(cell) != Some(Fact::Safe) {
                views.push(view.clone());
            }
            board.act(Action::Open(cell));
        }
    }
    views
}

#[test]
fn after_warming_up_odds_allocate_nothing() {
    let views = guesses();
    assert!(views.len() > 80);
    let mut engine = Engine::default();
    let count = |engine: &mut Engine, cold: bool| {
        let region = Region::new(COUNTED);
        for view in &views {
            if cold {
                engine.forget();
            }
            engine.odds(view).unwrap();
        }
        region.change().allocations + region.change().reallocations
    };
    assert!(count(&mut engine, true) > 0, "buffers grow at first");
    count(&mut engine, false);
    assert_eq!(count(&mut engine, true), 0, "nothing remembered, buffers kept");
    assert_eq!(count(&mut engine, false), 0, "regions remembered");
}
