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
            of safe cells opened is shown by density, rule and margin. The board is 16x16, and \
            `lowest-risk` plays the first fifth of the boards only: where everything hangs \
            together the posterior takes seconds a move. What is too wide to be counted is \
            sampled.",
    trials: || {
        let trials = |(rule, percent)| [averages(rule, percent), exact(rule, percent)];
        settings().flat_map(trials).collect()
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

const AVERAGES: [&str; 5] = [
    "cs520:margin=0",
    "cs520:margin=0.01",
    "cs520:margin=0.05",
    "cs520:margin=0.1",
    "cs520:margin=0.2",
];

const EXACT: &str = "lowest-risk";

/// Games of those who average, and of the one who counts.
const GAMES: (u64, u64) = (200, 40);

fn settings() -> impl Iterator<Item = (ClueRule, f64)> {
    RULES.into_iter().flat_map(|(_, rule)| DENSITIES.map(|percent| (rule, percent)))
}

fn name(rule: ClueRule, percent: f64) -> String {
    format!("{rule}, {}", setting(percent))
}

fn exact_name(rule: ClueRule, percent: f64) -> String {
    format!("{}, exact", name(rule, percent))
}

fn mines(percent: f64) -> usize {
    ((SIDE * SIDE) as f64 * percent / 100.0).round() as usize
}

fn averages(rule: ClueRule, percent: f64) -> Trial {
    uncertain(name(rule, percent), &AVERAGES, rule, percent, GAMES.0)
}

fn exact(rule: ClueRule, percent: f64) -> Trial {
    uncertain(exact_name(rule, percent), &[EXACT], rule, percent, GAMES.1)
}

fn uncertain(name: String, agents: &[&str], rule: ClueRule, percent: f64, games: u64) -> Trial {
    let board = format!("{SIDE}x{SIDE}x{}", mines(percent));
    Trial::new(name, agents, &board, games)
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
        let agents = AVERAGES.into_iter().chain([EXACT]);
        let mut series: Vec<Series> = agents
            .map(|agent| Series { name: agent.into(), source: Source::Ours, points: Vec::new() })
            .collect();
        for percent in DENSITIES {
            let (trial, exact) = (name(rule, percent), exact_name(rule, percent));
            let averages = AVERAGES.map(|agent| played.games(&trial, agent));
            let all = averages.into_iter().chain([played.games(&exact, EXACT)]);
            for (games, series) in all.zip(&mut series) {
                let opened = games.mean(|row| Some(open_rate(row, percent)));
                series.points.push(point(percent, opened));
                let line =
                    |measure, ours| Line::new(&trial, &games.agent, measure, Target::None, ours);
                reading.lines.push(line("open rate", opened));
                if games.agent == EXACT {
                    reading.lines.push(line("won", games.won()));
                }
            }
        }
        let chart = Chart {
            title: format!("Open rate with {word} clues, 16x16"),
            across: Axis::Number("mines, % of cells".into()),
            up: Axis::Percent("safe cells opened".into()),
            series,
        };
        reading.charts.push((word.replace(':', "-"), chart));
    }
    reading
}
