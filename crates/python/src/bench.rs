//! Tournaments.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

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
use crate::rules::Rules;

/// How often signals are looked at and progress is reported.
const PULSE: Duration = Duration::from_millis(50);
/// How long an interrupted tournament may take to finish the games in play. After that they are
/// left to end on their own.
const GRACE: Duration = Duration::from_secs(2);

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
    let agents = Agents::of(py, agents, &rules)?;
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
    threads: std::num::NonZero<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Results> {
    let (sender, receiver) = mpsc::channel();
    let (played, raised) = (Arc::clone(tournament), Arc::clone(&agents.raised));
    let wants_progress = progress.is_some();
    thread::spawn(move || {
        let mut last = Instant::now();
        let results = played.run(threads, &raised.stop, |tallies| {
            if wants_progress && last.elapsed() >= PULSE {
                last = Instant::now();
                let _ = sender.send(Message::Standing(standings(&played, tallies)));
            }
        });
        let _ = sender.send(Message::Done(results));
    });
    let receiver = std::sync::Mutex::new(receiver);
    let next = |wait| receiver.lock().expect("only this thread receives").recv_timeout(wait);
    loop {
        let pulse = match py.detach(|| next(PULSE)) {
            Ok(Message::Done(results)) => {
                agents.raised.check()?;
                return results.map_err(failure);
            }
            Ok(Message::Standing(standing)) => {
                progress.map_or(Ok(()), |progress| report(progress, tournament, &standing))
            }
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => {
                Err(pyo3::exceptions::PyRuntimeError::new_err("the tournament ended in a panic"))
            }
        };
        if let Err(error) = pulse.and_then(|()| py.check_signals()) {
            agents.raised.stop.store(true, Ordering::Relaxed);
            let end = Instant::now() + GRACE;
            py.detach(|| {
                while let Some(left) = end.checked_duration_since(Instant::now()) {
                    if !matches!(next(left), Ok(Message::Standing(_))) {
                        break;
                    }
                }
            });
            return Err(error);
        }
    }
}

enum Message {
    Standing(Vec<Standing>),
    Done(Result<Results, RunError>),
}

/// How an agent stands after some games.
struct Standing {
    games: u64,
    rate: f64,
    half: f64,
}

fn standings(tournament: &Tournament, tallies: &[Tally]) -> Vec<Standing> {
    let standing = |tally: &Tally| Standing {
        games: tally.games(),
        rate: tally.rate(),
        half: 1.96 * tally.standard_error(),
    };
    debug_assert_eq!(tournament.agents.len(), tallies.len());
    tallies.iter().map(standing).collect()
}

/// Calls `progress(finished, all, agents)`.
fn report(
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
