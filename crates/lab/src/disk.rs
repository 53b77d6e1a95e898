//! The file system, as everything uses it that is kept: runs, trainings, records, the data of the
//! web laboratory. Files appear whole or not at all, and what is reported as kept is on disk.
//!
//! A [`Disk`] for tests fails at a chosen step, so that every step can fail in turn.

mod claim;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use self::claim::{Claim, LOCK};

/// The ending of files that are being written.
pub const UNFINISHED: &str = ".unfinished";

/// The file system. Clones are the same one.
#[derive(Clone, Debug, Default)]
pub struct Disk(Option<Arc<Faults>>);

/// What happens at a step of a failing [`Disk`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// This step fails, and no other.
    Once,
    /// The disk is full from this step on: nothing is created or written, but files can be
    /// renamed and removed.
    Full,
    /// Nothing can be changed from this step on.
    ReadOnly,
    /// The power fails at this step: a write is torn, what was not flushed is lost, and nothing
    /// happens any more.
    PowerCut,
}

impl Failure {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Once, Self::Full, Self::ReadOnly, Self::PowerCut];

    fn error(self) -> io::Error {
        match self {
            Self::Once => io::Error::other("this step fails in a test"),
            Self::Full => io::ErrorKind::StorageFull.into(),
            Self::ReadOnly => io::ErrorKind::ReadOnlyFilesystem.into(),
            Self::PowerCut => io::Error::other("the power has failed in a test"),
        }
    }
}

/// A step that can fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Create,
    Write,
    Sync,
    Rename,
    SyncFolder,
    MakeFolder,
    Remove,
}

/// The steps of a failing disk.
#[derive(Debug)]
struct Faults {
    failure: Failure,
    /// The step that fails, from 0.
    at: usize,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    steps: usize,
    /// Files with content that is not flushed.
    unflushed: Vec<PathBuf>,
    /// Renames that are not flushed: the new name, and what it named before.
    renamed: Vec<(PathBuf, Option<Vec<u8>>)>,
}

impl Disk {
    /// A disk that fails at step `at`, counted from 0.
    pub fn failing(failure: Failure, at: usize) -> Self {
        Self(Some(Arc::new(Faults { failure, at, seen: Mutex::default() })))
    }

    /// Whether the step that was to fail was reached.
    pub fn has_failed(&self) -> bool {
        self.0.as_ref().is_some_and(|faults| faults.seen().steps > faults.at)
    }

    /// Makes a folder with all those it lies in; one that exists is right.
    pub fn make_folders(&self, path: &Path) -> io::Result<()> {
        if path.is_dir() {
            return Ok(());
        }
        self.step(Step::MakeFolder)?;
        fs::create_dir_all(path)?;
        self.sync_folder(path)
    }

    /// Makes a folder that is not there.
    pub fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.step(Step::MakeFolder)?;
        fs::create_dir(path)
    }

    /// Writes a file, whole or not at all; it is on disk afterwards.
    pub fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.replace_by_way_of(&with_ending(path, UNFINISHED), path, bytes)
    }

    /// The same, with this name until the file is whole.
    fn replace_by_way_of(&self, unfinished: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let written =
            self.write(unfinished, bytes).and_then(|()| self.rename_file(unfinished, path));
        if written.is_err() {
            // The disk may be full, so remove the incomplete file. If that fails too, report the
            // first error.
            let _ = self.remove_file(unfinished);
            return written;
        }
        self.sync_folder(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.step(Step::Create)?;
        let mut file = File::create(path)?;
        self.note(|seen| seen.unflushed.push(path.to_owned()));
        if let Err(error) = self.step(Step::Write) {
            // A write that fails may have written a part.
            file.write_all(&bytes[..bytes.len() / 2])?;
            return Err(error);
        }
        file.write_all(bytes)?;
        self.step(Step::Sync)?;
        file.sync_all()?;
        self.flushed(|seen| seen.unflushed.retain(|unflushed| unflushed != path))
    }

    fn rename_file(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(Step::Rename)?;
        self.note(|seen| seen.renamed.push((to.to_owned(), fs::read(to).ok())));
        fs::rename(from, to)
    }

    /// Renames a file or a folder; the new name is on disk afterwards.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(Step::Rename)?;
        fs::rename(from, to)?;
        self.sync_folder(to)
    }

    /// Removes a file.
    pub fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.step(Step::Remove)?;
        fs::remove_file(path)
    }

    /// Removes a folder with everything in it; one that is gone is right.
    pub fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.step(Step::Remove)?;
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Flushes the folder that a file lies in, so that its name survives a power cut.
    fn sync_folder(&self, file: &Path) -> io::Result<()> {
        self.step(Step::SyncFolder)?;
        let folder = file.parent().filter(|folder| *folder != Path::new(""));
        sync(folder.unwrap_or(Path::new(".")))?;
        self.flushed(|seen| seen.renamed.retain(|(renamed, _)| renamed.parent() != file.parent()))
    }

    /// Takes a step, which may fail.
    fn step(&self, step: Step) -> io::Result<()> {
        let Some(faults) = &self.0 else { return Ok(()) };
        let number = {
            let mut seen = faults.seen();
            seen.steps += 1;
            seen.steps - 1
        };
        let adds = matches!(step, Step::Create | Step::Write | Step::MakeFolder);
        let fails = match faults.failure {
            Failure::Once => number == faults.at,
            Failure::Full => number >= faults.at && adds,
            Failure::ReadOnly => number >= faults.at,
            Failure::PowerCut => number >= faults.at,
        };
        if !fails {
            return Ok(());
        }
        if faults.failure == Failure::PowerCut && number == faults.at {
            faults.lose();
        }
        Err(faults.failure.error())
    }

    /// Notes what was flushed, unless the power was cut meanwhile in another thread.
    fn flushed(&self, change: impl FnOnce(&mut Seen)) -> io::Result<()> {
        let Some(faults) = &self.0 else { return Ok(()) };
        let mut seen = faults.seen();
        if faults.failure == Failure::PowerCut && seen.steps > faults.at {
            return Err(faults.failure.error());
        }
        change(&mut seen);
        Ok(())
    }

    fn note(&self, change: impl FnOnce(&mut Seen)) {
        if let Some(faults) = &self.0 {
            change(&mut faults.seen());
        }
    }
}

impl Faults {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Loses what was not flushed.
    fn lose(&self) {
        let mut seen = self.seen();
        for path in seen.unflushed.drain(..) {
            let half = fs::metadata(&path).map_or(0, |about| about.len() / 2);
            let _ = File::options().write(true).open(&path).and_then(|file| file.set_len(half));
        }
        for (path, before) in seen.renamed.drain(..).rev() {
            let _ = match before {
                Some(bytes) => fs::write(&path, bytes),
                None => fs::remove_file(&path),
            };
        }
    }
}

/// A path with something behind its name.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().expect("a file has a name").to_owned();
    name.push(ending);
    path.with_file_name(name)
}

#[cfg(unix)]
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Other systems cannot open folders; the name is as durable as the file.
#[cfg(not(unix))]
fn sync(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a file says after it was replaced on a disk that fails, and whether that was reported.
    fn replaced(failure: Failure, at: usize) -> (bool, String) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "old").unwrap();
        let kept = Disk::failing(failure, at).replace(&file, b"newer").is_ok();
        (kept, fs::read_to_string(&file).unwrap())
    }

    #[test]
    fn a_file_is_old_or_new_and_what_is_reported_as_kept_stays() {
        for failure in Failure::ALL {
            for at in 0..6 {
                let (kept, text) = replaced(failure, at);
                assert!(text == "old" || text == "newer", "{failure:?} {at}: {text}");
                assert!(!kept || text == "newer", "{failure:?} {at}");
            }
            assert_eq!(replaced(failure, 5), (true, "newer".to_owned()));
        }
        let at_the_end = |failure| replaced(failure, 4);
        assert_eq!(at_the_end(Failure::PowerCut), (false, "old".to_owned()), "a lost rename");
        assert_eq!(at_the_end(Failure::Full), (true, "newer".to_owned()), "nothing is added");
    }
}
