//! Park, Liou, Bray, Pyon and Francesconi: a tree of checks at play, which they leave for later.

use deminer_game::{FirstClick, Start};

use super::{PARK, Run, Table, Target};

pub const TABLE: Table = Table {
    id: "s004-play",
    title: "Trees of checks at play",
    about: "The paper's trees fill in fields whose numbers are all seen; it names the edges of a \
            game as what they could be optimized for. `gp` plays the shipped tree, which was \
            evolved on 30 positions of games on 16x16 with 40 mines (artifacts/genomes/play.genome \
            states the command): the tree looks at the covered cells next to open ones in all \
            eight directions, and the cell that fewest of them take for a mine is opened. Safe \
            start at a random cell, as for the genetic algorithm. Beside it a player of single \
            clues, the genetic algorithm, and the lowest exact risk.",
    plan: |plan| {
        for (board, games) in [("9x9x10", 1000), ("16x16x40", 500), ("30x16x99", 200)] {
            let run = plan.run(Run::on(board, games).start(Start::Safe, FirstClick::Random));
            plan.wins(run, &["gp", "single-point", "ga", "lowest-risk"], Target::None);
        }
        plan.chart(TABLE.title);
    },
    ..Table::of(&PARK)
};
