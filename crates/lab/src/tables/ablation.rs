//! Two players with one improvement less at a time: the worth of each improvement that Zhang, Wu,
//! Li and Xu propose, and of each of the genetic algorithm.

use deminer_game::{FirstClick, Start};

use super::zhang_rates::run;
use super::{Measured, PARK, Plan, Run, RunAgent, RunId, Table, Target, ZHANG};

pub const ZHANG_X: Table = Table {
    id: "s001-x",
    title: "cs520x, one improvement less at a time",
    about: "The authors list what they would do next: use the number of mines, deduce from \
            shared mines and cascaded overrides, keep relations, and search further. `cs520x` \
            does all of it; each row leaves one improvement out. Strict victories on the same \
            boards of 64x64 with 18 % mines, and the paired difference to the whole player. \
            `cs520:aside=sound` replaces only the unsound averages of the original.",
    plan: |plan| {
        let run = plan.run(run(18.0, 500).measuring(&[]));
        let parts =
            ["shared", "cascaded", "regions", "odds", "well-paid", "endgame", "opening", "cache"];
        let agents = ["cs520", "cs520:aside=sound", "cs520:know-mines=off", "cs520x"];
        for agent in agents.map(str::to_owned).into_iter().chain(without("cs520x", &parts)) {
            plan.row(run, &agent, "strict victory", |games| games.won(), Target::None);
        }
        plan.chart(ZHANG_X.title);
        let head = "Against the whole, in points of strict victory on the same boards, with 95 % \
                    bootstrap intervals, and CPU milliseconds a board";
        plan.note_differences(run, "cs520x", head, |seconds| format!("{:.1} ms", 1e3 * seconds));
    },
    ..Table::of(&ZHANG)
};

/// The player without each of these parts.
fn without(player: &str, parts: &[&str]) -> Vec<String> {
    parts.iter().map(|part| format!("{player}:without={part}")).collect()
}

pub const PARK_X: Table = Table {
    id: "s004-x",
    title: "ga+, one improvement less at a time",
    about: "The authors wish for a fitness that knows the problem and for repair operators, and \
            blame the shape of the frontier for the effect of crossover; they split the frontier \
            to be faster, and win less (table s004-t2 shows why). `ga+` splits it where no number \
            ties cells together and does all the rest; each row of 16x16x40 leaves one improvement \
            out, on the same boards. The whole player must win 80, 60 and 20 % on the three boards \
            with a safe start at a random cell.",
    plan: |plan| {
        let parts = "patterns split repair weights patch population honest total challenge";
        let without = without("ga+", &parts.split(' ').collect::<Vec<_>>());
        let all =
            ["ga", "ga:pool=best", "ga+"].into_iter().chain(without.iter().map(String::as_str));
        let boards = [
            ("9x9x10", vec!["ga+", "ga"], 1000, 0.8),
            ("16x16x40", all.collect(), 200, 0.6),
            ("30x16x99", vec!["ga+"], 400, 0.2),
        ];
        let [_, all, expert] = boards.map(|(board, agents, games, least)| {
            let run = Run::on(board, games).start(Start::Safe, FirstClick::Random);
            let run = plan.run(run.measuring(&[]));
            for agent in agents {
                let target = if agent == "ga+" { Target::at_least(least) } else { Target::None };
                plan.won(run, agent, target);
            }
            run
        });
        plan.chart(PARK_X.title);
        let head = "Against the whole, in points won on the same boards of 16x16x40, with 95 % \
                    bootstrap intervals, and CPU seconds a game";
        plan.note_differences(all, "ga+", head, |seconds| format!("{seconds:.3} s"));
        let expert = plan.agent(expert, "ga+");
        plan.note_on(move |played| {
            let seconds = played.games(expert).seconds();
            Ok(format!("On 30x16x99 `ga+` takes {seconds:.3} CPU seconds a game."))
        });
    },
    ..Table::of(&PARK)
};

impl Plan {
    /// A note on what each agent of a run wins more or less than the whole player on its boards.
    /// `time` writes the CPU seconds of a game.
    pub(super) fn note_differences(
        &mut self,
        run: RunId,
        whole: &str,
        head: &'static str,
        time: fn(f64) -> String,
    ) {
        let whole = self.agent(run, whole);
        let agents = self.runs[run.0].agents.len();
        self.note_on(move |played| {
            let mut note = format!("{head}:\n\n");
            for own in (0..agents).map(|agent| played.games(RunAgent { run, agent })) {
                let Measured { value, low, high, .. } =
                    Measured::mean(&own.differences(&played.games(whole)));
                let [value, low, high] = [value, low, high].map(|share| 100.0 * share);
                let time = time(own.seconds());
                note +=
                    &format!("- `{}`: {value:+.1} ({low:+.1} to {high:+.1}), {time}\n", own.agent);
            }
            Ok(note)
        });
    }
}
