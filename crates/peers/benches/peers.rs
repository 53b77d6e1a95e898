//! Our engine and its peers on the same positions.
//!
//! ```text
//! cargo bench -p deminer-peers -- [POSITIONS] [--odds ODDS] [--timeout SECONDS] [--only GROUP] [--json FILE]
//! ```
//!
//! `POSITIONS` is a file of positions, by default `boards/corpus/positions.txt`; `ODDS` has the
//! right answers, against which ours are checked too. Relative paths start at the workspace's
//! folder. `--timeout` is the wall time a peer has for a position (5 seconds), `--only` takes the
//! groups whose names contain a text. `--json` also writes the rows of `cargo xtask bench-all`.
//!
//! Every engine answers a position before any sees the next one. Times are CPU time of the
//! engine's thread in microseconds, cold, medians of several computations. Ours stand beside
//! those of each peer for the positions which that peer solved, then how many times longer the
//! peer takes, at last on the position where it comes closest.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use deminer_peers::engine::{DEMINER, Entry, PEERS};
use deminer_peers::measure::{
    self, OUR_CORPUS, Position, Published, Summary, micros, show_progress,
};
use deminer_peers::{Answer, Worker};
use serde_json::{Value, json};

/// A peer whose probabilities are further from the exact ones is wrong. One of them counts in
/// single precision.
const TOLERANCE: f64 = 1e-6;

/// Our own are held to more.
const OUR_TOLERANCE: f64 = 1e-9;

fn main() -> Result<()> {
    let options = options()?;
    let mut positions = measure::read_positions(&options.positions)?;
    positions.retain(|position| position.group().contains(&options.only));
    if positions.is_empty() {
        bail!("{}: no group contains `{}`", options.positions, options.only);
    }
    println!("{}: {} positions; CPU time in µs", options.positions, positions.len());

    let answers = ask_all(&positions, options.timeout)?;
    let (ours, peers) = answers.split_first().expect("one list for each engine");
    print_ours(&positions, ours);
    let mut rows = Vec::new();
    for (entry, theirs) in PEERS.iter().zip(peers) {
        rows.extend(print_peer(entry, &positions, ours, theirs));
    }
    if let Some(file) = options.json {
        let note = |entry: &Entry| format!("{}: {}.", entry.name, entry.about);
        let notes: Vec<String> = PEERS.iter().map(note).collect();
        let document = json!({ "rows": rows, "notes": notes });
        fs::write(&file, document.to_string()).context(file)?;
    }
    if let Some(file) = options.odds {
        check_ours(&positions, ours, &measure::read_odds(&file)?)?;
    }
    Ok(())
}

struct Options {
    positions: String,
    odds: Option<String>,
    timeout: Duration,
    only: String,
    json: Option<String>,
}

fn options() -> Result<Options> {
    let mut options = Options {
        positions: OUR_CORPUS.to_owned(),
        odds: None,
        timeout: Duration::from_secs(5),
        only: String::new(),
        json: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            // Cargo says so to every benchmark.
            "--bench" => {}
            "--odds" => options.odds = Some(value()?),
            "--only" => options.only = value()?,
            "--json" => options.json = Some(value()?),
            "--timeout" => {
                let seconds = value()?.parse().context("--timeout needs a number of seconds")?;
                options.timeout = Duration::try_from_secs_f64(seconds).context("--timeout")?;
            }
            word if word.starts_with('-') => {
                bail!("`{word}` is no option (there are --odds, --timeout, --only and --json)")
            }
            _ => options.positions = word,
        }
    }
    Ok(options)
}

/// The answers of our engine to all positions, then those of each peer.
fn ask_all(positions: &[Position], timeout: Duration) -> Result<Vec<Vec<Answer>>> {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_deminer-peer"));
    let entries = [&DEMINER].into_iter().chain(PEERS);
    let mut workers: Vec<Worker> =
        entries.map(|entry| Worker::new(program.clone(), entry, timeout)).collect();
    let mut answers: Vec<Vec<Answer>> = workers.iter().map(|_| Vec::new()).collect();
    for (number, position) in positions.iter().enumerate() {
        show_progress(number + 1, positions.len());
        for (worker, answers) in workers.iter_mut().zip(&mut answers) {
            answers.push(worker.ask(&position.view)?);
        }
    }
    Ok(answers)
}

fn print_ours(positions: &[Position], ours: &[Answer]) {
    println!("\n{}: {}", DEMINER.name, DEMINER.about);
    println!("group                    positions  exact       p50       p99       max");
    for (group, numbers) in groups_and_all(positions) {
        let times: Vec<f64> = numbers.iter().filter_map(|&number| time(&ours[number])).collect();
        let (positions, exact, summary) = (numbers.len(), times.len(), Summary::of(&times));
        println!("{group:<24} {positions:>9} {exact:>6} {}", columns(&summary));
    }
    for (position, answer) in positions.iter().zip(ours) {
        match answer {
            Answer::Odds { .. } => {}
            Answer::Refused(reason) => println!("{}: {reason}", position.name),
            Answer::Crashed(status) => println!("{}: crashed, {status}", position.name),
            Answer::TimedOut => println!("{}: timed out", position.name),
        }
    }
}

/// The groups and the numbers of their positions; at last, all of them.
fn groups_and_all(positions: &[Position]) -> Vec<(&str, Vec<usize>)> {
    let all = 0..positions.len();
    let mut groups: Vec<(&str, Vec<usize>)> = measure::groups(positions)
        .into_iter()
        .map(|group| (group, all.clone().filter(|&at| positions[at].group() == group).collect()))
        .collect();
    groups.push(("all", all.collect()));
    groups
}

fn time(answer: &Answer) -> Option<f64> {
    match answer {
        Answer::Odds { micros, .. } => Some(*micros),
        _ => None,
    }
}

fn columns(summary: &Summary) -> String {
    let Summary { p50, p99, max, .. } = *summary;
    format!("{:>9} {:>9} {:>9}", micros(p50), micros(p99), micros(max))
}

/// What became of the positions of a group in the hands of a peer.
#[derive(Default)]
struct Row {
    wrong: usize,
    refused: usize,
    crashed: usize,
    timed_out: usize,
    /// Times of the positions solved, theirs and ours.
    theirs: Vec<f64>,
    ours: Vec<f64>,
    /// The greatest difference to our odds, for each of them.
    differences: Vec<f64>,
    /// Positions that are worth a line of their own.
    remarks: Vec<String>,
}

impl Row {
    fn add(&mut self, name: &str, ours: &Answer, theirs: &Answer) {
        match (theirs, ours) {
            (Answer::Refused(reason), _) => {
                self.refused += 1;
                self.remarks.push(format!("{name}: refused, {reason}"));
            }
            (Answer::Crashed(status), _) => {
                self.crashed += 1;
                self.remarks.push(format!("{name}: crashed, {status}"));
            }
            (Answer::TimedOut, _) => self.timed_out += 1,
            (Answer::Odds { micros, mines }, Answer::Odds { micros: our_micros, mines: right }) => {
                let difference = greatest_difference(mines, right);
                if difference <= TOLERANCE {
                    self.theirs.push(*micros);
                    self.ours.push(*our_micros);
                    self.differences.push(difference);
                } else {
                    self.wrong += 1;
                    self.remarks.push(if difference.is_finite() {
                        format!("{name}: wrong by {difference:.1e}")
                    } else {
                        format!("{name}: wrong, not all are numbers")
                    });
                }
            }
            (Answer::Odds { micros, .. }, _) => {
                self.remarks.push(format!("{name}: answered in {micros:.0} µs, by us not at all"));
            }
        }
    }
}

/// Infinite if an answer is not a number, or the answers are about different cells.
fn greatest_difference(left: &[f64], right: &[f64]) -> f64 {
    if left.len() != right.len() {
        return f64::INFINITY;
    }
    let mut greatest = 0.0f64;
    for (left, right) in left.iter().zip(right) {
        let difference = (left - right).abs();
        greatest = if difference.is_nan() { f64::INFINITY } else { greatest.max(difference) };
    }
    greatest
}

/// Counts, times of the peer and ours in µs, how many times longer the peer takes, and its error.
const PEER_HEADER: &str = "\
group                    solved wrong refused crashed  late        p50       p99       max    our p50   our p99   our max\
\x20     p50     p99     max   least     error";

/// Prints what a peer did, and returns it as rows.
fn print_peer(
    entry: &Entry,
    positions: &[Position],
    ours: &[Answer],
    theirs: &[Answer],
) -> Vec<Value> {
    let mut rows = Vec::new();
    println!("\n{}: {}", entry.name, entry.about);
    println!("{PEER_HEADER}");
    let mut remarks = Vec::new();
    for (group, numbers) in groups_and_all(positions) {
        let count = numbers.len();
        let mut row = Row::default();
        for number in numbers {
            row.add(&positions[number].name, &ours[number], &theirs[number]);
        }
        let ratios = row.theirs.iter().zip(&row.ours).map(|(theirs, ours)| theirs / ours);
        let least = ratios.fold(f64::NAN, f64::min);
        let error = row.differences.iter().copied().reduce(f64::max);
        let error = error.map_or("-".to_owned(), |error| format!("{error:.0e}"));
        let (theirs, ours) = (Summary::of(&row.theirs), Summary::of(&row.ours));
        println!(
            "{group:<24} {:>6} {:>5} {:>7} {:>7} {:>5}  {}  {}  {:>7} {:>7} {:>7} {:>7}  {error:>8}",
            row.theirs.len(),
            row.wrong,
            row.refused,
            row.crashed,
            row.timed_out,
            columns(&theirs),
            columns(&ours),
            ratio(theirs.p50, ours.p50),
            ratio(theirs.p99, ours.p99),
            ratio(theirs.max, ours.max),
            ratio(least, 1.0),
        );
        let (solved, wrong) = (row.theirs.len(), row.wrong);
        for (which, ours, theirs) in [
            ("p50", ours.p50, theirs.p50),
            ("p99", ours.p99, theirs.p99),
            ("max", ours.max, theirs.max),
        ] {
            if solved > 0 {
                let what = format!(
                    "{group}: {solved} of {count} solved, {wrong} answered wrongly; {which}"
                );
                rows.push(json!({
                    "what": what, "unit": "µs", "ours": ours,
                    "beside": { "name": entry.name, "value": theirs, "ratio": theirs / ours },
                }));
            }
        }
        // The last row is about all positions.
        remarks = row.remarks;
    }
    for remark in remarks {
        println!("{remark}");
    }
    rows
}

/// How many times longer; a dash where there is nothing to compare.
fn ratio(theirs: f64, ours: f64) -> String {
    let ratio = theirs / ours;
    if ratio.is_nan() { "-".to_owned() } else { format!("{ratio:.0}x") }
}

/// Compares our odds with the published ones, so that one knows who is wrong.
fn check_ours(positions: &[Position], ours: &[Answer], published: &Published) -> Result<()> {
    let (mut compared, mut greatest) = (0, 0.0f64);
    for (position, answer) in positions.iter().zip(ours) {
        let (Answer::Odds { mines, .. }, Some(cells)) = (answer, published.get(&position.name))
        else {
            continue;
        };
        let mut cells = cells.clone();
        cells.sort_by_key(|&(row, column, _)| (row, column));
        let right: Vec<f64> = cells.iter().map(|&(_, _, mine)| mine).collect();
        let difference = greatest_difference(mines, &right);
        compared += 1;
        greatest = greatest.max(difference);
        if difference > OUR_TOLERANCE {
            println!("{}: ours differ from the published odds by {difference:.1e}", position.name);
        }
    }
    println!(
        "\nOurs against the published odds: {compared} positions, greatest error {greatest:.1e}"
    );
    if greatest > OUR_TOLERANCE {
        bail!("our odds are not the published ones");
    }
    Ok(())
}
