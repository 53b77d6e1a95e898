//! The example server and its clients: JSON documents, one a line, with a version.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{io, thread};

use deminer_learn::ilp::background::Reach;
use deminer_learn::ilp::paper::ExampleSource;
use deminer_learn::ilp::{Clause, Example, Judgment, Labels, Server, Target};
use serde::{Deserialize, Serialize};

use crate::train::TrainError;

/// The version of the documents.
const VERSION: u32 = 1;

/// The longest line that is read.
const LONGEST: u64 = 16 << 20;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    version: u32,
    seed: u64,
    labels: Labels,
    target: Target,
    ask: Ask,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Ask {
    Begin { count: usize },
    Judge { round: u64, rules: Vec<Clause> },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Answer {
    Examples(Vec<Example>),
    Judgment(Judgment),
    Error(String),
}

/// Reads one line; none at the end.
fn read_line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    let read = io::Read::take(&mut *from, LONGEST).read_line(&mut line)?;
    Ok((read > 0).then_some(line))
}

fn write_line(stream: &mut TcpStream, document: &impl Serialize) -> io::Result<()> {
    let line = serde_json::to_string(document)? + "\n";
    stream.write_all(line.as_bytes())
}

/// A server on the other side of a socket.
pub(super) struct Remote {
    address: String,
    source: ExampleSource,
    stream: BufReader<TcpStream>,
}

impl Remote {
    pub fn connect(address: &str, source: ExampleSource) -> Result<Self, TrainError> {
        let stream = TcpStream::connect(address).map_err(|error| {
            TrainError::Server(format!("cannot reach an example server at {address}: {error}"))
        })?;
        Ok(Self { address: address.to_owned(), source, stream: BufReader::new(stream) })
    }

    /// An error of this server.
    fn fault(&self, words: impl std::fmt::Display) -> TrainError {
        TrainError::Server(format!("the example server at {} {words}", self.address))
    }

    fn ask(&mut self, target: Target, ask: Ask) -> Result<Answer, TrainError> {
        let ExampleSource { seed, labels } = self.source;
        let question = Question { version: VERSION, seed, labels, target, ask };
        let asked = write_line(self.stream.get_mut(), &question);
        let line = asked.and_then(|()| read_line(&mut self.stream));
        let line = line.map_err(|error| self.fault(format_args!("was lost: {error}")))?;
        let Some(line) = line else {
            return Err(self.fault("closed the connection before it answered"));
        };
        if !line.ends_with('\n') {
            let column = line.chars().count() + 1;
            return Err(self.fault(format_args!(
                "closed the connection in the middle of its answer (line 1, column {column})"
            )));
        }
        match serde_json::from_str(&line) {
            Ok(Answer::Error(message)) => Err(self.fault(format_args!("says: {message}"))),
            Ok(answer) => Ok(answer),
            Err(error) => Err(self.fault(format_args!("answers in no known way: {error}"))),
        }
    }
}

impl Server for Remote {
    type Error = TrainError;

    fn begin(&mut self, target: Target, count: usize) -> Result<Vec<Example>, TrainError> {
        match self.ask(target, Ask::Begin { count })? {
            Answer::Examples(examples) => Ok(examples),
            _ => Err(self.fault("sent no examples")),
        }
    }

    fn judge(
        &mut self,
        target: Target,
        round: u64,
        rules: &[Clause],
    ) -> Result<Judgment, TrainError> {
        match self.ask(target, Ask::Judge { round, rules: rules.to_vec() })? {
            Answer::Judgment(judgment) if judgment.records.len() == rules.len() => Ok(judgment),
            _ => Err(self.fault("judged other rules")),
        }
    }
}

/// Answers clients one after another, until stopped. A client that asks nonsense gets an error;
/// no client stops the server.
pub fn serve(
    listener: &TcpListener,
    threads: NonZero<usize>,
    stop: &AtomicBool,
    note: impl Fn(String),
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    while !stop.load(Ordering::Relaxed) {
        match listener.accept() {
            Ok((stream, peer)) => {
                note(format!("{peer} connected"));
                match converse(stream, threads, stop) {
                    Ok(()) => note(format!("{peer} left")),
                    Err(error) => note(format!("{peer} was lost: {error}")),
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                thread::sleep(Duration::from_millis(20));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn converse(stream: TcpStream, threads: NonZero<usize>, stop: &AtomicBool) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    // A client learns for a while between two questions; one that never asks again is dropped.
    stream.set_read_timeout(Some(Duration::from_secs(600)))?;
    let mut stream = BufReader::new(stream);
    while !stop.load(Ordering::Relaxed) {
        let Some(line) = read_line(&mut stream)? else { return Ok(()) };
        let answer = answer(&line, threads).unwrap_or_else(Answer::Error);
        write_line(stream.get_mut(), &answer)?;
    }
    Ok(())
}

fn answer(line: &str, threads: NonZero<usize>) -> Result<Answer, String> {
    let Question { version, seed, labels, target, ask } = serde_json::from_str(line)
        .map_err(|error| format!("the question cannot be read: {error}"))?;
    if version != VERSION {
        return Err(format!("version {version} is asked, version {VERSION} is spoken here"));
    }
    let mut server = ExampleSource { seed, labels }.server(Reach::Near, threads);
    match ask {
        Ask::Begin { count } if count > 10_000 => Err(format!("{count} examples are too many")),
        Ask::Begin { count } => {
            let Ok(examples) = server.begin(target, count);
            Ok(Answer::Examples(examples))
        }
        Ask::Judge { round, rules } => {
            let Ok(judgment) = server.judge(target, round, &rules);
            Ok(Answer::Judgment(judgment))
        }
    }
}
