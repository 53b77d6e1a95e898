//! The leaderboard: every agent under every start rule on the standard boards.

use deminer_game::{Entry, FirstClick, Kind, Size, Start};
use serde::Serialize;

use super::{Line, Plan, Run, Table, Target, obstacle, rules};
use crate::paper::pivot;
use deminer::roster::{Roster, entries};

pub const TABLE: Table = Table {
    id: "arena",
    title: "The arena: every agent, every start, the standard boards",
    about: "The papers' players were measured under different rules, so their numbers cannot be \
            compared. Here all play the same boards: game i of each run is the same layout for \
            every agent. Small boards are those that agents with a network or a table for one \
            size can play. Probability-based agents, which are quick and close to each other, play \
            ten times as many games, and slow agents fewer, so their intervals are wider. The \
            first click is the corner. Learned agents play as they are shipped, also with their \
            other shipped artifacts. A guess is an opening that could have hit a mine, by the \
            exact engine, for every agent alike.",
    plan,
    digest: Some(leaderboard),
    finish: Some(finish),
    ..Table::EMPTY
};

/// One run for each agent that can play, so that runs stay when agents come and go.
fn plan(plan: &mut Plan) {
    for (setting, size, start) in settings() {
        let rules = rules(&size.to_string(), start);
        for (agent, entry) in agents() {
            let only = &plan.changes.agents;
            let is_left_out = !only.is_empty() && only.iter().all(|name| name != agent);
            if is_left_out || obstacle(&plan.roster, agent, &rules).is_some() {
                continue;
            }
            let name = format!("{setting} {agent}");
            let run = Run::new(name, &size.to_string(), games(size, agent, entry));
            let run = plan.run(run.start(start, FirstClick::Corner));
            plan.won(run, agent, Target::None).setting(&setting);
        }
    }
}

/// Best first within each setting, and why agents are absent.
fn finish(roster: &Roster, lines: &mut [Line]) -> Vec<String> {
    let place = |line: &Line| settings().position(|(setting, ..)| setting == line.setting);
    let better = |a: &Line, b: &Line| b.ours.value.total_cmp(&a.ours.value);
    lines.sort_by(|a, b| place(a).cmp(&place(b)).then(better(a, b)));
    notes(roster, lines)
}

/// Shipped artifacts that an agent plays only if its spec names them.
const OTHER_ARTIFACTS: &[&str] = &[
    "mio:beyond",
    "mio:beyond+prob",
    "msla:teacher=msla-teacher",
    "tree:cnn-5x5",
    "tree:lowest-risk-depth-8",
    "mlp-full:orig",
    "enn-full:orig",
    "cnn-full:orig",
    "mlp-5x5:orig",
    "cnn-5x5:orig",
    "sla-small:orig",
    "sla-large-a:orig",
    "sla-large-b:orig",
    "msla:orig,teacher=msla-teacher",
];

/// Every agent with its shipped artifacts.
fn agents() -> impl Iterator<Item = (&'static str, &'static Entry)> {
    let own = |spec: &&'static str| {
        let name = spec.split(':').next().unwrap_or(spec);
        Some((*spec, entries().find(|entry| entry.name == name)?))
    };
    entries().map(|entry| (entry.name, entry)).chain(OTHER_ARTIFACTS.iter().filter_map(own))
}

/// CPU milliseconds a game of agents that take long, on beginner, intermediate and expert boards.
const SLOW: &[(&str, [f64; 3])] = &[
    ("cnn-5x5", [10.0, 20.0, 9.0]),
    ("convnet", [1.1, 6.7, 25.0]),
    ("ga", [6.0, 70.0, 115.0]),
    ("ga+", [2.3, 6.7, 22.0]),
    ("gp", [5.5, 54.0, 54.0]),
    ("mcmc", [0.75, 2.6, 13.0]),
    ("mio", [0.65, 4.2, 10.0]),
    ("mio:beyond", [1.0, 16.0, 143.0]),
    ("mio:beyond+prob", [1.0, 16.0, 143.0]),
    ("mio-rules", [0.39, 3.2, 6.1]),
    ("mio-rules+prob", [0.38, 3.3, 7.5]),
    ("msla", [1.0, 5.4, 9.7]),
    ("pgms", [1.1, 16.0, 76.0]),
    ("sampled", [0.33, 1.0, 5.1]),
    ("sla-large-a", [1.0, 5.2, 7.4]),
    ("sla-large-b", [1.3, 6.4, 9.5]),
    ("sla-small", [1.0, 5.1, 7.8]),
];

/// CPU milliseconds that a run of a slow agent may take.
const BUDGET: f64 = 12_000.0;

/// Games of an agent on a board: fewer on the larger ones; ten times as many of probability-based
/// agents, which are quick and win nearly as often as each other; of slow agents as many hundreds
/// as their time allows.
fn games(size: Size, agent: &str, entry: &Entry) -> u64 {
    let level = Size::LEVELS.iter().position(|&(_, level)| level == size).unwrap_or(0);
    let games = [10_000, 4_000, 2_000][level];
    let slow = |name: &str| SLOW.iter().find(|(slow, _)| *slow == name);
    if let Some((_, milliseconds)) = slow(agent).or_else(|| slow(entry.name)) {
        return ((BUDGET / milliseconds[level] / 100.0) as u64 * 100).clamp(100, games);
    }
    match entry.kind {
        Kind::Odds | Kind::Search => 10 * games,
        _ => games,
    }
}

/// An agent without a number in some settings of the arena.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Absent {
    /// The agent.
    pub agent: String,
    /// The settings, such as `expert safe`.
    pub settings: Vec<String>,
    /// Why there is no number.
    pub reason: String,
}

/// The agents of the roster that these lines of the arena have no number for.
pub fn absent(roster: &Roster, lines: &[Line]) -> Vec<Absent> {
    let mut absent: Vec<Absent> = Vec::new();
    for (agent, _) in agents() {
        for (setting, size, start) in settings() {
            let measured = |line: &Line| line.agent == agent && line.setting == setting;
            if lines.iter().any(measured) {
                continue;
            }
            let reason = obstacle(roster, agent, &rules(&size.to_string(), start));
            let reason = reason.unwrap_or_else(|| NOT_YET.to_owned());
            match absent.last_mut() {
                Some(last) if last.agent == agent && last.reason == reason => {
                    last.settings.push(setting);
                }
                _ => {
                    let (agent, settings) = (agent.to_owned(), vec![setting]);
                    absent.push(Absent { agent, settings, reason });
                }
            }
        }
    }
    absent
}

const NOT_YET: &str = "it has not been measured yet";

/// Which agents have no number in some settings, and why.
fn notes(roster: &Roster, lines: &[Line]) -> Vec<String> {
    let note = |Absent { agent, settings, reason }: &Absent| match settings.len() {
        all if all == self::settings().count() => format!("`{agent}` has no number: {reason}."),
        _ => format!("`{agent}` has no number for {}: {reason}.", settings.join(", ")),
    };
    absent(roster, lines).iter().map(note).collect()
}

/// The boards of agents that need a network or a table for each size.
const SMALL: [&str; 4] = ["4x4x3", "5x5x5", "7x7x5", "10x10x10"];

/// Boards and starts, each with its name.
fn settings() -> impl Iterator<Item = (String, Size, Start)> {
    let small = SMALL.map(|board| (board, board.parse().expect("a board of the arena")));
    small.into_iter().chain(Size::LEVELS).flat_map(|(board, size)| {
        Start::ALL.map(|start| (format!("{board} {}", start.name()), size, start))
    })
}

/// One row for each agent, the best on expert boards with a safe start first.
fn leaderboard(lines: &[Line]) -> String {
    let rate = |agent: &str, setting: &str| {
        let own = |line: &&Line| line.agent == agent && line.setting == setting;
        lines.iter().find(own).map(|line| line.ours.value)
    };
    let mut agents: Vec<&str> = Vec::new();
    for line in lines {
        if !agents.contains(&line.agent.as_str()) {
            agents.push(&line.agent);
        }
    }
    let strength = |agent: &str| {
        ["expert safe", "intermediate safe", "beginner safe", "10x10x10 safe", "4x4x3 safe"]
            .map(|setting| rate(agent, setting).unwrap_or(-1.0))
    };
    agents.sort_by(|a, b| strength(b).partial_cmp(&strength(a)).expect("rates are numbers"));
    let agents: Vec<String> = agents.iter().map(|agent| format!("`{agent}`")).collect();
    let settings: Vec<String> = settings().map(|(setting, ..)| setting).collect();
    let table = pivot("agent", &agents, &settings, |agent, setting| {
        Some(format!("{:.2}", 100.0 * rate(agent.trim_matches('`'), setting)?))
    });
    format!("Games won, in percent:\n\n{table}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{Changes, Measured};

    fn roster() -> Roster {
        Roster::new(deminer_artifacts::shipped())
    }

    #[test]
    fn every_agent_of_the_roster_plays_or_has_a_reason() {
        let roster = roster();
        let plan = Plan::of(&TABLE, &roster, Changes::default()).unwrap();
        let absent = absent(&roster, &[]);
        for (agent, _) in agents() {
            let own: Vec<&Absent> = absent.iter().filter(|one| one.agent == agent).collect();
            let settings: usize = own.iter().map(|one| one.settings.len()).sum();
            assert_eq!(settings, self::settings().count(), "{agent}");
            let barred = own.iter().all(|one| one.reason != NOT_YET);
            let plays = plan.rows.iter().any(|row| row.agent == agent);
            assert_eq!(plays, !barred, "{agent}: {own:?}");
        }
        let optimal = absent.iter().filter(|one| one.agent == "optimal");
        let reasons: Vec<&str> = optimal.map(|one| &*one.reason).collect();
        let too_large = |reason: &&str| reason.starts_with("it does not play boards of more than");
        assert!(reasons.iter().any(too_large), "{reasons:?}");
        for entry in entries() {
            let plays = plan.rows.iter().any(|row| row.agent == entry.name);
            assert!(plays, "{} plays no board of the arena", entry.name);
        }
    }

    #[test]
    fn slow_agents_are_named_once_and_known() {
        for (agent, _) in SLOW {
            let known = agents().find(|(name, _)| name == agent);
            let (_, entry) = known.unwrap_or_else(|| panic!("{agent}"));
            assert_eq!(SLOW.iter().filter(|(other, _)| other == agent).count(), 1, "{agent}");
            assert!(games(Size::LEVELS[2].1, agent, entry) >= 100, "{agent}");
        }
        for spec in OTHER_ARTIFACTS {
            assert!(roster().agent(spec).is_ok(), "{spec}");
        }
    }

    #[test]
    fn absence_is_told_by_setting_and_lines_are_sorted() {
        let line = |setting: &str, agent: &str, wins| {
            Line::new(setting, agent, "won", Target::None, Measured::share(wins, 10))
        };
        let mut lines = vec![line("expert safe", "pseq", 3), line("expert safe", "best", 4)];
        lines.insert(0, line("expert open", "random", 0));
        let notes = finish(&roster(), &mut lines);
        let order: Vec<&str> = lines.iter().map(|line| &*line.agent).collect();
        assert_eq!(order, ["best", "pseq", "random"]);
        let best = notes.iter().find(|note| note.starts_with("`best`")).unwrap();
        assert!(best.contains("expert open: it has not been measured yet"), "{best}");
        assert!(!best.contains("expert safe"), "{best}");
    }
}
