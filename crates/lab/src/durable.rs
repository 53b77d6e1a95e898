//! Durable runs: games in a directory, played in shards by any number of processes that may be
//! killed at any moment. Nothing is lost but shards in play, and nothing is counted twice.
//!
//! ```text
//! campaign/
//!   spec.toml                 what is played, and who began it
//!   shard-000000.parquet      a part: the games of a finished shard, every agent's
//!   shard-000001.parquet.lock          a claim: someone plays this shard
//!   shard-000001.parquet.unfinished    and is just writing its part
//!   shard-000002.parquet.set-aside     was no part of this run, or damaged
//!   totals.json               the seal: every game counted once
//! ```
//!
//! All correctness rests on two facts. A game depends on spec and number alone, so it does not
//! matter who plays it, or whether someone plays it again. And a part appears under its name
//! only when it is whole and on the disk, with a checksum of all its bytes. Claims merely keep
//! two processes from doing the same work.
//!
//! ```no_run
//! use std::num::NonZero;
//! use std::sync::atomic::AtomicBool;
//!
//! use deminer_lab::durable::{RunDir, RunSpec};
//!
//! let spec: RunSpec = "agents = [\"single-point\"]\ngames = 1000000\n".parse()?;
//! let run = RunDir::open("campaign", &spec)?;
//! let threads = NonZero::new(2).expect("not zero");
//! let progress = run.run(threads, &AtomicBool::new(false), |_| {})?;
//! assert!(progress.complete());
//! let sealed = run.seal()?;
//! println!("{}", sealed.results.tallies[0].rate());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod claim;
mod error;
mod part;
mod session;
mod spec;
#[cfg(test)]
mod tests;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{fs, io, thread};

use serde::Serialize;
use serde_json::Value;
use twox_hash::XxHash64;

pub(crate) use self::claim::Claim;
use self::claim::LOCK;
pub use self::error::RunDirError;
use self::error::io_error;
use self::part::{Part, PartError};
use self::session::Session;
pub use self::spec::{Difference, RunSpec, RunSpecError, SHARD};
use crate::provenance::{Build, Provenance};
use crate::run::{GameRow, Results, Tally};
use crate::totals::{SCHEMA_VERSION, Totals};

const SPEC: &str = "spec.toml";
const TOTALS: &str = "totals.json";

/// How long to wait before looking again at shards that others play.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// A directory that holds a run.
#[derive(Clone, Debug)]
pub struct RunDir {
    path: PathBuf,
    spec: RunSpec,
}

/// How far a run is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Shards of the run, or of the part of it that was asked for.
    pub shards: u64,
    /// Shards whose parts are on the disk.
    pub finished: u64,
    /// Games that each agent plays in all those shards.
    pub games: u64,
    /// What each agent's games add up to, in no fixed order of games: those of all finished
    /// shards and, while playing, those of shards that are still to be finished.
    pub tallies: Vec<Tally>,
    /// Files that were not the parts they should have been.
    pub set_aside: Vec<SetAside>,
}

impl Progress {
    /// Whether every shard is finished.
    pub fn complete(&self) -> bool {
        self.finished == self.shards
    }
}

/// A file that was not the part it should have been. It was renamed, and its games were or will
/// be played anew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetAside {
    /// What it is called now.
    pub path: PathBuf,
    /// What was wrong with it.
    pub cause: String,
}

/// A run whose every game is counted.
#[derive(Clone, Debug)]
pub struct Sealed {
    /// What it found, as an undisturbed tournament would have.
    pub results: Results,
    /// Those who played it, in the order of the games.
    pub builds: Vec<Build>,
    /// The document in `totals.json`.
    pub text: String,
}

fn part_name(shard: u64) -> String {
    format!("shard-{shard:06}.parquet")
}

impl RunDir {
    /// Begins a run in a new or empty directory, or goes on with the same run.
    pub fn open(path: impl Into<PathBuf>, spec: &RunSpec) -> Result<Self, RunDirError> {
        let path = path.into();
        spec.check()?;
        fs::create_dir_all(&path).map_err(io_error("make the directory", &path))?;
        // Of several processes that begin the same run at once, one writes the spec.
        let file = path.join(SPEC);
        let claim = claim(&file)?;
        match Self::existing(&path) {
            Ok(found) => {
                let differences = found.spec.differences(spec);
                if !differences.is_empty() {
                    return Err(RunDirError::OtherRun { path, differences });
                }
            }
            Err(RunDirError::NoRun { .. }) => {
                refuse_occupied(&path)?;
                let text = spec.signed(&Provenance::here());
                claim.publish(text.as_bytes()).map_err(io_error("write", &file))?;
            }
            Err(other) => return Err(other),
        }
        Ok(Self { path, spec: spec.clone() })
    }

    /// The run that a directory holds.
    pub fn existing(path: impl Into<PathBuf>) -> Result<Self, RunDirError> {
        let path = path.into();
        let file = path.join(SPEC);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(RunDirError::NoRun { path });
            }
            Err(error) => return Err(io_error("read", &file)(error)),
        };
        let spec = text.parse().map_err(|cause| RunDirError::DamagedSpec { path: file, cause })?;
        Ok(Self { path, spec })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is played.
    pub fn spec(&self) -> &RunSpec {
        &self.spec
    }

    /// The seal's file.
    pub fn totals_path(&self) -> PathBuf {
        self.path.join(TOTALS)
    }

    /// Whether every game is counted and nothing is left to do.
    pub fn is_sealed(&self) -> bool {
        self.totals_path().exists()
    }

    /// Plays all shards that are not finished, on so many threads, beside any other process
    /// that does the same. Returns when all are finished, whoever played them; shards of a
    /// process that dies are taken over. `progress` is called again and again; `stop` ends the
    /// run early and gives up the shards in play.
    pub fn run(
        &self,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        progress: impl FnMut(&Progress),
    ) -> Result<Progress, RunDirError> {
        Session::new(self, 0..self.spec.shards()).play(threads, stop, progress)
    }

    /// The same for one shard alone.
    pub fn run_shard(
        &self,
        index: u64,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        progress: impl FnMut(&Progress),
    ) -> Result<Progress, RunDirError> {
        let shards = self.spec.shards();
        if index >= shards {
            return Err(RunDirError::NoShard { index, shards });
        }
        Session::new(self, index..index + 1).play(threads, stop, progress)
    }

    /// The games of a finished shard, [`RunSpec::games_of`] it: for each agent, its rows in the
    /// order of the games.
    pub fn rows(&self, shard: u64) -> Result<Vec<Vec<GameRow>>, RunDirError> {
        let shards = self.spec.shards();
        if shard >= shards {
            return Err(RunDirError::NoShard { index: shard, shards });
        }
        let mut absent = Absent::default();
        match absent.note(shard, self.part(shard))? {
            Some(part) => Ok(part.rows),
            None => Err(absent.error(self)),
        }
    }

    /// Where a shard's part is, or will be.
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

    /// Checks that every game of every agent is there once, and counts them for good. A sealed
    /// run is checked again and found unchanged, or not.
    pub fn seal(&self) -> Result<Sealed, RunDirError> {
        let count = self.count()?;
        let text = match self.totals(&count)? {
            Some(text) => text,
            None => {
                let path = self.totals_path();
                let claim = claim(&path)?;
                // Another may have sealed it meanwhile; then that is the seal.
                match self.totals(&count)? {
                    Some(text) => text,
                    None => {
                        let text = self.document(&count);
                        claim.publish(text.as_bytes()).map_err(io_error("write", &path))?;
                        self.clear_locks()?;
                        text
                    }
                }
            }
        };
        Ok(Sealed { results: count.results, builds: count.builds, text })
    }

    /// Reads all parts.
    fn count(&self) -> Result<Count, RunDirError> {
        let mut absent = Absent::default();
        let mut tallies = vec![Tally::default(); self.spec.agents.len()];
        let mut builds = Vec::new();
        let mut checksum = 0;
        for shard in 0..self.spec.shards() {
            let Some(part) = absent.note(shard, self.part(shard))? else { continue };
            for (tally, rows) in tallies.iter_mut().zip(&part.rows) {
                tally.add(rows, self.spec.estimator);
            }
            if !builds.contains(&part.build) {
                builds.push(part.build);
            }
            checksum = XxHash64::oneshot(checksum, &part.checksum.to_le_bytes());
        }
        if !absent.is_empty() {
            return Err(absent.error(self));
        }
        let complete = tallies.iter().all(|tally| tally.games() == self.spec.games);
        assert!(complete, "parts that were found right hold every game once");
        Ok(Count { results: Results { tallies, complete }, builds, checksum })
    }

    /// The seal, if there is one; it must be that of these parts.
    fn totals(&self, count: &Count) -> Result<Option<String>, RunDirError> {
        let path = self.totals_path();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io_error("read", &path)(error)),
        };
        let seal: Option<Value> = serde_json::from_str(&text).ok();
        match seal.is_some_and(|seal| seal["parts"] == count.parts().as_str()) {
            true => Ok(Some(text)),
            false => Err(RunDirError::Changed { path }),
        }
    }

    fn document(&self, count: &Count) -> String {
        let seal = Seal {
            schema_version: SCHEMA_VERSION,
            fingerprint: self.spec.fingerprint(),
            parts: count.parts(),
            totals: Totals::of(&self.spec.tournament(), &count.results),
            builds: &count.builds,
            provenance: Provenance::here(),
        };
        serde_json::to_string_pretty(&seal).expect("totals are plain values") + "\n"
    }

    /// Removes the lock files of those who died just after they had written a part.
    fn clear_locks(&self) -> Result<(), RunDirError> {
        for name in names(&self.path)?.iter().filter(|name| name.starts_with("shard-")) {
            if let Some(part) = name.strip_suffix(LOCK) {
                drop(try_claim(&self.path.join(part))?);
            }
        }
        Ok(())
    }
}

/// What all parts hold.
struct Count {
    results: Results,
    builds: Vec<Build>,
    checksum: u64,
}

impl Count {
    /// The checksum of all parts as the seal has it.
    fn parts(&self) -> String {
        format!("{:016x}", self.checksum)
    }
}

/// The document of a sealed run.
#[derive(Serialize)]
struct Seal<'a> {
    schema_version: u32,
    fingerprint: String,
    /// The checksum of all parts.
    parts: String,
    #[serde(flatten)]
    totals: Totals,
    /// Who played.
    builds: &'a [Build],
    /// Who sealed.
    provenance: Provenance,
}

/// Why a shard is not finished.
enum Absence {
    Missing,
    Damaged(PartError),
    Unreadable(RunDirError),
}

/// Shards that were looked for and not found.
#[derive(Default)]
struct Absent {
    missing: Vec<u64>,
    damaged: Vec<(u64, String)>,
}

impl Absent {
    /// A part that is there, or a note that it is not.
    fn note(
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

    fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.damaged.is_empty()
    }

    fn error(self, run: &RunDir) -> RunDirError {
        let (path, shards) = (run.path.clone(), run.spec.shards());
        RunDirError::Unfinished { path, shards, missing: self.missing, damaged: self.damaged }
    }
}

/// Claims a file in order to write it; none when another has it.
fn try_claim(path: &Path) -> Result<Option<Claim>, RunDirError> {
    Claim::take(path).map_err(io_error("lock", path))
}

/// The same, waiting for whoever has it: for files that are written at once.
fn claim(path: &Path) -> Result<Claim, RunDirError> {
    loop {
        match try_claim(path)? {
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

/// A run begins among nothing but what an earlier beginning may have left.
fn refuse_occupied(path: &Path) -> Result<(), RunDirError> {
    let ours = |name: &String| name.starts_with(SPEC);
    match names(path)?.into_iter().find(|name| !ours(name)) {
        Some(name) => Err(RunDirError::Occupied { path: path.to_owned(), name }),
        None => Ok(()),
    }
}
