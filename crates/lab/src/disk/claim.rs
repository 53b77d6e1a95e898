//! Claims: one process at a time writes a file, and the file appears complete.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{process, thread};

use super::{Disk, Step, UNFINISHED, with_ending};

/// The right to write a file, held by a lock on a file next to it. The operating system releases
/// the locks of a dead process, so claims need no timeout.
///
/// On a file system without locks every process can claim every file. Runs are still correct then:
/// files appear complete, and every process writes the same content.
#[derive(Debug)]
pub struct Claim {
    disk: Disk,
    file: PathBuf,
    lock: PathBuf,
    /// Holds the lock until the claim is dropped; none on a file system without locks.
    held: Option<File>,
}

/// The ending of lock files.
pub const LOCK: &str = ".lock";

/// Time between two tries to take a claim.
const AGAIN: Duration = Duration::from_millis(10);

impl Claim {
    /// Takes a claim; none if another process has it.
    pub fn take(disk: &Disk, file: &Path) -> io::Result<Option<Self>> {
        let lock = with_ending(file, LOCK);
        disk.step(Step::Create)?;
        loop {
            let open = OpenOptions::new().create(true).truncate(false).write(true).open(&lock)?;
            let held = match open.try_lock() {
                // Its owner removed it after it was opened here: another one may have the name.
                Ok(()) if !is_named(&open, &lock) => continue,
                Ok(()) => Some(open),
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(_)) => None,
            };
            let claim = Self { disk: disk.clone(), file: file.to_owned(), lock, held };
            if claim.held.is_some() {
                // A dead process left it.
                let _ = fs::remove_file(with_ending(file, UNFINISHED));
            }
            claim.sign();
            return Ok(Some(claim));
        }
    }

    /// Takes a claim within this time; if another process keeps it, who that is, in words.
    pub fn take_within(
        disk: &Disk,
        file: &Path,
        patience: Duration,
    ) -> io::Result<Result<Self, String>> {
        let since = Instant::now();
        loop {
            if let Some(claim) = Self::take(disk, file)? {
                return Ok(Ok(claim));
            }
            if since.elapsed() > patience {
                let holder = fs::read_to_string(with_ending(file, LOCK)).unwrap_or_default();
                let holder = holder.trim();
                let unnamed = holder.is_empty();
                return Ok(Err(if unnamed { "another process".into() } else { holder.into() }));
            }
            thread::sleep(AGAIN);
        }
    }

    /// Notes in the lock file who has it. That helps people only, so failing is no error.
    fn sign(&self) {
        if let Some(mut held) = self.held.as_ref() {
            let text = format!("process {}\n", process::id());
            let _ = held.set_len(0).and_then(|()| held.rewind());
            let _ = held.write_all(text.as_bytes());
        }
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
        self.disk.replace_by_way_of(&unfinished, &self.file, bytes)
    }
}

/// Removes the lock file before the lock is released.
impl Drop for Claim {
    fn drop(&mut self) {
        // A remaining lock file does no harm.
        let _ = fs::remove_file(&self.lock);
    }
}

/// Whether this name still leads to an open file.
#[cfg(unix)]
fn is_named(open: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |a: fs::Metadata, b: fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    open.metadata().is_ok_and(|open| fs::metadata(path).is_ok_and(|named| same(open, named)))
}

/// Other systems do not remove files that are open.
#[cfg(not(unix))]
fn is_named(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn without_locks_files_are_still_complete() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("part");
        let claim = || Claim {
            disk: Disk::default(),
            file: file.clone(),
            lock: with_ending(&file, LOCK),
            held: None,
        };
        thread::scope(|scope| {
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

    #[test]
    fn one_at_a_time_has_a_claim_and_others_are_told_who() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("part");
        let disk = Disk::default();
        let (holders, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while taken.load(Ordering::SeqCst) < 2000 {
                        let Some(claim) = Claim::take(&disk, &file).unwrap() else { continue };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        taken.fetch_add(1, Ordering::SeqCst);
                        holders.fetch_sub(1, Ordering::SeqCst);
                        drop(claim);
                    }
                });
            }
        });
        let _claim = Claim::take(&disk, &file).unwrap().unwrap();
        let refused = Claim::take_within(&disk, &file, AGAIN).unwrap().unwrap_err();
        assert_eq!(refused, format!("process {}", process::id()));
    }
}
