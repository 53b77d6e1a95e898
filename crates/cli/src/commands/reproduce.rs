//! `deminer reproduce`: the papers' tables, their numbers beside ours.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::Context;
use deminer::roster::{Roster, did_you_mean, nearest};
use deminer_lab::paper::PaperReport;
use deminer_lab::provenance::Build;
use deminer_lab::reproduce::{EARLIER, Reproduced, Reproduction, Stage, report_in, write_index};
use deminer_lab::tables::{self, Changes, Plan, Run, TABLES, Table, Verdict, note_missing};
use serde::Serialize;

use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::rule_args::seed;
use crate::tournament::{ThreadArgs, plain_table, standing, stop_on_interrupt};

/// Reproduce the papers' tables and figures, and compare.
///
/// Each table plays its runs, prints the paper's number beside ours with its 95 % interval and a
/// verdict, and writes Markdown, CSV, JSON and SVG under the results folder. Runs are saved: an
/// interrupted table resumes where it stopped, and a finished one is only read.
///
/// Results name the commit that made them, so a build with local changes writes none unless
/// --allow-changes is given.
///
/// Verdicts: match (as good as the paper's up to chance, or as we ask), beat (better than the
/// paper's own number, beyond chance), faithful (the paper's own player, up to chance), too few
/// games to tell (the paper's), missed. The exit code is 1 if a number is missed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer reproduce --list
  deminer reproduce s000-t1 s000-t2
  deminer reproduce pseq --games 1000 --out trial-results
  deminer reproduce s004-t3 --runs 3 --seed 2 --out trial-results
  deminer reproduce arena --agent pseq")]
pub struct Args {
    /// The ids of the tables; --list shows them.
    #[arg(value_name = "TABLE", required_unless_present_any = ["list", "all"])]
    tables: Vec<String>,

    /// List all tables, with the verdicts of their results.
    #[arg(long, conflicts_with_all = ["tables", "all"])]
    list: bool,

    /// Reproduce all tables, the arena included. This takes hours.
    #[arg(long, conflicts_with = "tables")]
    all: bool,

    /// Games of each run, instead of the table's own number. Studies that count games follow too.
    #[arg(long, value_name = "N")]
    games: Option<NonZero<u64>>,

    /// Runs of each study (or what else it counts but games: windows, epochs, fields), instead of
    /// the table's own number.
    #[arg(long, value_name = "N")]
    runs: Option<NonZero<u64>>,

    /// The seed of each run.
    #[arg(long, value_name = "SEED", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// In the arena, play only this agent and keep the numbers of the others.
    #[arg(long = "agent", value_name = "AGENT")]
    agents: Vec<String>,

    /// The folder for results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,

    /// The folder where runs and studies are saved, so that nothing is played twice.
    #[arg(long, value_name = "DIR", default_value = "runs")]
    saved: PathBuf,

    /// Delete earlier runs of these tables and play them again.
    #[arg(long)]
    fresh: bool,

    /// Write results although the program was built from sources with local changes.
    #[arg(long)]
    allow_changes: bool,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ListShape {
    id: &'static str,
    title: &'static str,
    paper: Option<&'static str>,
    runs: usize,
    games: u64,
    /// Numbers by verdict; none where there are no results.
    verdicts: Option<BTreeMap<&'static str, usize>>,
    /// Why no commit can repeat the results.
    doubt: Option<&'static str>,
}

/// Parts of a study on the bar.
const STUDY_PARTS: u64 = 100;

impl Args {
    pub fn run(self, roster: &Roster, output: &Output) -> Done {
        if self.list {
            return list(roster, &self.out, output, self.json);
        }
        let chosen = self.chosen()?;
        self.check_amounts(&chosen, roster)?;
        let reproduction = Reproduction {
            roster: roster.clone(),
            runs: self.saved,
            changes: Changes {
                games: self.games.map(NonZero::get),
                amount: self.runs.map(NonZero::get),
                seed: self.seed,
                agents: self.agents,
            },
            fresh: self.fresh,
            allow_changes: self.allow_changes,
            threads: self.threads.count(),
        };
        let stop = stop_on_interrupt()?;
        let mut reports = Vec::new();
        let mut missed = Vec::new();
        for table in chosen {
            let context = || format!("table {}", table.id);
            let plan = reproduction.plan(table).with_context(context)?;
            if !plan.missing.is_empty() {
                output.note(note_missing(table.id, &plan.missing));
            }
            let games = |runs: &[Run]| runs.iter().map(|run| run.spec.games()).sum::<u64>();
            let bar = output.progress(games(&plan.runs), "games", self.json);
            let progress = |stage: Stage<'_>| match stage {
                Stage::Games { run, number, so_far } => {
                    bar.set_position(games(&plan.runs[..number]) + so_far.tallies[0].games());
                    let standing = standing(&run.spec.tournament.agents, &so_far.tallies);
                    bar.set_message(format!("{} {}: {standing}", table.id, run.name));
                }
                Stage::Study { study, number, done, message } => {
                    let parts = (done * STUDY_PARTS as f64) as u64;
                    bar.set_length(plan.studies.len() as u64 * STUDY_PARTS);
                    bar.set_position(number as u64 * STUDY_PARTS + parts);
                    bar.set_message(format!("{} {}: {message}", table.id, study.name));
                }
            };
            let played = reproduction.play(table, &plan, &stop, progress).with_context(context)?;
            bar.finish_and_clear();
            let Some(reproduced) = played else {
                let message = "interrupted: the same command goes on with the run in play";
                return Err(Failure::interrupted(message));
            };
            warn_of_earlier(&reproduced, table, output);
            let partial = !reproduction.changes.agents.is_empty();
            let report = reproduced.write(table, &self.out, partial).with_context(context)?;
            if !self.json {
                output.print(numbers(table, &report))?;
            }
            write_index(&self.out, roster)?;
            output.note(format_args!("wrote {}", self.out.join(table.id).display()));
            if !reproduced.reading.holds() {
                missed.push(table.id);
            }
            reports.push(report);
        }
        if self.json {
            output.versioned(&BTreeMap::from([("tables", reports)]))?;
        }
        match missed.is_empty() {
            true => Ok(()),
            false => Err(Failure::no(format!("numbers are missed in {}", missed.join(", ")))),
        }
    }

    fn chosen(&self) -> Result<Vec<&'static Table>, Failure> {
        let find = |id: &String| {
            tables::find(id).ok_or_else(|| {
                let ids: Vec<&str> = TABLES.iter().map(|table| table.id).collect();
                let hint = did_you_mean(&nearest(id, ids.iter().copied()));
                let ids = ids.join(", ");
                Failure::wrong(format!("there is no table `{id}`{hint}; there are {ids}"))
            })
        };
        let chosen: Vec<&Table> = match self.all {
            true => TABLES.iter().collect(),
            false => self.tables.iter().map(find).collect::<Result<_, _>>()?,
        };
        if !self.agents.is_empty() && chosen.iter().any(|table| table.id != "arena") {
            let message = "--agent chooses who plays in the arena; other tables need all of theirs";
            return Err(Failure::wrong(message));
        }
        Ok(chosen)
    }

    /// Refuses numbers of games or runs for a table that has none; with --all they apply where
    /// they can.
    fn check_amounts(&self, chosen: &[&'static Table], roster: &Roster) -> Result<(), Failure> {
        if self.all {
            return Ok(());
        }
        for table in chosen {
            let plan = Plan::of(table, roster, Changes::default())?;
            let games = !plan.runs.is_empty() || plan.studies.iter().any(|study| study.in_games);
            let runs = plan.studies.iter().any(|study| !study.in_games);
            let id = table.id;
            if self.games.is_some() && !games {
                let message =
                    format!("table {id} plays no games of its own; --runs changes its studies");
                return Err(Failure::wrong(message));
            }
            if self.runs.is_some() && !runs {
                let message = format!("table {id} has no studies; --games changes its games");
                return Err(Failure::wrong(message));
            }
        }
        Ok(())
    }
}

fn list(roster: &Roster, out: &Path, output: &Output, json: bool) -> Done {
    let (mut tables, mut said) = (Vec::new(), Vec::new());
    for table in TABLES {
        let plan = Plan::of(table, roster, Changes::default())?;
        let games = |run: &Run| run.spec.games() * run.agents.len() as u64;
        let report = report_in(out, table)?.or_else(|| shipped_report(table));
        let counted = |report: &PaperReport| {
            Verdict::JUDGED.map(|verdict| (verdict.name(), report.count(verdict))).into()
        };
        said.push(report.as_ref().map_or("no results".into(), PaperReport::counts));
        tables.push(ListShape {
            id: table.id,
            title: table.title,
            paper: table.paper.map(|paper| paper.full),
            runs: plan.runs.len() + plan.studies.len(),
            games: plan.runs.iter().map(games).sum(),
            verdicts: report.as_ref().map(counted),
            doubt: report
                .as_ref()
                .and_then(|report| report.doubt().or(report.is_earlier(&plan).then_some(EARLIER))),
        });
    }
    if json {
        return output.versioned(&BTreeMap::from([("tables", tables)]));
    }
    let mut lines = plain_table("table | runs | games");
    lines.set_header(["table", "runs", "games", "what", "verdicts"]);
    for ((shape, table), said) in tables.iter().zip(TABLES).zip(said) {
        let (runs, games) = (shape.runs.to_string(), shape.games.to_string());
        let doubt = shape.doubt.map_or(String::new(), |doubt| format!(" ({doubt})"));
        let verdicts = format!("{said}{doubt}");
        lines.add_row([table.id.to_owned(), runs, games, table.full_title(), verdicts]);
    }
    output.print(format!("{}\n", lines.trim_fmt()))
}

/// The report of a table in the program.
fn shipped_report(table: &Table) -> Option<PaperReport> {
    let bytes = deminer_artifacts::result(&format!("{}/table.json", table.id))?;
    Some(serde_json::from_slice(&bytes).expect("tests read every shipped report"))
}

/// Notes the builds that played, if it was not this one.
fn warn_of_earlier(reproduced: &Reproduced, table: &Table, output: &Output) {
    if reproduced.earlier.is_empty() {
        return;
    }
    let builds: Vec<String> = reproduced.earlier.iter().map(Build::name).collect();
    output.note(format_args!(
        "{}: games were played by earlier builds ({}); --fresh plays them again",
        table.id,
        builds.join(", ")
    ));
}

/// The column of targets, which is left to the Markdown report.
const ASKED: usize = 8;

/// The numbers for a terminal.
fn numbers(table: &Table, report: &PaperReport) -> String {
    let header = PaperReport::COLUMNS.replacen("setting", table.id, 1);
    let header = header.replace("unneeded guesses/game", "unneeded/game").replace("asked | ", "");
    let mut lines = plain_table(&header);
    for row in report.rows() {
        let printed = row.into_iter().enumerate().filter(|(column, _)| *column != ASKED);
        lines.add_row(printed.map(|(_, cell)| cell));
    }
    format!("{}\n\n{}\n{}\n\n", table.title, lines.trim_fmt(), report.counts())
}
