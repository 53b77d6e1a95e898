//! Lubarski, Samujło and Wszeborowski, tables 1 and 2: linear equations without and with a guess.

use deminer_game::{FirstClick, Outcome, Start};

use super::{LUBARSKI, Line, Run, Table, Target, UNSTATED, Verdict};

pub const TABLE_1: Table = Table {
    id: "s000-t1",
    title: "Linear equations, no guess",
    place: "table 1",
    about: "The player reduces the system of equations of all clues and opens a cell when every \
            solution makes it safe; when there is no such cell, the game ends undecided. The \
            paper's player never loses. How many games it decides depends on what counts as a \
            solution: here, values that are unique over the real numbers. With the bounds 0 and 1 \
            (`rows=bounds`) the same equations decide far more games.",
    plan: |plan| {
        for (board, paper) in [("7x7x7", 0.127), ("10x10x10", 0.339), ("20x20x20", 0.922)] {
            let run = plan.run(opening(board));
            plan.won(run, "gauss-csp", Target::Same { paper, games: UNSTATED });
            let never = Target::Within { paper: 0.0, tolerance: 0.0 };
            plan.row(run, "gauss-csp", "lost", |games| games.ended(Outcome::Lost), never);
            plan.wins(run, &["gauss-csp:rows=bounds", "single-point"], Target::None);
        }
        plan.chart(TABLE_1.title);
    },
    ..Table::of(&LUBARSKI)
};

/// Games of the paper: the first cell is random and opens.
pub(super) fn opening(board: &str) -> Run {
    Run::on(board, 10_000).start(Start::Open, FirstClick::Random)
}

pub const TABLE_2: Table = Table {
    id: "s000-t2",
    title: "Linear equations and a local guess",
    place: "table 2",
    about: "Where the equations decide no cell, the player opens the cell whose adjacent clues \
            need the fewest mines on their covered cells. `orig` keeps the flaws of the published \
            program; `rows=bounds` uses that a cell holds 0 or 1 mines. The paper prints 7x7 with \
            7 mines here and with 5 mines among its later results; both are played. On 20x20 with \
            20 mines its 99.9 % are one loss in 1000 games, more than `lowest-risk` wins with \
            exact odds.",
    plan: |plan| {
        let boards = [("7x7x5", 0.930), ("7x7x7", 0.732), ("10x10x10", 0.891), ("20x20x20", 0.999)];
        for (board, paper) in boards {
            let run = plan.run(opening(board));
            plan.won(run, "gauss-csp+:orig", Target::Same { paper, games: UNSTATED });
            let mended = ["gauss-csp+", "gauss-csp+:rows=bounds"];
            plan.wins(run, &mended, Target::Reach { paper, games: UNSTATED });
            plan.wins(run, &["single-point", "lowest-risk"], Target::None);
        }
        plan.chart(TABLE_2.title);
        plan.remark(|_, reading| {
            let missed = |line: &&Line| line.verdict == Verdict::Missed;
            let missed: Vec<String> = reading.lines.iter().filter(missed).map(tried).collect();
            if !missed.is_empty() {
                reading.notes.push(format!(
                    "Missed: {}. What was tried: the published program with its flaws (`orig`), \
                     the same with decided mines at risk 1, and with bounds (`rows=bounds`); \
                     `lowest-risk` beside them shows what exact odds win on the same boards.",
                    missed.join(", ")
                ));
            }
            Ok(())
        });
    },
    ..Table::of(&LUBARSKI)
};

/// A number that is missed, in words.
fn tried(line: &Line) -> String {
    format!("`{}` on {} ({:.2} %)", line.agent, line.setting, 100.0 * line.ours.value)
}
