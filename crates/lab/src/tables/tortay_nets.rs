//! Tortay and Yurchenko: networks that learn from their own games, and one with a teacher.

use deminer_game::Outcome;

use super::{
    Figure, Games, Goal, Measured, PAPER, Plan, Run, RunId, TORTAY, Table, Target, UNSTATED,
};

/// Boards and win rates by network.
pub const TABLE: Table = Table {
    id: "s003-table",
    title: "Networks that learn from their own games",
    about: "Three dense networks judge 5x5 windows and learn from the layouts of games they play \
            themselves; a fourth learns the risks of a solver instead. One network of each plays \
            all boards, including those it was not trained for. The originals (`:orig`) are \
            trained and play as the paper's program did: games on 16x16 boards with 20, 25, 30, 35 \
            and 40 mines one after another, a memory of 400 windows, no move off the perimeter, \
            and an end of the game when the safest cell has a flag. The paper leaves such games \
            out, so the originals must win as large a share of the decided games as the paper's. \
            The others are repaired: they leave the perimeter when that is safer, and open a cell \
            without a flag; they must win at least as large a share of all games.",
    plan: |plan| {
        for (board, papers) in BOARDS {
            let run = plan.run(run(board));
            for ((orig, repaired), percent) in NETWORKS.into_iter().zip(papers) {
                plan_original(plan, run, orig, percent);
                plan_repaired(plan, run, repaired, percent);
            }
            plan_repaired(plan, run, TAUGHT_ODDS, None);
        }
        plan.chart(TABLE.title);
        plan.note_training(&NETWORKS.map(|(orig, _)| orig));
        plan.note_training(&NETWORKS.map(|(_, repaired)| repaired));
    },
    ..Table::of(&TORTAY)
};

/// Both curves of the paper.
pub const CURVES: Table = Table {
    id: "s003-curves",
    title: "Networks that learn from their own games, by the number of mines",
    about: "Win rates on 8x8 and 16x16 boards with more and more mines: shares of the decided \
            games for the originals, as in the paper, and of all games for the repaired networks. \
            The paper's points are read off its plots.",
    plan: |plan| {
        let large = [
            [94.0, 83.0, 70.0, 40.0, 12.0, 1.5],
            [94.0, 87.0, 66.0, 34.0, 7.0, 0.4],
            [95.0, 88.0, 67.0, 35.0, 9.0, 1.0],
        ];
        plan_curve(plan, 16, [10, 20, 30, 40, 50, 60], large);
        let small = [
            [82.0, 70.0, 53.0, 33.0, 18.0, 9.0, 4.0, 1.0],
            [81.0, 66.0, 49.0, 28.0, 15.0, 6.0, 2.0, 0.0],
            [81.0, 66.0, 50.0, 33.0, 17.0, 6.0, 2.0, 0.0],
        ];
        plan_curve(plan, 8, [6, 8, 10, 12, 14, 16, 18, 20], small);
        plan.note_training(&NETWORKS.map(|(orig, _)| orig));
        plan.note_training(&NETWORKS.map(|(_, repaired)| repaired));
    },
    ..TABLE
};

/// How far the pupil is from its teachers.
pub const GAP: Table = Table {
    id: "s003-gap",
    title: "A pupil and its teachers",
    about: "The network learns the risks that a teacher sees in the network's own games. The \
            paper's pupil stays within seven points of its weak teacher; taught the exact odds, \
            the same network must play better than the networks that learn from layouts.",
    plan: |plan| {
        for (board, _) in BOARDS {
            let run = plan.run(run(board));
            let teacher = "msla-teacher";
            let [layouts, .., taught] = NETWORKS.map(|(_, repaired)| repaired);
            let agents = [taught, teacher, TAUGHT_ODDS, "lowest-risk", layouts];
            let present: Vec<&str> =
                agents.into_iter().filter(|agent| plan.is_available(agent)).collect();
            let players: Vec<_> = present.iter().map(|agent| plan.agent(run, agent)).collect();
            let player =
                |name| present.iter().position(|agent| *agent == name).map(|at| players[at]);
            for agent in &present {
                let goal = match (*agent, player(teacher), player(layouts)) {
                    (agent, Some(teacher), _) if agent == taught => {
                        Goal::from_wins(teacher, |teacher| Target::near(teacher, 0.07))
                    }
                    (TAUGHT_ODDS, _, Some(other)) => {
                        Goal::from_wins(other, |other| Target::Outdo { other })
                    }
                    _ => Target::None.into(),
                };
                plan.won(run, agent, goal);
            }
        }
        plan.chart(GAP.title);
        let [layouts, .., taught] = NETWORKS.map(|(_, repaired)| repaired);
        plan.note_training(&[layouts, taught, TAUGHT_ODDS]);
        plan.note(
            "Networks that learned from more windows or other densities are not compared on equal \
             terms; `s003-loss` does that. The pupil of the weak teacher takes answers within 0.02 \
             of each other for equal and opens the first of them, as its teacher does.",
        );
        plan.note(
            "The number beside `msla:teacher=msla-teacher` is not the paper's but that of its \
             teacher in the same games; the paper's pupil and teacher are at most 6.6 points \
             apart.",
        );
    },
    ..TABLE
};

/// The paper's networks, as published and repaired.
const NETWORKS: [(&str, &str); 4] = [
    ("sla-small:orig", "sla-small"),
    ("sla-large-a:orig", "sla-large-a"),
    ("sla-large-b:orig", "sla-large-b"),
    ("msla:orig,teacher=msla-teacher", "msla:teacher=msla-teacher"),
];
const TAUGHT_ODDS: &str = "msla:teacher=exact";

/// Boards, and the paper's percentages for these networks.
const BOARDS: [(&str, [Option<f64>; 4]); 5] = [
    ("8x8x8", [Some(69.8), Some(65.9), Some(66.4), Some(30.7)]),
    ("8x8x10", [Some(52.8), Some(49.3), Some(50.1), Some(11.0)]),
    ("10x10x10", [None, None, None, Some(39.2)]),
    ("16x16x20", [Some(83.4), Some(87.2), Some(87.5), Some(40.4)]),
    ("16x16x40", [Some(40.2), Some(33.7), Some(34.9), Some(0.0)]),
];

fn run(board: &str) -> Run {
    Run::on(board, 10_000).measuring(&[])
}

/// Games of each point of the curves.
const CURVE_GAMES: u64 = 2_000;

/// The target of a network that is trained and plays as published.
fn as_published(percent: f64) -> Target {
    // No wins in the paper say little: half a point is allowed.
    match percent / 100.0 {
        0.0 => Target::Within { paper: 0.0, tolerance: 0.005 },
        paper => Target::Same { paper, games: UNSTATED },
    }
}

/// Rows of an original, judged by the paper's own rate.
fn plan_original(plan: &mut Plan, run: RunId, agent: &str, percent: Option<f64>) {
    if plan.is_available(agent) {
        let target = percent.map_or(Target::None, as_published);
        plan.row(run, agent, DECIDED, among_decided, target);
        plan.won(run, agent, Target::None).charted = false;
    }
}

/// Rows of a repaired network.
fn plan_repaired(plan: &mut Plan, run: RunId, agent: &str, percent: Option<f64>) {
    if plan.is_available(agent) {
        plan.won(run, agent, percent.map_or(Target::None, at_least));
        plan.row(run, agent, DECIDED, among_decided, Target::None).charted = false;
    }
}

fn at_least(percent: f64) -> Target {
    Target::Reach { paper: percent / 100.0, games: UNSTATED }
}

const DECIDED: &str = "won, of decided games";

/// The paper's rate: games in which the program gave up are left out.
fn among_decided(games: &Games<'_>) -> Measured {
    let (won, lost) = (games.count(Outcome::Won) as u64, games.count(Outcome::Lost) as u64);
    Measured::share(won, (won + lost).max(1))
}

/// A side of the board, numbers of mines, and percentages of the three networks.
fn plan_curve<const N: usize>(
    plan: &mut Plan,
    side: usize,
    mines: [usize; N],
    paper: [[f64; N]; 3],
) {
    let size = format!("{side}x{side}");
    let title = format!("Games won on {size} boards");
    let figure = Figure::new(&size, &title, "mines", "games won").with_paper(PAPER);
    let figure = plan.figure(figure);
    let run = |mines| Run::on(&format!("{size}x{mines}"), CURVE_GAMES).measuring(&[]);
    let boards = mines.iter().map(|mines| (*mines, run(*mines)));
    let runs: Vec<_> = boards.map(|(mines, run)| (mines, plan.run(run))).collect();
    for ((orig, repaired), percents) in NETWORKS.into_iter().zip(paper) {
        for (&(mines, run), percent) in runs.iter().zip(percents) {
            if plan.is_available(orig) {
                let row = plan.row(run, orig, DECIDED, among_decided, as_published(percent));
                row.point(figure, orig, mines as f64);
            }
            if plan.is_available(repaired) {
                let row = plan.won(run, repaired, at_least(percent));
                row.point(figure, repaired, mines as f64);
            }
        }
    }
}
