//! Durable runs in a directory, and the reports of sealed ones.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use deminer_lab::durable::{Progress, RunDir, RunDirError, RunSpec, Seal};
use deminer_lab::report::{REPORTS, Report, find};
use pyo3::prelude::*;
use serde::Serialize;

use crate::agents::ROSTER;
use crate::analysis::thread_count;
use crate::bench::{Standing, report};
use crate::document::to_python;
use crate::errors::{self, RunError, wrong};
use crate::interrupt::{self, PULSE, Reporter};

/// A directory with a durable run: many processes may play its shards at once.
#[pyclass(module = "deminer", frozen)]
pub struct Run(RunDir);

#[pymethods]
impl Run {
    /// Starts the run that a TOML text describes in a directory, or resumes it.
    #[new]
    fn new(py: Python<'_>, spec: &str, directory: PathBuf) -> PyResult<Self> {
        let spec = py.detach(|| RunSpec::parse(spec, &ROSTER)).map_err(wrong)?;
        py.detach(|| RunDir::open(directory, &spec)).map(Self).map_err(failure)
    }

    /// The run in a directory, to count its games.
    #[staticmethod]
    fn existing(directory: PathBuf) -> PyResult<Self> {
        RunDir::existing(directory).map(Self).map_err(failure)
    }

    /// The number of shards.
    #[getter]
    fn shards(&self) -> u64 {
        self.0.spec().shards()
    }

    /// The number of games of each agent.
    #[getter]
    fn games(&self) -> u64 {
        self.0.spec().games()
    }

    /// Whether the games are counted.
    #[getter]
    fn is_sealed(&self) -> bool {
        self.0.is_sealed()
    }

    /// The spec with all keys, as TOML.
    #[getter]
    fn spec(&self) -> String {
        self.0.spec().to_string()
    }

    /// Plays all unfinished shards, together with other processes.
    fn play(
        &self,
        py: Python<'_>,
        threads: Option<usize>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<SetAside>> {
        let done = self.run(py, None, threads, progress.as_ref())?;
        Ok(set_aside(done))
    }

    /// Plays one shard, or reads it if it is finished: the sums of its games.
    fn play_shard<'py>(
        &self,
        py: Python<'py>,
        shard: u64,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let done = self.run(py, Some(shard), threads, None)?;
        let agents = self.0.spec().tournament.agents.iter().zip(&done.tallies);
        let agents = agents.map(|(spec, tally)| {
            let (games, rate) = (tally.games() as f64, tally.rate());
            ShardSums {
                agent: spec.to_string(),
                games: tally.games(),
                weight: rate * games,
                squares: (tally.standard_error().powi(2) * games + rate * rate) * games,
            }
        });
        let agents = agents.collect();
        to_python(py, &ShardDocument { shard, agents, set_aside: set_aside(done) })
    }

    /// Checks that every agent has every game exactly once: the document in `totals.json`.
    fn seal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let sealed = || self.0.seal().and_then(|_| self.0.sealed());
        let seal: Seal = py.detach(sealed).map_err(failure)?;
        to_python(py, &seal)
    }

    /// The report of a sealed run.
    fn report(&self, format: &str) -> PyResult<String> {
        let format = find(format).ok_or_else(|| {
            let names = REPORTS.map(|format| format.name).join(", ");
            wrong(format_args!("there is no report format `{format}`; there are {names}"))
        })?;
        Ok((format.write)(&Report::of(&self.0).map_err(failure)?))
    }

    /// All reports of a sealed run, by file name.
    fn reports(&self) -> PyResult<Vec<(&'static str, String)>> {
        Ok(Report::of(&self.0).map_err(failure)?.files().collect())
    }
}

impl Run {
    /// Plays on threads of its own; this thread looks at signals and reports progress.
    fn run(
        &self,
        py: Python<'_>,
        shard: Option<u64>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Progress> {
        let threads = thread_count(threads)?;
        let stop = Arc::new(AtomicBool::new(false));
        let (run, stopped) = (self.0.clone(), Arc::clone(&stop));
        let wants_progress = progress.is_some();
        let play = move |reporter: &Reporter<_, Vec<Standing>>| {
            let mut last = Instant::now();
            let see = |progress: &Progress| {
                if wants_progress && last.elapsed() >= PULSE {
                    last = Instant::now();
                    reporter.send(progress.tallies.iter().map(Standing::of).collect());
                }
            };
            match shard {
                None => run.run(threads, &stopped, see),
                Some(shard) => run.run_shard(shard, threads, &stopped, see),
            }
        };
        let tournament = &self.0.spec().tournament;
        let see = |standings: Vec<Standing>| {
            progress.map_or(Ok(()), |progress| report(progress, tournament, &standings))
        };
        interrupt::run(py, &stop, play, see)?.map_err(failure)
    }
}

/// The sums over the games of an agent in a shard.
#[derive(Serialize)]
struct ShardSums {
    agent: String,
    games: u64,
    /// The sum of the weights: of the games won, in plain play.
    weight: f64,
    /// The sum of their squares.
    squares: f64,
}

#[derive(Serialize)]
struct ShardDocument {
    shard: u64,
    agents: Vec<ShardSums>,
    set_aside: Vec<SetAside>,
}

/// The new name of a file that was not a valid part, and what was wrong with it.
type SetAside = (PathBuf, String);

fn set_aside(progress: Progress) -> Vec<SetAside> {
    progress.set_aside.into_iter().map(|aside| (aside.path, aside.cause)).collect()
}

/// The exception of a run.
fn failure(error: RunDirError) -> PyErr {
    match error {
        RunDirError::Play(error) => errors::agent(error),
        error => RunError::new_err(error.to_string()),
    }
}
