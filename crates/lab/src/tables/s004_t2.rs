//! Park, Liou, Bray, Pyon and Francesconi: the genetic algorithm at play.

use deminer_game::{At, GameSeed, Match, Purpose, Rules, Start, View};
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
            count. A pool's wrong share is that of individuals that break a number; a false \
            promise is a cell taken for free, by a risk of at most 0.05, that is a mine.",
    trials: || {
        BOARDS
            .iter()
            .map(|&(board, games, agents, _)| {
                Trial::new(board, agents, board, games).start(Start::Safe, At::Random)
            })
            .collect()
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
    let mut reading = Reading::of("A genetic algorithm on the frontier", lines);
    reading.notes.push(times);
    for (study, found) in played.studies() {
        for (plan, _) in plans() {
            for measure in ["wrong", "false promises"] {
                let ours = found.mean(&format!("{plan}, {measure}"));
                let line = Line::new(&study.name, plan, measure, Target::None, ours);
                reading.lines.push(line);
            }
        }
    }
    reading.notes.push(explanation(played));
    reading
}

/// Why splitting hurts, in the numbers found.
fn explanation(played: &Played) -> String {
    let found = played.findings("pools on 9x9x10");
    let percent =
        |plan: &str, measure: &str| 100.0 * found.mean(&format!("{plan}, {measure}")).value;
    format!(
        "Splitting hurts because a run ends at its first individual without errors: its part is \
         short, so that one is found at once, while the four others that go into the pool with it \
         have hardly evolved. On 9x9x10 {:.1} % of the individuals of a whole frontier's pool \
         break a number, {:.1} % of those of split pools. A wrong individual has mines where none \
         can be and none where one must be: of the cells taken for free {:.2} % are mines with the \
         whole frontier, {:.2} % when it is split; cells that are free look risky, and guesses \
         take the place of sure moves. With a population of at least 60 for every part {:.1} % \
         are wrong; where only individuals without errors count, none are, and splitting costs \
         nothing.",
        percent("whole", "wrong"),
        percent("split", "wrong"),
        percent("whole", "false promises"),
        percent("split", "false promises"),
        percent("split, 60 at least", "wrong"),
    )
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
        seen += 1;
        for (name, plan) in plans() {
            let parts = plan.fit(&frontier, &mut rng);
            let (wrong, size) = parts.iter().fold((0.0, 0.0), |(wrong, size), part| {
                let pool = part.pool.len() as f64;
                (wrong + pool * part.wrong(), size + pool)
            });
            found.push(&format!("{name}, wrong"), wrong / size);
            let promised = parts.iter().flat_map(Part::risks).filter(|(_, risk)| *risk <= plan.eps);
            let kept: Vec<bool> = promised.map(|(cell, _)| play.board().hides_mine(cell)).collect();
            let broken = kept.iter().filter(|&&mine| mine).count();
            found
                .push(&format!("{name}, false promises"), broken as f64 / kept.len().max(1) as f64);
        }
    }
    None
}
