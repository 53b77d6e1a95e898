//! Claims: who writes a file, among any number of processes, and how it appears.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The right to write a file, kept by a lock file beside it while its owner lives. The system
/// lets go of a dead process's locks, so no claim outlives its owner and none needs a timeout.
///
/// Claims only spare work. Where the file system knows no locks everyone may claim everything,
/// and a run is still right: files appear whole, and are the same whoever writes them.
pub(crate) struct Claim {
    file: PathBuf,
    lock: PathBuf,
    /// Holds the lock until the claim is dropped; none where there are no locks.
    held: Option<File>,
}

/// What names of lock files end in.
pub(super) const LOCK: &str = ".lock";
/// What names of unfinished files end in.
const UNFINISHED: &str = ".unfinished";

impl Claim {
    /// Takes a claim; none when another has it.
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

    /// Writes the file under another name and gives it its own once it is on the disk. Whatever
    /// stops the program meanwhile, readers see the old file, or none, or the new one.
    pub fn publish(&self, bytes: &[u8]) -> io::Result<()> {
        // With a lock, whatever has this name was left by the dead.
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
            // The disk may be full: what cannot be finished should not lie about. If that fails
            // too, the first failure is the one to tell.
            let _ = fs::remove_file(&unfinished);
            return written;
        }
        sync_folder(&self.file)
    }
}

/// The lock file goes before the lock does. Whoever opened it just before gets a lock on a file
/// without a name: two may then write the same, which costs time and nothing else.
impl Drop for Claim {
    fn drop(&mut self) {
        // A lock file left behind is in nobody's way.
        let _ = fs::remove_file(&self.lock);
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().expect("a file has a name").to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Makes a file's new name last.
#[cfg(unix)]
fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Elsewhere folders cannot be opened, and names last when files do.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_locks_everyone_may_write_and_files_are_still_whole() {
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
