//! The two tables of a tournament as texts: its agents, and its pairs.

use crate::stats::p_value_text;
use crate::totals::{AgentTotals, PairTotals, Totals};

/// A table of texts. Every row has a text for each column.
#[derive(Clone, PartialEq, Debug)]
pub struct TextTable {
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    /// What each agent did.
    pub fn agents(totals: &Totals) -> Self {
        let judged = totals.agents.iter().any(|agent| agent.unneeded_per_game.is_some());
        let mut columns = vec![
            "agent",
            "won",
            "95 % interval",
            "lost",
            "stuck",
            "undecided",
            "opened",
            "guesses/game",
        ];
        if judged {
            columns.extend(["unneeded/game", "by clues alone"]);
        }
        columns.push("games/CPU s");
        let rows = totals.agents.iter().map(|agent| agent_row(agent, judged));
        Self { columns, rows: rows.collect() }
    }

    /// Every two agents compared.
    pub fn pairs(totals: &Totals) -> Self {
        Self {
            columns: vec!["on the same boards", "points", "95 % interval", "p (McNemar)"],
            rows: totals.paired.iter().map(pair_row).collect(),
        }
    }
}

fn agent_row(agent: &AgentTotals, judged: bool) -> Vec<String> {
    let mut row = vec![
        agent.agent.clone(),
        format!("{:.2} %", 100.0 * agent.rate),
        format!("{:.2} - {:.2}", 100.0 * agent.low, 100.0 * agent.high),
        agent.lost.map_or("-".into(), |lost| lost.to_string()),
        agent.stuck.to_string(),
        agent.undecided.to_string(),
        format!("{:.1} %", 100.0 * agent.open_rate),
        format!("{:.2}", agent.guesses_per_game),
    ];
    if judged {
        let unneeded = [agent.unneeded_per_game, agent.unneeded_by_clues_per_game];
        row.extend(unneeded.map(|count| count.map_or("-".into(), |n| format!("{n:.3}"))));
    }
    row.push(format!("{:.0}", agent.games_per_cpu_second));
    row
}

fn pair_row(pair: &PairTotals) -> Vec<String> {
    vec![
        format!("{} against {}", pair.second, pair.first),
        format!("{:+.2}", 100.0 * pair.difference),
        format!("{:+.2} to {:+.2}", 100.0 * pair.low, 100.0 * pair.high),
        pair.p_value.map_or("-".into(), p_value_text),
    ]
}
