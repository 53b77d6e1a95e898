//! Trainings: `deminer train` as a program of its own, so that a learner may take all it needs
//! and its end is the end of its memory. The program prints events as JSON lines.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use deminer::requests::AgentSource;
use deminer::roster::Roster;
use deminer_game::Rules;
use deminer_lab::train::{
    self, Choices, EXACT, Event, LearnerEntry, LearnerOption, OptionError, Takes, TrainError,
};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{Ended, Job, Player, Point, Progress, RunDocument, State};
use crate::api::artifacts;
use crate::problem::Problem;

/// A learner: what the page may ask of `deminer train`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Learner)]
pub struct LearnerDocument {
    /// The subcommand.
    pub name: &'static str,
    /// What it makes, in a line.
    pub about: &'static str,
    /// The options that may be given.
    pub options: Vec<LearnerOptionDocument>,
}

/// An option of a learner.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = LearnerOption)]
pub struct LearnerOptionDocument {
    /// Its name, without the dashes.
    pub name: &'static str,
    /// What it takes.
    pub values: OptionValues,
    /// What it does.
    pub about: &'static str,
    /// The value where none is given; empty for none.
    pub default: &'static str,
}

/// What an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = Takes)]
#[serde(rename_all = "snake_case")]
pub enum OptionValues {
    /// Nothing: it is given or not.
    Flag,
    /// A number.
    Number,
    /// A word.
    Word,
    /// An agent.
    Agent,
}

/// What can be trained from the page. Options that name files or sockets are left out.
pub static LEARNERS: LazyLock<Vec<LearnerDocument>> = LazyLock::new(|| {
    let document = |entry: &'static LearnerEntry| LearnerDocument {
        name: entry.name,
        about: entry.about,
        options: open_options(entry).map(described).collect(),
    };
    train::LEARNERS.iter().map(document).collect()
});

/// The options of a learner that may be given from the page.
fn open_options(entry: &LearnerEntry) -> impl Iterator<Item = &'static LearnerOption> + use<> {
    entry.all_options().filter(|option| !option.local)
}

fn described(option: &'static LearnerOption) -> LearnerOptionDocument {
    let &LearnerOption { name, about, default, .. } = option;
    let values = match option.takes {
        Takes::Flag => OptionValues::Flag,
        Takes::Whole(..) | Takes::Number(..) => OptionValues::Number,
        Takes::Agent => OptionValues::Agent,
        _ => OptionValues::Word,
    };
    LearnerOptionDocument { name, values, about, default }
}

/// The file that a learner makes.
fn artifact_name(entry: &LearnerEntry) -> String {
    format!("artifact.{}", entry.extension)
}

/// Lines that are kept for the page.
const LINES: usize = 200;
/// The longest line that is kept.
const LONGEST_LINE: usize = 500;

/// Options by name, as text.
type Values = Vec<(String, String)>;

/// The options of a training, checked.
pub(super) fn choices(
    learner: &str,
    options: &BTreeMap<String, Value>,
    roster: &Roster,
) -> Result<(&'static LearnerEntry, Values), Problem> {
    let entry = train::find(learner).ok_or_else(|| {
        let names: Vec<&str> = train::LEARNERS.iter().map(|learner| learner.name).collect();
        let detail = format!("there is no learner `{learner}`; there are {}", names.join(", "));
        Problem::unfit(detail).at("learner")
    })?;
    let mut values = Vec::new();
    for (name, value) in options {
        let at = format!("options.{name}");
        let option = open_options(entry).find(|option| option.name == name).ok_or_else(|| {
            let names: Vec<&str> = open_options(entry).map(|option| option.name).collect();
            let detail = format!("there is no such option; there are {}", names.join(", "));
            Problem::unfit(detail).at(at.clone())
        })?;
        let text = written(option, value, roster).map_err(|problem| problem.at(at))?;
        values.extend(text.map(|text| (name.clone(), text)));
    }
    let out = ("out".to_owned(), artifact_name(entry));
    let all = values.iter().cloned().chain([out]);
    let checked = Choices::read(entry, "", roster, all).map_err(TrainError::from);
    checked.and_then(|choices| (entry.check)(&choices)).map_err(|error| match error {
        TrainError::Option(OptionError { name, reason }) => {
            Problem::unfit(reason).at(format!("options.{name}"))
        }
        error => Problem::unfit(error.to_string()).at("options"),
    })?;
    Ok((entry, values))
}

/// A value as text; nothing of a flag that is not given.
fn written(
    option: &LearnerOption,
    value: &Value,
    roster: &Roster,
) -> Result<Option<String>, Problem> {
    Ok(Some(match (option.takes, value) {
        (Takes::Flag, Value::Bool(given)) => return Ok(given.then(|| "true".to_owned())),
        (Takes::Flag, _) => return Err(Problem::unfit("this takes true or false")),
        (Takes::Whole(..) | Takes::Number(..), Value::Number(number)) => number.to_string(),
        (Takes::Whole(..), _) => return Err(Problem::unfit("this takes a whole number")),
        (Takes::Number(..), _) => return Err(Problem::unfit("this takes a number")),
        (Takes::Teacher, Value::String(text)) if text == EXACT => text.clone(),
        // Agents made of files are refused.
        (Takes::Agent | Takes::Teacher, Value::String(text)) => {
            AgentSource::agent(roster, text, "")?.to_string()
        }
        (_, Value::String(text)) => text.clone(),
        _ => return Err(Problem::unfit("this takes a string")),
    }))
}

const LOG: &str = "log.txt";
/// Points of the curve, a JSON document on each line.
const CURVE: &str = "curve.jsonl";
/// What it makes, once it is whole.
const DONE: &str = "done";

/// What earlier servers did.
pub(super) fn recall(job: &Job, learner: &str, roster: &Roster) {
    let Some(learner) = train::find(learner) else { return };
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
            finish(document, job, learner, roster);
        }
    });
}

/// Names the files that a training made and the agents that play with them.
fn finish(document: &mut RunDocument, job: &Job, learner: &LearnerEntry, roster: &Roster) {
    let name = artifact_name(learner);
    document.player =
        fs::read(job.folder.join(&name)).ok().map(|bytes| player(job, learner, roster, &bytes));
    document.artifact = Some(name);
}

/// The agent that plays with what a training made.
fn player(job: &Job, learner: &LearnerEntry, roster: &Roster, bytes: &[u8]) -> Player {
    let board = artifacts::board(learner.extension, bytes).unwrap_or_else(|| match learner.name {
        "quartetti" => "6x6x1".to_owned(),
        _ => "beginner".to_owned(),
    });
    let rules = board.parse().ok().and_then(|size| Rules::of(size).ok());
    let plays = |name: &&str| {
        let spec = roster.agent(name).ok();
        spec.zip(rules.as_ref()).is_some_and(|(spec, rules)| spec.can_play(rules))
    };
    let rivals = [learner.name, STRONGEST].into_iter().filter(plays).map(str::to_owned).collect();
    Player { agent: format!("{}:{}", learner.name, job.id), board, rivals }
}

const STRONGEST: &str = "best";

/// Trains to the end, or until the flag is raised.
pub(super) fn train(
    job: &Job,
    program: &Path,
    roster: &Roster,
    learner: &str,
    options: &BTreeMap<String, Value>,
) -> Result<Ended, String> {
    let (learner, values) =
        choices(learner, options, roster).map_err(|problem| problem.detail().to_owned())?;
    let words = values.into_iter().map(|(name, text)| match learner.option(&name) {
        Some(LearnerOption { takes: Takes::Flag, .. }) => format!("--{name}"),
        _ => format!("--{name}={text}"),
    });
    let mut child = Command::new(program)
        .args(["train", learner.name, "--events=json", "--with-parent"])
        .args(words)
        .arg(format!("--out={}", artifact_name(learner)))
        .current_dir(&job.folder)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    // The program ends when this end of its input closes: with this process, whatever ends it.
    let lifeline = child.stdin.take();
    let ended = follow(job, &mut child);
    if ended.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    drop(lifeline);
    match ended? {
        Ended::Stopped => Ok(Ended::Stopped),
        Ended::Finished if status.success() => {
            let done = job.disk.replace(&job.folder.join(DONE), b"");
            done.map_err(|error| format!("the data folder: {error}"))?;
            job.tell(|document| {
                document.progress.share = 1.0;
                document.progress.done = document.progress.total;
                finish(document, job, learner, roster);
            });
            Ok(Ended::Finished)
        }
        Ended::Finished => {
            let last = job.document().log.back().cloned().unwrap_or_default();
            Err(format!("the training ended with {status}: {last}"))
        }
    }
}

/// Passes on what the program prints, until it ends or the flag is raised.
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
    let open = |name: &str| append(&job.folder.join(name));
    let (mut log, mut curve) = open(LOG)
        .and_then(|log| Ok((log, open(CURVE)?)))
        .map_err(|error| format!("the data folder: {error}"))?;
    let mut note = |line: &str| {
        let _ = writeln!(log, "{line}");
        job.tell(|document| push(&mut document.log, line));
    };
    let mut asked: Option<Instant> = None;
    loop {
        match hear.recv_timeout(Duration::from_millis(100)) {
            Ok(line) => match serde_json::from_str(&line) {
                Ok(Event::Progress(progress)) => {
                    let point = point(&progress).filter(|point| job.document().curve.is_new(point));
                    if let Some(point) = &point {
                        let _ = writeln!(curve, "{}", serde_json::json!(point));
                    }
                    job.tell(|document| {
                        let words = format!("{}; {}", progress.things, progress.words());
                        let words = words.trim_end_matches("; ").to_owned();
                        document.progress =
                            Progress { words, ..Progress::new(progress.done, progress.total) };
                        point.into_iter().for_each(|point| document.curve.push(point));
                    });
                }
                Ok(Event::Note { text }) => text.lines().for_each(&mut note),
                // An error, or anything else that the program prints.
                Err(_) => note(&line),
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

/// Opens a file of lines to add some. A last line that was cut off is ended.
fn append(path: &Path) -> io::Result<File> {
    let mut file = File::options().create(true).append(true).open(path)?;
    if fs::read(path)?.last().is_some_and(|&last| last != b'\n') {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

/// How long a learner may take to write its checkpoint when it is stopped.
const FAREWELL: Duration = Duration::from_secs(4);

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

fn read_lines(stream: impl Read, mut take: impl FnMut(String) -> bool) {
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

/// A point of the curve, where there are numbers.
fn point(progress: &train::Progress) -> Option<Point> {
    let values = progress.numbers.iter().map(|number| (number.name.clone(), number.value));
    let point = Point { done: progress.done, total: progress.total, values: values.collect() };
    Some(point).filter(|point| !point.values.is_empty())
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

    fn values(options: Value) -> Result<Vec<(String, String)>, Problem> {
        let options = serde_json::from_value(options).unwrap();
        choices("tree", &options, &Roster::default()).map(|(_, values)| values)
    }

    #[test]
    fn options_become_values() {
        let given = json!({"of": "lowest-risk", "games": 10, "prune": true, "board": "9x9x10"});
        let expected =
            [("board", "9x9x10"), ("games", "10"), ("of", "lowest-risk"), ("prune", "true")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(values(given).unwrap(), expected);
    }

    #[test]
    fn options_open_no_files_and_no_doors() {
        for hostile in [
            json!({"out": "/etc/passwd"}),
            json!({"checkpoint": "x"}),
            json!({"of": "tree:/etc/passwd"}),
            json!({"board": "9x9x10 --out=/tmp/x"}),
            json!({"games": "10"}),
            json!({"games": -1}),
            json!({"prune": "yes"}),
            json!({"--out": "x"}),
        ] {
            assert!(values(hostile.clone()).is_err(), "{hostile}");
        }
        let local = LEARNERS.iter().flat_map(|learner| &learner.options);
        let local =
            local.filter(|option| ["out", "rows", "client", "aleph"].contains(&option.name));
        assert_eq!(local.count(), 0);
    }

    #[test]
    fn points_are_made_of_numbers() {
        let progress = train::Progress::new(7, 9, "parts");
        assert_eq!(point(&progress), None);
        let progress = progress.with("loss", 0.25, train::Unit::Plain);
        let values = [("loss".to_owned(), 0.25)];
        assert_eq!(point(&progress), Some(Point { done: 7, total: 9, values: values.into() }));
    }
}
