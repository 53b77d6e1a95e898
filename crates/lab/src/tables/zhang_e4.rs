//! Zhang, Wu, Li and Xu: play by play, and the odd order of its moves.

use std::cell::LazyCell;
use std::fmt::Write;
use std::rc::Rc;

use deminer_game::{
    Action, Cell, Effect, FirstClick, GameSeed, Match, Outcome, Record, Start, Turn, View,
};
use deminer_inference::deduce::{Fact, SinglePoint};

use super::{Games, Measured, Run, SEED, Table, Target, ZHANG};
use crate::stats;
use crate::tournament::Tournament;
use deminer::play::record_game;
use deminer::roster;
use deminer::words::describe;
use deminer_draw::{BoardPicture, Look};

pub const TABLE: Table = Table {
    id: "s001-e4",
    title: "Play by play on 10x10 with 10 mines",
    about: "The paper follows one game from the cell in its last row, column 5 (both from 0), and \
            remarks that the player opens a safe cell far away although it could flag a mine \
            that a clue next to it already proves. Here is such a game move by move, and how \
            often that happens: how many moves a mine that one clue proves waits for its flag, \
            and how far the player jumps from one move to the next. `cs520x` can flag first or \
            go on where it is (`order`), with the same number of moves for each unit of 3BV.",
    plan: |plan| {
        let run = plan.run(board());
        plan.wins(run, &AGENTS, Target::None);
        for agent in AGENTS {
            let look_at_all = move || (0..LOOKED_AT).map(|game| look(agent, game)).collect();
            let looked: Rc<LazyCell<Vec<[_; 3]>, _>> = Rc::new(LazyCell::new(look_at_all));
            for (at, measure) in NUMBERS.into_iter().enumerate() {
                let looked = Rc::clone(&looked);
                let mean = move |_: &Games<'_>| {
                    let numbers = looked.iter().filter_map(|numbers| numbers[at]);
                    Measured::mean(&numbers.collect::<Vec<f64>>())
                };
                plan.row(run, agent, measure, mean, Target::None).in_numbers();
            }
        }
        plan.remark(|_, reading| {
            let (text, pictures) = story();
            reading.notes.push(text);
            reading.pictures = pictures;
            Ok(())
        });
    },
    ..Table::of(&ZHANG)
};

const AGENTS: [&str; 4] = ["cs520", "cs520x", "cs520x:order=flags", "cs520x:order=near"];
/// Games whose moves are looked at.
const LOOKED_AT: u64 = 200;

fn board() -> Run {
    Run::on("10x10x10", 2000).start(Start::Safe, FirstClick::Agent).one_by_one()
}

/// The order of one game's moves in numbers.
const NUMBERS: [&str; 3] = [
    "moves a proved mine waits for its flag",
    "cells from one move to the next",
    "moves for each 3BV, games won",
];

fn game(agent: &str, game: u64, see: impl FnMut(&Turn, &View)) -> Record {
    let mut see = see;
    let Tournament { rules, at, .. } = board().spec.tournament;
    let spec = roster::agent(agent).expect("an agent without artifacts");
    let game = Match::new(rules, at, GameSeed { seed: SEED, game });
    record_game(&spec, game, |turn, board| see(turn, board.view())).expect("the agent builds")
}

fn look(agent: &str, number: u64) -> [Option<f64>; NUMBERS.len()] {
    let shape = board().spec.tournament.rules.shape().clone();
    let mut known = SinglePoint::new(&shape);
    // The move at which one clue first proved each mine.
    let mut proved: Vec<Option<usize>> = vec![None; shape.size()];
    let (mut waits, mut jumps) = (Vec::new(), Vec::new());
    let (mut moves, mut last): (usize, Option<Cell>) = (0, None);
    let record = game(agent, number, |turn, view| {
        moves += 1;
        if let Some(cell) = turn.decision.action.cell() {
            jumps.extend(last.map(|last| shape.distance(last, cell) as f64));
            last = Some(cell);
        }
        if let (Action::Flag(cell), Effect::Flagged) = (turn.decision.action, turn.effect) {
            waits.extend(proved[cell.index()].map(|since| (moves - since - 1) as f64));
        }
        known.update(view);
        for (cell, fact) in known.fresh() {
            if fact == Fact::Mine {
                proved[cell.index()].get_or_insert(moves);
            }
        }
    });
    let mean = |values: &[f64]| (!values.is_empty()).then(|| stats::mean(values));
    let three_bv = record.layout.as_ref().map(|layout| layout.three_bv());
    let won = record.outcome == Outcome::Won;
    let effort = three_bv.filter(|&size| won && size > 0).map(|size| moves as f64 / size as f64);
    [mean(&waits), mean(&jumps), effort]
}

/// One won game in sentences, with pictures of four of its moments.
fn story() -> (String, Vec<(String, String)>) {
    let won = (0..).find(|&number| game("cs520", number, |_, _| {}).outcome == Outcome::Won);
    let number = won.expect("games without end");
    let length = game("cs520", number, |_, _| {}).moves.len();
    let moments = [length / 5, 2 * length / 5, 3 * length / 5, 4 * length / 5];
    let mut text = format!("## Game {number} of seed {SEED}, move by move\n\n");
    let mut pictures = Vec::new();
    let mut step = 0;
    game("cs520", number, |turn, view| {
        step += 1;
        let _ = writeln!(text, "{step}. {}", describe(turn, view.shape()));
        if moments.contains(&step) {
            let caption = format!("move {step}: {}", describe(turn, view.shape()));
            let scene =
                BoardPicture::new(view).turn(turn).look(Look::default()).caption(caption).scene();
            pictures.push((format!("move-{step}"), scene.svg()));
        }
    });
    (text, pictures)
}
