//! Park, Liou, Bray, Pyon and Francesconi: the genetic algorithm at play.

use deminer_game::{Cell, FirstClick, GameSeed, Match, Purpose, Start, View};
use deminer_inference::constraints::Constraints;
use deminer_inference::odds::Engine;
use deminer_learn::evolve::ga::{Part, Parts, Plan as Search};

use super::{
    Findings, Found, MissingFinding, PARK, Plan, Played, Run, RunAgent, Study, StudyId, Table,
    Target, Work, rules,
};
use crate::stats;

pub const TABLE: Table = Table {
    id: "s004-t2",
    title: "A genetic algorithm on the frontier",
    place: "table 2",
    about: "The paper's win rates with uniform crossover, from 100, 25 and 10 games of 2.4, 11.8 \
            and 27 minutes each, and with the frontier split into connected parts, from 50, 15 \
            and an unknown number of games. It sees no difference between three crossovers. \
            Safe start at a random cell. A run of the algorithm ends as the paper says, after \
            iterations without improvement: 500, which it does not state; rows with another number \
            show what that choice does, and `perfect` ends runs at the first individual without \
            errors too. `split` splits the frontier where its cells do not touch; `regions` \
            splits it where no number ties cells together. With `pool=best` only individuals with \
            the fewest errors count. Pools are examined at positions of play: errors for each \
            number and individual, the share of cells that are safe by the exact engine but that \
            a pool does not call safe (it takes their risk for more than 0.05), and the exact risk \
            of the cell that is opened.",
    plan,
    ..Table::of(&PARK)
};

/// The paper's rates with their games, plain and split, and its minutes a game.
struct Printed {
    plain: (f64, u64),
    split: (f64, u64),
    minutes: f64,
}

const ALL: &[&str] = &["ga", "ga:one-point", "ga:k-point", "ga:split", "ga:pool=best"];
const FEW: &[&str] = &["ga", "ga:split", "ga:pool=best"];

/// Other readings of what the paper leaves open.
const READINGS: &[&str] = &["ga:stall=200", "ga:stall=1000", "ga:perfect", "ga:regions"];

/// Boards, games, agents and the paper's numbers.
const BOARDS: [(&str, u64, &[&str], Option<Printed>); 4] = [
    ("9x9x10", 400, ALL, Some(Printed { plain: (0.46, 100), split: (0.18, 50), minutes: 2.41 })),
    ("16x16x40", 200, ALL, Some(Printed { plain: (0.28, 25), split: (0.066, 15), minutes: 11.83 })),
    ("30x16x99", 100, FEW, Some(Printed { plain: (0.10, 10), split: (0.0, 10), minutes: 27.01 })),
    ("8x8x10", 400, FEW, None),
];

/// A board whose pools are examined.
struct Pools {
    board: &'static str,
    study: StudyId,
    /// The whole frontier, split where it does not touch, and split into regions.
    players: [RunAgent; 3],
}

fn plan(plan: &mut Plan) {
    let run = |name: &str, board: &str, games| {
        Run::new(name, board, games).start(Start::Safe, FirstClick::Random)
    };
    let mut timed = Vec::new();
    let runs = BOARDS.map(|(board, games, agents, printed)| {
        let run = plan.run(run(board, board, games));
        for &agent in agents {
            let target = printed.as_ref().map_or(Target::None, |printed| match agent {
                "ga:split" => Target::Same { paper: printed.split.0, games: printed.split.1 },
                // Nothing can be said to beat 7 wins of 25 games, or 1 of 10.
                "ga:pool=best" if printed.plain.1 < 100 => {
                    Target::Beside { paper: printed.plain.0 }
                }
                "ga:pool=best" => Target::Reach { paper: printed.plain.0, games: printed.plain.1 },
                // The paper sees no difference between crossovers.
                _ => Target::Same { paper: printed.plain.0, games: printed.plain.1 },
            });
            plan.won(run, agent, target);
            let player = plan.agent(run, agent);
            timed.extend(printed.as_ref().map(|printed| (player, printed.minutes)));
        }
        run
    });
    let examined = [0, 1].map(|at| {
        let (board, games, ..) = BOARDS[at];
        let others = plan.run(run(&format!("{board}, other readings"), board, games));
        for agent in READINGS {
            plan.won(others, agent, Target::None).setting(board);
        }
        let [whole, split] = ["ga", "ga:split"].map(|agent| plan.agent(runs[at], agent));
        (board, [whole, split, plan.agent(others, "ga:regions")])
    });
    plan.chart(TABLE.title);
    plan.note_on(move |played| {
        let mut times = "CPU seconds a game, and the paper's minutes:\n\n".to_owned();
        for &(player, minutes) in &timed {
            let games = played.games(player);
            let (agent, board) = (games.agent, &games.run.name);
            times += &format!("- `{agent}` on {board}: {:.3} s, {minutes} min\n", games.seconds());
        }
        Ok(times)
    });
    let examined = examined.map(|(board, players)| {
        let name = format!("pools on {board}");
        let study = plan.study(Study::new(&name, 150, move |work| pools(work, board)));
        for (search, _) in searches() {
            for measure in MEASURES {
                let mean = move |found: &Found| found.mean(&format!("{search}, {measure}"));
                let row = plan.found(study, [&name, search, measure], mean, Target::None);
                row.charted = false;
            }
        }
        Pools { board, study, players }
    });
    plan.note_on(move |played| why_splitting_hurts(played, &examined));
}

/// The measures of pools.
const MEASURES: [&str; 3] = ["errors a number", "free cells not told", "risk of the move"];

/// Why splitting hurts, in the numbers found.
fn why_splitting_hurts(played: &Played, boards: &[Pools]) -> Result<String, MissingFinding> {
    let mut text =
        "Why splitting hurts: where parts are cells that touch, a number may see two of \
                    them, and each part is asked for all of its mines. "
            .to_owned();
    for Pools { board, study, players } in boards {
        let found = played.found(*study);
        let mut errors = Vec::new();
        for plan in ["whole", "split", "regions"] {
            errors.push(100.0 * found.mean(&format!("{plan}, {}", MEASURES[0]))?.value);
        }
        let won = players.map(|player| 100.0 * played.games(player).won().value);
        text += &format!(
            "On {board} a hundred numbers have {:.1} errors in an individual of the whole \
             frontier's pool, {:.1} when it is split where it does not touch and {:.1} when it is \
             split into regions; of the games {:.1}, {:.1} and {:.1} % are won. ",
            errors[0], errors[1], errors[2], won[0], won[1], won[2],
        );
    }
    Ok(text)
}

fn searches() -> [(&'static str, Search); 6] {
    let plain = Search::default();
    let best = Search { best: true, runs: 30, stall: 1000, ..plain };
    [
        ("whole", plain),
        ("whole, ends perfect", Search { ends_perfect: true, ..plain }),
        ("split", Search { parts: Parts::Touching, ..plain }),
        ("regions", Search { parts: Parts::Regions, ..plain }),
        ("whole, best", best),
        ("regions, best", Search { parts: Parts::Regions, ..best }),
    ]
}

/// Looks into the pools of positions of play.
fn pools(work: &Work<'_>, board: &str) -> Option<Findings> {
    let rules = rules(board, Start::Safe);
    let mut agent = work.agent("lowest-risk");
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
        let mut play = Match::new(rules.clone(), FirstClick::Random, seed);
        for _ in 0..1 + rng.below(rules.safe_cells() / 3) {
            play.turn(agent.as_mut());
        }
        let view: &View = play.board().view();
        let mut frontier = Constraints::default();
        frontier.read(view, |_| None);
        if play.outcome().is_some() || frontier.cells.is_empty() {
            continue;
        }
        let mut engine = Engine::default();
        let Ok(odds) = engine.odds(view) else { continue };
        let exact = |cell: Cell| odds.mine(cell).expect("covered cells have odds");
        seen += 1;
        for (name, plan) in searches() {
            let parts = plan.fit(&frontier, view.shape(), &mut rng);
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
                found.push(&format!("{name}, {}", MEASURES[1]), stats::mean(&free));
            }
            let sure = risks.iter().find(|(_, risk)| *risk <= plan.eps);
            let least = risks.iter().min_by(|a, b| a.1.total_cmp(&b.1));
            let opened = sure.or(least).expect("the frontier has cells").0;
            found.push(&format!("{name}, {}", MEASURES[2]), exact(opened));
        }
    }
    None
}
