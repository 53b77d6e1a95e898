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
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{Ended, Job, Progress, State};
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
    /// How it goes on after it was stopped.
    #[serde(skip)]
    pub resume: Resume,
}

/// How a learner goes on after it was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// From the beginning; the same seed makes the same.
    Anew,
    /// With `--resume`, from the checkpoint beside what it makes.
    Flag,
    /// By itself, from the file named with `--checkpoint`.
    File,
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

const fn option(name: &'static str, values: Takes) -> LearnerOption {
    LearnerOption { name, values }
}

/// All that can be trained from the page. No option that names a file is among them.
pub const LEARNERS: &[Learner] = &[
    Learner {
        name: "tree",
        about: "a decision tree that imitates another agent",
        options: &[
            option("of", Takes::Agent),
            option("games", Takes::Number),
            option("seed", Takes::Number),
            option("depth", Takes::Number),
            option("features", Takes::Word),
            option("criterion", Takes::Word),
            option("least", Takes::Number),
            option("prune", Takes::Flag),
            option("rounds", Takes::Number),
            option("turns", Takes::Number),
            option("board", Takes::Word),
            option("start", Takes::Word),
            option("at", Takes::Word),
            option("shape", Takes::Word),
        ],
        extension: "tree",
        resume: Resume::Anew,
    },
    Learner {
        name: "gp",
        about: "a tree of checks that evolves",
        options: &[
            option("board", Takes::Word),
            option("fields", Takes::Number),
            option("positions", Takes::Flag),
            option("depth", Takes::Number),
            option("population", Takes::Number),
            option("iterations", Takes::Number),
            option("memory", Takes::Flag),
            option("saturated", Takes::Flag),
            option("orig", Takes::Flag),
            option("seed", Takes::Number),
        ],
        extension: "genome",
        resume: Resume::File,
    },
    Learner {
        name: "quartetti",
        about: "a program that walks over boards, evolved",
        options: &[
            option("population", Takes::Number),
            option("generations", Takes::Number),
            option("seed", Takes::Number),
        ],
        extension: "genome",
        resume: Resume::File,
    },
    Learner {
        name: "mio",
        about: "rules induced from examples",
        options: &[
            option("setting", Takes::Word),
            option("beyond", Takes::Flag),
            option("rounds", Takes::Number),
            option("seed", Takes::Number),
        ],
        extension: "pl",
        resume: Resume::Anew,
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
        option("orig", Takes::Flag),
        option("board", Takes::Word),
        option("games", Takes::Number),
        option("teacher", Takes::Word),
        option("seed", Takes::Number),
        option("epochs", Takes::Number),
        option("samples", Takes::Number),
        option("batch", Takes::Number),
        option("trial", Takes::Number),
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
const CHECKPOINT: &str = "artifact.checkpoint";
/// What it makes, once it is whole.
const DONE: &str = "done";

/// What earlier servers did.
pub(super) fn recall(job: &Job, learner: &str) {
    let Some(learner) = LEARNERS.iter().find(|known| known.name == learner) else { return };
    let name = format!("artifact.{}", learner.extension);
    let log = fs::read(job.folder.join(LOG)).unwrap_or_default();
    let log = String::from_utf8_lossy(&log).into_owned();
    job.tell(|document| {
        log.lines().for_each(|line| push(&mut document.log, line));
        if job.folder.join(DONE).exists() {
            document.state = State::Finished;
            document.progress = Progress::new(1, 1);
            document.artifact = Some(name);
        }
    });
}

/// Trains to the end, or until the flag is raised.
pub(super) fn train(
    job: &Job,
    program: &Path,
    learner: &str,
    options: &BTreeMap<String, Value>,
) -> Result<Ended, String> {
    let (learner, mut words) =
        arguments(learner, options).map_err(|problem| problem.detail().to_owned())?;
    let name = format!("artifact.{}", learner.extension);
    words.push(format!("--out={name}"));
    match learner.resume {
        Resume::Flag if job.folder.join(CHECKPOINT).exists() => words.push("--resume".to_owned()),
        Resume::File => words.push(format!("--checkpoint={CHECKPOINT}")),
        Resume::Flag | Resume::Anew => {}
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
                document.artifact = Some(name);
            });
            Ok(Ended::Finished)
        }
        Ended::Finished => {
            let last = job.document().log.back().cloned().unwrap_or_default();
            Err(format!("the training ended with {status}: {last}"))
        }
    }
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
    let mut log = File::create(job.folder.join(LOG)).map_err(|error| error.to_string())?;
    job.tell(|document| document.log.clear());
    loop {
        match hear.recv_timeout(Duration::from_millis(100)) {
            Ok(line) => match progress(&line) {
                Some(progress) => {
                    job.tell_sometimes(|document| document.progress = progress);
                }
                None => {
                    let _ = writeln!(log, "{line}");
                    job.tell(|document| push(&mut document.log, &line));
                }
            },
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(Ended::Finished),
        }
        if job.stop.load(Ordering::Relaxed) {
            let _ = child.kill();
            return Ok(Ended::Stopped);
        }
    }
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

/// Reads `progress 120/1000 games, …`, as the command line says it where nobody sees a bar.
fn progress(line: &str) -> Option<Progress> {
    let (counts, words) = line.strip_prefix("progress ")?.split_once(' ')?;
    let (done, total) = counts.split_once('/')?;
    let progress = Progress::new(done.parse().ok()?, total.parse().ok()?);
    Some(Progress { words: words.trim().to_owned(), ..progress })
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
        let read = progress("progress 120/1000 games, half a minute to go").unwrap();
        assert_eq!((read.done, read.total, read.share), (120, 1000, 0.12));
        assert_eq!(progress("progress is good"), None);
    }
}
