//! The strongest published players, and ours beside them.

use deminer_game::{FirstClick, Outcome, Start};

use super::{Games, Run, TANG, TU, Table, Target};

pub const PSEQ: Table = Table {
    id: "pseq",
    title: "PSEQ and D256, the best known rates",
    about: "Tu's public solver, from ten to a hundred million games, safe start in the corner: \
            the smallest risk, then the best chance of a safe cell next, then the most of them, \
            then the most information; D256 searches to the end from 256 layouts on. Half a point \
            off is near enough.",
    plan: |plan| {
        let boards = [
            ("8x8x10", 100_000, 0.8177, 0.8164),
            ("9x9x10", 100_000, 0.9169, 0.9168),
            ("16x16x40", 50_000, 0.7823, 0.7812),
            ("30x16x99", 40_000, 0.4004, 0.3961),
        ];
        for (board, games, with_search, alone) in boards {
            let run = plan.run(Run::on(board, games));
            for (agent, paper) in [("pseq", with_search), ("pseq:d=0", alone)] {
                plan.won(run, agent, Target::Within { paper, tolerance: 0.005 });
            }
            plan.won(run, "lowest-risk", Target::None);
        }
        plan.chart("PSEQ and D256");
    },
    ..Table::of(&TU)
};

pub const TANG_TABLE: Table = Table {
    id: "tang",
    title: "Logic, enumeration, then sampling",
    about: "The authors' rates with a safe first click and with one that may be a mine, from \
            10 000, 10 000 and 1000 games that begin in the corner; their beginner board is 8x8. \
            The stored version of their program divides wins by the games that survive both the \
            corner and its first own move. That would explain why their two columns are further \
            apart than a safe first cell can bring them, so that share is shown too.",
    plan: |plan| {
        for (board, games, papers) in BOARDS {
            for (start, paper) in [Start::Safe, Start::Unsafe].into_iter().zip(papers) {
                let run = Run::new(format!("{board} {}", start.name()), board, 10_000);
                let run = plan.run(run.start(start, FirstClick::Corner));
                plan.won(run, "tang", Target::Reach { paper, games });
                let survivors = |games: &Games<'_>| {
                    games.won_among(|row| row.outcome == Outcome::Won || row.survived >= 1)
                };
                let measure = "won, if the first own move survives";
                plan.row(run, "tang", measure, survivors, Target::Beside { paper });
            }
        }
        plan.chart(TANG_TABLE.title);
    },
    ..Table::of(&TANG)
};

/// Boards, the authors' games, and their rates with a safe and an unsafe start.
const BOARDS: [(&str, u64, [f64; 2]); 3] = [
    ("8x8x10", 10_000, [0.7523, 0.5222]),
    ("16x16x40", 10_000, [0.7054, 0.4803]),
    ("30x16x99", 1_000, [0.192, 0.102]),
];

pub const BEST: Table = Table {
    id: "best",
    title: "The strongest player",
    about: "`best` beside the highest rates that others have published: Hill's solver on expert \
            boards (41.13 %, first click in the corner, and 54.3 % with an opening at row 3, \
            column 3) and our own runs of it on intermediate ones (78.6 %); Tu, Li, Chen, Zu and \
            Gu (2017) on 8x8 with ten mines (81.77 %) and on beginner boards (91.69 %). Nothing \
            was tuned on the games of this seed. As good up to chance is a match.",
    plan: |plan| {
        let reach = |paper, millions| Target::Reach { paper, games: millions * MILLION };
        // Names, agents, boards, games and targets.
        let runs = [
            ("expert", "best", "expert", MILLION, reach(0.4113, 10)),
            ("expert, thinking longer", "best:deep", "expert", 100_000, reach(0.4113, 10)),
            (OPEN, "best", "expert", MILLION / 2, reach(0.543, 1)),
            // Our own measurement of another's solver.
            ("intermediate", "best", "intermediate", MILLION, Target::at_least(0.786)),
            ("beginner", "best", "beginner", MILLION, reach(0.9169, 10)),
            ("8x8x10", "best", "8x8x10", MILLION, reach(0.8177, 10)),
        ];
        for (name, agent, board, games, target) in runs {
            let mut run = Run::new(name, board, games).measuring(&[]).seed(SEED);
            if name == OPEN {
                let at = run.spec.tournament.rules.shape().cell(3, 3).expect("a large board");
                run = run.start(Start::Open, FirstClick::Cell(at));
            }
            let run = plan.run(run);
            plan.won(run, agent, target);
            if name == "expert" {
                plan.won(run, "lowest-risk", Target::None);
            }
        }
        plan.chart(BEST.title);
    },
    ..Table::EMPTY
};

/// No experiment on this player has this seed.
const SEED: u64 = 8_270_000;
const MILLION: u64 = 1_000_000;
const OPEN: &str = "expert, open at row 3, column 3";
