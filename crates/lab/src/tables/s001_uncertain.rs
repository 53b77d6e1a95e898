//! Zhang, Wu, Li and Xu, the two studies they describe and never ran: clues that say too little
//! or too much.

use deminer_game::{At, ClueRule, Start};

use super::s001_e1::{PAPER, point, setting};
use super::{Line, Played, Reading, Table, Target, Trial};
use crate::report::{Axis, Chart, Series, Source};
use crate::run::GameRow;

pub const TABLE: Table = Table {
    id: "s001-uncertain",
    title: "Optimistic and cautious clues on 16x16",
    paper: Some(PAPER),
    about: "An optimistic clue is drawn evenly from 0 to the number of mines around, a cautious \
            one from that number to 8 (or to the number of neighbors). `cs520` puts the expected \
            number in the clue's place and takes an estimate within its margin of 0 or 1 for \
            certain; `lowest-risk` plays by the exact posterior, the upper line. The paper asks \
            for these experiments and shows none, so there is nothing to compare with: the share \
            of safe cells opened is shown by density, rule and margin. The board is 16x16: on \
            64x64 with few mines the exact posterior takes seconds a game.",
    trials: || {
        let densities =
            |(_, rule): (_, ClueRule)| DENSITIES.map(|percent| uncertain(rule, percent));
        RULES.into_iter().flat_map(densities).collect()
    },
    studies: super::no_studies,
    read,
    digest: None,
};

const DENSITIES: [f64; 7] = [2.0, 4.0, 6.0, 8.0, 10.0, 15.0, 20.0];
const SIDE: usize = 16;

const RULES: [(&str, ClueRule); 3] = [
    ("optimistic", ClueRule::Optimistic),
    ("cautious", ClueRule::Cautious),
    ("cautious:degree", ClueRule::CautiousDegree),
];

const AGENTS: [&str; 6] = [
    "cs520:margin=0",
    "cs520:margin=0.01",
    "cs520:margin=0.05",
    "cs520:margin=0.1",
    "cs520:margin=0.2",
    "lowest-risk",
];

fn name(rule: ClueRule, percent: f64) -> String {
    format!("{rule}, {}", setting(percent))
}

fn mines(percent: f64) -> usize {
    ((SIDE * SIDE) as f64 * percent / 100.0).round() as usize
}

fn uncertain(rule: ClueRule, percent: f64) -> Trial {
    let board = format!("{SIDE}x{SIDE}x{}", mines(percent));
    Trial::new(name(rule, percent), &AGENTS, &board, 200)
        .start(Start::Safe, At::Agent)
        .one_by_one()
        .clues(rule)
        .measuring(&[])
}

/// The share of safe cells opened.
fn open_rate(row: &GameRow, percent: f64) -> f64 {
    f64::from(row.opened) / (SIDE * SIDE - mines(percent)) as f64
}

fn read(played: &Played) -> Reading {
    let mut reading = Reading::default();
    for (word, rule) in RULES {
        let mut series = AGENTS.map(|agent| Series {
            name: agent.into(),
            source: Source::Ours,
            points: Vec::new(),
        });
        for percent in DENSITIES {
            let trial = name(rule, percent);
            for (agent, series) in AGENTS.into_iter().zip(&mut series) {
                let games = played.games(&trial, agent);
                let opened = games.mean(|row| Some(open_rate(row, percent)));
                series.points.push(point(percent, opened));
                reading.lines.push(Line::new(&trial, agent, "open rate", Target::None, opened));
                if agent == "lowest-risk" {
                    let won = games.won();
                    reading.lines.push(Line::new(&trial, agent, "won", Target::None, won));
                }
            }
        }
        let chart = Chart {
            title: format!("Open rate with {word} clues, 16x16"),
            across: Axis::Number("mines, % of cells".into()),
            up: Axis::Percent("safe cells opened".into()),
            series: series.into(),
        };
        reading.charts.push((word.replace(':', "-"), chart));
    }
    reading
}
