//! Corpus files and times, as the benchmarks of this crate and of `peers` need them.

use std::collections::HashMap;
use std::fs;
use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use deminer_game::View;

/// The corpus of our own, which `cargo xtask corpus` writes.
pub const OUR_CORPUS: &str = "boards/corpus/positions.txt";

/// A position of a corpus.
pub struct Position {
    /// Its name: the group and, after the last `_`, which one of the group.
    pub name: String,
    /// What the player sees.
    pub view: View,
}

impl Position {
    /// The name up to its last `_`.
    pub fn group(&self) -> &str {
        self.name.rsplit_once('_').map_or(&self.name, |(group, _)| group)
    }
}

/// The groups, each once, in the order of the file.
pub fn groups(positions: &[Position]) -> Vec<&str> {
    let mut groups: Vec<&str> = Vec::new();
    for position in positions {
        if !groups.contains(&position.group()) {
            groups.push(position.group());
        }
    }
    groups
}

/// Reads a file of positions, each after a line `> name`.
pub fn read_positions(path: &str) -> Result<Vec<Position>> {
    let blocks = read_blocks(path)?;
    let parsed = blocks.into_iter().map(|(name, text)| {
        let view = text.parse().with_context(|| format!("{path}: position {name}"))?;
        Ok(Position { name, view })
    });
    parsed.collect()
}

/// Published odds: for each position the probability of a mine by row and column.
pub type Published = HashMap<String, Vec<(usize, usize, f64)>>;

/// Reads a file of odds: after each line `> name`, lines of row, column and probability.
pub fn read_odds(path: &str) -> Result<Published> {
    let mut published = Published::new();
    for (name, text) in read_blocks(path)? {
        let cells: Result<Vec<_>> = text.lines().map(odds_line).collect();
        let cells = cells.with_context(|| format!("{path}: position {name}"))?;
        published.insert(name, cells);
    }
    Ok(published)
}

fn odds_line(line: &str) -> Result<(usize, usize, f64)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [row, column, mine] = words.as_slice() else {
        bail!("`{line}` is not a row, a column and a probability");
    };
    Ok((row.parse()?, column.parse()?, mine.parse()?))
}

/// Names and what follows them. A relative path starts at the workspace's folder, since cargo
/// runs benchmarks in the folder of their package.
fn read_blocks(path: &str) -> Result<Vec<(String, String)>> {
    let workspace: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text =
        fs::read_to_string(workspace.join(path)).with_context(|| format!("{path} is not read"))?;
    let mut blocks: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix('>'), blocks.last_mut()) {
            (Some(name), _) => blocks.push((name.trim().to_owned(), String::new())),
            (None, Some((_, block))) => {
                block.push_str(line);
                block.push('\n');
            }
            (None, None) => bail!("{path}: `{line}` stands before the first line `> name`"),
        }
    }
    Ok(blocks)
}

/// How often a quick computation is timed.
const REPETITIONS: usize = 9;

/// What takes longer than this is measured once.
const SLOW: Duration = Duration::from_millis(50);

/// What takes less than this is computed many times for one time: reading the clock of a thread
/// takes about a microsecond.
const BRIEF: Duration = Duration::from_micros(200);
const MANY: usize = 16;

/// The median time, in microseconds, of a computation that times itself and repeats its work as
/// often as its argument says.
pub fn median_micros(mut compute: impl FnMut(usize) -> Duration) -> f64 {
    let first = compute(1);
    if first >= SLOW {
        return first.as_secs_f64() * 1e6;
    }
    let often = if first < BRIEF { MANY } else { 1 };
    let mut times: Vec<Duration> = (0..REPETITIONS).map(|_| compute(often)).collect();
    median(&mut times).as_secs_f64() * 1e6 / often as f64
}

/// The one in the middle.
pub fn median<T: Copy + Ord>(values: &mut [T]) -> T {
    values.sort_unstable();
    values[values.len() / 2]
}

/// What many times come to; not a number if there are none.
pub struct Summary {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub p50: f64,
    /// The least that 99 % do not exceed.
    pub p99: f64,
    /// The greatest.
    pub max: f64,
}

impl Summary {
    /// Sums up.
    pub fn of(times: &[f64]) -> Self {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        let rank = |share: f64| (sorted.len() as f64 * share).ceil() as usize;
        let quantile = |share| match rank(share) {
            0 => f64::NAN,
            rank => sorted[rank - 1],
        };
        Self {
            mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
            p50: quantile(0.5),
            p99: quantile(0.99),
            max: quantile(1.0),
        }
    }
}

/// A number of microseconds in few digits; a dash for none.
pub fn micros(time: f64) -> String {
    match time {
        time if time.is_nan() => "-".to_owned(),
        time if time < 1000.0 => format!("{time:.1}"),
        time => format!("{time:.0}"),
    }
}

/// Prints the progress of the work.
pub fn show_progress(done: usize, all: usize) {
    if stderr().is_terminal() {
        eprint!("\r{done} of {all} positions {}", if done == all { "\n" } else { "" });
    }
}
