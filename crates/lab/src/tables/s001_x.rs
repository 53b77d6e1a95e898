//! What each improvement that Zhang, Wu, Li and Xu propose is worth.

use super::s001_e1::{PAPER, setting, trial};
use super::{Line, Played, Reading, Table, Target, Trial};
use crate::stats;

pub const TABLE: Table = Table {
    id: "s001-x",
    title: "cs520x, one improvement less at a time",
    paper: Some(PAPER),
    about: "The authors list what they would do next: use the number of mines, deduce from \
            shared mines and cascaded overrides, keep relations, and search further. `cs520x` \
            does it all; each row leaves one thing out. Strict victories on the same boards of \
            64x64 with 18 % mines, and on fewer of them the paired difference to the whole. \
            `cs520:aside=sound` replaces only the unsound averages of the original.",
    trials: || vec![plan()],
    studies: super::no_studies,
    read,
    digest: None,
};

const DENSITY: f64 = 18.0;
const WHOLE: &str = "cs520x";

const AGENTS: [&str; 12] = [
    "cs520",
    "cs520:aside=sound",
    "cs520:know-mines=off",
    WHOLE,
    "cs520x:without=shared",
    "cs520x:without=cascaded",
    "cs520x:without=regions",
    "cs520x:without=odds",
    "cs520x:without=well-paid",
    "cs520x:without=endgame",
    "cs520x:without=opening",
    "cs520x:without=cache",
];

fn plan() -> Trial {
    trial(DENSITY, &AGENTS, 500).measuring(&[])
}

fn read(played: &Played) -> Reading {
    let games = |agent: &str| played.games(&setting(DENSITY), agent);
    let mut lines = Vec::new();
    for agent in AGENTS {
        let won = games(agent).won();
        lines.push(Line::new(setting(DENSITY), agent, "strict victory", Target::None, won));
    }
    let mut reading = Reading::of("cs520x, one improvement less at a time", lines);
    let whole = games(WHOLE);
    let mut note = "Against the whole, in points of strict victory on the same boards, with 95 % \
                    bootstrap intervals, and CPU milliseconds a board:\n\n"
        .to_owned();
    for agent in AGENTS {
        let own = games(agent);
        let weights = own.rows.iter().zip(whole.rows);
        let differences: Vec<f64> = weights.map(|(own, whole)| own.weight - whole.weight).collect();
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        let interval = stats::bootstrap(&differences);
        note += &format!(
            "- `{agent}`: {:+.1} ({:+.1} to {:+.1}), {:.1} ms\n",
            100.0 * mean,
            100.0 * interval.low,
            100.0 * interval.high,
            1e3 * own.seconds()
        );
    }
    reading.notes.push(note);
    reading
}
