//! Whether agents that say how risky a cell is are right about it.
//!
//! Of the cells that an agent calls mines with 30 %, three in ten should be mines.

use std::sync::atomic::Ordering;

use deminer_game::{At, GameSeed, Match, Rules, Start};

use super::{Findings, Line, Played, Reading, Study, Table, Target, Work};
use crate::report::{Axis, Chart, ChartPoint, Series, Source};
use crate::roster::Spec;
use crate::stats;

use super::games::measured;

pub const TABLE: Table = Table {
    id: "calibration",
    title: "Risks that are said, and mines that are found",
    paper: None,
    about: "Agents with estimates play 16x16 boards with 40 mines (networks of one board size are \
            absent). Every covered cell of every turn is put into one of twenty classes by the \
            risk the agent sees, and the share of mines in each class is compared: the mean \
            distance between the two, weighted by the number of cells, is the error. Exact odds \
            are right up to chance. A network that is wrong in the middle but orders cells rightly \
            may still play well; the chart shows where it errs.",
    trials: Vec::new,
    studies: || at_hand().map(|agent| Study::new(agent, 300, run)).collect(),
    read,
    digest: None,
};

const AGENTS: [&str; 11] = [
    "lowest-risk",
    "pedersen",
    "sampled",
    "mcmc",
    "msla-teacher",
    "sla-small",
    "sla-large-b",
    "msla:teacher=exact",
    "mlp-5x5",
    "cnn-5x5",
    "convnet",
];

/// Those that are there: networks may not be.
fn at_hand() -> impl Iterator<Item = &'static str> {
    AGENTS.into_iter().filter(|agent| agent.parse::<Spec>().is_ok_and(|spec| spec.build().is_ok()))
}

const CLASSES: usize = 20;

/// Plays `amount` games; by class: cells, their risks and their mines.
fn run(work: &Work<'_>) -> Option<Findings> {
    let spec: Spec = work.name.parse().expect("a spec of a table");
    let mut agent = spec.build().expect("it was there before");
    let rules = Rules::of("16x16x40".parse().expect("a board")).expect("a board");
    let rules = rules.with_start(Start::Safe).expect("a start that the board allows");
    let mut sums = [[0.0; 3]; CLASSES];
    for game in 0..work.amount {
        if work.stop.load(Ordering::Relaxed) {
            return None;
        }
        (work.progress)(game as f64 / work.amount as f64, "games");
        let seed = GameSeed { seed: work.seed, game };
        let mut game = Match::new(rules.clone(), At::Corner, seed);
        while let Some((_, decision)) = game.ask(&mut *agent) {
            if let Some(estimates) = &decision.estimates {
                for cell in game.board().view().covered() {
                    let Some(risk) = estimates.mine(cell) else { continue };
                    let class = ((risk * CLASSES as f64) as usize).min(CLASSES - 1);
                    let mine = f64::from(u8::from(game.board().hides_mine(cell)));
                    for (sum, more) in sums[class].iter_mut().zip([1.0, risk, mine]) {
                        *sum += more;
                    }
                }
            }
            game.carry_out(&decision);
        }
    }
    let mut findings = Findings::default();
    for sums in sums {
        for (name, sum) in ["cells", "risk", "mines"].into_iter().zip(sums) {
            findings.push(name, sum);
        }
    }
    Some(findings)
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    let mut series = Vec::new();
    for agent in at_hand() {
        let findings = played.findings(agent);
        let [cells, risk, mines] = ["cells", "risk", "mines"].map(|name| findings.numbers(name));
        let all: f64 = cells.iter().sum();
        let error: f64 =
            risk.iter().zip(mines).map(|(risk, mines)| (risk - mines).abs()).sum::<f64>()
                / all.max(1.0);
        let ours = measured(error, stats::Interval { low: error, high: error }, all as usize);
        lines.push(Line::new("16x16x40", agent, "mean error", Target::None, ours));
        // Classes with few cells tell little.
        let points = (0..CLASSES).filter(|&class| cells[class] >= 50.0).map(|class| {
            let (cells, mines) = (cells[class], mines[class]);
            let interval = stats::wilson(mines as u64, cells as u64);
            ChartPoint {
                across: risk[class] / cells,
                up: mines / cells,
                interval: Some((interval.low, interval.high)),
            }
        });
        let points = points.collect();
        series.push(Series { name: agent.to_owned(), source: Source::Ours, points });
    }
    let chart = Chart {
        title: "Mines among cells of each risk, 16x16 with 40 mines".to_owned(),
        across: Axis::Percent("risk that is said".into()),
        up: Axis::Percent("cells that are mines".into()),
        series,
    };
    Reading {
        lines,
        charts: vec![("calibration".into(), chart)],
        notes: vec![
            "The cells of one turn and of one game hang together, so the intervals of single \
             classes are too narrow; the error has none."
                .into(),
        ],
        ..Reading::default()
    }
}
