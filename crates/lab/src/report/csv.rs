//! One line for each agent, with all numbers of the totals.

use super::{ReportFormat, field};
use crate::paper::quoted;
use crate::totals::AgentTotals;
use deminer::tally::SURVIVAL_MOVES;

pub const ENTRY: ReportFormat = ReportFormat {
    name: "csv",
    file: "agents.csv",
    about: "one line for each agent",
    write: |report| {
        let lines = report.seal.totals.agents.iter().map(|agent| line(agent) + "\n");
        header() + "\n" + &lines.collect::<String>()
    },
};

fn header() -> String {
    let survived = SURVIVAL_MOVES.map(|moves| format!("survived_{moves}")).join(",");
    format!(
        "agent,games,won,lost,stuck,undecided,rate,low,high,open_rate,guesses_per_game,\
         unneeded_per_game,unneeded_by_clues_per_game,{survived},cpu_seconds,games_per_cpu_second"
    )
}

fn line(agent: &AgentTotals) -> String {
    let survived = SURVIVAL_MOVES.map(|moves| field(agent.survival.get(&moves))).join(",");
    [
        quoted(&agent.agent),
        agent.games.to_string(),
        field(agent.won),
        field(agent.lost),
        agent.stuck.to_string(),
        agent.undecided.to_string(),
        agent.rate.to_string(),
        agent.low.to_string(),
        agent.high.to_string(),
        agent.open_rate.to_string(),
        agent.guesses_per_game.to_string(),
        field(agent.unneeded_per_game),
        field(agent.unneeded_by_clues_per_game),
        survived,
        agent.cpu_seconds.to_string(),
        agent.games_per_cpu_second.to_string(),
    ]
    .join(",")
}
