//! Shared code of commands that play many games: threads, Ctrl-C, progress, the final table.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use comfy_table::{CellAlignment, Table, presets};
use deminer::roster::{self, Spec, SpecError};
use deminer_lab::totals::Totals;
use deminer_lab::tournament::{Estimator, Results, Tally, Tournament};

use crate::failure::Failure;

/// The flag for threads.
#[derive(clap::Args)]
pub struct ThreadArgs {
    /// Number of threads; default: all cores.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

impl ThreadArgs {
    pub fn count(&self) -> NonZero<usize> {
        self.threads
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZero::<usize>::MIN)
    }
}

/// Reads the flag `--agent`: the text of a spec. The command finds the agent's artifact.
pub fn agent_text(text: &str) -> Result<String, SpecError> {
    roster::agent(text).map(|_| text.to_owned())
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
pub fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(stop)
}

/// The current win rates with their intervals, for the progress line.
pub fn standing(agents: &[Spec], tallies: &[Tally]) -> String {
    let standing = |(spec, tally): (&Spec, &Tally)| {
        let half = 1.96 * tally.standard_error();
        format!("{spec} {:.1} ± {:.1} %", 100.0 * tally.rate(), 100.0 * half)
    };
    agents.iter().zip(tallies).map(standing).collect::<Vec<_>>().join(", ")
}

/// The table of agents and the table of pairs.
pub fn report(tournament: &Tournament, results: &Results) -> String {
    let games = results.tallies[0].games();
    let weighted = match tournament.estimator {
        Estimator::Plain => "",
        Estimator::Weighted => "weighted ",
    };
    let mut text =
        format!("{}, seed {}, {games} {weighted}games\n\n", tournament.rules, tournament.seed);
    let totals = Totals::of(tournament, results);
    let judged = totals.agents.iter().any(|agent| agent.unneeded_per_game.is_some());
    let judged_columns = if judged { " | unneeded/game | by clues alone" } else { "" };
    let mut table = plain_table(&format!(
        "agent | won | 95 % interval | lost | stuck | undecided | opened | guesses/game\
         {judged_columns} | games/CPU s"
    ));
    for agent in totals.agents {
        let mut row = vec![
            agent.agent,
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
            let written = |count: Option<f64>| count.map_or("-".into(), |n| format!("{n:.3}"));
            row.extend(unneeded.map(written));
        }
        row.push(format!("{:.0}", agent.games_per_cpu_second));
        table.add_row(row);
    }
    text += &format!("{}\n", table.trim_fmt());
    if !totals.paired.is_empty() && games > 0 {
        let mut table = plain_table("on the same boards | points | 95 % interval | p (McNemar)");
        for pair in totals.paired {
            table.add_row([
                format!("{} against {}", pair.second, pair.first),
                format!("{:+.2}", 100.0 * pair.difference),
                format!("{:+.2} to {:+.2}", 100.0 * pair.low, 100.0 * pair.high),
                pair.p_value.map_or("-".into(), chance),
            ]);
        }
        text += &format!("\n{}\n", table.trim_fmt());
    }
    text
}

/// A p-value; small ones in scientific notation.
fn chance(p_value: f64) -> String {
    if p_value < 1e-99 {
        "below 1e-99".into()
    } else if p_value < 0.001 {
        format!("{p_value:.1e}")
    } else {
        format!("{p_value:.3}")
    }
}

/// A table without lines. The titles of its columns have bars between them.
pub fn text_table(header: &str) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.split(" | "));
    table
}

/// A text table in which all columns but the first are right-aligned.
pub fn plain_table(header: &str) -> Table {
    let mut table = text_table(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
