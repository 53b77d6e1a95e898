//! Peña Castillo and Wrobel: games won by the learned rules, their use, and a player to compare
//! with, Ramsdell's PGMS.

use deminer_game::{FirstClick, Start};

use super::{Games, MIO, Run, Table, Target};
use crate::measure::Measure;

pub const PLAY: Table = Table {
    id: "s002-play",
    title: "The learned rules at play, 8x8 with 10 mines",
    about: "The first probe is random and may be a mine. The paper's rule player guesses at \
            random where no rule fires (52 % of 1000 games); with its probability heuristic it \
            won 57.9 % of 1000 and 60 % of 10 000 games; eleven people won 35 ± 8 %. The rules \
            do not depend on the size of the board, so larger ones are shown too.",
    plan: |plan| {
        let boards = [
            ("8x8x10", 100_000, Start::Unsafe),
            ("9x9x10", 20_000, Start::Safe),
            ("16x16x40", 5_000, Start::Safe),
            ("30x16x99", 2_000, Start::Safe),
        ];
        for (board, games, start) in boards {
            let run = plan.run(random_start(board, games, start));
            let agents = [
                ("mio-rules", Target::Same { paper: 0.52, games: 1_000 }),
                ("mio-rules+prob", Target::Same { paper: 0.60, games: 10_000 }),
                ("pgms", Target::Same { paper: 0.60, games: 10_000 }),
                ("lowest-risk", Target::None),
            ];
            for (agent, target) in agents {
                let too_slow = agent == "pgms" && ["16x16x40", "30x16x99"].contains(&board);
                if !too_slow {
                    plan.won(run, agent, if board == "8x8x10" { target } else { Target::None });
                }
            }
        }
        plan.chart("The learned rules at play");
        plan.note(
            "Eleven people of the paper won 35 ± 8 % of their games on 8x8 with 10 mines, the \
             first click included.",
        );
    },
    ..Table::of(&MIO)
};

/// Games with a random first click, and with the use of rules counted.
pub(super) fn random_start(board: &str, games: u64, start: Start) -> Run {
    Run::on(board, games)
        .start(start, FirstClick::Random)
        .measuring(&[Measure::Unneeded, Measure::Usage])
}

pub const USAGE: Table = Table {
    id: "s002-usage",
    title: "How often each learned rule is used",
    about: "Actions in 1000 games of the rule player on 8x8 with 10 mines, by the rule that gave \
            them. The paper counts one run of 1000 games; 15 % off is near enough, for the rare \
            rule S-3 anything between 40 and 90.",
    plan: |plan| {
        let run = plan.run(random_start("8x8x10", 100_000, Start::Unsafe));
        for (measure, names, paper) in PROFILE {
            let uses = |games: &Games<'_>| {
                games.mean(|row| {
                    let own =
                        row.measured.usage.iter().filter(|(rule, _)| names.contains(&&**rule));
                    Some(1000.0 * f64::from(own.map(|(_, count)| count).sum::<u32>()))
                })
            };
            let target = match measure {
                "S-3" => Target::Between { paper, low: 40.0, high: 90.0 },
                _ => Target::Within { paper, tolerance: 0.15 * paper },
            };
            plan.row(run, "mio-rules", measure, uses, target).in_numbers();
        }
    },
    ..Table::of(&MIO)
};

/// Actions, the reasons counted for them, and the paper's number in 1000 games. Its first probe
/// is a guess too.
const PROFILE: [(&str, &[&str], f64); 5] = [
    ("guesses", &["start", "blind guess"], 2762.0),
    ("S-1", &["S-1"], 169.0),
    ("S-2", &["S-2"], 10_285.0),
    ("S-3", &["S-3"], 54.0),
    ("M-1", &["M-1"], 2211.0),
];

pub const PGMS: Table = Table {
    id: "s002-pgms",
    title: "PGMS: equations, differences and three rules",
    about: "Ramsdell's player won 60 % of 10 000 games on 8x8 with 10 mines when the first probe \
            may be a mine, which is 71 % of the games that survive it. His page gives about 20 % \
            for expert boards, 26 % of those that survive the first probe.",
    plan: |plan| {
        let boards = [
            ("8x8x10", 100_000, Target::Same { paper: 0.60, games: 10_000 }, 0.71),
            // His page says "about" for expert boards, and no number of games.
            ("30x16x99", 2_000, Target::Beside { paper: 0.20 }, 0.26),
        ];
        for (board, games, target, paper) in boards {
            let run = plan.run(Run::on(board, games).start(Start::Unsafe, FirstClick::Random));
            plan.won(run, "pgms", target);
            let survivors = |games: &Games<'_>| games.won_among(|row| row.opened > 0);
            let measure = "won, if the first survives";
            plan.row(run, "pgms", measure, survivors, Target::Beside { paper });
        }
        plan.chart("PGMS");
    },
    ..Table::of(&MIO)
};
