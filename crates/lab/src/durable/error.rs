//! What can go wrong with a run directory.

use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;
use thiserror::Error;

use super::spec::{Difference, RunSpecError};
use super::{SPEC, part_name};
use crate::tournament::RunError;

/// A run cannot be opened, played or sealed.
#[derive(Debug, Error)]
pub enum RunDirError {
    /// The spec is invalid.
    #[error(transparent)]
    Spec(#[from] RunSpecError),
    /// The directory belongs to another run.
    #[error(
        "{} contains another run: {}; choose another directory, or use the spec it was started with",
        path.display(),
        differences.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    )]
    OtherRun {
        /// The directory.
        path: PathBuf,
        /// The differences.
        differences: Vec<Difference>,
    },
    /// The directory has other things in it.
    #[error(
        "{} contains no run but other files, such as {name}; choose a new or empty directory",
        path.display()
    )]
    Occupied {
        /// The directory.
        path: PathBuf,
        /// One of those files.
        name: String,
    },
    /// No run is in the directory.
    #[error("{} contains no run: it has no {SPEC}", path.display())]
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
    #[error("there is no shard {index}: the run has {shards}, numbered from 0")]
    NoShard {
        /// The shard asked for.
        index: u64,
        /// How many there are.
        shards: u64,
    },
    /// Some shards are not finished.
    #[error("{}", unfinished(path, *shards, missing, damaged))]
    Unfinished {
        /// The directory.
        path: PathBuf,
        /// How many shards there are.
        shards: u64,
        /// Those without a part.
        missing: Vec<u64>,
        /// Those whose file is not a valid part, and why.
        damaged: Vec<(u64, String)>,
    },
    /// The games of the run are not counted yet.
    #[error("{} is not sealed; seal it first, to check and count its games", path.display())]
    NotSealed {
        /// The directory.
        path: PathBuf,
    },
    /// The totals of a sealed run cannot be read.
    #[error("{} is damaged: {cause}; remove it and seal the run again", path.display())]
    DamagedTotals {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
    /// A sealed run has changed.
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
    /// A file operation failed.
    #[error("cannot {doing} {}: {cause}", path.display())]
    Io {
        /// The operation.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: io::Error,
    },
}

/// The longest list of shards in a message.
const LISTED: usize = 20;

/// Lists the unfinished shards, consecutive ones as ranges: `0-3, 17`.
fn unfinished(path: &Path, shards: u64, missing: &[u64], damaged: &[(u64, String)]) -> String {
    let mut faults = Vec::new();
    if !missing.is_empty() {
        let are = if missing.len() == 1 { "is" } else { "are" };
        let listed = list(spans(missing), ", ");
        faults.push(format!("{} of {shards} shards {are} missing ({listed})", missing.len()));
    }
    if !damaged.is_empty() {
        let fault =
            |(shard, cause): &(u64, String)| format!("{} is damaged: {cause}", part_name(*shard));
        faults.push(list(damaged.iter().map(fault).collect(), "; "));
    }
    faults.push("run it again to play the missing games".into());
    format!("{} is not finished: {}", path.display(), faults.join("; "))
}

/// Consecutive shards as ranges.
fn spans(shards: &[u64]) -> Vec<String> {
    let follow = |a: &u64, b: &u64| a + 1 == *b;
    let span = |span: &[u64]| match span {
        [first, .., last] => format!("{first}-{last}"),
        _ => span[0].to_string(),
    };
    shards.chunk_by(follow).map(span).collect()
}

/// The first items, and the number of the others.
fn list(mut items: Vec<String>, between: &str) -> String {
    let more = items.len().saturating_sub(LISTED);
    items.truncate(LISTED);
    if more > 0 {
        items.push(format!("and {more} more"));
    }
    items.join(between)
}

/// Adds the operation and the file to an error.
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
             play the missing games"
        ));
        assert_eq!(spans(&[0, 1, 2, 7, 9, 10]), ["0-2", "7", "9-10"]);
    }
}
