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
            every agent. Probability-based agents, which are quick and close to each other, play \
            ten times as many games, and slow agents fewer, so their intervals are wider. The \
            first click is the corner. Learned agents play as they are shipped. A guess is an \
            opening that could have hit a mine, by the exact engine, for every agent alike.",
    plan,
    digest: Some(leaderboard),
    ..Table::EMPTY
};

/// One run for each agent that can play, so that runs stay when agents come and go.
fn plan(plan: &mut Plan) {
    for (setting, size, start) in settings() {
        let rules = rules(&size.to_string(), start);
        for entry in entries() {
            let only = &plan.changes.agents;
            let is_left_out = !only.is_empty() && only.iter().all(|name| name != entry.name);
            if is_left_out || obstacle(&plan.roster, entry.name, &rules).is_some() {
                continue;
            }
            let name = format!("{setting} {}", entry.name);
            let run = Run::new(name, &size.to_string(), games(size, entry));
            let run = plan.run(run.start(start, FirstClick::Corner));
            plan.won(run, entry.name, Target::None).setting(&setting);
        }
    }
    let roster = plan.roster.clone();
    plan.remark(move |_, reading| {
        // Best first within each setting; settings stay in order.
        let place = |line: &Line| settings().position(|(setting, ..)| setting == line.setting);
        let better = |a: &Line, b: &Line| b.ours.value.total_cmp(&a.ours.value);
        reading.lines.sort_by(|a, b| place(a).cmp(&place(b)).then(better(a, b)));
        reading.notes = notes(&roster, &reading.lines);
        Ok(())
    });
}

/// Games of agents that take long over one: on the beginner, intermediate and expert board. Each
/// run then takes about four seconds of CPU time; strong agents may take ten.
const SLOW: &[(&str, [u64; 3])] = &[
    ("cnn-5x5", [300, 200, 150]),
    ("convnet", [4_000, 1_000, 400]),
    ("ga", [400, 120, 40]),
    ("ga+", [1_000, 500, 200]),
    ("gp", [500, 100, 100]),
    ("mcmc", [2_000, 1_500, 600]),
    ("mio", [5_000, 1_000, 400]),
    ("mio-rules", [5_000, 1_000, 400]),
    ("mio-rules+prob", [5_000, 1_000, 400]),
    ("msla", [2_500, 600, 250]),
    ("pgms", [2_000, 200, 100]),
    ("sampled", [4_000, 2_000, 600]),
    ("sla-large-a", [2_500, 600, 250]),
    ("sla-large-b", [2_500, 600, 250]),
    ("sla-small", [2_500, 600, 250]),
];

/// Games of an agent on a board: fewer on the larger ones, and of slow agents; ten times as many
/// of probability-based agents, which are quick and win nearly as often as each other.
fn games(size: Size, entry: &Entry) -> u64 {
    let level = Size::LEVELS.iter().position(|&(_, level)| level == size);
    let level = level.expect("the arena has the standard boards");
    if let Some((_, games)) = SLOW.iter().find(|(agent, _)| *agent == entry.name) {
        return games[level];
    }
    let games = [10_000, 4_000, 2_000][level];
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
    for entry in entries() {
        for (setting, size, start) in settings() {
            let measured = |line: &Line| line.agent == entry.name && line.setting == setting;
            if lines.iter().any(measured) {
                continue;
            }
            let reason = obstacle(roster, entry.name, &rules(&size.to_string(), start));
            let reason = reason.unwrap_or_else(|| NOT_YET.to_owned());
            match absent.last_mut() {
                Some(last) if last.agent == entry.name && last.reason == reason => {
                    last.settings.push(setting);
                }
                _ => {
                    let (agent, settings) = (entry.name.to_owned(), vec![setting]);
                    absent.push(Absent { agent, settings, reason });
                }
            }
        }
    }
    absent
}

const NOT_YET: &str = "it has not been measured yet";

/// Which agents play no board of the arena, and why.
fn notes(roster: &Roster, lines: &[Line]) -> Vec<String> {
    let mut absent = absent(roster, lines);
    absent.dedup_by(|one, earlier| one.agent == earlier.agent);
    let note =
        |Absent { agent, reason, .. }: &Absent| format!("`{agent}` has no number here: {reason}.");
    absent.iter().map(note).collect()
}

/// Boards and starts, each with its name.
fn settings() -> impl Iterator<Item = (String, Size, Start)> {
    Size::LEVELS.into_iter().flat_map(|(level, size)| {
        Start::ALL.map(|start| (format!("{level} {}", start.name()), size, start))
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
        ["expert safe", "intermediate safe", "beginner safe"]
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
    use crate::tables::Changes;

    #[test]
    fn every_agent_of_the_roster_plays_or_has_a_reason() {
        let roster = Roster::new(deminer_artifacts::shipped());
        let plan = Plan::of(&TABLE, &roster, Changes::default()).unwrap();
        let absent = absent(&roster, &[]);
        for entry in entries() {
            let own: Vec<&Absent> = absent.iter().filter(|one| one.agent == entry.name).collect();
            let settings: usize = own.iter().map(|one| one.settings.len()).sum();
            assert_eq!(settings, 9, "{}", entry.name);
            let barred = own.iter().all(|one| one.reason != NOT_YET);
            let plays = plan.rows.iter().any(|row| row.agent == entry.name);
            assert_eq!(plays, !barred, "{}: {own:?}", entry.name);
        }
        let optimal = absent.iter().find(|one| one.agent == "optimal").unwrap();
        assert!(optimal.reason.starts_with("it does not play boards of more than"), "{optimal:?}");
    }

    #[test]
    fn slow_agents_are_named_once_and_known() {
        for (agent, games) in SLOW {
            assert!(entries().any(|entry| entry.name == *agent), "{agent}");
            assert!(games.is_sorted_by(|more, fewer| more >= fewer), "{agent}");
            assert_eq!(SLOW.iter().filter(|(other, _)| other == agent).count(), 1, "{agent}");
        }
    }
}
