//! Errors of run directories.

use std::io;
use std::path::Path;

use parquet::errors::ParquetError;
use thiserror::Error;

use super::part::Part;
use super::{Absence, part_name};
use crate::tournament::RunError;

/// A run cannot be opened, played or sealed.
#[derive(Debug, Error)]
pub enum RunDirError {
    /// The request is wrong: an impossible spec, a directory in other use, or no such shard.
    #[error("{0}")]
    Request(String),
    /// The directory contains no run that can be read.
    #[error("{0}")]
    NoRun(String),
    /// Games are missing or have changed, or a file operation failed.
    #[error("{0}")]
    Files(String),
    /// The games cannot be played.
    #[error(transparent)]
    Play(#[from] RunError),
    /// Rows cannot be written as Parquet.
    #[error(transparent)]
    Encode(#[from] ParquetError),
}

/// The longest list of shards in a message.
const LISTED: usize = 20;

/// Shards without a valid part.
#[derive(Default)]
pub(super) struct Absent {
    missing: Vec<u64>,
    damaged: Vec<(u64, String)>,
}

impl Absent {
    /// Returns the part, or remembers that it is missing or damaged.
    pub fn note(
        &mut self,
        shard: u64,
        part: Result<Part, Absence>,
    ) -> Result<Option<Part>, RunDirError> {
        match part {
            Ok(part) => return Ok(Some(part)),
            Err(Absence::Missing) => self.missing.push(shard),
            Err(Absence::Damaged(cause)) => self.damaged.push((shard, cause.to_string())),
            Err(Absence::Unreadable(error)) => return Err(error),
        }
        Ok(None)
    }

    pub fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.damaged.is_empty()
    }

    /// Lists the unfinished shards of a run, consecutive ones as ranges: `0-3, 17`.
    pub fn error(&self, path: &Path, shards: u64) -> RunDirError {
        let Self { missing, damaged } = self;
        let mut faults = Vec::new();
        if !missing.is_empty() {
            let are = if missing.len() == 1 { "is" } else { "are" };
            let listed = list(spans(missing), ", ");
            faults.push(format!("{} of {shards} shards {are} missing ({listed})", missing.len()));
        }
        if !damaged.is_empty() {
            let fault = |(shard, cause): &(u64, String)| {
                format!("{} is damaged: {cause}", part_name(*shard))
            };
            faults.push(list(damaged.iter().map(fault).collect(), "; "));
        }
        faults.push("run it again to play the missing games".into());
        let faults = faults.join("; ");
        RunDirError::Files(format!("{} is not finished: {faults}", path.display()))
    }
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
pub(super) fn io_error(doing: &str, path: &Path) -> impl FnOnce(io::Error) -> RunDirError {
    move |cause| RunDirError::Files(format!("cannot {doing} {}: {cause}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        let odd: Vec<u64> = (0..100).map(|number| 2 * number + 1).collect();
        let absent = Absent { missing: odd, damaged: vec![(6, "it is short".into())] };
        let message = absent.error(Path::new("run"), 200).to_string();
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
