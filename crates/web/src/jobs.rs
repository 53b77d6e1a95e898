//! Jobs: tournaments and trainings, which take minutes to days and continue when the page is closed
//! or the server restarts.
//!
//! ```text
//! runs/
//!   last-run       the number of the newest job when one was removed, so that none is used twice
//!   run-000001/
//!     job.json     the request, and whether the job was stopped
//!     run/         a tournament: a durable run
//!     artifact.*   a training: its result and checkpoints
//!     log.txt      a training: its output
//! ```
//!
//! One job runs at a time; others wait in a queue. The folder has the whole state of a job, so a
//! server that starts continues the jobs of the one before.

mod tournament;
mod train;

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use std::{fs, io, thread};

use deminer::requests::{AgentSource, RequestError};
use deminer::roster::{Roster, Spec};
use deminer_formats::wire::WireRunSpec;
use deminer_lab::disk::{Claim, Disk, UNFINISHED};
use deminer_lab::totals::AgentTotals;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::records::seconds;

pub use train::{LEARNERS, LearnerDocument};

/// Jobs that are kept at most.
const MOST: usize = 200;
/// The shortest time between two progress events.
const PACE: Duration = Duration::from_millis(200);

/// What is to be done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", try_from = "OrderFields")]
pub enum Order {
    /// A tournament, as a durable run.
    Tournament {
        /// What is played.
        spec: Box<WireRunSpec>,
    },
    /// A training.
    Train {
        /// What learns: a subcommand of `deminer train`.
        #[schema(max_length = 32)]
        learner: String,
        /// Its options by name; a flag is `true`.
        #[serde(default)]
        #[schema(value_type = Object)]
        options: BTreeMap<String, serde_json::Value>,
    },
}

/// The fields of any [`Order`]. A tagged enum would lose the path to a wrong field.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderFields {
    kind: OrderKind,
    spec: Option<Box<WireRunSpec>>,
    learner: Option<String>,
    #[serde(default)]
    options: BTreeMap<String, serde_json::Value>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OrderKind {
    Tournament,
    Train,
}

impl TryFrom<OrderFields> for Order {
    type Error = &'static str;

    fn try_from(fields: OrderFields) -> Result<Self, Self::Error> {
        match fields {
            OrderFields { kind: OrderKind::Tournament, spec, learner: None, options } => {
                let spec = spec.filter(|_| options.is_empty());
                Ok(Order::Tournament { spec: spec.ok_or("a tournament has a `spec` alone")? })
            }
            OrderFields { kind: OrderKind::Train, spec: None, learner: Some(learner), options } => {
                Ok(Order::Train { learner, options })
            }
            _ => Err("a tournament has a `spec`; a training has a `learner` and `options`"),
        }
    }
}

/// How a job stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It waits its turn.
    Queued,
    /// It is at work.
    Running,
    /// It was stopped and can go on.
    Stopped,
    /// It is done.
    Finished,
    /// It could not be done.
    Failed,
}

impl State {
    /// Whether it goes on by itself.
    pub fn is_live(self) -> bool {
        matches!(self, State::Queued | State::Running)
    }
}

/// All there is to tell of a job.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RunDocument {
    /// Its name.
    pub id: String,
    /// What was ordered.
    #[serde(flatten)]
    pub order: Order,
    /// How it stands.
    pub state: State,
    /// When it was ordered, in seconds since 1970.
    pub created: u64,
    /// Grows with every change.
    pub version: u64,
    /// How far it is.
    pub progress: Progress,
    /// A tournament: what each agent's games so far come to.
    pub agents: Vec<AgentTotals>,
    /// A tournament that is finished: everything counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<deminer_lab::totals::Totals>)]
    pub totals: Option<serde_json::Value>,
    /// A training: how it stood on its way, oldest first.
    pub curve: Curve,
    /// A training: the last lines it said.
    #[schema(value_type = Vec<String>)]
    pub log: VecDeque<String>,
    /// A training that is finished: the name of the file that it made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifact: Option<String>,
    /// A training that is finished: the agent that plays with what it made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<Player>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The agent that a training made.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Player {
    /// Its name for this server, such as `tree:run-000007`.
    pub agent: String,
    /// A board it plays: the one it was trained for, if the artifact names it.
    pub board: String,
    /// Agents to measure it against on that board: the shipped one of its kind, and the strongest.
    pub rivals: Vec<String>,
}

/// How far a job is.
#[derive(Clone, PartialEq, Debug, Default, Serialize, ToSchema)]
pub struct Progress {
    /// How much is done.
    pub done: u64,
    /// Of how much.
    pub total: u64,
    /// The same as a share.
    pub share: f64,
    /// Where the work is, in words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub words: String,
}

impl Progress {
    fn new(done: u64, total: u64) -> Self {
        let share = if total == 0 { 0.0 } else { done as f64 / total as f64 };
        Self { done, total, share, words: String::new() }
    }
}

/// How a training stood on its way: some hundred points, whatever its length.
#[derive(Clone, PartialEq, Debug, Default, Serialize, ToSchema)]
#[serde(transparent)]
pub struct Curve(Vec<Point>);

/// How a training stood once.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Point {
    /// How much was done.
    pub done: u64,
    /// Of how much.
    pub total: u64,
    /// Its numbers by name: `loss` and `validation`, or `best` and `mean` of a population.
    pub values: BTreeMap<String, f64>,
}

impl Curve {
    /// Points that are kept at most.
    const MOST: usize = 400;

    /// The points, oldest first.
    pub fn points(&self) -> &[Point] {
        &self.0
    }

    /// Whether a point lies behind all others; one that does not was made before a restart.
    fn is_new(&self, point: &Point) -> bool {
        self.0.last().is_none_or(|last| point.done > last.done)
    }

    /// Adds a point. When there are too many, every other one goes.
    fn push(&mut self, point: Point) {
        if !self.is_new(&point) {
            return;
        }
        if self.0.len() >= Self::MOST {
            let mut number = 0;
            self.0.retain(|_| {
                number += 1;
                number % 2 == 0
            });
        }
        self.0.push(point);
    }
}

/// The file of a job.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    schema_version: u32,
    created: u64,
    stopped: bool,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    order: Order,
}

const KEPT: &str = "job.json";
const SCHEMA_VERSION: u32 = 1;

/// All jobs of a data folder.
pub struct Jobs(Arc<Shared>);

struct Shared {
    /// Held until the last job has ended.
    _claim: Claim,
    disk: Disk,
    folder: PathBuf,
    roster: Roster,
    program: PathBuf,
    table: Mutex<Table>,
    /// Told when there may be something to do.
    more: Condvar,
    ending: watch::Sender<bool>,
}

struct Table {
    jobs: BTreeMap<String, Arc<Job>>,
    /// Folders of jobs that cannot be read, with the reason.
    damaged: BTreeMap<String, String>,
    next: u64,
    /// Those that wait their turn.
    queue: VecDeque<Arc<Job>>,
    /// The job at work.
    at_work: Option<Arc<Job>>,
}

/// One job.
pub struct Job {
    id: String,
    disk: Disk,
    folder: PathBuf,
    order: Order,
    stop: Arc<AtomicBool>,
    told: watch::Sender<Arc<RunDocument>>,
    last_told: Mutex<Instant>,
}

/// How work on a job ended.
enum Ended {
    Finished,
    /// The flag was seen.
    Stopped,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Jobs {
    /// Reads the jobs of a folder and goes on with those that are not finished.
    pub fn open(folder: PathBuf, options: &crate::Options, claim: Claim) -> io::Result<Self> {
        let disk = options.disk.clone();
        let mut table = Table {
            jobs: BTreeMap::new(),
            damaged: BTreeMap::new(),
            next: last_number(&folder) + 1,
            queue: VecDeque::new(),
            at_work: None,
        };
        for entry in fs::read_dir(&folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.starts_with("run-")
                && [UNFINISHED, REMOVED].iter().any(|end| name.ends_with(end))
            {
                // A server that died left it. If it stays, nothing depends on it.
                let _ = disk.remove_folder(&folder.join(&name));
                continue;
            }
            let number = name.strip_prefix("run-").and_then(|digits| digits.parse::<u64>().ok());
            let Some(number) = number.filter(|&number| run_name(number) == name) else { continue };
            table.next = table.next.max(number + 1);
            match Job::read(&disk, &folder, &name, &options.roster) {
                Ok(job) => drop(table.jobs.insert(name, Arc::new(job))),
                Err(reason) => drop(table.damaged.insert(name, reason)),
            }
        }
        let live = table.jobs.values().filter(|job| job.document().state.is_live());
        table.queue = live.cloned().collect();
        let shared = Arc::new(Shared {
            _claim: claim,
            disk,
            folder,
            roster: options.roster.clone(),
            program: options.program.clone(),
            table: Mutex::new(table),
            more: Condvar::new(),
            ending: watch::Sender::new(false),
        });
        let worker = Arc::clone(&shared);
        thread::Builder::new().name("jobs".into()).spawn(move || worker.work())?;
        Ok(Self(shared))
    }

    /// Begins a job.
    pub fn begin(&self, order: Order) -> Result<Arc<RunDocument>, Problem> {
        self.check(&order)?;
        let mut table = lock(&self.0.table);
        if table.jobs.len() + table.damaged.len() >= MOST {
            let detail = format!("{MOST} runs are kept already; remove some");
            return Err(Problem::conflict(detail));
        }
        // A folder that could not be removed keeps its number.
        while self.0.folder.join(run_name(table.next)).exists() {
            table.next += 1;
        }
        let id = run_name(table.next);
        let kept = Kept {
            schema_version: SCHEMA_VERSION,
            created: seconds(SystemTime::now()),
            stopped: false,
            failed: None,
            order,
        };
        let (disk, folder) = (self.0.disk.clone(), self.0.folder.join(&id));
        let unfinished = self.0.folder.join(format!("{id}{UNFINISHED}"));
        let made = disk
            .remove_folder(&unfinished)
            .and_then(|()| disk.make_folder(&unfinished))
            .and_then(|()| write(&disk, &unfinished, &kept))
            .and_then(|()| disk.rename(&unfinished, &folder));
        if let Err(error) = made {
            for folder in [&unfinished, &folder] {
                let _ = disk.remove_folder(folder);
            }
            return Err(fault(error));
        }
        table.next += 1;
        let job = Arc::new(Job::new(id.clone(), disk, folder, &kept, State::Queued));
        table.jobs.insert(id, Arc::clone(&job));
        table.queue.push_back(Arc::clone(&job));
        self.0.more.notify_all();
        Ok(job.document())
    }

    /// Refuses impossible requests, and names the wrong field.
    fn check(&self, order: &Order) -> Result<(), Problem> {
        match order {
            Order::Tournament { spec } => tournament::run_spec(spec, &self.0).map(|_| ()),
            Order::Train { learner, options } => {
                train::choices(learner, options, &self.0.roster).map(|_| ())
            }
        }
    }

    /// All jobs, the newest first.
    pub fn list(&self) -> Vec<Arc<RunDocument>> {
        lock(&self.0.table).jobs.values().rev().map(|job| job.document()).collect()
    }

    /// One job.
    pub fn get(&self, id: &str) -> Result<Arc<RunDocument>, Problem> {
        self.find(id).map(|job| job.document())
    }

    /// The events of a job from now on, and whether the server ends.
    pub fn watch(
        &self,
        id: &str,
    ) -> Result<(watch::Receiver<Arc<RunDocument>>, watch::Receiver<bool>), Problem> {
        let job = self.find(id)?;
        Ok((job.told.subscribe(), self.0.ending.subscribe()))
    }

    /// Stops a job that is live. It can go on later.
    pub fn stop(&self, id: &str) -> Result<Arc<RunDocument>, Problem> {
        let job = self.find(id)?;
        let mut table = lock(&self.0.table);
        if !job.document().state.is_live() {
            return Ok(job.document());
        }
        job.stop.store(true, Ordering::Relaxed);
        let waiting = table.queue.len();
        table.queue.retain(|waiting| waiting.id != job.id);
        if table.queue.len() < waiting {
            job.tell(|document| document.state = State::Stopped);
        }
        // It stops even if the disk is full.
        job.keep(true, None).map_err(fault)?;
        Ok(job.document())
    }

    /// Goes on with a job that was stopped or has failed.
    pub fn resume(&self, id: &str) -> Result<Arc<RunDocument>, Problem> {
        let job = self.find(id)?;
        let mut table = lock(&self.0.table);
        match job.document().state {
            State::Stopped | State::Failed => {}
            State::Queued | State::Running | State::Finished => {
                return Err(Problem::conflict(format!("`{id}` is not stopped")));
            }
        }
        job.keep(false, None).map_err(fault)?;
        job.stop.store(false, Ordering::Relaxed);
        job.tell(|document| {
            document.state = State::Queued;
            document.error = None;
        });
        table.queue.push_back(Arc::clone(&job));
        self.0.more.notify_all();
        Ok(job.document())
    }

    /// Removes a job that is not live, with all it made.
    pub fn remove(&self, id: &str) -> Result<(), Problem> {
        let mut table = lock(&self.0.table);
        match table.jobs.get(id) {
            None if table.damaged.contains_key(id) => {}
            None => return Err(missing(id)),
            Some(job) => {
                let at_work = table.at_work.as_ref().is_some_and(|at_work| at_work.id == job.id);
                if job.document().state.is_live() || at_work {
                    return Err(Problem::conflict(format!("`{id}` is at work: stop it first")));
                }
            }
        }
        let (disk, folder) = (&self.0.disk, &self.0.folder);
        let last = (table.next - 1).to_string();
        let removed = folder.join(format!("{id}{REMOVED}"));
        let gone = disk
            .replace(&folder.join(LAST), last.as_bytes())
            .and_then(|()| disk.rename(&folder.join(id), &removed));
        match gone {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(fault(error)),
            _ => {}
        }
        // What stays is removed when the server starts again.
        let _ = disk.remove_folder(&removed);
        table.jobs.remove(id);
        table.damaged.remove(id);
        Ok(())
    }

    /// Jobs whose files cannot be read, with the reason.
    pub fn damaged(&self) -> BTreeMap<String, String> {
        lock(&self.0.table).damaged.clone()
    }

    /// What a training has made.
    pub fn artifact(&self, id: &str) -> Result<(String, Vec<u8>), Problem> {
        let made = self.find(id)?.artifact().map_err(fault)?;
        made.ok_or_else(|| Problem::not_found(format!("`{id}` has made no artifact")))
    }

    /// Stops all work where it can go on, and ends all streams.
    pub fn end(&self) {
        self.0.end();
    }

    /// Waits until no job is at work, at most this long.
    pub fn wait(&self, most: Duration) {
        let table = lock(&self.0.table);
        let _ = self.0.more.wait_timeout_while(table, most, |table| table.at_work.is_some());
    }

    fn find(&self, id: &str) -> Result<Arc<Job>, Problem> {
        self.0.find(id).ok_or_else(|| match lock(&self.0.table).damaged.get(id) {
            Some(reason) => Problem::conflict(format!(
                "the files of `{id}` are damaged ({reason}): repair them and start the server \
                 again, or remove the run"
            )),
            None => missing(id),
        })
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl AgentSource for Jobs {
    fn agent(&self, text: &str, field: &str) -> Result<Spec, RequestError> {
        self.0.agent(text, field)
    }

    fn roster(&self) -> &Roster {
        &self.0.roster
    }
}

impl Shared {
    fn find(&self, id: &str) -> Option<Arc<Job>> {
        lock(&self.table).jobs.get(id).cloned()
    }

    /// The agent that a request names. `tree:run-000007` plays with what that run of this server
    /// made.
    fn agent(&self, text: &str, field: &str) -> Result<Spec, RequestError> {
        let spec = AgentSource::agent(&self.roster, text, field)?;
        let Some(id) = spec.run().map(str::to_owned) else { return Ok(spec) };
        let wrong = |detail: String| RequestError::invalid(detail).at(field);
        let Some(job) = self.find(&id) else {
            return Err(wrong(format!("there is no run `{id}` here; it may have been removed")));
        };
        let Order::Train { learner, .. } = &job.order else {
            return Err(wrong(format!("`{id}` is a tournament, which makes no agent")));
        };
        let name = spec.entry().name;
        if learner != name {
            return Err(wrong(format!("`{id}` trained `{learner}`, not `{name}`")));
        }
        let artifact = job.artifact().map_err(RequestError::fault)?;
        let Some((_, bytes)) = artifact else {
            return Err(wrong(format!("`{id}` is not finished, so it has made no agent yet")));
        };
        let spec = spec.with_artifact(bytes);
        spec.build().map_err(|error| wrong(error.to_string()))?;
        Ok(spec)
    }

    fn end(&self) {
        self.ending.send_replace(true);
        let table = lock(&self.table);
        if let Some(job) = &table.at_work {
            job.stop.store(true, Ordering::Relaxed);
        }
        self.more.notify_all();
    }

    /// Does one job after another until the server ends.
    fn work(&self) {
        while let Some(job) = self.next() {
            job.tell(|document| document.state = State::Running);
            let ended = match &job.order {
                Order::Tournament { spec } => tournament::play(&job, spec, self),
                Order::Train { learner, options } => {
                    train::train(&job, &self.program, &self.roster, learner, options)
                }
            };
            if let Err(error) = &ended {
                // If that cannot be noted, the next server tries the job again.
                let _ = job.keep(false, Some(error.clone()));
            }
            let mut table = lock(&self.table);
            table.at_work = None;
            self.more.notify_all();
            let ending = *self.ending.borrow();
            job.tell(|document| {
                document.state = match &ended {
                    Ok(Ended::Finished) => State::Finished,
                    // What the end of the server has stopped goes on at its next start.
                    Ok(Ended::Stopped) if ending => State::Queued,
                    Ok(Ended::Stopped) => State::Stopped,
                    Err(_) => State::Failed,
                };
                document.error = ended.err();
            });
        }
    }

    /// Waits for something to do; none when the server ends.
    fn next(&self) -> Option<Arc<Job>> {
        let mut table = lock(&self.table);
        loop {
            if *self.ending.borrow() {
                return None;
            }
            if let Some(job) = table.queue.pop_front() {
                table.at_work = Some(Arc::clone(&job));
                return Some(job);
            }
            table = self.more.wait(table).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Job {
    fn new(id: String, disk: Disk, folder: PathBuf, kept: &Kept, state: State) -> Self {
        let document = RunDocument {
            id: id.clone(),
            order: kept.order.clone(),
            state,
            created: kept.created,
            version: 0,
            progress: Progress::default(),
            agents: Vec::new(),
            totals: None,
            curve: Curve::default(),
            log: VecDeque::new(),
            artifact: None,
            player: None,
            error: kept.failed.clone(),
        };
        Self {
            id,
            disk,
            folder,
            order: kept.order.clone(),
            stop: Arc::default(),
            told: watch::Sender::new(Arc::new(document)),
            last_told: Mutex::new(Instant::now()),
        }
    }

    /// The job of a folder, or why it cannot be read.
    fn read(disk: &Disk, runs: &Path, id: &str, roster: &Roster) -> Result<Self, String> {
        let folder = runs.join(id);
        let wrong = |error: &dyn Display| format!("{KEPT}: {error}");
        let text = fs::read(folder.join(KEPT)).map_err(|error| wrong(&error))?;
        let kept: Kept = serde_json::from_slice(&text).map_err(|error| wrong(&error))?;
        let state = match &kept {
            Kept { failed: Some(_), .. } => State::Failed,
            Kept { stopped: true, .. } => State::Stopped,
            _ => State::Queued,
        };
        let job = Self::new(id.to_owned(), disk.clone(), folder, &kept, state);
        match &job.order {
            Order::Tournament { spec } => tournament::recall(&job, spec),
            Order::Train { learner, .. } => train::recall(&job, learner, roster),
        }
        Ok(job)
    }

    fn document(&self) -> Arc<RunDocument> {
        Arc::clone(&self.told.borrow())
    }

    /// The file that a training made, with its name; nothing before it is finished.
    fn artifact(&self) -> io::Result<Option<(String, Vec<u8>)>> {
        let name = self.document().artifact.clone();
        name.map(|name| Ok((name.clone(), fs::read(self.folder.join(&name))?))).transpose()
    }

    /// Notes whether the job was stopped, or why it failed.
    fn keep(&self, stopped: bool, failed: Option<String>) -> io::Result<()> {
        let created = self.document().created;
        let order = self.order.clone();
        let kept = Kept { schema_version: SCHEMA_VERSION, created, stopped, failed, order };
        write(&self.disk, &self.folder, &kept)
    }

    /// Sends an event.
    fn tell(&self, change: impl FnOnce(&mut RunDocument)) {
        self.told.send_modify(|document| {
            let document = Arc::make_mut(document);
            document.version += 1;
            change(document);
        });
    }

    /// Sends an event, unless one was sent a moment ago.
    fn tell_sometimes(&self, change: impl FnOnce(&mut RunDocument)) {
        let mut last = lock(&self.last_told);
        if last.elapsed() >= PACE {
            self.tell(change);
            *last = Instant::now();
        }
    }
}

/// The name of the job with this number.
fn run_name(number: u64) -> String {
    format!("run-{number:06}")
}

/// The number of the newest job when one was removed. Jobs that are removed leave their number
/// unused, so that `tree:run-000007` never names another artifact.
fn last_number(folder: &Path) -> u64 {
    let text = fs::read_to_string(folder.join(LAST)).unwrap_or_default();
    text.trim().parse().unwrap_or(0)
}

const LAST: &str = "last-run";
/// The ending of folders that are being removed.
const REMOVED: &str = ".removed";

/// Writes the file of a job, whole or not at all.
fn write(disk: &Disk, folder: &Path, kept: &Kept) -> io::Result<()> {
    disk.replace(&folder.join(KEPT), &serde_json::to_vec_pretty(kept)?)
}

fn missing(id: &str) -> Problem {
    Problem::not_found(format!("there is no run `{id}`"))
}

fn fault(error: io::Error) -> Problem {
    Problem::fault(format!("the data folder: {error}"))
}
