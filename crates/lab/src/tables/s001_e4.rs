//! Zhang, Wu, Li and Xu: play by play, and the odd order of its moves.

use std::fmt::Write;

use deminer_game::{Action, At, Cell, Effect, GameSeed, Match, Record, Start, Turn, View};
use deminer_inference::deduce::{Fact, SinglePoint};

use super::s001_e1::PAPER;
use super::{Line, Measured, Played, Reading, SEED, Table, Target, Trial};
use crate::report::{BoardPicture, Look, describe};
use crate::roster::Spec;
use crate::run::record_game;
use crate::stats;

pub const TABLE: Table = Table {
    id: "s001-e4",
    title: "Play by play on 10x10 with 10 mines",
    paper: Some(PAPER),
    about: "The paper follows one game from the cell in its last row, column 5 (both from 0), and \
            remarks that the player opens a safe cell far away although it could flag a mine \
            that a clue next to it already proves. Here is such a game move by move, and how \
            often that happens: how many moves a mine that one clue proves waits for its flag, \
            and how far the player jumps from one move to the next. `cs520x` can flag first or \
            go on where it is (`order`), at the same number of moves for each unit of 3BV.",
    trials: || vec![plan()],
    studies: super::no_studies,
    read,
    digest: None,
};

const AGENTS: [&str; 4] = ["cs520", "cs520x", "cs520x:order=flags", "cs520x:order=near"];
/// Games whose moves are looked at.
const LOOKED_AT: u64 = 200;

fn plan() -> Trial {
    Trial::new("10x10x10", &AGENTS, "10x10x10", 2000).start(Start::Safe, At::Agent).one_by_one()
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for agent in AGENTS {
        let games = played.games("10x10x10", agent);
        lines.push(Line::new("10x10x10", agent, "won", Target::None, games.won()));
    }
    for agent in AGENTS {
        let orders: Vec<Order> = (0..LOOKED_AT).map(|game| look(agent, game)).collect();
        for (measure, number) in NUMBERS {
            let values: Vec<f64> = orders.iter().filter_map(number).collect();
            let interval = stats::bootstrap(&values);
            let value = values.iter().sum::<f64>() / values.len().max(1) as f64;
            let ours = Measured {
                value,
                low: interval.low,
                high: interval.high,
                games: values.len() as u64,
            };
            lines.push(Line::new("10x10x10", agent, measure, Target::None, ours).in_numbers());
        }
    }
    let (text, pictures) = story();
    Reading { lines, notes: vec![text], pictures, ..Reading::default() }
}

type Number = fn(&Order) -> Option<f64>;

const NUMBERS: [(&str, Number); 3] = [
    ("moves a proved mine waits for its flag", |order| order.waiting),
    ("cells from one move to the next", |order| order.jump),
    ("moves for each 3BV, games won", |order| order.effort),
];

/// What the order of one game's moves is like.
struct Order {
    waiting: Option<f64>,
    jump: Option<f64>,
    effort: Option<f64>,
}

fn game(agent: &str, game: u64, see: impl FnMut(&Turn, &View)) -> Record {
    let mut see = see;
    let plan = plan().tournament;
    let spec: Spec = agent.parse().expect("an agent of this table");
    let game = Match::new(plan.rules, plan.at, GameSeed { seed: SEED, game });
    record_game(&spec, game, |turn, board| see(turn, board.view())).expect("the agent builds")
}

fn look(agent: &str, number: u64) -> Order {
    let shape = plan().tournament.rules.shape().clone();
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
    let mean = |values: &[f64]| {
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let three_bv = record.layout.as_ref().map(|layout| layout.three_bv());
    let won = record.outcome == deminer_game::Outcome::Won;
    let effort = three_bv.filter(|&size| won && size > 0).map(|size| moves as f64 / size as f64);
    Order { waiting: mean(&waits), jump: mean(&jumps), effort }
}

/// One won game in sentences, with pictures of four of its moments.
fn story() -> (String, Vec<(String, String)>) {
    let won = (0..)
        .find(|&number| game("cs520", number, |_, _| {}).outcome == deminer_game::Outcome::Won);
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
