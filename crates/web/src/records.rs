//! Saved games: one file each in the data folder, named after a hash of its content.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};

use deminer_formats::Document;
use deminer_formats::wire::{FormWord, OutcomeWord, Text, Word};
use deminer_game::{Record, Size};
use deminer_lab::disk::Disk;
use serde::Serialize;
use twox_hash::XxHash64;
use utoipa::ToSchema;

use crate::problem::Problem;

/// The most records that are saved.
const MOST: usize = 10_000;

/// The folder of saved games.
#[derive(Debug)]
pub struct Records {
    disk: Disk,
    folder: PathBuf,
    /// Held by the one that writes.
    writing: Mutex<()>,
}

/// A record in a list.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct RecordSummary {
    /// Its name.
    pub id: String,
    /// Who played.
    pub player: String,
    /// Width, height and mines.
    #[schema(value_type = String)]
    pub board: Text<Size>,
    /// How the cells lie together.
    pub shape: FormWord,
    /// How it ended.
    pub outcome: OutcomeWord,
    /// How many moves it has.
    pub moves: usize,
    /// When it was kept, in seconds since 1970.
    pub kept: u64,
}

impl Records {
    /// The records in a folder.
    pub fn new(disk: Disk, folder: PathBuf) -> Self {
        Self { disk, folder, writing: Mutex::default() }
    }

    /// All records, newest first. Other files are skipped.
    pub fn list(&self) -> Result<Vec<RecordSummary>, Problem> {
        let mut list = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(fault)? {
            let entry = entry.map_err(fault)?;
            let name = entry.file_name();
            let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".json")) else {
                continue;
            };
            let kept = entry.metadata().and_then(|about| about.modified()).map_or(0, seconds);
            if let Ok(record) = self.get(id) {
                list.push(RecordSummary {
                    id: id.to_owned(),
                    board: Text(record.rules.size()),
                    shape: Word(record.rules.shape().form()),
                    outcome: Word(record.outcome),
                    moves: record.moves.len(),
                    player: record.player,
                    kept,
                });
            }
        }
        list.sort_by(|one, other| other.kept.cmp(&one.kept).then(one.id.cmp(&other.id)));
        Ok(list)
    }

    /// Saves a record. Saving it twice keeps one.
    pub fn keep(&self, record: &Record) -> Result<String, Problem> {
        let bytes = write(record)?;
        let id = format!("{:016x}", XxHash64::oneshot(0, &bytes));
        let path = self.path(&id)?;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        // A file that is damaged is written again.
        if self.get(&id).is_ok() {
            return Ok(id);
        }
        if fs::read_dir(&self.folder).map_err(fault)?.count() >= MOST {
            let detail = format!("{MOST} records are saved already; remove some");
            return Err(Problem::conflict(detail));
        }
        self.disk.replace(&path, &bytes).map_err(fault)?;
        Ok(id)
    }

    /// A record.
    pub fn get(&self, id: &str) -> Result<Record, Problem> {
        let bytes = match fs::read(self.path(id)?) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(missing(id)),
            Err(error) => return Err(fault(error)),
        };
        let document = deminer_formats::find("record").expect("our own format");
        let document = (document.read)(&bytes)
            .map_err(|error| Problem::fault(format!("the record `{id}` is damaged: {error}")))?;
        document.record().map_err(Problem::fault)
    }

    /// Removes a record.
    pub fn remove(&self, id: &str) -> Result<(), Problem> {
        self.disk.remove_file(&self.path(id)?).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => missing(id),
            _ => fault(error),
        })
    }

    /// The file of a record. Only names that we made lead to a file.
    fn path(&self, id: &str) -> Result<PathBuf, Problem> {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        match id.len() == 16 && id.bytes().all(digit) {
            true => Ok(self.folder.join(format!("{id}.json"))),
            false => Err(missing(id)),
        }
    }
}

/// A record as JSON.
pub fn write(record: &Record) -> Result<Vec<u8>, Problem> {
    let format = deminer_formats::find("record").expect("our own format");
    format.write(&Document::Record(record.clone())).map_err(Problem::unfit)
}

fn missing(id: &str) -> Problem {
    Problem::not_found(format!("there is no record `{id}`"))
}

fn fault(error: io::Error) -> Problem {
    Problem::fault(format!("the data folder: {error}"))
}

/// Seconds since 1970.
pub fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
