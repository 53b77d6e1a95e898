//! The leaderboard: every agent under every start rule on the standard boards.

use deminer_game::{At, Entry, Kind, Size, Start};

use super::{Line, Played, Reading, Table, Target, Trial};
use crate::report::markdown_table;
use crate::roster::{self, Spec};

pub const TABLE: Table = Table {
    id: "arena",
    title: "The arena: every agent, every start, the standard boards",
    paper: None,
    about: "The papers' players were measured under different rules, so their numbers cannot be \
            compared. Here all play the same boards: game i of each run is the same layout for \
            every agent; those that reckon with odds, which are quick and close to each other, \
            play twenty times as many. The first click is the corner. Learned agents play as they \
            are shipped.",
    trials: || {
        let boards = Size::LEVELS.into_iter().flat_map(|(level, size)| {
            Start::ALL.into_iter().flat_map(move |start| trials(level, size, start))
        });
        boards.collect()
    },
    studies: super::no_studies,
    read,
    digest: Some(leaderboard),
};

/// Games of an agent on a board: fewer on the larger ones, where some agents are slow; many times
/// as many of agents that reckon with odds, which are quick and win nearly as often as each other.
fn games(size: Size, kind: Kind) -> u64 {
    let games = match size.width * size.height {
        ..100 => 10_000,
        100..300 => 4_000,
        _ => 2_000,
    };
    match kind {
        Kind::Odds | Kind::Search => 20 * games,
        _ => games,
    }
}

/// One run for each agent that can play so: agents come and go, runs of the others stay.
fn trials(level: &str, size: Size, start: Start) -> impl Iterator<Item = Trial> {
    let plan = move |level: &str, entry: &Entry| {
        let agent = entry.name;
        let name = format!("{} {agent}", setting(level, start));
        let games = games(size, entry.kind);
        Trial::new(name, &[agent], &size.to_string(), games).start(start, At::Corner)
    };
    let level = level.to_owned();
    roster::entries().map(move |entry| plan(&level, entry)).filter(|trial| {
        // A network that is not trained cannot be built.
        let able =
            |spec: &Spec| spec.admit(&trial.tournament.rules).is_ok() && spec.build().is_ok();
        trial.tournament.agents.iter().all(able)
    })
}

fn setting(level: &str, start: Start) -> String {
    format!("{level} {}", start.name())
}

fn read(played: &Played) -> Reading {
    let mut lines: Vec<Line> = played
        .all()
        .map(|(trial, games)| {
            let place = trial.name.trim_end_matches(&games.agent).trim_end();
            Line::new(place, &games.agent, "won", Target::None, games.won())
        })
        .collect();
    // Best first within each setting; settings stay in order.
    let settings: Vec<String> = settings().collect();
    let place = |line: &Line| settings.iter().position(|setting| *setting == line.setting);
    lines.sort_by(|a, b| place(a).cmp(&place(b)).then(b.ours.value.total_cmp(&a.ours.value)));
    Reading { lines, ..Reading::default() }
}

fn settings() -> impl Iterator<Item = String> {
    Size::LEVELS.into_iter().flat_map(|(level, _)| Start::ALL.map(|start| setting(level, start)))
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
    let settings: Vec<String> = settings().collect();
    let header: Vec<&str> =
        ["agent"].into_iter().chain(settings.iter().map(String::as_str)).collect();
    let row = |agent: &&str| {
        let cell = |setting: &String| {
            rate(agent, setting).map_or("-".into(), |rate| format!("{:.2}", 100.0 * rate))
        };
        [format!("`{agent}`")].into_iter().chain(settings.iter().map(cell)).collect()
    };
    let table = markdown_table(&header, agents.iter().map(row).collect::<Vec<Vec<String>>>());
    format!("Games won, in percent:\n\n{table}")
}
