//! Durable runs: games in a directory, played in shards by any number of processes that may be
//! killed at any moment. Only unfinished shards are lost, and no game is counted twice.
//!
//! ```text
//! campaign/
//!   spec.toml                 what is played, and who started it
//!   shard-000000.parquet      a part: the games of a finished shard, for all agents
//!   shard-000001.parquet.lock          a claim: a process plays this shard
//!   shard-000001.parquet.unfinished    and is writing its part
//!   shard-000002.parquet.set-aside     not a part of this run, or damaged
//!   totals.json               the totals of a sealed run
//! ```
//!
//! Correctness depends on two facts. A game depends only on the spec and its number, so it does not
//! matter which process plays it, or whether it is played twice. And a part gets its name only when
//! it is complete and on disk, with a checksum of all its bytes. Claims only keep two processes
//! from doing the same work.
//!
//! ```no_run
//! use std::num::NonZero;
//! use std::sync::Arc;
//!
//! use deminer_lab::durable::{RunDir, RunSpec};
//!
//! let text = "agents = [\"single-point\"]\ngames = 1000000\n";
//! let spec = RunSpec::parse(text, &deminer::roster::Roster::default())?;
//! let run = RunDir::open("campaign", &spec)?;
//! let threads = NonZero::new(2).expect("not zero");
//! let progress = run.run(threads, &Arc::default(), |_| {})?;
//! assert!(progress.complete());
//! let sealed = run.seal()?;
//! println!("{}", sealed.results.tallies[0].rate());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod part;
mod session;
mod spec;
#[cfg(test)]
mod tests;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{fs, io, thread};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use twox_hash::XxHash64;

pub use self::error::RunDirError;
use self::error::{Absent, io_error};
use self::part::{Part, PartError};
use self::session::Session;
pub use self::spec::{RunSpec, RunSpecError, SHARD};
use crate::disk::{Claim, Disk, LOCK};
use crate::provenance::{Build, Provenance};
use crate::totals::{SCHEMA_VERSION, Totals};
use crate::tournament::{GameRow, Results, Tally, add_all};

const SPEC: &str = "spec.toml";
const TOTALS: &str = "totals.json";

/// Time between checks of shards that other processes play.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// A directory that holds a run.
#[derive(Clone, Debug)]
pub struct RunDir {
    disk: Disk,
    path: PathBuf,
    spec: RunSpec,
}

/// The progress of a run.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The number of requested shards.
    pub shards: u64,
    /// The number of finished shards.
    pub finished: u64,
    /// Games of each agent in all requested shards.
    pub games: u64,
    /// The tally of each agent, in no fixed order of games: finished shards and, while playing,
    /// the shards in play.
    pub tallies: Vec<Tally>,
    /// Files that were not valid parts.
    pub set_aside: Vec<SetAside>,
}

impl Progress {
    /// Whether every shard is finished.
    pub fn complete(&self) -> bool {
        self.finished == self.shards
    }
}

/// A file that was not a valid part. It was renamed, and its games are played again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SetAside {
    /// Its new name.
    pub path: PathBuf,
    /// What was wrong with it.
    pub cause: String,
}

/// A sealed run.
#[derive(Clone, Debug)]
pub struct Sealed {
    /// The results, equal to those of an uninterrupted tournament.
    pub results: Results,
    /// The builds that played it, in the order of the games.
    pub builds: Vec<Build>,
    /// The document in `totals.json`.
    pub text: String,
    /// Why `totals.json` could not be read and was written anew, if that was so.
    pub repaired: Option<String>,
}

fn part_name(shard: u64) -> String {
    format!("shard-{shard:06}.parquet")
}

impl RunDir {
    /// Starts a run in a new or empty directory, or resumes the same run.
    pub fn open(path: impl Into<PathBuf>, spec: &RunSpec) -> Result<Self, RunDirError> {
        Self::open_on(&Disk::default(), path, spec)
    }

    /// The same on this disk.
    pub fn open_on(
        disk: &Disk,
        path: impl Into<PathBuf>,
        spec: &RunSpec,
    ) -> Result<Self, RunDirError> {
        let path = path.into();
        spec.check().map_err(|field| RunDirError::Request(field.to_string()))?;
        disk.make_folders(&path).map_err(io_error("make the directory", &path))?;
        // If several processes start the same run at once, one of them writes the spec.
        let file = path.join(SPEC);
        let claim = claim(disk, &file)?;
        if let Some(found) = stored(&file)? {
            let differences = found.differences(spec);
            if !differences.is_empty() {
                return Err(RunDirError::Request(format!(
                    "{} contains another run: {}; choose another directory, or use the spec it \
                     was started with",
                    path.display(),
                    differences.join(", ")
                )));
            }
        } else {
            refuse_occupied(&path)?;
            let text = spec.signed(&Provenance::here());
            claim.publish(text.as_bytes()).map_err(io_error("write", &file))?;
        }
        Ok(Self { disk: disk.clone(), path, spec: spec.clone() })
    }

    /// The run in a directory, to count its games: its agents have no artifacts.
    pub fn existing(path: impl Into<PathBuf>) -> Result<Self, RunDirError> {
        let path = path.into();
        let none = || format!("{} contains no run: it has no {SPEC}", path.display());
        let spec = stored(&path.join(SPEC))?.ok_or_else(|| RunDirError::NoRun(none()))?;
        Ok(Self { disk: Disk::default(), path, spec })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is played.
    pub fn spec(&self) -> &RunSpec {
        &self.spec
    }

    /// The file with the totals.
    pub fn totals_path(&self) -> PathBuf {
        self.path.join(TOTALS)
    }

    /// Whether the run is sealed.
    pub fn is_sealed(&self) -> bool {
        self.totals_path().exists()
    }

    /// Plays all unfinished shards, sharing the work with other processes. Returns when all shards
    /// are finished, by any process; takes over the shards of processes that die. Calls
    /// `progress` regularly; `stop` ends the run early and abandons the shards in play.
    pub fn run(
        &self,
        threads: NonZero<usize>,
        stop: &Arc<AtomicBool>,
        progress: impl FnMut(&Progress),
    ) -> Result<Progress, RunDirError> {
        Session::new(self, 0..self.spec.shards()).play(threads, stop, progress)
    }

    /// Like [`run`](Self::run), for one shard.
    pub fn run_shard(
        &self,
        index: u64,
        threads: NonZero<usize>,
        stop: &Arc<AtomicBool>,
        progress: impl FnMut(&Progress),
    ) -> Result<Progress, RunDirError> {
        self.check_shard(index)?;
        Session::new(self, index..index + 1).play(threads, stop, progress)
    }

    /// The games of a finished shard, [`RunSpec::games_of`] it: for each agent, its rows in the
    /// order of the games.
    pub fn rows(&self, shard: u64) -> Result<Vec<Vec<GameRow>>, RunDirError> {
        self.check_shard(shard)?;
        let mut absent = Absent::default();
        match absent.note(shard, self.part(shard))? {
            Some(part) => Ok(part.rows),
            None => Err(absent.error(&self.path, self.spec.shards())),
        }
    }

    fn check_shard(&self, index: u64) -> Result<(), RunDirError> {
        let shards = self.spec.shards();
        let message =
            || format!("there is no shard {index}: the run has {shards}, numbered from 0");
        (index < shards).then_some(()).ok_or_else(|| RunDirError::Request(message()))
    }

    /// The path of the part of a shard.
    fn part_path(&self, shard: u64) -> PathBuf {
        self.path.join(part_name(shard))
    }

    /// A finished shard.
    fn part(&self, shard: u64) -> Result<Part, Absence> {
        let path = self.part_path(shard);
        let bytes = fs::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Absence::Missing,
            _ => Absence::Unreadable(io_error("read", &path)(error)),
        })?;
        part::decode(bytes, &self.spec, self.spec.games_of(shard)).map_err(Absence::Damaged)
    }

    /// Checks that every agent has every game exactly once, and writes the totals. For a sealed run,
    /// counts again and checks that nothing has changed; unreadable totals are written again.
    pub fn seal(&self) -> Result<Sealed, RunDirError> {
        let count = self.count()?;
        let mut repaired = None;
        let text = match self.totals(&count)? {
            Kept::Right(_, text) => text,
            Kept::Missing | Kept::Damaged(_) => {
                let path = self.totals_path();
                let claim = claim(&self.disk, &path)?;
                // Another process may have sealed it in the meantime.
                match self.totals(&count)? {
                    Kept::Right(_, text) => text,
                    kept => {
                        let text = self.document(&count);
                        claim.publish(text.as_bytes()).map_err(io_error("write", &path))?;
                        self.clear_locks()?;
                        if let Kept::Damaged(cause) = kept {
                            repaired = Some(cause);
                        }
                        text
                    }
                }
            }
        };
        Ok(Sealed { results: count.results, builds: count.builds, text, repaired })
    }

    /// Reads all parts.
    fn count(&self) -> Result<Count, RunDirError> {
        let mut absent = Absent::default();
        let mut tallies = vec![Tally::default(); self.spec.tournament.agents.len()];
        let mut builds = Vec::new();
        let mut checksum = 0;
        for shard in 0..self.spec.shards() {
            let Some(part) = absent.note(shard, self.part(shard))? else { continue };
            add_all(&mut tallies, &part.rows, self.spec.tournament.estimator);
            if !builds.contains(&part.build) {
                builds.push(part.build);
            }
            checksum = XxHash64::oneshot(checksum, &part.checksum.to_le_bytes());
        }
        if !absent.is_empty() {
            return Err(absent.error(&self.path, self.spec.shards()));
        }
        let complete = tallies.iter().all(|tally| tally.games() == self.spec.games());
        assert!(complete, "parts that were found right hold every game once");
        Ok(Count { results: Results { tallies, complete }, builds, checksum })
    }

    /// The totals, if the run is sealed; they must say what these parts say.
    fn totals(&self, count: &Count) -> Result<Kept, RunDirError> {
        let path = self.totals_path();
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kept::Missing),
            Err(error) => return Err(io_error("read", &path)(error)),
        };
        let read = String::from_utf8(bytes).map_err(|_| "it is not text".to_owned());
        let read = read.and_then(|text| {
            let seal = Seal::read(&text).map_err(|error| error.to_string())?;
            Ok((seal, text))
        });
        let (seal, text) = match read {
            Ok(read) => read,
            Err(cause) => return Ok(Kept::Damaged(cause)),
        };
        if seal.parts != count.parts() || seal.fingerprint != self.spec.fingerprint() {
            return Err(self.changed());
        }
        let [there, counted] = [&text, &self.document(count)].map(|text| {
            let mut value: Value = serde_json::from_str(text).expect("it was read before");
            // Who sealed it is not in the parts.
            value.as_object_mut().map(|fields| fields.remove("provenance"));
            value
        });
        match difference(&there, &counted, "") {
            None => Ok(Kept::Right(Box::new(seal), text)),
            Some(difference) => Err(RunDirError::Files(format!(
                "{} was changed: {difference}; remove it and seal the run again",
                path.display()
            ))),
        }
    }

    /// The totals of a sealed run, which must say what its parts say.
    pub fn sealed(&self) -> Result<Seal, RunDirError> {
        let path = self.totals_path();
        if !path.exists() {
            return Err(RunDirError::Files(format!(
                "{} is not sealed; seal it first, to check and count its games",
                self.path.display()
            )));
        }
        let cause = match self.totals(&self.count()?)? {
            Kept::Right(seal, _) => return Ok(*seal),
            Kept::Damaged(cause) => cause,
            Kept::Missing => "it is gone".to_owned(),
        };
        let place = path.display();
        Err(RunDirError::NoRun(format!("{place} is damaged: {cause}; seal the run again")))
    }

    /// Parts of a sealed run are not those that were sealed.
    fn changed(&self) -> RunDirError {
        let totals = self.totals_path();
        let message = "parts have changed since the run was sealed";
        RunDirError::Files(format!("{}: {message}", totals.display()))
    }

    fn document(&self, count: &Count) -> String {
        let seal = Seal {
            schema_version: SCHEMA_VERSION,
            fingerprint: self.spec.fingerprint(),
            parts: count.parts(),
            totals: Totals::of(&self.spec.tournament, &count.results),
            builds: count.builds.clone(),
            provenance: Provenance::here(),
        };
        serde_json::to_string_pretty(&seal).expect("totals are plain values") + "\n"
    }

    /// Removes lock files of processes that died right after writing a part.
    fn clear_locks(&self) -> Result<(), RunDirError> {
        for name in names(&self.path)?.iter().filter(|name| name.starts_with("shard-")) {
            if let Some(part) = name.strip_suffix(LOCK) {
                drop(try_claim(&self.disk, &self.path.join(part))?);
            }
        }
        Ok(())
    }
}

/// The totals that a directory has.
enum Kept {
    Missing,
    /// They cannot be read, for this reason.
    Damaged(String),
    /// They say what the parts say.
    Right(Box<Seal>, String),
}

/// The first difference between a document and what was counted, in words.
fn difference(there: &Value, counted: &Value, place: &str) -> Option<String> {
    let (there, counted) = match (there, counted) {
        (Value::Object(there), Value::Object(counted)) => {
            let null = &Value::Null;
            let names =
                counted.keys().chain(there.keys().filter(|&name| !counted.contains_key(name)));
            return names.into_iter().find_map(|name| {
                let at = |fields: &Map<String, Value>| fields.get(name).unwrap_or(null).clone();
                let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
                difference(&at(there), &at(counted), &place)
            });
        }
        (Value::Array(there), Value::Array(counted)) if there.len() == counted.len() => {
            let pairs = there.iter().zip(counted).enumerate();
            let differs =
                |(at, (there, counted))| difference(there, counted, &format!("{place}[{at}]"));
            return { pairs }.find_map(differs);
        }
        both => both,
    };
    (there != counted).then(|| format!("{place} is {there} there and {counted} in the parts"))
}

/// The content of all parts.
struct Count {
    results: Results,
    builds: Vec<Build>,
    checksum: u64,
}

impl Count {
    /// The checksum of all parts, as written in the totals.
    fn parts(&self) -> String {
        format!("{:016x}", self.checksum)
    }
}

/// The document of a sealed run: `totals.json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Seal {
    /// The version of the document.
    pub schema_version: u32,
    /// The fingerprint of the spec.
    pub fingerprint: String,
    /// The checksum of all parts.
    pub parts: String,
    /// The results.
    #[serde(flatten)]
    pub totals: Totals,
    /// The builds that played.
    pub builds: Vec<Build>,
    /// The build that sealed.
    pub provenance: Provenance,
}

impl Seal {
    fn read(text: &str) -> serde_json::Result<Self> {
        /// The fields beside the totals. Serde reads no numbers as keys of flattened fields, so the
        /// totals are read by themselves.
        #[derive(Deserialize)]
        struct Beside {
            schema_version: u32,
            fingerprint: String,
            parts: String,
            builds: Vec<Build>,
            provenance: Provenance,
        }
        let totals = serde_json::from_str(text)?;
        let Beside { schema_version, fingerprint, parts, builds, provenance } =
            serde_json::from_str(text)?;
        Ok(Self { schema_version, fingerprint, parts, totals, builds, provenance })
    }
}

/// Why a shard is not finished.
enum Absence {
    Missing,
    Damaged(PartError),
    Unreadable(RunDirError),
}

/// The text of a file, if there is one.
fn read_if_there(path: &Path) -> Result<Option<String>, RunDirError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(io_error("read", path)(error)),
    }
}

/// The spec of a run directory, if there is one.
fn stored(file: &Path) -> Result<Option<RunSpec>, RunDirError> {
    let Some(text) = read_if_there(file)? else { return Ok(None) };
    let spec = RunSpec::stored(&text);
    spec.map(Some).map_err(|cause| RunDirError::NoRun(format!("{}: {cause}", file.display())))
}

/// Claims a file to write it; none if another process has it.
fn try_claim(disk: &Disk, path: &Path) -> Result<Option<Claim>, RunDirError> {
    Claim::take(disk, path).map_err(io_error("lock", path))
}

/// Claims a file, waiting until it is free: for files that are written quickly.
fn claim(disk: &Disk, path: &Path) -> Result<Claim, RunDirError> {
    loop {
        match try_claim(disk, path)? {
            Some(claim) => return Ok(claim),
            None => thread::sleep(PATIENCE / 10),
        }
    }
}

/// The names of all files in a directory.
fn names(path: &Path) -> Result<Vec<String>, RunDirError> {
    let entries = fs::read_dir(path).map_err(io_error("read", path))?;
    entries
        .map(|entry| Ok(entry.map_err(io_error("read", path))?.file_name().display().to_string()))
        .collect()
}

/// A new run needs a directory without other files; an earlier start may have left its own.
fn refuse_occupied(path: &Path) -> Result<(), RunDirError> {
    let ours = |name: &String| name.starts_with(SPEC);
    match names(path)?.into_iter().find(|name| !ours(name)) {
        Some(name) => Err(RunDirError::Request(format!(
            "{} contains no run but other files, such as {name}; choose a new or empty directory",
            path.display()
        ))),
        None => Ok(()),
    }
}
