//! Trainings in folders.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use deminer::roster::{did_you_mean, nearest};
use deminer_lab::disk::Disk;
use deminer_lab::train::{
    Choices, Context, Event, KeptTraining, LEARNERS, OptionError, TrainError, find, train_into,
};
use pyo3::prelude::*;
use serde::Serialize;

use crate::agents::ROSTER;
use crate::analysis::thread_count;
use crate::document::to_python;
use crate::errors::{RunError, wrong};
use crate::interrupt::{self, Reporter};

/// A learner with its options.
#[derive(Serialize)]
struct LearnerDocument {
    name: &'static str,
    about: &'static str,
    options: Vec<OptionDocument>,
}

#[derive(Serialize)]
struct OptionDocument {
    name: &'static str,
    default: &'static str,
    about: &'static str,
}

/// Every learner with its options.
#[pyfunction]
pub fn learners(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let learners = LEARNERS.iter().map(|entry| LearnerDocument {
        name: entry.name,
        about: entry.about,
        options: entry
            .all_options()
            .filter(|option| !option.local)
            .map(|option| OptionDocument {
                name: option.name,
                default: option.default,
                about: option.about,
            })
            .collect(),
    });
    to_python(py, &learners.collect::<Vec<_>>())
}

/// Refuses options that do not make a training.
#[pyfunction]
pub fn check_training(learner: &str, options: Vec<(String, String)>) -> PyResult<()> {
    let choices = choices(learner, options)?;
    (choices.entry.check)(&choices).map_err(failure)
}

/// Trains into a folder, or reads what was trained there.
#[pyfunction]
pub fn train<'py>(
    py: Python<'py>,
    learner: &str,
    folder: PathBuf,
    options: Vec<(String, String)>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (choices, threads) = (choices(learner, options)?, thread_count(threads)?);
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let work = move |reporter: &Reporter<Result<Option<KeptTraining>, TrainError>, Event>| {
        let mut tell = |event| reporter.send(event);
        let disk = Disk::default();
        let mut context = Context { threads, stop: &stopped, disk, tell: &mut tell };
        train_into(&folder, choices, &mut context)
    };
    let see = |event: Event| match &progress {
        Some(progress) => progress.call1((to_python(py, &event)?,)).map(drop),
        None => Ok(()),
    };
    let kept = interrupt::run(py, &stop, work, see)?.map_err(failure)?;
    to_python(py, &kept.expect("a training that is stopped raises what stopped it"))
}

fn choices(learner: &str, mut options: Vec<(String, String)>) -> PyResult<Choices> {
    // The artifact names its command, and the same options make the same artifact.
    options.sort_by(|one, other| one.0.cmp(&other.0));
    let entry = find(learner).ok_or_else(|| {
        let nearest = nearest(learner, LEARNERS.iter().map(|entry| entry.name));
        let hint = did_you_mean(&nearest);
        wrong(format_args!("there is no learner `{learner}`{hint}; see `deminer.learners()`"))
    })?;
    let local = options.iter().find(|(name, _)| entry.option(name).is_some_and(|it| it.local));
    if let Some((name, _)) = local {
        let reason = "this belongs to the command line; give the folder and threads instead";
        return Err(wrong(OptionError::new(name, reason)));
    }
    let words = options.iter().map(|(name, value)| format!(" --{name} {value}"));
    let command = format!("deminer train {learner}{}", words.collect::<String>());
    Choices::read(entry, &command, &ROSTER, options).map_err(wrong)
}

fn failure(error: TrainError) -> PyErr {
    match error {
        TrainError::Checkpoint(_) | TrainError::File(..) | TrainError::InUse(..) => {
            RunError::new_err(error.to_string())
        }
        error => wrong(error),
    }
}
