//! An engine in a process of its own: both ends of the conversation.
//!
//! The worker says `ready`. Then it reads positions in our notation, each ended by an empty
//! line, and answers with one line: `odds MICROSECONDS P P P …`, a probability for each covered
//! cell, row by row; or `refused REASON`.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use deminer_game::View;

use crate::engine::{Computed, Engine, Entry};
use crate::measure::median_micros;

const READY: &str = "ready";
const ODDS: &str = "odds";
const REFUSED: &str = "refused";

/// A position that no engine fails on, for what an engine prepares only once.
const WARM_UP: &str = "mines 3
    1 # # #
    # # # #
    # # # 1";

/// Answers positions until the input ends.
pub fn serve(entry: &Entry, input: &mut dyn BufRead, output: &mut dyn Write) -> Result<()> {
    let mut engine = (entry.build)();
    engine.compute(&WARM_UP.parse()?, 1).context("warming up")?;
    writeln!(output, "{READY}")?;
    output.flush()?;
    let mut text = String::new();
    while input.read_line(&mut text)? > 0 {
        if !text.ends_with("\n\n") {
            continue;
        }
        let view = text.parse().with_context(|| format!("a position was expected:\n{text}"))?;
        match measure(engine.as_mut(), &view) {
            Ok((micros, mines)) => {
                write!(output, "{ODDS} {micros}")?;
                for mine in mines {
                    write!(output, " {mine}")?;
                }
                writeln!(output)?;
            }
            Err(reason) => {
                writeln!(output, "{REFUSED} {}", format!("{reason:#}").replace('\n', " "))?;
            }
        }
        output.flush()?;
        text.clear();
    }
    Ok(())
}

/// The odds, and the median time of several computations if they are quick.
fn measure(engine: &mut dyn Engine, view: &View) -> Result<(f64, Vec<f64>)> {
    let Computed { time, mines } = engine.compute(view, 1)?;
    let mut failed = None;
    let mut first = Some(time);
    let micros = median_micros(|often| {
        first.take().unwrap_or_else(|| match engine.compute(view, often) {
            Ok(again) => again.time,
            Err(error) => {
                failed = Some(error);
                time
            }
        })
    });
    match failed {
        None => Ok((micros, mines)),
        Some(error) => Err(error.context("at a repetition")),
    }
}

/// What came of a position.
pub enum Answer {
    /// Odds: the CPU time in microseconds, and the probability of a mine for each covered cell.
    Odds {
        /// CPU time of the engine's thread, in microseconds.
        micros: f64,
        /// Row by row.
        mines: Vec<f64>,
    },
    /// The engine gave a reason instead.
    Refused(String),
    /// The process ended, with this status.
    Crashed(String),
    /// No answer in time.
    TimedOut,
}

/// Asks an engine in another process.
pub struct Worker {
    program: PathBuf,
    engine: &'static str,
    patience: Duration,
    process: Option<Process>,
}

impl Worker {
    /// A worker for one engine that waits so long for an answer; `program` is `deminer-peer`.
    pub fn new(program: PathBuf, entry: &Entry, patience: Duration) -> Self {
        Self { program, engine: entry.name, patience, process: None }
    }

    /// Has the odds of a view computed. After a crash or a time-out the next question finds a
    /// new process.
    ///
    /// # Errors
    /// If the process does not start, or does not answer as it should.
    pub fn ask(&mut self, view: &View) -> Result<Answer> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => Process::start(&self.program, self.engine)
                .with_context(|| format!("{} does not start", self.engine))?,
        };
        // Whether or not a process that ended took the position, it gives no answer below.
        let _ = process.input.write_all(format!("{view}\n").as_bytes());
        match process.answers.recv_timeout(self.patience) {
            Ok(line) => {
                self.process = Some(process);
                parse(&line).with_context(|| format!("{} answers `{line}`", self.engine))
            }
            Err(RecvTimeoutError::Timeout) => Ok(Answer::TimedOut),
            Err(RecvTimeoutError::Disconnected) => {
                Ok(Answer::Crashed(process.child.wait()?.to_string()))
            }
        }
    }
}

fn parse(line: &str) -> Result<Answer> {
    let (word, rest) = line.split_once(' ').context("no word that tells what it is")?;
    if word == REFUSED {
        return Ok(Answer::Refused(rest.to_owned()));
    }
    let mut numbers = rest.split(' ').map(str::parse);
    let micros = numbers.next().context("no time")??;
    Ok(Answer::Odds { micros, mines: numbers.collect::<Result<_, _>>()? })
}

/// A running worker. Dropping it ends it.
struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Process {
    /// How long a worker may take until it is ready.
    const START: Duration = Duration::from_secs(20);

    fn start(program: &PathBuf, engine: &str) -> Result<Self> {
        let mut child = Command::new(program)
            .arg(engine)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // What a peer says when it panics is not for the table.
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, answers) = channel();
        // Ends with the process, or when the receiver is dropped.
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let process = Self { child, input, answers };
        process.answers.recv_timeout(Self::START).context("it is not ready")?;
        Ok(process)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
