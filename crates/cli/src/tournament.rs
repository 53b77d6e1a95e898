//! Shared code of commands that play many games: threads, Ctrl-C, progress, the final table.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use comfy_table::{CellAlignment, Table, presets};
use deminer::roster::{Roster, Spec};
use deminer_lab::artifact_files;
use deminer_lab::report::{TextTable, title};
use deminer_lab::totals::Totals;
use deminer_lab::tournament::{Results, Tally, Tournament};

use crate::failure::Failure;

/// The flag for threads.
#[derive(clap::Args)]
pub struct ThreadArgs {
    /// Number of threads; default: all cores.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    threads: Option<NonZero<usize>>,
}

fn at_least_one(text: &str) -> Result<NonZero<usize>, String> {
    text.parse().map_err(|_| "use a whole number, 1 or more".to_owned())
}

impl ThreadArgs {
    pub fn count(&self) -> NonZero<usize> {
        self.threads
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZero::<usize>::MIN)
    }
}

/// The agent that the flag `--agent` names, with its artifact.
pub fn read_agent(roster: &Roster, text: &str) -> Result<Spec, Failure> {
    let agent = artifact_files::agent(roster, text);
    agent.map_err(|error| Failure::wrong(format!("--agent {text}: {error}")))
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
    let totals = Totals::of(tournament, results);
    let mut text = title(tournament, games) + "\n\n" + &written(TextTable::agents(&totals));
    if !totals.paired.is_empty() && games > 0 {
        text = text + "\n" + &written(TextTable::pairs(&totals));
    }
    text
}

fn written(TextTable { columns, rows }: TextTable) -> String {
    let mut table = plain_table(&columns.join(" | "));
    table.add_rows(rows);
    format!("{}\n", table.trim_fmt())
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
