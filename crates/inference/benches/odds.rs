//! Time for the odds of a position.
//!
//! ```text
//! cargo bench -p deminer-inference -- [POSITIONS] [--odds ODDS]
//! ```
//!
//! `POSITIONS` is a file of positions, by default `boards/corpus/positions.txt`; `ODDS` has the
//! right answers, against which every probability is checked. Relative paths start at the
//! workspace's folder. All times are in microseconds.
//!
//! Cold means from the view alone, no region remembered: CPU time of one thread, the median of
//! several times of a position, each of many computations if they are quick. In play, one engine
//! follows games of lowest-risk play and remembers, what single clues prove being known: no call
//! can be repeated, and reading the CPU time would take about as long as a call, so the same
//! games are played several times over by the clock on the wall, and each call has its median.

mod measure;

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cpu_time::ThreadTime;
use deminer_game::{Action, Board, Cell, GameSeed, Rng, Rules, Size, State, View};
use deminer_inference::deduce::{Fact, SinglePoint};
use deminer_inference::odds::{Engine, Odds, OddsError};

use measure::{Position, Published, Summary, micros, show_progress};

/// Probabilities further from the published ones are wrong.
const TOLERANCE: f64 = 1e-9;

/// Games played for the times in play, and how often.
const GAMES: u64 = 2000;
const RUNS: usize = 5;

/// Hard positions slower than this are listed by name.
const SLOW_MICROS: f64 = 5000.0;

fn main() -> Result<()> {
    let options = options()?;
    let positions = measure::read_positions(&options.positions)?;
    let published = options.odds.as_deref().map(measure::read_odds).transpose()?;
    let measured = measure_all(&positions);
    println!("Times in µs\n\nCold: {}, {} positions", options.positions, positions.len());
    print_groups(&positions, &measured);
    print_slow(&positions, &measured);
    print_in_play();
    match published {
        Some(published) => check(&positions, &measured, &published),
        None => Ok(()),
    }
}

struct Options {
    positions: String,
    odds: Option<String>,
}

fn options() -> Result<Options> {
    let mut options = Options { positions: measure::OUR_CORPUS.to_owned(), odds: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            // Cargo says so to every benchmark.
            "--bench" => {}
            "--odds" => options.odds = Some(words.next().context("--odds needs a file")?),
            word if word.starts_with('-') => bail!("`{word}` is no option (there is --odds FILE)"),
            _ => options.positions = word,
        }
    }
    Ok(options)
}

/// The odds of a position and how long they took.
struct Measured {
    micros: f64,
    answer: Result<Odds>,
}

fn measure_all(positions: &[Position]) -> Vec<Measured> {
    let mut engine = Engine::default();
    let numbered = positions.iter().enumerate().map(|(number, position)| {
        show_progress(number + 1, positions.len());
        measure_cold(&mut engine, &position.view)
    });
    numbered.collect()
}

/// Odds of a view with nothing remembered: exact, or sampled where that is too much work.
fn measure_cold(engine: &mut Engine, view: &View) -> Measured {
    let answer = cold_odds(engine, view).cloned().map_err(Into::into);
    let micros = measure::median_micros(|often| {
        let start = ThreadTime::now();
        for _ in 0..often {
            // What goes wrong did so the first time.
            let _ = black_box(cold_odds(engine, view));
        }
        start.elapsed()
    });
    Measured { micros, answer }
}

fn cold_odds<'a>(engine: &'a mut Engine, view: &View) -> std::result::Result<&'a Odds, OddsError> {
    engine.forget();
    engine.sampled_odds(view, &mut Rng::new(1))
}

fn print_groups(positions: &[Position], measured: &[Measured]) {
    println!(
        "{:<24} {:>9} {:>6} {:>7} {:>6} {:>10} {:>10} {:>10} {:>10}",
        "group", "positions", "exact", "sampled", "failed", "mean", "p50", "p99", "max"
    );
    for group in measure::groups(positions) {
        let mut times = Vec::new();
        let (mut exact, mut sampled, mut failed) = (0, 0, 0);
        for (position, measured) in positions.iter().zip(measured) {
            if position.group() != group {
                continue;
            }
            match &measured.answer {
                Ok(odds) if odds.is_exact() => exact += 1,
                Ok(_) => sampled += 1,
                Err(_) => failed += 1,
            }
            if measured.answer.is_ok() {
                times.push(measured.micros);
            }
        }
        let positions = exact + sampled + failed;
        println!(
            "{group:<24} {positions:>9} {exact:>6} {sampled:>7} {failed:>6} {}",
            columns(&Summary::of(&times))
        );
    }
}

fn columns(summary: &Summary) -> String {
    let Summary { mean, p50, p99, max } = *summary;
    format!("{:>10} {:>10} {:>10} {:>10}", micros(mean), micros(p50), micros(p99), micros(max))
}

/// Names the positions that were made to be hard, and are.
fn print_slow(positions: &[Position], measured: &[Measured]) {
    let mut slow: Vec<(&Position, &Measured)> = positions
        .iter()
        .zip(measured)
        .filter(|(position, _)| position.name.starts_with("hard_"))
        .filter(|(_, measured)| measured.micros > SLOW_MICROS || measured.answer.is_err())
        .collect();
    slow.sort_by(|left, right| right.1.micros.total_cmp(&left.1.micros));
    if !slow.is_empty() {
        println!("\nHard positions above {} ms", SLOW_MICROS / 1000.0);
    }
    for (position, measured) in slow {
        let answer = match &measured.answer {
            Ok(odds) => match odds.standard_error() {
                None => "exact".to_owned(),
                Some(error) => format!("sampled, standard error {error:.1e}"),
            },
            Err(error) => error.to_string(),
        };
        println!("{:<34} {:>10.1} ms  {answer}", position.name, measured.micros / 1000.0);
    }
}

/// Times the odds in games of lowest-risk play with one engine.
fn print_in_play() {
    let (_, size) = Size::LEVELS[2];
    let rules = Rules::of(size).expect("levels fit");
    let runs: Vec<Vec<Call>> = (0..RUNS).map(|_| play_all(&rules)).collect();
    println!("\nIn play: {GAMES} games of lowest-risk play on {rules} at a corner, one engine");
    println!(
        "{:<24} {:>9} {:>32} {:>10} {:>10} {:>10}",
        "calls", "number", "mean", "p50", "p99", "max"
    );
    let usual = |number: usize| {
        let mut times: Vec<Duration> = runs.iter().map(|calls| calls[number].time).collect();
        measure::median(&mut times).as_secs_f64() * 1e6
    };
    for (name, every) in [("where it must guess", false), ("all", true)] {
        let calls = (0..runs[0].len()).filter(|&number| every || runs[0][number].must_guess);
        let times: Vec<f64> = calls.map(usual).collect();
        println!("{name:<24} {:>9} {:>21} {}", times.len(), "", columns(&Summary::of(&times)));
    }
}

/// A call for odds in play: whether the player had to guess, and its time: following the single
/// clues since the last call, and the odds.
struct Call {
    must_guess: bool,
    time: Duration,
}

fn play_all(rules: &Rules) -> Vec<Call> {
    let mut engine = Engine::default();
    let mut calls = Vec::new();
    for game in 0..GAMES {
        let board = Board::dealt(rules.clone(), GameSeed { seed: 1, game });
        play(board, &mut engine, &mut calls);
    }
    calls
}

/// Opens the corner, then all that single clues prove safe, else all that the odds do, else the
/// first cell of lowest risk.
fn play(mut board: Board, engine: &mut Engine, calls: &mut Vec<Call>) {
    board.act(Action::Open(board.view().shape().nth(0).expect("boards have cells")));
    let mut known = SinglePoint::new(board.view().shape());
    let mut opened: Vec<Cell> = Vec::new();
    while board.state() == State::Live {
        let start = Instant::now();
        known.update(board.view());
        let following = start.elapsed();
        let safe = known.fresh().filter(|&(_, fact)| fact == Fact::Safe);
        opened.extend(safe.map(|(cell, _)| cell));
        if opened.is_empty() {
            let start = Instant::now();
            let odds = engine.odds_knowing(board.view(), &known);
            let time = following + start.elapsed();
            let odds = odds.expect("expert positions are narrow");
            let proved = |&cell: &Cell| odds.fact(cell) == Some(Fact::Safe);
            opened.extend(board.view().covered().filter(proved));
            calls.push(Call { must_guess: opened.is_empty(), time });
            if opened.is_empty() {
                let risk = |&cell: &Cell| odds.mine(cell).expect("covered cells have a risk");
                let least = |left: &Cell, right: &Cell| risk(left).total_cmp(&risk(right));
                opened.extend(board.view().covered().min_by(least));
            }
        }
        for cell in opened.drain(..) {
            board.act(Action::Open(cell));
        }
    }
}

/// Compares all exact odds with the published ones.
fn check(positions: &[Position], measured: &[Measured], published: &Published) -> Result<()> {
    println!("\nAgainst the published odds");
    let (mut compared, mut worst) = (0, 0.0f64);
    let mut faults = Vec::new();
    for (position, measured) in positions.iter().zip(measured) {
        let name = &position.name;
        let Some(cells) = published.get(name) else {
            println!("{name}: none published");
            continue;
        };
        let Ok(odds) = &measured.answer else { continue };
        if !odds.is_exact() {
            println!("{name}: ours are not exact");
            continue;
        }
        let error = greatest_error(&position.view, odds, cells)
            .with_context(|| format!("published odds of {name}"))?;
        compared += 1;
        worst = worst.max(error);
        if error > TOLERANCE {
            faults.push(format!("{name} (by {error:.1e})"));
        }
    }
    println!("{compared} positions compared, greatest error {worst:.1e}");
    if !faults.is_empty() {
        bail!("{} positions differ by more than {TOLERANCE}: {}", faults.len(), faults.join(", "));
    }
    Ok(())
}

/// The greatest difference between odds and published ones.
fn greatest_error(view: &View, odds: &Odds, cells: &[(usize, usize, f64)]) -> Result<f64> {
    if cells.len() != view.covered_count() {
        bail!("{} cells, the position has {} covered", cells.len(), view.covered_count());
    }
    let mut greatest = 0.0f64;
    for &(row, column, published) in cells {
        let cell = view.shape().cell(row, column);
        let ours = cell.and_then(|cell| odds.mine(cell));
        let ours = ours.with_context(|| format!("row {row}, column {column} is not covered"))?;
        greatest = greatest.max((ours - published).abs());
    }
    Ok(greatest)
}
