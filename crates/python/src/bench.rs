//! Tournaments.

use std::num::NonZero;
use std::sync::Arc;
use std::time::Instant;

use deminer_formats::wire::{Estimator, Measure};
use deminer_game::{FirstClick, Words};
use deminer_lab::totals::{SCHEMA_VERSION, Totals};
use deminer_lab::tournament::{Results, RunError, Tally, Tournament};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;

use crate::agents::Agents;
use crate::analysis::thread_count;
use crate::document::to_python;
use crate::errors::{self, wrong};
use crate::interrupt::{self, PULSE, Reporter};
use crate::rules::Rules;

#[derive(Serialize)]
struct Document {
    schema_version: u32,
    #[serde(flatten)]
    totals: Totals,
}

/// Plays agents on the same boards; the document of `deminer bench --json`.
#[pyfunction]
#[pyo3(signature = (agents, rules, *, at, seed, first_game, games, estimator, measures, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "these are the keywords of the Python function")]
pub fn bench<'py>(
    py: Python<'py>,
    agents: Vec<Bound<'py, PyAny>>,
    rules: &Rules,
    at: &str,
    seed: u64,
    first_game: u64,
    games: u64,
    estimator: &str,
    measures: Vec<String>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Rules(rules) = rules.clone();
    let agents = Agents::of(agents, &rules)?;
    if agents.specs.is_empty() {
        return Err(wrong("give at least one agent"));
    }
    let at = FirstClick::parse(at, rules.shape()).map_err(wrong)?;
    let estimator = Estimator::from_word(estimator).map_err(wrong)?;
    let measures = measures.iter().map(|word| Measure::from_word(word));
    let measures: Vec<Measure> = measures.collect::<Result<_, _>>().map_err(wrong)?;
    if estimator == Estimator::Weighted && !measures.is_empty() {
        return Err(wrong("measures need plain games: remove estimator=\"weighted\""));
    }
    let end = first_game
        .checked_add(games)
        .ok_or_else(|| wrong("first_game and games exceed the number of games a seed has"))?;
    let threads = if agents.threads { thread_count(threads)? } else { thread_count(Some(1))? };
    let tournament = Arc::new(Tournament {
        agents: agents.specs.clone(),
        rules,
        at,
        seed,
        games: first_game..end,
        estimator,
        measures,
    });
    let results = run(py, &tournament, &agents, threads, progress.as_ref())?;
    let totals = py.detach(|| Totals::of(&tournament, &results));
    to_python(py, &Document { schema_version: SCHEMA_VERSION, totals })
}

/// Plays the games on threads of their own; this thread looks at signals and reports progress.
fn run(
    py: Python<'_>,
    tournament: &Arc<Tournament>,
    agents: &Agents,
    threads: NonZero<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Results> {
    let (played, raised) = (Arc::clone(tournament), Arc::clone(&agents.raised));
    let wants_progress = progress.is_some();
    let play = move |reporter: &Reporter<_, Vec<Standing>>| {
        let mut last = Instant::now();
        played.run(threads, &raised.stop, |tallies| {
            if wants_progress && last.elapsed() >= PULSE {
                last = Instant::now();
                reporter.send(tallies.iter().map(Standing::of).collect());
            }
        })
    };
    let see = |standings: Vec<Standing>| {
        progress.map_or(Ok(()), |progress| report(progress, tournament, &standings))
    };
    let results = interrupt::run(py, &agents.raised.stop, play, see)?;
    agents.raised.check()?;
    results.map_err(failure)
}

/// How an agent stands after some games.
pub struct Standing {
    games: u64,
    rate: f64,
    half: f64,
}

impl Standing {
    pub fn of(tally: &Tally) -> Self {
        Self { games: tally.games(), rate: tally.rate(), half: 1.96 * tally.standard_error() }
    }
}

/// Calls `progress(finished, all, agents)`.
pub fn report(
    progress: &Bound<'_, PyAny>,
    tournament: &Tournament,
    standings: &[Standing],
) -> PyResult<()> {
    let py = progress.py();
    let agents = PyList::empty(py);
    for (spec, standing) in tournament.agents.iter().zip(standings) {
        let agent = PyDict::new(py);
        agent.set_item("agent", spec.to_string())?;
        agent.set_item("games", standing.games)?;
        agent.set_item("rate", standing.rate)?;
        agent.set_item("low", (standing.rate - standing.half).max(0.0))?;
        agent.set_item("high", (standing.rate + standing.half).min(1.0))?;
        agents.append(agent)?;
    }
    let games = tournament.games.end - tournament.games.start;
    progress.call1((standings[0].games, games, agents)).map(drop)
}

fn failure(error: RunError) -> PyErr {
    match error {
        RunError::Build(error) => errors::agent(error),
        RunError::Weigh(error) => wrong(error),
    }
}
