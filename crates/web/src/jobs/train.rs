//! Trainings: `deminer train` as a program of its own, so that a learner may take all it needs
//! and its end is the end of its memory.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use deminer_game::Rules;
use deminer_lab::roster::Spec;
use serde::{Serialize, Serializer};
use serde_json::Value;
use utoipa::ToSchema;

use super::{Curve, Ended, Job, Player, Point, Progress, RunDocument, State};
use crate::api::artifacts;
use crate::problem::Problem;
use crate::shapes::agent;

/// Something that learns: what the page may ask of `deminer train`.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Learner {
    /// The subcommand.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// The options that may be given.
    pub options: &'static [LearnerOption],
    /// The extension of what it makes.
    #[serde(skip)]
    pub extension: &'static str,
    /// Whether it begins again after it was stopped; others go on.
    #[serde(rename = "begins_again", serialize_with = "begins_again")]
    #[schema(value_type = bool)]
    pub resume: Resume,
}

impl Learner {
    /// The file that it makes.
    fn artifact(&self) -> String {
        format!("artifact.{}", self.extension)
    }

    /// The argument that names the file.
    pub(super) fn out(&self) -> String {
        format!("--out={}", self.artifact())
    }
}

fn begins_again<S: Serializer>(resume: &Resume, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(*resume == Resume::Anew)
}

/// How a learner goes on after it was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// From the beginning; the same seed makes the same.
    Anew,
    /// By itself, from what it keeps beside what it makes.
    Itself,
    /// With `--resume`, from the checkpoint beside what it makes.
    Flag,
    /// By itself, from the file named with `--checkpoint`, written every so many iterations.
    File(u32),
}

/// An option of a learner.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct LearnerOption {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// What it takes.
    pub values: Takes,
}

/// What an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Takes {
    /// Nothing: it is given or not.
    Flag,
    /// A whole number.
    Number,
    /// A word.
    Word,
    /// An agent.
    Agent,
}

const fn takes(values: Takes, name: &'static str) -> LearnerOption {
    LearnerOption { name, values }
}

const fn flag(name: &'static str) -> LearnerOption {
    takes(Takes::Flag, name)
}

const fn number(name: &'static str) -> LearnerOption {
    takes(Takes::Number, name)
}

const fn word(name: &'static str) -> LearnerOption {
    takes(Takes::Word, name)
}

// Options of several learners.
const BOARD: LearnerOption = word("board");
const DEPTH: LearnerOption = number("depth");
const GAMES: LearnerOption = number("games");
const ORIG: LearnerOption = flag("orig");
const POPULATION: LearnerOption = number("population");
const ROUNDS: LearnerOption = number("rounds");
const SEED: LearnerOption = number("seed");

/// All that can be trained from the page. No option that names a file is among them.
pub const LEARNERS: &[Learner] = &[
    Learner {
        name: "tree",
        about: "a decision tree that imitates another agent",
        options: &[
            takes(Takes::Agent, "of"),
            GAMES,
            SEED,
            DEPTH,
            word("features"),
            word("criterion"),
            number("least"),
            flag("prune"),
            ROUNDS,
            number("turns"),
            BOARD,
            word("start"),
            word("at"),
            word("shape"),
        ],
        extension: "tree",
        resume: Resume::Anew,
    },
    Learner {
        name: "gp",
        about: "a tree of checks that evolves",
        options: &[
            BOARD,
            number("fields"),
            flag("positions"),
            DEPTH,
            POPULATION,
            number("iterations"),
            flag("memory"),
            flag("saturated"),
            ORIG,
            SEED,
        ],
        extension: "genome",
        resume: Resume::File(100),
    },
    Learner {
        name: "quartetti",
        about: "a program that walks over boards, evolved",
        options: &[POPULATION, number("generations"), SEED],
        extension: "genome",
        // A generation may take half a minute.
        resume: Resume::File(1),
    },
    Learner {
        name: "q-table",
        about: "a table of what each cell of a tiny board is worth, learned by trying",
        options: &[BOARD, GAMES, SEED],
        extension: "q",
        resume: Resume::Anew,
    },
    Learner {
        name: "mio",
        about: "rules induced from examples",
        options: &[word("setting"), flag("beyond"), ROUNDS, SEED],
        extension: "pl",
        resume: Resume::Itself,
    },
    #[cfg(feature = "neural")]
    network("cnn-5x5", "a convolutional network on 5x5 windows, taught by another agent"),
    #[cfg(feature = "neural")]
    network("mlp-full", "a network that sees a whole small board, taught by another agent"),
    #[cfg(feature = "neural")]
    network("sla-small", "a small network that learns from games of its own"),
    #[cfg(feature = "neural")]
    network("msla", "a network on windows that learns from games of its own and a teacher"),
];

/// A network; the same options for all.
#[cfg(feature = "neural")]
const fn network(name: &'static str, about: &'static str) -> Learner {
    const OPTIONS: &[LearnerOption] = &[
        ORIG,
        BOARD,
        GAMES,
        word("teacher"),
        SEED,
        number("epochs"),
        number("samples"),
        number("batch"),
        number("trial"),
    ];
    Learner { name, about, options: OPTIONS, extension: "safetensors", resume: Resume::Flag }
}

/// Lines that are kept for the page.
const LINES: usize = 200;
/// The longest line that is kept.
const LONGEST_LINE: usize = 500;

/// The arguments of a training, checked.
pub(super) fn arguments(
    learner: &str,
    options: &BTreeMap<String, Value>,
) -> Result<(&'static Learner, Vec<String>), Problem> {
    let known = LEARNERS.iter().find(|known| known.name == learner).ok_or_else(|| {
        let names: Vec<&str> = LEARNERS.iter().map(|learner| learner.name).collect();
        let detail = format!("there is no learner `{learner}`; there are {}", names.join(", "));
        Problem::unfit(detail).at("learner")
    })?;
    let mut words = vec!["train".to_owned(), known.name.to_owned()];
    for (name, value) in options {
        let at = format!("options.{name}");
        let option = known.options.iter().find(|option| option.name == name).ok_or_else(|| {
            let names: Vec<&str> = known.options.iter().map(|option| option.name).collect();
            let detail = format!("there is no such option; there are {}", names.join(", "));
            Problem::unfit(detail).at(at.clone())
        })?;
        words.extend(written(option, value).map_err(|problem| problem.at(at))?);
    }
    Ok((known, words))
}

/// An option as the command line has it; nothing of a flag that is not given.
fn written(option: &LearnerOption, value: &Value) -> Result<Option<String>, Problem> {
    let name = option.name;
    let text = match (option.values, value) {
        (Takes::Flag, Value::Bool(given)) => return Ok(given.then(|| format!("--{name}"))),
        (Takes::Number, Value::Number(number)) if number.is_u64() => number.to_string(),
        (Takes::Word, Value::String(word)) => {
            let plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-:,.+".contains(symbol);
            if word.len() > 40 || !word.chars().all(plain) {
                return Err(Problem::unfit("that is not a word"));
            }
            word.clone()
        }
        (Takes::Agent, Value::String(text)) => agent(text, "")?.to_string(),
        (Takes::Flag, _) => return Err(Problem::unfit("this takes true or false")),
        (Takes::Number, _) => return Err(Problem::unfit("this takes a whole number")),
        (Takes::Word | Takes::Agent, _) => return Err(Problem::unfit("this takes a string")),
    };
    Ok(Some(format!("--{name}={text}")))
}

const LOG: &str = "log.txt";
/// Points of the curve, a JSON document on each line.
const CURVE: &str = "curve.jsonl";
const CHECKPOINT: &str = "artifact.checkpoint";
/// What it makes, once it is whole.
const DONE: &str = "done";

/// What earlier servers did.
pub(super) fn recall(job: &Job, learner: &str) {
    let Some(learner) = LEARNERS.iter().find(|known| known.name == learner) else { return };
    let log = fs::read(job.folder.join(LOG)).unwrap_or_default();
    let log = String::from_utf8_lossy(&log).into_owned();
    let curve = fs::read_to_string(job.folder.join(CURVE)).unwrap_or_default();
    // The last line may have been cut off.
    let curve = curve.lines().filter_map(|line| serde_json::from_str(line).ok());
    job.tell(|document| {
        log.lines().for_each(|line| push(&mut document.log, line));
        curve.for_each(|point| document.curve.push(point));
        if let Some(last) = document.curve.points().last() {
            document.progress = Progress::new(last.done, last.total);
        }
        if job.folder.join(DONE).exists() {
            document.state = State::Finished;
            document.progress = Progress::new(1, 1);
            finish(document, job, learner);
        }
    });
}

/// Tells what a training made and who plays with it.
fn finish(document: &mut RunDocument, job: &Job, learner: &Learner) {
    let name = learner.artifact();
    document.player =
        fs::read(job.folder.join(&name)).ok().map(|bytes| player(job, learner, &bytes));
    document.artifact = Some(name);
}

/// The agent that plays with what a training made.
fn player(job: &Job, learner: &Learner, bytes: &[u8]) -> Player {
    let board = artifacts::board(learner.extension, bytes).unwrap_or_else(|| match learner.name {
        "quartetti" => "6x6x1".to_owned(),
        _ => "beginner".to_owned(),
    });
    let rules = board.parse().ok().and_then(|size| Rules::of(size).ok());
    let plays = |name: &&str| {
        let spec: Option<Spec> = name.parse().ok();
        let (spec, rules) = (spec.as_ref(), rules.as_ref());
        spec.zip(rules)
            .is_some_and(|(spec, rules)| spec.admit(rules).is_ok() && spec.build().is_ok())
    };
    let rivals = [learner.name, STRONGEST].into_iter().filter(plays).map(str::to_owned).collect();
    Player { agent: format!("{}:{}", learner.name, job.id), board, rivals }
}

const STRONGEST: &str = "best";

/// Trains to the end, or until the flag is raised.
pub(super) fn train(
    job: &Job,
    program: &Path,
    learner: &str,
    options: &BTreeMap<String, Value>,
) -> Result<Ended, String> {
    let (learner, mut words) =
        arguments(learner, options).map_err(|problem| problem.detail().to_owned())?;
    words.push(learner.out());
    match learner.resume {
        Resume::Flag if job.folder.join(CHECKPOINT).exists() => words.push("--resume".to_owned()),
        Resume::File(every) => {
            words.extend([format!("--checkpoint={CHECKPOINT}"), format!("--every={every}")]);
        }
        Resume::Flag | Resume::Anew | Resume::Itself => {}
    }
    if learner.resume == Resume::Anew {
        forget(job);
    }
    let mut child = Command::new(program)
        .args(&words)
        .current_dir(&job.folder)
        .env("DEMINER_PROGRESS", "lines")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    let ended = follow(job, &mut child);
    if ended.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    match ended? {
        Ended::Stopped => Ok(Ended::Stopped),
        Ended::Finished if status.success() => {
            fs::write(job.folder.join(DONE), "").map_err(|error| error.to_string())?;
            job.tell(|document| {
                document.progress.share = 1.0;
                document.progress.done = document.progress.total;
                finish(document, job, learner);
            });
            Ok(Ended::Finished)
        }
        Ended::Finished => {
            let last = job.document().log.back().cloned().unwrap_or_default();
            Err(format!("the training ended with {status}: {last}"))
        }
    }
}

/// Forgets what was said before: the learner begins again.
fn forget(job: &Job) {
    for name in [LOG, CURVE] {
        let _ = fs::remove_file(job.folder.join(name));
    }
    job.tell(|document| {
        document.log.clear();
        document.curve = Curve::default();
        document.progress = Progress::default();
    });
}

/// Tells what the program says, until it ends or the flag is raised.
fn follow(job: &Job, child: &mut Child) -> Result<Ended, String> {
    let (said, hear) = mpsc::channel();
    let (errors, output) = (child.stderr.take(), child.stdout.take());
    if let Some(errors) = errors {
        let said = said.clone();
        thread::spawn(move || read_lines(errors, |line| said.send(line).is_ok()));
    }
    if let Some(output) = output {
        thread::spawn(move || read_lines(output, |line| said.send(line).is_ok()));
    }
    let open = |name: &str| File::options().create(true).append(true).open(job.folder.join(name));
    let (mut log, mut curve) = open(LOG)
        .and_then(|log| Ok((log, open(CURVE)?)))
        .map_err(|error| format!("the data folder: {error}"))?;
    let mut asked: Option<Instant> = None;
    loop {
        match hear.recv_timeout(Duration::from_millis(100)) {
            Ok(line) => match progress(&line) {
                Some((progress, point)) => {
                    let point = point.filter(|point| job.document().curve.is_new(point));
                    if let Some(point) = &point {
                        let _ = writeln!(curve, "{}", serde_json::json!(point));
                    }
                    let tell = |document: &mut RunDocument| {
                        document.progress = progress;
                        point.into_iter().for_each(|point| document.curve.push(point));
                    };
                    job.tell(tell);
                }
                None => {
                    let _ = writeln!(log, "{line}");
                    job.tell(|document| push(&mut document.log, &line));
                }
            },
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Ok(if asked.is_some() { Ended::Stopped } else { Ended::Finished });
            }
        }
        if job.stop.load(Ordering::Relaxed) {
            let since = *asked.get_or_insert_with(|| {
                ask_to_end(child);
                Instant::now()
            });
            if since.elapsed() > FAREWELL {
                let _ = child.kill();
                return Ok(Ended::Stopped);
            }
        }
    }
}

/// How long a learner may take to write its checkpoint when it is stopped.
const FAREWELL: Duration = Duration::from_secs(3);

/// Asks the program to end as Ctrl-C would: it keeps what it has learned.
fn ask_to_end(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process};
        let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        if id.is_some_and(|id| kill_process(id, Signal::INT).is_ok()) {
            return;
        }
    }
    let _ = child.kill();
}

fn read_lines(stream: impl std::io::Read, mut take: impl FnMut(String) -> bool) {
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        bytes.clear();
        if !take(line) {
            return;
        }
    }
}

/// Reads `progress 120/1000 games, …  loss 0.21, validation 0.25`, as the command line says it
/// where nobody sees a bar. The words behind two spaces tell how the learner stands.
fn progress(line: &str) -> Option<(Progress, Option<Point>)> {
    let (counts, words) = line.strip_prefix("progress ")?.split_once(' ')?;
    let (done, total) = counts.split_once('/')?;
    let (done, total) = (done.parse().ok()?, total.parse().ok()?);
    let measures = words.split_once("  ").map_or("", |(_, measures)| measures);
    let point = Point { done, total, values: values(measures) };
    let words = words.trim_end().replace("  ", "; ");
    let progress = Progress { words, ..Progress::new(done, total) };
    Some((progress, Some(point).filter(|point| !point.values.is_empty())))
}

/// Reads `loss 0.21, validation 0.25`.
fn values(text: &str) -> BTreeMap<String, f64> {
    let measure = |part: &str| {
        let (name, value) = part.trim().split_once(' ')?;
        let value: f64 = value.split_whitespace().next()?.parse().ok()?;
        let plain = name.chars().all(|symbol| symbol.is_ascii_lowercase());
        (plain && value.is_finite()).then(|| (name.to_owned(), value))
    };
    text.split(',').filter_map(measure).collect()
}

fn push(log: &mut std::collections::VecDeque<String>, line: &str) {
    if log.len() == LINES {
        log.pop_front();
    }
    log.push_back(line.chars().take(LONGEST_LINE).collect());
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn words(options: Value) -> Result<Vec<String>, Problem> {
        let options = serde_json::from_value(options).unwrap();
        arguments("tree", &options).map(|(_, words)| words)
    }

    #[test]
    fn options_become_arguments() {
        let given = json!({"of": "lowest-risk", "games": 10, "prune": true, "board": "9x9x10"});
        let expected = ["train", "tree", "--board=9x9x10", "--games=10", "--of=lowest-risk"];
        assert_eq!(words(given).unwrap()[..5], expected);
    }

    #[test]
    fn options_open_no_files_and_no_doors() {
        for hostile in [
            json!({"out": "/etc/passwd"}),
            json!({"svg": "x"}),
            json!({"of": "tree:/etc/passwd"}),
            json!({"board": "9x9x10 --out=/tmp/x"}),
            json!({"games": "10"}),
            json!({"games": -1}),
            json!({"prune": "yes"}),
            json!({"--out": "x"}),
        ] {
            assert!(words(hostile.clone()).is_err(), "{hostile}");
        }
    }

    #[test]
    fn progress_is_read_from_lines() {
        let (read, point) = progress("progress 120/1000 games, half a minute to go").unwrap();
        assert_eq!((read.done, read.total, read.share), (120, 1000, 0.12));
        assert_eq!(point, None);
        assert_eq!(progress("progress is good"), None);
        let line =
            "progress 7/9 parts, 3s so far, 1s to go  loss 0.25, validation 0.5, 90 samples/s";
        let (_, point) = progress(line).unwrap();
        let values = [("loss".to_owned(), 0.25), ("validation".to_owned(), 0.5)];
        assert_eq!(point, Some(Point { done: 7, total: 9, values: values.into() }));
    }
}
