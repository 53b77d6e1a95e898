//! Compares the risks that agents state with the mines that are found.
//!
//! Of the cells to which an agent gives a mine probability of 30 %, three in ten should be mines.

use deminer_game::{FirstClick, GameSeed, Match, Start};

use super::{
    Findings, Found, Measured, MissingFinding, Study, Table, Target, Work, point, rules, series,
};
use deminer_draw::{Axis, ChartPoint};

pub const TABLE: Table = Table {
    id: "calibration",
    title: "Risks that are said, and mines that are found",
    about: "Agents with estimates play 16x16 boards with 40 mines (networks of one board size are \
            absent). Every covered cell of every turn goes into one of twenty classes by the risk \
            the agent states, and the share of mines in each class is compared: the mean distance \
            between the two, weighted by the number of cells, is the error. Exact odds are right \
            up to chance. A network that is wrong in the middle but orders cells correctly may \
            still play well; the chart shows where it errs.",
    plan: |plan| {
        let mut available = AGENTS.to_vec();
        available.retain(|agent| plan.is_available(agent));
        let studies: Vec<_> = available
            .into_iter()
            .map(|agent| {
                let study =
                    plan.study(Study::new(agent, 300, move |work| run(work, agent)).in_games());
                plan.found(study, ["16x16x40", agent, "mean error"], error, Target::None);
                study
            })
            .collect();
        let title = "Mines among cells of each risk, 16x16 with 40 mines".to_owned();
        let axes = ["risk that is said", "cells that are mines"];
        plan.curves(
            "calibration",
            title,
            axes.map(|name| Axis::Percent(name.into())),
            move |played| {
                let found = studies.iter().map(|&study| played.found(study));
                found.map(|found| Ok(series(&found.study.name, points(found)?))).collect()
            },
        );
        plan.note(
            "The cells of one turn and of one game depend on each other, so the intervals of \
             single classes are too narrow; the error has none.",
        );
    },
    ..Table::EMPTY
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

/// The mean distance of stated risks from shares of mines, weighted by cells.
fn error(found: &Found) -> Result<Measured, MissingFinding> {
    let all: f64 = found.numbers("cells")?.iter().sum();
    let classes = found.numbers("risk")?.iter().zip(found.numbers("mines")?);
    let sum: f64 = classes.map(|(risk, mines)| (risk - mines).abs()).sum();
    Ok(Measured::exact(sum / all.max(1.0), all as u64))
}

/// Shares of mines by risk, without the classes of few cells.
fn points(found: &Found) -> Result<Vec<ChartPoint>, MissingFinding> {
    let (cells, risk) = (found.numbers("cells")?, found.numbers("risk")?);
    let classes = cells.iter().zip(risk).zip(found.numbers("mines")?);
    let point = |((cells, risk), mines): ((&f64, &f64), &f64)| {
        point(risk / cells, Measured::share(*mines as u64, *cells as u64))
    };
    Ok(classes.filter(|((cells, _), _)| **cells >= 50.0).map(point).collect())
}

const CLASSES: usize = 20;

/// Plays `amount` games; by class: cells, their risks and their mines.
fn run(work: &Work<'_>, agent: &str) -> Option<Findings> {
    let mut agent = work.agent(agent);
    let rules = rules("16x16x40", Start::Safe);
    let mut sums = [[0.0; 3]; CLASSES];
    for game in 0..work.amount {
        if work.is_stopped() {
            return None;
        }
        (work.progress)(game as f64 / work.amount as f64, "games");
        let seed = GameSeed { seed: work.seed, game };
        let mut game = Match::new(rules.clone(), FirstClick::Corner, seed);
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
