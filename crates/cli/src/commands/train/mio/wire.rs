//! What the example server and its clients say to each other, and what is kept of a session: JSON,
//! one document a line, with a version.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use deminer_game::View;
use deminer_inference::deduce::Fact;
use deminer_lab::induce::Source;
use deminer_learn::ilp::background::Reach;
use deminer_learn::ilp::{
    Clause, Effort, Example, Judgment, Labels, Record, Server, Session, Target, Theory,
};
use serde::{Deserialize, Serialize};

/// The version of the documents.
pub const VERSION: u32 = 1;

/// The longest line that is read.
const LONGEST: u64 = 16 << 20;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    version: u32,
    seed: u64,
    labels: String,
    target: String,
    ask: Ask,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Ask {
    Begin { count: usize },
    Judge { round: u64, rules: Vec<String> },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Answer {
    Examples(Vec<ExampleShape>),
    Judgment { records: Vec<[u64; 2]>, counterexamples: Vec<ExampleShape> },
    Error(String),
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleShape {
    /// The position in text notation.
    board: String,
    /// Row and column.
    cell: [usize; 2],
    /// `safe`, `mine` or nothing.
    label: Option<String>,
}

impl ExampleShape {
    fn of(example: &Example) -> Self {
        let (row, column) = example.view.shape().position(example.cell);
        let word = |fact| if fact == Fact::Safe { "safe" } else { "mine" };
        let label = example.label.map(|fact| word(fact).to_owned());
        Self { board: example.view.to_string(), cell: [row, column], label }
    }

    fn read(&self) -> anyhow::Result<Example> {
        let view: View = self.board.parse().context("an example's board")?;
        let [row, column] = self.cell;
        let cell = view.shape().cell(row, column);
        let cell = cell.with_context(|| format!("cell [{row}, {column}] is not on its board"))?;
        if !view.face(cell).is_covered() {
            bail!("cell [{row}, {column}] of an example is not covered");
        }
        let label = match self.label.as_deref() {
            None => None,
            Some("safe") => Some(Fact::Safe),
            Some("mine") => Some(Fact::Mine),
            Some(other) => bail!("`{other}` is no label of an example (safe, mine or null)"),
        };
        Ok(Example { view: Arc::new(view), cell, label })
    }
}

fn read_examples(shapes: &[ExampleShape]) -> anyhow::Result<Vec<Example>> {
    shapes.iter().map(ExampleShape::read).collect()
}

fn read_target(word: &str) -> anyhow::Result<Target> {
    let target = Target::ALL.into_iter().find(|target| target.name() == word);
    target.with_context(|| format!("`{word}` is no target (safe or mine)"))
}

fn read_labels(word: &str) -> anyhow::Result<Labels> {
    let labels = Labels::ALL.into_iter().find(|labels| labels.name() == word);
    labels.with_context(|| format!("`{word}` names no labels (content or deducible)"))
}

fn read_rule(text: &str) -> anyhow::Result<Clause> {
    let theory = Theory::read(text).context("a rule")?;
    let [clause] = <[Clause; 1]>::try_from(theory.rules)
        .map_err(|rules| anyhow::anyhow!("{} rules where one should be", rules.len()))?;
    Ok(clause)
}

/// Reads one line; none at the end.
fn read_line(from: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut line = String::new();
    let read = std::io::Read::take(&mut *from, LONGEST).read_line(&mut line)?;
    Ok((read > 0).then_some(line))
}

/// A server on the other side of a socket.
pub struct Remote {
    address: String,
    source: Source,
    stream: BufReader<TcpStream>,
}

impl Remote {
    pub fn connect(address: &str, source: Source) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)
            .with_context(|| format!("cannot reach an example server at {address}"))?;
        Ok(Self { address: address.to_owned(), source, stream: BufReader::new(stream) })
    }

    fn ask(&mut self, target: Target, ask: Ask) -> anyhow::Result<Answer> {
        let question = Question {
            version: VERSION,
            seed: self.source.seed,
            labels: self.source.labels.name().to_owned(),
            target: target.name().to_owned(),
            ask,
        };
        let address = &self.address;
        let line = serde_json::to_string(&question)? + "\n";
        let lost = || format!("the connection to the example server at {address} broke");
        self.stream.get_mut().write_all(line.as_bytes()).with_context(lost)?;
        let Some(line) = read_line(&mut self.stream).with_context(lost)? else {
            bail!("the example server at {address} closed the connection before it answered");
        };
        if !line.ends_with('\n') {
            bail!(
                "the example server at {address} closed the connection in the middle of its \
                 answer (line 1, column {})",
                line.chars().count() + 1
            );
        }
        match serde_json::from_str(&line) {
            Ok(Answer::Error(message)) => bail!("the example server at {address} says: {message}"),
            Ok(answer) => Ok(answer),
            Err(error) => bail!("the example server at {address} answers in no known way: {error}"),
        }
    }
}

impl Server for Remote {
    type Error = anyhow::Error;

    fn begin(&mut self, target: Target, count: usize) -> anyhow::Result<Vec<Example>> {
        match self.ask(target, Ask::Begin { count })? {
            Answer::Examples(examples) => read_examples(&examples),
            _ => bail!("the example server at {} sent no examples", self.address),
        }
    }

    fn judge(&mut self, target: Target, round: u64, rules: &[Clause]) -> anyhow::Result<Judgment> {
        let texts = rules.iter().map(ToString::to_string).collect();
        match self.ask(target, Ask::Judge { round, rules: texts })? {
            Answer::Judgment { records, counterexamples } if records.len() == rules.len() => {
                let record = |[right, wrong]: [u64; 2]| Record { right, wrong };
                let records = records.into_iter().map(record).collect();
                Ok(Judgment { records, counterexamples: read_examples(&counterexamples)? })
            }
            _ => bail!("the example server at {} judged other rules", self.address),
        }
    }
}

/// Answers clients one after another, until stopped. A client that says nothing sensible is told
/// so; nobody's words stop the server.
pub fn serve(
    listener: &TcpListener,
    threads: NonZero<usize>,
    stop: &AtomicBool,
    note: impl Fn(String),
) -> anyhow::Result<()> {
    listener.set_nonblocking(true)?;
    while !stop.load(Ordering::Relaxed) {
        match listener.accept() {
            Ok((stream, peer)) => {
                note(format!("{peer} came"));
                match converse(stream, threads, stop) {
                    Ok(()) => note(format!("{peer} left")),
                    Err(error) => note(format!("{peer} was lost: {error:#}")),
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(error) => return Err(error).context("cannot accept a client"),
        }
    }
    Ok(())
}

fn converse(stream: TcpStream, threads: NonZero<usize>, stop: &AtomicBool) -> anyhow::Result<()> {
    stream.set_nonblocking(false)?;
    // A client learns for a while between two questions; one that never asks again is let go.
    stream.set_read_timeout(Some(Duration::from_secs(600)))?;
    let mut stream = BufReader::new(stream);
    while !stop.load(Ordering::Relaxed) {
        let Some(line) = read_line(&mut stream)? else { return Ok(()) };
        let answer =
            answer(&line, threads).unwrap_or_else(|error| Answer::Error(format!("{error:#}")));
        let line = serde_json::to_string(&answer)? + "\n";
        stream.get_mut().write_all(line.as_bytes())?;
    }
    Ok(())
}

fn answer(line: &str, threads: NonZero<usize>) -> anyhow::Result<Answer> {
    let question: Question = serde_json::from_str(line).context("the question cannot be read")?;
    if question.version != VERSION {
        bail!("version {} is asked, version {VERSION} is spoken here", question.version);
    }
    let (target, labels) = (read_target(&question.target)?, read_labels(&question.labels)?);
    let mut server = Source { seed: question.seed, labels }.server(Reach::Near, threads);
    match question.ask {
        Ask::Begin { count } if count > 10_000 => bail!("{count} examples are too many"),
        Ask::Begin { count } => {
            let Ok(examples) = server.begin(target, count);
            Ok(Answer::Examples(examples.iter().map(ExampleShape::of).collect()))
        }
        Ask::Judge { round, rules } => {
            let rules: Vec<Clause> =
                rules.iter().map(|text| read_rule(text)).collect::<anyhow::Result<_>>()?;
            let Ok(judgment) = server.judge(target, round, &rules);
            let records = judgment.records.iter().map(|record| [record.right, record.wrong]);
            Ok(Answer::Judgment {
                records: records.collect(),
                counterexamples: judgment.counterexamples.iter().map(ExampleShape::of).collect(),
            })
        }
    }
}

/// What is kept of a session.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    version: u32,
    /// The settings that it belongs to.
    pub belongs_to: String,
    /// Rules about safe cells, once they are learned.
    pub safe: Option<SessionShape>,
    /// The session under way, about mines once there are rules about safe cells.
    pub session: SessionShape,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionShape {
    target: String,
    seed: u64,
    round: u64,
    settled: bool,
    examples: Vec<ExampleShape>,
    seen: usize,
    rules: Vec<(String, u64, u64)>,
    effort: [usize; 3],
}

impl Kept {
    pub fn new(belongs_to: String, safe: Option<&Session>, session: &Session) -> Self {
        let safe = safe.map(SessionShape::of);
        Self { version: VERSION, belongs_to, safe, session: SessionShape::of(session) }
    }

    pub fn read(text: &str) -> anyhow::Result<Self> {
        let kept: Self = serde_json::from_str(text)?;
        if kept.version != VERSION {
            bail!("it has version {}, version {VERSION} is read here", kept.version);
        }
        Ok(kept)
    }
}

impl SessionShape {
    fn of(session: &Session) -> Self {
        let rule =
            |(clause, record): &(Clause, Record)| (clause.to_string(), record.right, record.wrong);
        let Effort { searches, clauses, limited } = session.effort;
        Self {
            target: session.target.name().to_owned(),
            seed: session.seed,
            round: session.round,
            settled: session.settled,
            examples: session.examples.iter().map(ExampleShape::of).collect(),
            seen: session.seen,
            rules: session.rules.iter().map(rule).collect(),
            effort: [searches, clauses, limited],
        }
    }

    pub fn read(&self) -> anyhow::Result<Session> {
        let rule = |(text, right, wrong): &(String, u64, u64)| {
            Ok((read_rule(text)?, Record { right: *right, wrong: *wrong }))
        };
        let [searches, clauses, limited] = self.effort;
        let held = self.examples.len();
        if self.seen > held {
            bail!("it has learned from {} examples, but holds {held}", self.seen);
        }
        Ok(Session {
            target: read_target(&self.target)?,
            seed: self.seed,
            round: self.round,
            settled: self.settled,
            examples: read_examples(&self.examples)?,
            seen: self.seen,
            rules: self.rules.iter().map(rule).collect::<anyhow::Result<_>>()?,
            effort: Effort { searches, clauses, limited },
        })
    }
}
