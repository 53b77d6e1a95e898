//! Trainings with files: the artifact, what lies beside it, and the checkpoint.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, fs, io};

use thiserror::Error;

use super::{Choices, Context, Made, MadeFile, OptionError, TrainError, learn};
use crate::disk::{Claim, Disk};

/// A checkpoint from which a training cannot continue.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct CheckpointError(String);

impl CheckpointError {
    /// It is not a checkpoint, cut off, or of another version of this program.
    pub(super) fn damaged(reason: impl fmt::Display) -> Self {
        let message = "the checkpoint is damaged or of another version";
        Self(format!("{message} ({reason}): remove it to begin again"))
    }

    /// A folder has a finished training with other options.
    pub(super) fn other_training(path: impl fmt::Display, found: &str, asked: &str) -> Self {
        Self(format!(
            "{path} belongs to another training: choose another folder, or give its options\n  \
             it is of  {found}\n  asked is  {asked}"
        ))
    }
}

/// The first line of every checkpoint; another layout gets another number.
const MARK: &str = "deminer checkpoint 2";

/// A checkpoint of a run: the mark, the run in words, and what the learner saved.
fn seal(run: &str, saved: &[u8]) -> Vec<u8> {
    [format!("{MARK}\n{run}\n").as_bytes(), saved].concat()
}

/// What the learner saved, if this is a checkpoint of this run.
fn unseal<'a>(run: &str, file: &'a [u8]) -> Result<&'a [u8], CheckpointError> {
    let damaged = || CheckpointError::damaged(format_args!("it does not begin with `{MARK}`"));
    let rest = file.strip_prefix(MARK.as_bytes()).and_then(|rest| rest.strip_prefix(b"\n"));
    let rest = rest.ok_or_else(damaged)?;
    let end = rest.iter().position(|&byte| byte == b'\n').ok_or_else(damaged)?;
    let found = String::from_utf8_lossy(&rest[..end]).into_owned();
    match found == run {
        true => Ok(&rest[end + 1..]),
        false => Err(CheckpointError(format!(
            "the checkpoint belongs to another run: remove it, or give its options\n  it is of  \
             {found}\n  asked is  {run}"
        ))),
    }
}

/// How long a training waits for another process that ends, such as the one before a restart.
const PATIENCE: Duration = Duration::from_secs(3);

/// Where a training is kept.
struct Files {
    artifact: Option<PathBuf>,
    checkpoint: Option<PathBuf>,
    /// Whether the checkpoint stays after the end, so that a longer training may continue.
    stays: bool,
}

impl Files {
    fn new(name: &str, choices: &Choices) -> Self {
        let artifact = choices.text("out").map(Path::new).map(|out| match out.is_dir() {
            true => out.join(format!("{name}.{}", choices.entry.extension)),
            false => out.to_owned(),
        });
        let beside = artifact.as_ref().map(|artifact| artifact.with_extension("checkpoint"));
        let asked = choices.text("checkpoint").map(PathBuf::from);
        Self { artifact, stays: asked.is_some(), checkpoint: asked.or(beside) }
    }

    /// The right to write these files, which one process has at a time.
    fn claim(&self, disk: &Disk) -> Result<Option<Claim>, TrainError> {
        let Some(path) = &self.checkpoint else { return Ok(None) };
        let claim = Claim::take_within(disk, path, PATIENCE).map_err(|error| fault(path, error))?;
        let made = self.artifact.as_ref().unwrap_or(path);
        claim.map(Some).map_err(|holder| TrainError::InUse(made.display().to_string(), holder))
    }

    /// What a stopped training of the same run saved.
    fn saved(&self, choices: &Choices) -> Result<Option<Vec<u8>>, CheckpointError> {
        let path = match &self.checkpoint {
            Some(path) if path.exists() => path,
            _ if !choices.has("resume") => return Ok(None),
            path => {
                let name = path.as_ref().map_or("-".into(), |path| path.display().to_string());
                let message = format!("there is no checkpoint {name} to continue from");
                return Err(CheckpointError(message));
            }
        };
        let unreadable = |error| format!("cannot read {}: {error}", path.display());
        let file = fs::read(path).map_err(|error| CheckpointError(unreadable(error)))?;
        unseal(&choices.run(), &file).map(|saved| Some(saved.to_vec()))
    }

    /// Writes the artifact and the files beside it.
    fn write(&self, made: &Made, context: &mut Context) -> Result<(), TrainError> {
        let artifact = self.artifact.iter().map(|path| (path.clone(), &made.artifact));
        let files = made.files.iter().filter_map(|(at, bytes)| match at {
            MadeFile::At(path) => Some((PathBuf::from(path), bytes)),
            MadeFile::Beside(extension) => {
                Some((self.artifact.as_ref()?.with_extension(extension), bytes))
            }
        });
        for (path, bytes) in artifact.chain(files) {
            context.disk.replace(&path, bytes).map_err(|error| fault(&path, error))?;
            context.note(format_args!("wrote {}", path.display()));
        }
        Ok(())
    }

    /// How to continue.
    fn farewell(&self) -> String {
        match &self.checkpoint {
            Some(path) if path.exists() => {
                format!("the same command continues from {}", path.display())
            }
            Some(_) => "the same command begins again".to_owned(),
            None => "nothing is kept without --out or --checkpoint".to_owned(),
        }
    }
}

/// Trains what was chosen, from its checkpoint if there is one, and writes the files. What was
/// made, or how to continue if it was stopped.
pub fn train(
    choices: &Choices,
    context: &mut Context,
) -> Result<Result<Vec<Made>, String>, TrainError> {
    (choices.entry.check)(choices)?;
    let runs = (choices.entry.split)(choices)?;
    prepare(choices)?;
    let mut all = Vec::new();
    let disk = context.disk.clone();
    for (name, choices) in runs {
        let files = Files::new(&name, &choices);
        let claim = files.claim(&disk)?;
        let saved = files.saved(&choices)?;
        if saved.is_some() {
            context.note("continuing from the checkpoint");
        }
        let mut learner = match (choices.entry.begin)(&choices, saved.as_deref(), context) {
            Err(TrainError::Stopped) => return Ok(Err(files.farewell())),
            learner => learner?,
        };
        let run = choices.run();
        let save = |saved: Vec<u8>| {
            let (Some(path), Some(claim)) = (&files.checkpoint, &claim) else { return Ok(()) };
            claim.publish(&seal(&run, &saved)).map_err(|error| fault(path, error))
        };
        if !learn(learner.as_mut(), context, &mut { save })? {
            return Ok(Err(files.farewell()));
        }
        if files.stays {
            save(learner.checkpoint())?;
        }
        let made = match learner.finish(context) {
            Err(TrainError::Stopped) => {
                save(learner.checkpoint())?;
                return Ok(Err(files.farewell()));
            }
            made => made?,
        };
        files.write(&made, context)?;
        if let Some(path) = files.checkpoint.filter(|path| !files.stays && path.exists()) {
            disk.remove_file(&path).map_err(|error| fault(&path, error))?;
        }
        all.push(made);
    }
    Ok(Ok(all))
}

/// Makes the folder that is written to, and tries it before hours of work.
fn prepare(choices: &Choices) -> Result<(), TrainError> {
    let Some(out) = choices.text("out").map(Path::new) else { return Ok(()) };
    let is_folder = out.extension().is_none() || out.is_dir();
    let folder = if is_folder { out } else { out.parent().unwrap_or(Path::new("")) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // One name for all: what a killed process leaves, the next one removes.
    let trial = folder.join(".deminer-trial");
    let remove = || match fs::remove_file(&trial) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    fs::create_dir_all(folder).and_then(|()| fs::write(&trial, "")).and_then(|()| remove()).map_err(
        |error| {
            let reason = format!("cannot write into {}: {error}", folder.display());
            OptionError::new("out", reason).into()
        },
    )
}

pub(super) fn fault(path: &Path, error: io::Error) -> TrainError {
    TrainError::File(path.display().to_string(), error)
}
