//! Claims: one process at a time writes a file, and the file appears complete.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The right to write a file, held by a lock on a file next to it. The operating system releases
/// the locks of a dead process, so claims need no timeout.
///
/// Claims only save work. On a file system without locks every process can claim every file, and
/// runs are still correct: files appear complete, and every process writes the same content.
pub(crate) struct Claim {
    file: PathBuf,
    lock: PathBuf,
    /// Holds the lock until the claim is dropped; none on a file system without locks.
    held: Option<File>,
}

/// The ending of lock files.
pub(super) const LOCK: &str = ".lock";
/// The ending of unfinished files.
const UNFINISHED: &str = ".unfinished";

impl Claim {
    /// Takes a claim; none if another process has it.
    pub fn take(file: &Path) -> io::Result<Option<Self>> {
        let lock = with_ending(file, LOCK);
        let held = OpenOptions::new().create(true).truncate(false).write(true).open(&lock)?;
        let held = match held.try_lock() {
            Ok(()) => Some(held),
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(_)) => None,
        };
        Ok(Some(Self { file: file.to_owned(), lock, held }))
    }

    /// Writes the file under another name and renames it once it is on disk. If the program stops
    /// in between, readers see the old file or none.
    pub fn publish(&self, bytes: &[u8]) -> io::Result<()> {
        // With the lock, a file of this name was left by a dead process.
        let unfinished = match &self.held {
            Some(_) => with_ending(&self.file, UNFINISHED),
            None => {
                let digits = RandomState::new().hash_one(&self.file);
                with_ending(&self.file, &format!("{UNFINISHED}-{digits:016x}"))
            }
        };
        let written = File::create(&unfinished)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
            .and_then(|()| fs::rename(&unfinished, &self.file));
        if written.is_err() {
            // The disk may be full, so remove the incomplete file. If that fails too, report the
            // first error.
            let _ = fs::remove_file(&unfinished);
            return written;
        }
        sync_folder(&self.file)
    }
}

/// Removes the lock file before the lock is released. A process that opened it just before gets a
/// lock on a removed file: two processes may then write the same file, which only costs time.
impl Drop for Claim {
    fn drop(&mut self) {
        // A remaining lock file does no harm.
        let _ = fs::remove_file(&self.lock);
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().expect("a file has a name").to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Flushes the directory, so that the new name survives a crash.
#[cfg(unix)]
fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Other systems cannot open folders; the name is as durable as the file.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_locks_files_are_still_complete() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("part");
        let claim = || Claim { file: file.clone(), lock: with_ending(&file, LOCK), held: None };
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let claim = claim();
                scope.spawn(move || {
                    (0..20).for_each(|_| claim.publish(&[writer; 5000]).unwrap());
                });
            }
        });
        let bytes = fs::read(&file).unwrap();
        assert!(bytes.len() == 5000 && bytes.iter().all(|&byte| byte == bytes[0]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
