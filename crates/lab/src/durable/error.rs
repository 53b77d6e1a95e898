//! What can go wrong with a run directory.

use std::io;
use std::ops::Range;
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

/// Says which shards are not there, neighbors taken together: `0-3, 17`.
fn unfinished(path: &Path, shards: u64, missing: &[u64], damaged: &[(u64, String)]) -> String {
    let mut text = format!("{} is not finished:", path.display());
    if !missing.is_empty() {
        let mut spans: Vec<Range<u64>> = Vec::new();
        for &shard in missing {
            match spans.last_mut() {
                Some(last) if last.end == shard => last.end += 1,
                _ => spans.push(shard..shard + 1),
            }
        }
        let span = |span: &Range<u64>| match span.end - span.start {
            1 => span.start.to_string(),
            _ => format!("{}-{}", span.start, span.end - 1),
        };
        let spans: Vec<String> = spans.iter().map(span).collect();
        let plural = if missing.len() == 1 { "is" } else { "are" };
        text += &format!(
            " {} of {shards} shards {plural} missing ({})",
            missing.len(),
            spans.join(", ")
        );
    }
    for (place, (shard, cause)) in damaged.iter().enumerate() {
        let comma = if place == 0 && missing.is_empty() { "" } else { ";" };
        text += &format!("{comma} {} is damaged: {cause}", part_name(*shard));
    }
    text + "; run it again to play what is not there"
}

/// Adds what was being done to an error of the file system.
pub(super) fn io_error(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> RunDirError {
    let path = path.to_owned();
    move |cause| RunDirError::Io { doing, path, cause }
}
