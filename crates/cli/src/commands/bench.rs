//! `deminer bench`: agents on the same boards, with intervals.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::thread;

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use comfy_table::{CellAlignment, Table, presets};
use deminer_game::Outcome;
use deminer_lab::measure::Measure;
use deminer_lab::roster::Spec;
use deminer_lab::run::{Estimator, Results, SURVIVAL_MOVES, Tally, Tournament};
use serde::Serialize;

use crate::failure::{Done, Failure};
use crate::interrupt::stop_on_interrupt;
use crate::output::{Output, SCHEMA_VERSION};
use crate::rule_args::RuleArgs;

/// Play agents on the same boards and compare their win rates.
///
/// Game i of a run with seed s is the same board for every agent, so differences are paired.
/// Results do not depend on the number of threads. Intervals are 95 %; speeds are per second of
/// CPU time. Ctrl-C prints what is known so far.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer bench --agent single-point --board expert --games 20000
  deminer bench --agent random --agent single-point --start open --json")]
pub struct Args {
    /// An agent, as `name[:option,…]`; give it several times to compare.
    #[arg(long = "agent", value_name = "AGENT", default_value = "single-point")]
    agents: Vec<Spec>,

    /// How many games each agent plays.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,

    /// The run's seed.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// The number of the first game; later ones follow.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first_game: u64,

    /// How many threads play; all cores unless given.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    /// How win rates are found: plain counts games won; weighted plays on after a mine with the
    /// layout redrawn and weighs each game by the risks survived, which needs fewer games.
    #[arg(long, value_name = "ESTIMATOR", default_value = "plain",
          value_parser = PossibleValuesParser::new(Estimator::ALL.map(Estimator::name)).map(estimator))]
    estimator: Estimator,

    /// Also measure: unneeded counts guesses made although a sure move existed, by the exact
    /// engine; give it several times for more.
    #[arg(long = "measure", value_name = "MEASURE",
          value_parser = PossibleValuesParser::new(Measure::ALL.map(Measure::name)).map(|word| word.parse::<Measure>().expect("a listed word")))]
    measures: Vec<Measure>,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    rules: RuleArgs,
}

fn estimator(word: String) -> Estimator {
    let named = |estimator: &Estimator| estimator.name() == word;
    Estimator::ALL.into_iter().find(named).expect("a listed word")
}

#[derive(Serialize)]
struct Document {
    schema_version: u32,
    board: String,
    shape: &'static str,
    start: &'static str,
    cascade: bool,
    clues: String,
    seed: u64,
    first_game: u64,
    estimator: &'static str,
    complete: bool,
    agents: Vec<AgentShape>,
    paired: Vec<PairShape>,
}

#[derive(Serialize)]
struct AgentShape {
    agent: String,
    games: u64,
    won: Option<u64>,
    lost: Option<u64>,
    stuck: u64,
    undecided: u64,
    rate: f64,
    low: f64,
    high: f64,
    open_rate: f64,
    guesses_per_game: f64,
    /// Shares of games that survived so many moves.
    survival: BTreeMap<u32, f64>,
    cpu_seconds: f64,
    games_per_cpu_second: f64,
}

#[derive(Serialize)]
struct PairShape {
    first: String,
    second: String,
    difference: f64,
    low: f64,
    high: f64,
    only_first: Option<u64>,
    only_second: Option<u64>,
    p_value: Option<f64>,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let (rules, at) = self.rules.resolve()?;
        for spec in &self.agents {
            spec.admit(&rules).map_err(Failure::usage)?;
        }
        let end = self
            .first_game
            .checked_add(self.games)
            .context("--first-game and --games exceed the number of games a seed has")
            .map_err(Failure::usage)?;
        let tournament = Tournament {
            agents: self.agents,
            rules,
            at,
            seed: self.seed,
            games: self.first_game..end,
            estimator: self.estimator,
            measures: self.measures,
        };
        let threads = self
            .threads
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZero::<usize>::MIN);

        let stop = stop_on_interrupt()?;
        let bar = output.progress(self.games, "games", self.json);
        let results = tournament.run(threads, &stop, |tallies| {
            bar.set_position(tallies[0].games());
            bar.set_message(standing(&tournament, tallies));
        })?;
        bar.finish_and_clear();

        if self.json {
            output.json(&document(&tournament, &results))?;
        } else {
            output.print(report(&tournament, &results))?;
        }
        if !results.complete {
            return Err(Failure::interrupted("interrupted: the table shows the games finished"));
        }
        Ok(())
    }
}

/// The current rates with their intervals, for the progress line.
fn standing(tournament: &Tournament, tallies: &[Tally]) -> String {
    let standing = |(spec, tally): (&Spec, &Tally)| {
        let half = 1.96 * tally.standard_error();
        format!("{spec} {:.1} ± {:.1} %", 100.0 * tally.rate(), 100.0 * half)
    };
    tournament.agents.iter().zip(tallies).map(standing).collect::<Vec<_>>().join(", ")
}

/// A share of all that could be; 0 where nothing could.
fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn agent_shape(tournament: &Tournament, spec: &Spec, tally: &Tally) -> AgentShape {
    let games = tally.games();
    // A weighted game goes on after a mine: what it ends in says nothing of what was won.
    let plain = tournament.estimator == Estimator::Plain;
    let count = |outcome| plain.then(|| tally.count(outcome));
    let interval = tally.interval();
    let survived = SURVIVAL_MOVES.into_iter().zip(tally.survivors);
    AgentShape {
        agent: spec.to_string(),
        games,
        won: count(Outcome::Won),
        lost: count(Outcome::Lost),
        stuck: tally.count(Outcome::Stuck),
        undecided: tally.count(Outcome::Undecided),
        rate: if games == 0 { 0.0 } else { tally.rate() },
        low: interval.low,
        high: interval.high,
        open_rate: share(tally.opened, games * tournament.rules.safe_cells() as u64),
        guesses_per_game: share(tally.guesses, games),
        survival: survived.map(|(moves, survivors)| (moves, share(survivors, games))).collect(),
        cpu_seconds: tally.cpu_seconds(),
        games_per_cpu_second: if tally.nanos == 0 { 0.0 } else { tally.games_per_cpu_second() },
    }
}

fn document(tournament: &Tournament, results: &Results) -> Document {
    let rules = &tournament.rules;
    let name = |agent: usize| tournament.agents[agent].to_string();
    let paired = |pair: deminer_lab::run::Pairing| PairShape {
        first: name(pair.first),
        second: name(pair.second),
        difference: pair.difference,
        low: pair.interval.low,
        high: pair.interval.high,
        only_first: pair.split.map(|split| split.only_first),
        only_second: pair.split.map(|split| split.only_second),
        p_value: pair.split.map(|split| split.p_value),
    };
    Document {
        schema_version: SCHEMA_VERSION,
        board: rules.size().to_string(),
        shape: rules.shape().form().name(),
        start: rules.start().name(),
        cascade: rules.cascade(),
        clues: rules.clues().to_string(),
        seed: tournament.seed,
        first_game: tournament.games.start,
        estimator: tournament.estimator.name(),
        complete: results.complete,
        agents: agents(tournament, results),
        paired: results.pairings().into_iter().map(paired).collect(),
    }
}

fn agents(tournament: &Tournament, results: &Results) -> Vec<AgentShape> {
    let tallies = tournament.agents.iter().zip(&results.tallies);
    tallies.map(|(spec, tally)| agent_shape(tournament, spec, tally)).collect()
}

fn report(tournament: &Tournament, results: &Results) -> String {
    let games = results.tallies[0].games();
    let weighted = match tournament.estimator {
        Estimator::Plain => "",
        Estimator::Weighted => "weighted ",
    };
    let mut text =
        format!("{}, seed {}, {games} {weighted}games\n\n", tournament.rules, tournament.seed);
    let mut table = plain_table(&[
        "agent",
        "won",
        "95 % interval",
        "lost",
        "stuck",
        "undecided",
        "opened",
        "guesses/game",
        "games/CPU s",
    ]);
    for agent in agents(tournament, results) {
        table.add_row([
            agent.agent,
            format!("{:.2} %", 100.0 * agent.rate),
            format!("{:.2} - {:.2}", 100.0 * agent.low, 100.0 * agent.high),
            agent.lost.map_or("-".into(), |lost| lost.to_string()),
            agent.stuck.to_string(),
            agent.undecided.to_string(),
            format!("{:.1} %", 100.0 * agent.open_rate),
            format!("{:.2}", agent.guesses_per_game),
            format!("{:.0}", agent.games_per_cpu_second),
        ]);
    }
    text += &format!("{}\n", table.trim_fmt());
    let pairings = results.pairings();
    if !pairings.is_empty() && games > 0 {
        let mut table =
            plain_table(&["on the same boards", "points", "95 % interval", "p (McNemar)"]);
        for pair in pairings {
            let [first, second] = [pair.first, pair.second].map(|agent| &tournament.agents[agent]);
            table.add_row([
                format!("{second} against {first}"),
                format!("{:+.2}", 100.0 * pair.difference),
                format!("{:+.2} to {:+.2}", 100.0 * pair.interval.low, 100.0 * pair.interval.high),
                pair.split.map_or("-".into(), |split| chance(split.p_value)),
            ]);
        }
        text += &format!("\n{}\n", table.trim_fmt());
    }
    text
}

/// A p-value in words: small ones by their order of magnitude.
fn chance(p_value: f64) -> String {
    if p_value < 1e-99 {
        "below 1e-99".into()
    } else if p_value < 0.001 {
        format!("{p_value:.1e}")
    } else {
        format!("{p_value:.3}")
    }
}

/// A table without lines, numbers to the right.
fn plain_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header.iter().copied());
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
