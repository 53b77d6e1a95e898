//! The Mio learner beyond its paper: rules that miss few safe cells.

use deminer_game::Start;

use super::mio_play::random_start;
use super::{Games, Line, MIO, Measured, Plan, Played, Table, Target as Aim};
use crate::stats;

pub const TABLE: Table = Table {
    id: "s002-beyond",
    title: "Learned rules that miss few sure moves",
    about: "The paper's players still guess where a safe cell exists. `mio:beyond` was learned \
            with all predicates, labels by what can be known and counterexamples from its own \
            play; it must win more than the published rules on the same boards, with blind \
            guesses and with weighed ones, and have at most a tenth of their unneeded guesses. \
            Its rules do not depend on the size of the board.",
    plan,
    ..Table::of(&MIO)
};

/// The theory learned from games of the usual seed.
const FRESH_SEED: u64 = 2;

fn plan(plan: &mut Plan) {
    let boards = [
        ("8x8x10", 100_000, Start::Unsafe),
        ("9x9x10", 5_000, Start::Safe),
        ("16x16x40", 1_000, Start::Safe),
        ("30x16x99", 100, Start::Safe),
    ];
    let runs = boards.map(|(board, games, start)| {
        let run = plan.run(random_start(board, games, start).seed(FRESH_SEED));
        plan.wins(run, &["mio-rules", "mio:paper", "mio:beyond"], Aim::None);
        plan.wins(run, &["mio-rules+prob", "mio:beyond+prob", "lowest-risk"], Aim::None);
        run
    });
    let pairs = [["mio:beyond", "mio-rules"], ["mio:beyond+prob", "mio-rules+prob"]];
    let pairs = pairs.map(|[ours, theirs]| {
        let [own, other] = [ours, theirs].map(|agent| plan.agent(runs[0], agent));
        let measure = format!("won beyond {theirs}");
        let gap = move |played: &Played, _: &[Line]| {
            Ok(Measured::mean(&played.games(own).differences(&played.games(other))))
        };
        plan.show(["8x8x10", ours, &measure], gap, Aim::at_least(0.0));
        let measure = format!("times fewer unneeded guesses than {theirs}");
        let times = move |played: &Played, _: &[Line]| {
            let [own, other] = [own, other].map(|agent| played.games(agent));
            let times = unneeded(&other) / unneeded(&own).max(1e-6);
            Ok(Measured::exact(times, own.rows.len() as u64))
        };
        plan.show(["8x8x10", ours, &measure], times, Aim::at_least(10.0)).in_numbers();
        [own, other]
    });
    plan.note_on(move |played| {
        let mut note = String::from("On the same boards of 8x8 with 10 mines:\n\n");
        for [own, other] in pairs.map(|pair| pair.map(|agent| played.games(agent))) {
            note += &compare(&own, &other);
        }
        Ok(note)
    });
}

/// Unneeded guesses a game.
fn unneeded(games: &Games<'_>) -> f64 {
    games.mean(|row| row.measured.unneeded.map(|unneeded| f64::from(unneeded.known))).value
}

/// How two players compare on the same boards, in a sentence.
fn compare(own: &Games<'_>, other: &Games<'_>) -> String {
    let differences = own.differences(other);
    let only = |better: f64| differences.iter().filter(|&&gap| gap == better).count() as u64;
    let chance = stats::mcnemar(only(1.0), only(-1.0));
    let Measured { value, low, high, .. } = Measured::mean(&differences);
    let [value, low, high] = [value, low, high].map(|share| 100.0 * share);
    format!(
        "- `{}` wins {value:+.2} points ({low:+.2} to {high:+.2}) more than `{}`, McNemar's \
         p = {chance:.1e}; unneeded guesses a game {:.4} instead of {:.4}\n",
        own.agent,
        other.agent,
        unneeded(own),
        unneeded(other)
    )
}
