//! A training in a folder of its own, done once even if several processes try.

use std::path::Path;
use std::time::Instant;
use std::{fs, io, thread};

use serde::{Deserialize, Serialize};

use super::files::fault;
use super::{CheckpointError, Choices, Context, TrainError, train};
use crate::disk::Claim;
use crate::durable::PATIENCE;
use crate::provenance::Provenance;

/// The document of a finished training.
const DOCUMENT: &str = "training.json";

/// A finished training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct KeptTraining {
    /// The learner.
    pub learner: String,
    /// Everything that decides what is learned, in words.
    pub run: String,
    /// The names of its artifacts in the folder.
    pub artifacts: Vec<String>,
    /// What the learner reports.
    pub report: String,
    /// How long it took, after its last checkpoint if it was stopped.
    pub seconds: f64,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// Trains into a folder, or returns what an earlier training of the same options made there. If
/// another process trains there, waits for it, and continues from its checkpoint if it dies. None
/// if it was stopped.
pub fn train_into(
    folder: &Path,
    choices: Choices,
    context: &mut Context,
) -> Result<Option<KeptTraining>, TrainError> {
    (choices.entry.check)(&choices)?;
    let choices = choices.with("out", folder.display());
    context.disk.make_folders(folder).map_err(|error| fault(folder, error))?;
    let document = folder.join(DOCUMENT);
    loop {
        if let Some(kept) = finished(&document, &choices)? {
            return Ok(Some(kept));
        }
        if context.is_stopped() {
            return Ok(None);
        }
        let claim =
            Claim::take(&context.disk, &document).map_err(|error| fault(&document, error))?;
        let Some(claim) = claim else {
            thread::sleep(PATIENCE);
            continue;
        };
        // Another process may have finished in the meantime.
        if finished(&document, &choices)?.is_some() {
            continue;
        }
        let Some(kept) = train_here(folder, &choices, context)? else { return Ok(None) };
        let text = serde_json::to_string_pretty(&kept).expect("a training is plain values") + "\n";
        claim.publish(text.as_bytes()).map_err(|error| fault(&document, error))?;
        return Ok(Some(kept));
    }
}

fn train_here(
    folder: &Path,
    choices: &Choices,
    context: &mut Context,
) -> Result<Option<KeptTraining>, TrainError> {
    let begun = Instant::now();
    let Ok(made) = train(choices, context)? else { return Ok(None) };
    let reports: Vec<&str> = made.iter().map(|made| made.report.as_str()).collect();
    Ok(Some(KeptTraining {
        learner: choices.entry.name.to_owned(),
        run: choices.run(),
        artifacts: artifacts(folder, choices.entry.extension)?,
        report: reports.join("\n"),
        seconds: begun.elapsed().as_secs_f64(),
        provenance: Provenance::here(),
    }))
}

/// What is finished in a folder, if it is what was asked for.
fn finished(document: &Path, choices: &Choices) -> Result<Option<KeptTraining>, TrainError> {
    let text = match fs::read_to_string(document) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fault(document, error)),
    };
    let damaged = |error: serde_json::Error| {
        CheckpointError::damaged(format_args!("{}: {error}", document.display()))
    };
    let kept: KeptTraining = serde_json::from_str(&text).map_err(damaged)?;
    match kept.run == choices.run() {
        true => Ok(Some(kept)),
        false => {
            let path = document.display();
            Err(CheckpointError::other_training(path, &kept.run, &choices.run()).into())
        }
    }
}

/// The names of the artifacts in a folder.
fn artifacts(folder: &Path, extension: &str) -> Result<Vec<String>, TrainError> {
    let entries = fs::read_dir(folder).map_err(|error| fault(folder, error))?;
    let mut names = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| fault(folder, error))?.path();
        if path.extension().is_some_and(|found| found == extension) {
            names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use deminer::roster::Roster;

    use super::*;
    use crate::disk::Disk;
    use crate::train::find;

    fn choices(changes: &[(&str, &str)]) -> Choices {
        let entry = find("q-table").unwrap();
        let values = entry.small.iter().chain(changes);
        let values = values.map(|&(name, value)| (name.to_owned(), value.to_owned()));
        Choices::read(entry, "test", &Roster::default(), values).unwrap()
    }

    fn into(
        folder: &Path,
        choices: Choices,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<KeptTraining>, TrainError> {
        let threads = NonZero::<usize>::MIN;
        let disk = Disk::default();
        train_into(folder, choices, &mut Context { threads, stop, disk, tell: &mut |_| {} })
    }

    #[test]
    fn a_training_is_done_once() {
        let folder = tempfile::tempdir().unwrap();
        let going = Arc::new(AtomicBool::new(false));
        let kept = into(folder.path(), choices(&[]), &going).unwrap().unwrap();
        assert_eq!(kept.artifacts, ["q-table.q"]);
        assert_eq!(into(folder.path(), choices(&[]), &going).unwrap(), Some(kept));
        let other = into(folder.path(), choices(&[("seed", "9")]), &going);
        let error = other.unwrap_err();
        assert!(matches!(&error, TrainError::Checkpoint(_)));
        assert!(error.to_string().contains("belongs to another training"), "{error}");
    }

    #[test]
    fn two_processes_agree_on_one_result() {
        let folder = tempfile::tempdir().unwrap();
        let going = Arc::new(AtomicBool::new(false));
        let made = thread::scope(|scope| {
            let train = || into(folder.path(), choices(&[]), &going).unwrap().unwrap();
            let both = [scope.spawn(train), scope.spawn(train)];
            both.map(|thread| thread.join().unwrap())
        });
        assert_eq!(made[0], made[1]);
    }

    #[test]
    fn a_stopped_training_continues() {
        let folder = tempfile::tempdir().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let threads = NonZero::<usize>::MIN;
        let mut tell = |_| stop.store(true, Ordering::Relaxed);
        let disk = Disk::default();
        let mut context = Context { threads, stop: &stop, disk, tell: &mut tell };
        let long = [("games", "40000")];
        assert_eq!(train_into(folder.path(), choices(&long), &mut context).unwrap(), None);
        stop.store(false, Ordering::Relaxed);
        let kept = into(folder.path(), choices(&long), &stop).unwrap().unwrap();
        let fresh = tempfile::tempdir().unwrap();
        into(fresh.path(), choices(&long), &stop).unwrap();
        let bytes = |folder: &Path| fs::read(folder.join(&kept.artifacts[0])).unwrap();
        assert_eq!(bytes(folder.path()), bytes(fresh.path()));
    }
}
