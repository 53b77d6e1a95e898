//! `deminer bench`: compares agents on the same boards.

use std::num::NonZero;
use std::path::PathBuf;

use anyhow::Context;
use clap::value_parser;
use deminer::roster::{Roster, Spec};
use deminer_lab::durable::{RunSpec, SHARD};
use deminer_lab::measure::Measure;
use deminer_lab::totals::Totals;
use deminer_lab::tournament::{Estimator, Tournament};

use crate::commands::durable;
use crate::failure::{Done, Failure};
use crate::output::Output;
use crate::rule_args::{RuleArgs, seed, word};
use crate::tournament::{ThreadArgs, read_agent, report, standing, stop_on_interrupt};

/// Play agents on the same boards and compare their win rates.
///
/// Game i of a run with seed s is the same board for every agent, so differences are paired.
/// Results do not depend on the number of threads. Intervals are 95 %; speeds are per second of
/// CPU time. Ctrl-C stops early and prints the results so far.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer bench --agent single-point --board expert --games 20000
  deminer bench --agent random --agent single-point --start open --json
  deminer bench --agent lowest-risk --games 1000000 --out campaign")]
pub struct Args {
    /// An agent, as `name[:option,…]`; repeat to compare several.
    #[arg(long = "agent", value_name = "AGENT", default_value = "single-point")]
    agents: Vec<String>,

    /// Number of games for each agent.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = value_parser!(u64).range(1..))]
    games: u64,

    /// The seed of the run.
    #[arg(long, value_name = "SEED", value_parser = seed, allow_negative_numbers = true, default_value_t = 1)]
    seed: u64,

    /// The number of the first game.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "out")]
    first_game: u64,

    #[command(flatten)]
    threads: ThreadArgs,

    /// How win rates are estimated: plain counts games won; weighted redraws the layout after a
    /// mine, plays on and weights each game by the risks survived, which needs fewer games.
    #[arg(long, value_name = "ESTIMATOR", default_value = "plain",
          value_parser = word::<Estimator>())]
    estimator: Estimator,

    /// Also measure: guesses made while a safe move existed (unneeded), how often each rule was
    /// used, chains of influence. The table shows the first; --out saves all.
    #[arg(long = "measure", value_name = "MEASURE", value_parser = word::<Measure>())]
    measures: Vec<Measure>,

    /// Save every game in this directory; the same command resumes after a kill or Ctrl-C. See
    /// `deminer run` for campaigns with a spec file.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    rules: RuleArgs,
}

impl Args {
    pub fn run(self, roster: &Roster, output: &Output) -> Done {
        let (rules, at) = self.rules.resolve()?;
        let agents = self.agents.iter().map(|text| read_agent(roster, text));
        let agents: Vec<Spec> = agents.collect::<Result<_, _>>()?;
        for spec in &agents {
            spec.admit(&rules).map_err(Failure::usage)?;
            spec.build().map_err(Failure::input)?;
        }
        if self.estimator == Estimator::Weighted && !self.measures.is_empty() {
            let message = "--measure needs plain games: remove --estimator weighted";
            return Err(Failure::wrong(message));
        }
        let end = self
            .first_game
            .checked_add(self.games)
            .context("--first-game and --games exceed the number of games a seed has")
            .map_err(Failure::usage)?;
        let tournament = Tournament {
            agents,
            rules,
            at,
            seed: self.seed,
            games: self.first_game..end,
            estimator: self.estimator,
            measures: self.measures,
        };
        let threads = self.threads.count();
        match self.out {
            Some(folder) => keep(folder, tournament, threads, self.json, output),
            None => play(&tournament, threads, self.json, output),
        }
    }
}

/// Plays the games and prints what they come to.
fn play(tournament: &Tournament, threads: NonZero<usize>, json: bool, output: &Output) -> Done {
    let stop = stop_on_interrupt()?;
    let bar = output.progress(tournament.games.end - tournament.games.start, "games", json);
    let results = tournament.run(threads, &stop, |tallies| {
        bar.set_position(tallies[0].games());
        bar.set_message(standing(&tournament.agents, tallies));
    })?;
    bar.finish_and_clear();

    if json {
        output.versioned(&Totals::of(tournament, &results))?;
    } else {
        output.print(report(tournament, &results))?;
    }
    if !results.complete {
        return Err(Failure::interrupted("interrupted: the table shows the games finished"));
    }
    Ok(())
}

/// The same games as a durable run, sealed at the end.
fn keep(
    folder: PathBuf,
    tournament: Tournament,
    threads: NonZero<usize>,
    json: bool,
    output: &Output,
) -> Done {
    let run = durable::open(folder, &RunSpec { tournament, shard: SHARD })?;
    let progress = durable::play(&run, None, threads, output, json)?;
    if !progress.complete() {
        return Err(durable::interrupted(&progress));
    }
    durable::seal(&run, output, json)
}
