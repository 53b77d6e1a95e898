//! One process that plays a run, possibly together with others.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZero;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use super::error::{RunDirError, io_error};
use super::part::{self, PartError};
use super::{Absence, PATIENCE, Progress, RunDir, SetAside, try_claim};
use crate::disk::{Claim, Disk};
use crate::provenance::Build;
use crate::tournament::{Batch, GameRow, Tally, Tournament, add_all, batches};

/// Plays the unfinished shards until all are finished.
pub(super) struct Session<'a> {
    run: &'a RunDir,
    tournament: Tournament,
    build: Build,
    /// Shards that are not known to be finished.
    left: BTreeSet<u64>,
    so_far: Progress,
}

impl<'a> Session<'a> {
    pub fn new(run: &'a RunDir, shards: Range<u64>) -> Self {
        let so_far = Progress {
            shards: shards.end - shards.start,
            finished: 0,
            games: shards
                .clone()
                .map(|shard| run.spec.games_of(shard))
                .map(|games| games.end - games.start)
                .sum(),
            tallies: vec![Tally::default(); run.spec.tournament.agents.len()],
            set_aside: Vec::new(),
        };
        let tournament = run.spec.tournament.clone();
        Self { run, tournament, build: Build::here(), left: shards.collect(), so_far }
    }

    pub fn play(
        mut self,
        threads: NonZero<usize>,
        stop: &Arc<AtomicBool>,
        mut progress: impl FnMut(&Progress),
    ) -> Result<Progress, RunDirError> {
        loop {
            // Check this before reading parts: a process that sealed the run has seen all parts.
            let sealed = self.run.is_sealed();
            self.take_stock(stop, &mut progress);
            if self.left.is_empty() || stop.load(Ordering::Relaxed) {
                return Ok(self.so_far);
            }
            if sealed {
                return Err(self.run.changed());
            }
            if !self.play_unclaimed(threads, stop, &mut progress)? {
                thread::sleep(PATIENCE);
            }
        }
    }

    /// Counts the parts that are finished: of earlier sessions, and of other processes.
    fn take_stock(&mut self, stop: &AtomicBool, progress: &mut impl FnMut(&Progress)) {
        self.left.retain(|&shard| {
            let part = if stop.load(Ordering::Relaxed) { None } else { self.run.part(shard).ok() };
            let Some(part) = part else { return true };
            self.so_far.finished += 1;
            add_all(&mut self.so_far.tallies, &part.rows, self.tournament.estimator);
            progress(&self.so_far);
            false
        });
    }

    /// Plays the shards that no other process plays; false if there are none.
    fn play_unclaimed(
        &mut self,
        threads: NonZero<usize>,
        stop: &Arc<AtomicBool>,
        progress: &mut impl FnMut(&Progress),
    ) -> Result<bool, RunDirError> {
        let held = Mutex::new(Held::default());
        let shards: Vec<u64> = self.left.iter().copied().collect();
        let mut claims = claimed(self.run, &shards, &held).peekable();
        let any = claims.peek().is_some();
        if any {
            let tournament = self.tournament.clone();
            let mut gathered = HashMap::new();
            tournament.play(threads, stop, claims, |batch| {
                self.gather(&mut gathered, batch, &held)?;
                progress(&self.so_far);
                Ok::<(), RunDirError>(())
            })?;
        }
        let held = std::mem::take(&mut *held.lock().expect(HELD));
        self.so_far.set_aside.extend(held.set_aside);
        held.failure.map_or(Ok(any), Err)
    }

    /// Adds a batch to its shard, and writes the part after the last batch.
    fn gather(
        &mut self,
        gathered: &mut HashMap<u64, Vec<Batch>>,
        batch: Batch,
        held: &Mutex<Held>,
    ) -> Result<(), RunDirError> {
        add_all(&mut self.so_far.tallies, &batch.rows, self.tournament.estimator);
        self.so_far.set_aside.append(&mut held.lock().expect(HELD).set_aside);
        let spec = &self.run.spec;
        let shard = batch.games.start / spec.shard;
        let games = spec.games_of(shard);
        let batches = gathered.entry(shard).or_default();
        batches.push(batch);
        let Some(rows) = whole(batches, &games) else { return Ok(()) };

        let claim = held.lock().expect(HELD).claims.remove(&shard);
        let claim = claim.expect("a shard in play is claimed");
        // Without locks another process may have been faster; the first part stays.
        if self.run.part(shard).is_err() {
            let bytes = part::encode(spec, games, &rows, &self.build)?;
            claim.publish(&bytes).map_err(io_error("write", &self.run.part_path(shard)))?;
        }
        gathered.remove(&shard);
        self.left.remove(&shard);
        self.so_far.finished += 1;
        Ok(())
    }
}

/// The rows of all games, agent by agent, once all batches are finished.
fn whole(batches: &mut [Batch], games: &Range<u64>) -> Option<Vec<Vec<GameRow>>> {
    let there: u64 = batches.iter().map(|batch| batch.games.end - batch.games.start).sum();
    if there != games.end - games.start {
        return None;
    }
    batches.sort_by_key(|batch| batch.games.start);
    let agents = 0..batches[0].rows.len();
    let rows = |agent: usize| batches.iter().flat_map(move |batch| &batch.rows[agent]).cloned();
    Some(agents.map(|agent| rows(agent).collect()).collect())
}

/// The claimed shards, and the files that were set aside.
#[derive(Default)]
struct Held {
    claims: HashMap<u64, Claim>,
    set_aside: Vec<SetAside>,
    failure: Option<RunDirError>,
}

const HELD: &str = "no thread panics while it holds the claims";

/// Batches of shards, each shard claimed just before its first batch is handed out.
fn claimed(
    run: &RunDir,
    shards: &[u64],
    held: &Mutex<Held>,
) -> impl Iterator<Item = Range<u64>> + Send {
    let games = move |&shard: &u64| {
        let claim = claim(run, shard);
        let mut held = held.lock().expect(HELD);
        match claim {
            Ok(None) => Some(0..0),
            Ok(Some((claim, set_aside))) => {
                held.claims.insert(shard, claim);
                held.set_aside.extend(set_aside);
                Some(run.spec.games_of(shard))
            }
            Err(error) => {
                held.failure = Some(error);
                None
            }
        }
    };
    shards.iter().map_while(games).flat_map(batches)
}

/// Claims a shard and renames an invalid part; none if the shard is finished or another process
/// plays it.
fn claim(run: &RunDir, shard: u64) -> Result<Option<(Claim, Option<SetAside>)>, RunDirError> {
    let path = run.part_path(shard);
    let Some(claim) = try_claim(&run.disk, &path)? else { return Ok(None) };
    let set_aside = match run.part(shard) {
        Ok(_) => return Ok(None),
        Err(Absence::Missing) => None,
        Err(Absence::Unreadable(error)) => return Err(error),
        Err(Absence::Damaged(cause)) => Some(set_aside(&run.disk, &path, &cause)?),
    };
    Ok(Some((claim, set_aside)))
}

/// Renames a file that is not a valid part.
fn set_aside(disk: &Disk, part: &Path, cause: &PartError) -> Result<SetAside, RunDirError> {
    let name = part.file_name().expect("a part has a name").to_string_lossy();
    let names = std::iter::once(format!("{name}.set-aside"))
        .chain((2..).map(|number| format!("{name}.set-aside-{number}")));
    let path = names
        .map(|name| part.with_file_name(name))
        .find(|path| !path.exists())
        .expect("numbers do not end");
    disk.rename(part, &path).map_err(io_error("rename", part))?;
    Ok(SetAside { path, cause: cause.to_string() })
}
