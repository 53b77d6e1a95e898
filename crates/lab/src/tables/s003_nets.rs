//! Tortay and Yurchenko: networks that learn from their own games, and one with a teacher.

use deminer_game::Outcome;

use super::line::UNSTATED;
use super::s003_teacher::PAPER;
use super::{Games, Line, Measured, Played, Reading, Table, Target, Trial, no_studies};
use crate::report::{Axis, Chart, ChartPoint, Series, Source};
use crate::roster::Spec;
use crate::stats;

/// Boards and win rates by network.
pub const TABLE: Table = Table {
    id: "s003-table",
    title: "Networks that learn from their own games",
    paper: Some(PAPER),
    about: "Three dense networks judge 5x5 windows and learn from the layouts of games they play \
            themselves; a fourth learns what a solver believes instead. One network of each plays \
            all boards, those it was not trained for too. All are repaired: they leave the \
            perimeter when that is safer, and open a cell without a flag where the paper's \
            program ended the game. The games each learned from are in its header (`deminer \
            agents` tells); as in the paper, they are not the same for all. The paper counts wins \
            among decided games; ours are wins among all games.",
    trials: || BOARDS.iter().map(|(board, _)| trial(board, AGENTS)).collect(),
    studies: no_studies,
    read,
    digest: None,
};

/// Both curves of the paper.
pub const CURVES: Table = Table {
    id: "s003-curves",
    title: "Networks that learn from their own games, by the number of mines",
    about: "Win rates on 8x8 and 16x16 boards with more and more mines. The networks were trained \
            on 16x16 boards with 40 mines, the one with a teacher with 20 to 40. The paper's points are read off its plots.",
    trials: curve_trials,
    read: read_curves,
    ..TABLE
};

/// How far the pupil is from its teachers.
pub const GAP: Table = Table {
    id: "s003-gap",
    title: "A pupil and its teachers",
    about: "The network learns the beliefs of a teacher in its own games. The paper's pupil stays \
            within seven points of its weak teacher; taught the exact odds, the same network must \
            play better than the networks that learn from layouts.",
    trials: || BOARDS.iter().map(|(board, _)| trial(board, PUPILS)).collect(),
    read: read_gap,
    ..TABLE
};

const TAUGHT: &str = "msla:teacher=msla-teacher";
const TAUGHT_ODDS: &str = "msla:teacher=exact";
const AGENTS: &[&str] = &["sla-small", "sla-large-a", "sla-large-b", TAUGHT, TAUGHT_ODDS];
const PUPILS: &[&str] = &[TAUGHT, "msla-teacher", TAUGHT_ODDS, "lowest-risk", "sla-small"];

/// Boards, and the paper's percentages for the three networks and the one with a teacher.
const BOARDS: [(&str, [Option<f64>; 4]); 5] = [
    ("8x8x8", [Some(69.8), Some(65.9), Some(66.4), Some(30.7)]),
    ("8x8x10", [Some(52.8), Some(49.3), Some(50.1), Some(11.0)]),
    ("10x10x10", [None, None, None, Some(39.2)]),
    ("16x16x20", [Some(83.4), Some(87.2), Some(87.5), Some(40.4)]),
    ("16x16x40", [Some(40.2), Some(33.7), Some(34.9), Some(0.0)]),
];

fn trial(board: &str, agents: &[&str]) -> Trial {
    Trial::new(board, &at_hand(agents), board, 10_000).measuring(&[])
}

/// Those whose networks are shipped.
fn at_hand<'a>(agents: &[&'a str]) -> Vec<&'a str> {
    let built = |agent: &&&str| agent.parse::<Spec>().is_ok_and(|spec| spec.build().is_ok());
    agents.iter().filter(built).copied().collect()
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for (board, paper) in BOARDS {
        for agent in at_hand(AGENTS) {
            let at = AGENTS.iter().position(|known| *known == agent).unwrap_or_default();
            let games = played.games(board, agent);
            let printed = paper.get(at).copied().flatten().map(|percent| percent / 100.0);
            let target = match (printed, at) {
                // The pupil is held against its teacher elsewhere.
                (Some(paper), 3) => Target::Beside { paper },
                (Some(paper), _) => Target::Reach { paper, games: UNSTATED },
                (None, _) => Target::None,
            };
            lines.push(Line::new(board, agent, "won", target, games.won()));
            let ratio = "won, of decided games";
            lines.push(Line::new(board, agent, ratio, Target::None, among_decided(&games)));
        }
    }
    let shown: Vec<Line> = lines.iter().filter(|line| line.measure == "won").cloned().collect();
    Reading { lines, ..Reading::of(TABLE.title, shown) }
}

/// The paper's rate: games in which the program gave up count for nothing.
fn among_decided(games: &Games) -> Measured {
    let (won, lost) = (games.count(Outcome::Won) as u64, games.count(Outcome::Lost) as u64);
    let decided = (won + lost).max(1);
    let interval = stats::wilson(won, decided);
    Measured {
        value: won as f64 / decided as f64,
        low: interval.low,
        high: interval.high,
        games: decided,
    }
}

/// A side of the board, numbers of mines, and percentages of the three networks.
struct Curve {
    side: usize,
    mines: &'static [usize],
    paper: [&'static [f64]; 3],
}

const CURVE_OF: [Curve; 2] = [
    Curve {
        side: 16,
        mines: &[10, 20, 30, 40, 50, 60],
        paper: [
            &[94.0, 83.0, 70.0, 40.0, 12.0, 1.5],
            &[94.0, 87.0, 66.0, 34.0, 7.0, 0.4],
            &[95.0, 88.0, 67.0, 35.0, 9.0, 1.0],
        ],
    },
    Curve {
        side: 8,
        mines: &[6, 8, 10, 12, 14, 16, 18, 20],
        paper: [
            &[82.0, 70.0, 53.0, 33.0, 18.0, 9.0, 4.0, 1.0],
            &[81.0, 66.0, 49.0, 28.0, 15.0, 6.0, 2.0, 0.0],
            &[81.0, 66.0, 50.0, 33.0, 17.0, 6.0, 2.0, 0.0],
        ],
    },
];

fn curve_trials() -> Vec<Trial> {
    let boards = CURVE_OF
        .iter()
        .flat_map(|curve| curve.mines.iter().map(|mines| format!("{0}x{0}x{mines}", curve.side)));
    boards.map(|board| trial(&board, &AGENTS[..3])).collect()
}

fn read_curves(played: &Played) -> Reading {
    let mut reading = Reading::default();
    for curve in &CURVE_OF {
        let mut series = Vec::new();
        let present = at_hand(&AGENTS[..3]);
        for (agent, paper) in AGENTS.iter().zip(curve.paper) {
            if !present.contains(agent) {
                continue;
            }
            let mut points = Vec::new();
            let mut printed = Vec::new();
            for (&mines, percent) in curve.mines.iter().zip(paper) {
                let board = format!("{0}x{0}x{mines}", curve.side);
                let (ours, paper) = (played.games(&board, agent).won(), percent / 100.0);
                let across = mines as f64;
                let interval = Some((ours.low, ours.high));
                points.push(ChartPoint { across, up: ours.value, interval });
                printed.push(ChartPoint { across, up: paper, interval: None });
                let target = Target::Reach { paper, games: UNSTATED };
                reading.lines.push(Line::new(board, *agent, "won", target, ours));
            }
            series.push(Series { name: (*agent).into(), source: Source::Ours, points });
            let name = "  paper".to_owned();
            series.push(Series { name, source: Source::Paper, points: printed });
        }
        let chart = Chart {
            title: format!("Games won on {0}x{0} boards", curve.side),
            across: Axis::Number("mines".into()),
            up: Axis::Percent("games won".into()),
            series,
        };
        reading.charts.push((format!("{0}x{0}", curve.side), chart));
    }
    reading
}

fn read_gap(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for (board, _) in BOARDS {
        let won = |agent: &str| played.games(board, agent).won();
        let present = at_hand(PUPILS);
        for &agent in &present {
            let target = match agent {
                TAUGHT => Target::Within { paper: won("msla-teacher").value, tolerance: 0.07 },
                TAUGHT_ODDS if present.contains(&"sla-small") => {
                    Target::Outdo { other: won("sla-small").value }
                }
                _ => Target::None,
            };
            lines.push(Line::new(board, agent, "won", target, won(agent)));
        }
    }
    Reading {
        notes: vec![
            "The number beside `msla:teacher=msla-teacher` is not the paper's but its teacher's \
             of the same games; the paper's pupil and teacher are at most 6.6 points apart."
                .into(),
        ],
        ..Reading::of(GAP.title, lines)
    }
}
