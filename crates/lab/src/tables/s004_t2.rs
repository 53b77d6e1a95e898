//! Park, Liou, Bray, Pyon and Francesconi: the genetic algorithm at play.

use deminer_game::{At, Cell, GameSeed, Match, Purpose, Rules, Start, View};
use deminer_inference::count::Engine;
use deminer_inference::frontier::Frontier;
use deminer_learn::evolve::ga::{Part, Plan};

use super::{Findings, Line, Played, Reading, Study, Table, Target, Trial, Work};
use crate::roster::Spec;

pub const PAPER: &str = "J. Park, J. Liou, E. Bray, E. Pyon, D. Francesconi, Solving Minesweeper \
                         Using Genetic Algorithm and Genetic Programming, 2021";

pub const TABLE: Table = Table {
    id: "s004-t2",
    title: "A genetic algorithm on the frontier",
    paper: Some(PAPER),
    about: "The paper's win rates with uniform crossover, from 100, 25 and 10 games of 2.4, 11.8 \
            and 27 minutes each, and with the frontier split into connected parts, from 50, 15 \
            and an unknown number of games. It sees no difference between three crossovers. \
            Safe start at a random cell. `pool=best` lets only individuals with the fewest errors \
            count. Pools are looked into at positions of play: errors for each number and \
            individual, the share of the cells that are surely free, by the exact engine, that a \
            pool does not tell (it takes their risk for more than 0.05), and the exact risk of \
            the cell that is opened.",
    trials: || {
        let plan = |name: String, agents: &[&str], board: &str, games| {
            Trial::new(name, agents, board, games).start(Start::Safe, At::Random)
        };
        let paper = BOARDS
            .iter()
            .map(|&(board, games, agents, _)| plan(board.into(), agents, board, games));
        let larger = BOARDS[..2]
            .iter()
            .map(|&(board, games, ..)| plan(larger(board), &[LARGER], board, games));
        paper.chain(larger).collect()
    },
    studies: || {
        ["9x9x10", "16x16x40"]
            .map(|board| Study::new(format!("pools on {board}"), 150, pools))
            .into()
    },
    read,
    digest: None,
};

/// Boards, games, agents, and the paper's rates, games and minutes, plain and split.
type Board = (&'static str, u64, &'static [&'static str], Option<Paper>);

struct Paper {
    plain: (f64, u64),
    split: (f64, u64),
    minutes: f64,
}

const ALL: &[&str] = &["ga", "ga:one-point", "ga:k-point", "ga:split", "ga:pool=best"];
const FEW: &[&str] = &["ga", "ga:split", "ga:pool=best"];

/// Split, but with populations as large as for a frontier of 30 cells.
const LARGER: &str = "ga:split,population=60";

fn larger(board: &str) -> String {
    format!("{board}, larger populations")
}

const BOARDS: [Board; 4] = [
    ("9x9x10", 400, ALL, Some(Paper { plain: (0.46, 100), split: (0.18, 50), minutes: 2.41 })),
    ("16x16x40", 200, ALL, Some(Paper { plain: (0.28, 25), split: (0.066, 15), minutes: 11.83 })),
    ("30x16x99", 100, FEW, Some(Paper { plain: (0.10, 10), split: (0.0, 10), minutes: 27.01 })),
    ("8x8x10", 400, FEW, None),
];

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    let mut times = "CPU seconds a game, and the paper's minutes:\n\n".to_owned();
    for (board, _, agents, paper) in &BOARDS {
        for agent in *agents {
            let games = played.games(board, agent);
            let target = match (paper, *agent) {
                (None, _) => Target::None,
                (Some(paper), "ga:split") => {
                    Target::Same { paper: paper.split.0, games: paper.split.1 }
                }
                (Some(paper), "ga") => Target::Same { paper: paper.plain.0, games: paper.plain.1 },
                (Some(paper), _) => Target::Reach { paper: paper.plain.0, games: paper.plain.1 },
            };
            lines.push(Line::new(*board, *agent, "won", target, games.won()));
            if let Some(paper) = paper {
                let seconds = games.seconds();
                times +=
                    &format!("- `{agent}` on {board}: {seconds:.3} s, {} min\n", paper.minutes);
            }
        }
    }
    for (board, ..) in &BOARDS[..2] {
        let won = played.games(&larger(board), LARGER).won();
        lines.push(Line::new(*board, LARGER, "won", Target::None, won));
    }
    let mut reading = Reading::of("A genetic algorithm on the frontier", lines);
    reading.notes.push(times);
    for (study, found) in played.studies() {
        for (plan, _) in plans() {
            for measure in MEASURES {
                let ours = found.mean(&format!("{plan}, {measure}"));
                let line = Line::new(&study.name, plan, measure, Target::None, ours);
                reading.lines.push(line);
            }
        }
    }
    reading.notes.push(explanation(played));
    reading
}

/// What is measured of pools.
const MEASURES: [&str; 3] = ["errors a number", "free cells not told", "risk of the move"];

/// Why splitting hurts, in the numbers found.
fn explanation(played: &Played) -> String {
    let mut text = "Why splitting hurts: a part of the frontier is short, so its population is \
                    small, ten members often, and a run ends at its first individual without \
                    errors. That one is found at once, and the four others that go into the pool \
                    with it have hardly evolved. "
        .to_owned();
    for board in ["9x9x10", "16x16x40"] {
        let found = played.findings(&format!("pools on {board}"));
        let errors = |plan: &str| 100.0 * found.mean(&format!("{plan}, {}", MEASURES[0])).value;
        let won = |trial: &str, agent: &str| 100.0 * played.games(trial, agent).won().value;
        text += &format!(
            "On {board} a hundred numbers have {:.1} errors in an individual of the whole \
             frontier's pool, {:.1} when it is split, {:.1} when it is split and populations have \
             at least 60 members; of the games {:.1}, {:.1} and {:.1} % are won. ",
            errors("whole"),
            errors("split"),
            errors("split, 60 at least"),
            won(board, "ga"),
            won(board, "ga:split"),
            won(&larger(board), LARGER),
        );
    }
    text += "So it is the size of the populations, not the splitting: with larger ones the penalty \
             goes, and where only individuals with the fewest errors count there is none.";
    text
}

fn plans() -> [(&'static str, Plan); 5] {
    let plain = Plan::default();
    let best = Plan { best: true, runs: 30, stall: 1000, ..plain };
    [
        ("whole", plain),
        ("split", Plan { split: true, ..plain }),
        ("split, 60 at least", Plan { split: true, population: 60, ..plain }),
        ("whole, best", best),
        ("split, best", Plan { split: true, ..best }),
    ]
}

/// Looks into the pools of positions of play.
fn pools(work: &Work<'_>) -> Option<Findings> {
    let board = work.name.trim_start_matches("pools on ");
    let rules = Rules::of(board.parse().expect("a board of a table")).expect("a board of a table");
    let spec: Spec = "lowest-risk".parse().expect("it is in the roster");
    let mut agent = spec.build().expect("it needs no options");
    let mut found = Findings::default();
    let mut seen = 0;
    for game in 0.. {
        if seen == work.amount {
            return Some(found);
        }
        if work.is_stopped() {
            return None;
        }
        (work.progress)(seen as f64 / work.amount as f64, "positions");
        let seed = GameSeed { seed: work.seed, game };
        let mut rng = seed.rng(Purpose::Lab);
        let mut play = Match::new(rules.clone(), At::Random, seed);
        for _ in 0..1 + rng.below(rules.safe_cells() / 3) {
            play.turn(agent.as_mut());
        }
        let view: &View = play.board().view();
        let mut frontier = Frontier::default();
        frontier.read(view, |_| None);
        if play.outcome().is_some() || frontier.cells.is_empty() {
            continue;
        }
        let mut engine = Engine::default();
        let Ok(odds) = engine.odds(view) else { continue };
        let exact = |cell: Cell| odds.mine(cell).expect("covered cells have odds");
        seen += 1;
        for (name, plan) in plans() {
            let parts = plan.fit(&frontier, &mut rng);
            let errors: u32 = parts.iter().map(Part::errors).sum();
            let numbers: usize =
                parts.iter().map(|part| part.pool.len() * part.placing.clues.len()).sum();
            found.push(&format!("{name}, {}", MEASURES[0]), f64::from(errors) / numbers as f64);
            let risks: Vec<(Cell, f64)> = parts.iter().flat_map(Part::risks).collect();
            let free: Vec<f64> = risks
                .iter()
                .filter(|(cell, _)| exact(*cell) == 0.0)
                .map(|(_, risk)| f64::from(u8::from(*risk > plan.eps)))
                .collect();
            if !free.is_empty() {
                let missed = free.iter().sum::<f64>() / free.len() as f64;
                found.push(&format!("{name}, {}", MEASURES[1]), missed);
            }
            let sure = risks.iter().find(|(_, risk)| *risk <= plan.eps);
            let least = risks.iter().min_by(|a, b| a.1.total_cmp(&b.1));
            let opened = sure.or(least).expect("the frontier has cells").0;
            found.push(&format!("{name}, {}", MEASURES[2]), exact(opened));
        }
    }
    None
}
