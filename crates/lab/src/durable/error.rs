//! What can go wrong with a run directory.

use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;
use thiserror::Error;

use super::spec::{Difference, RunSpecError};
use super::{SPEC, part_name};
use crate::run::RunError;

/// A run cannot be opened, played or sealed.
#[derive(Debug, Error)]
pub enum RunDirError {
    /// The spec describes no run.
    #[error(transparent)]
    Spec(#[from] RunSpecError),
    /// The directory belongs to another run.
    #[error(
        "{} holds another run: {}; choose another directory, or the spec it was begun with",
        path.display(),
        differences.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    )]
    OtherRun {
        /// The directory.
        path: PathBuf,
        /// What is not the same.
        differences: Vec<Difference>,
    },
    /// The directory has other things in it.
    #[error(
        "{} holds no run, but other files, such as {name}; choose a new or empty directory",
        path.display()
    )]
    Occupied {
        /// The directory.
        path: PathBuf,
        /// One of those files.
        name: String,
    },
    /// No run is in the directory.
    #[error("{} holds no run: there is no {SPEC} in it", path.display())]
    NoRun {
        /// The directory.
        path: PathBuf,
    },
    /// The directory's own spec was damaged.
    #[error("{}: {cause}", path.display())]
    DamagedSpec {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: RunSpecError,
    },
    /// The run has no such shard.
    #[error("there is no shard {index}: the run has {shards}, counted from 0")]
    NoShard {
        /// The shard asked for.
        index: u64,
        /// How many there are.
        shards: u64,
    },
    /// Shards that were asked for are not there.
    #[error("{}", unfinished(path, *shards, missing, damaged))]
    Unfinished {
        /// The directory.
        path: PathBuf,
        /// How many shards there are.
        shards: u64,
        /// Those without a part.
        missing: Vec<u64>,
        /// Those whose file is not the part it should be, and why.
        damaged: Vec<(u64, String)>,
    },
    /// A sealed run is not what it was.
    #[error("{}: parts have changed since the run was sealed", path.display())]
    Changed {
        /// The seal.
        path: PathBuf,
    },
    /// The games cannot be played.
    #[error(transparent)]
    Play(#[from] RunError),
    /// Rows cannot be written as Parquet.
    #[error(transparent)]
    Encode(#[from] ParquetError),
    /// The file system refuses.
    #[error("cannot {doing} {}: {cause}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// With which file.
        path: PathBuf,
        /// What it said.
        cause: io::Error,
    },
}

/// The longest list of shards in a message.
const LISTED: usize = 20;

/// Says which shards are not there, neighbors taken together: `0-3, 17`.
fn unfinished(path: &Path, shards: u64, missing: &[u64], damaged: &[(u64, String)]) -> String {
    let mut faults = Vec::new();
    if !missing.is_empty() {
        let are = if missing.len() == 1 { "is" } else { "are" };
        let listed = list(spans(missing), ", ");
        faults.push(format!("{} of {shards} shards {are} missing ({listed})", missing.len()));
    }
    if !damaged.is_empty() {
        let told =
            |(shard, cause): &(u64, String)| format!("{} is damaged: {cause}", part_name(*shard));
        faults.push(list(damaged.iter().map(told).collect(), "; "));
    }
    faults.push("run it again to play what is not there".into());
    format!("{} is not finished: {}", path.display(), faults.join("; "))
}

/// Neighbors taken together.
fn spans(shards: &[u64]) -> Vec<String> {
    let follow = |a: &u64, b: &u64| a + 1 == *b;
    let span = |span: &[u64]| match span {
        [first, .., last] => format!("{first}-{last}"),
        _ => span[0].to_string(),
    };
    shards.chunk_by(follow).map(span).collect()
}

/// The first of many, and how many more there are.
fn list(mut items: Vec<String>, between: &str) -> String {
    let more = items.len().saturating_sub(LISTED);
    items.truncate(LISTED);
    if more > 0 {
        items.push(format!("and {more} more"));
    }
    items.join(between)
}

/// Adds what was being done to an error of the file system.
pub(super) fn io_error(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> RunDirError {
    let path = path.to_owned();
    move |cause| RunDirError::Io { doing, path, cause }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        let odd: Vec<u64> = (0..100).map(|number| 2 * number + 1).collect();
        let message = unfinished(Path::new("run"), 200, &odd, &[(6, "it is short".into())]);
        assert!(
            message.starts_with("run is not finished: 100 of 200 shards are missing (1, 3, 5, ")
        );
        assert!(message.ends_with(
            "37, 39, and 80 more); shard-000006.parquet is damaged: it is short; run it again to \
             play what is not there"
        ));
        assert_eq!(spans(&[0, 1, 2, 7, 9, 10]), ["0-2", "7", "9-10"]);
    }
}
