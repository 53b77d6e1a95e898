//! `cargo xtask outlook`: fits the weights with which `best` estimates win chances.

use anyhow::{Context, Result, bail};
use deminer_agents::search::Settings;
use deminer_agents::search::win_estimate::{TRAITS, promise, traits};
use deminer_game::{Board, Face, GameSeed, Rules, Size};
use deminer_inference::odds::Engine;

use crate::survivor::Survivor;

/// Boards that are played, with a safe start in the corner.
const BOARDS: [&str; 8] =
    ["8x8x10", "9x9x10", "10x10x20", "16x16x40", "16x16x51", "20x20x60", "30x16x99", "30x24x130"];

/// A position right after a guess.
struct Sample {
    traits: [f64; TRAITS],
    promise: f64,
    /// The probability that the guesses that came after it were all survived.
    won: f64,
}

/// Plays games and prints the weights that fit them best.
pub fn run(words: &[&str]) -> Result<()> {
    let games = match words {
        [] => 20_000,
        [games] => crate::number("GAMES", Some(games), 1)?,
        [_, word, ..] => bail!("`{word}` is too much; usage: cargo xtask outlook [GAMES]"),
    };
    let mut samples = Vec::new();
    let mut ends = Vec::new();
    for board in BOARDS {
        let size: Size = board.parse().context("a board of the list")?;
        let rules = Rules::of(size)?;
        let mut player = Survivor::new(&rules, Settings::QUICK);
        for game in 0..games {
            play(&mut player, &rules, GameSeed { seed: SEED, game }, &mut samples);
        }
        ends.push(samples.len());
        eprintln!("{board}: {} positions", samples.len());
    }
    let weights = fit(&samples);
    println!("pub const WEIGHTS: [f64; TRAITS] = {weights:.4?};");
    let mut from = 0;
    for (board, end) in BOARDS.iter().zip(ends) {
        report(board, &samples[from..end], &weights);
        from = end;
    }
    Ok(())
}

/// A seed that no measurement uses.
const SEED: u64 = 8_000_008;

/// Plays a game, and keeps the position right after every guess, before anything else is opened.
fn play(player: &mut Survivor, rules: &Rules, seed: GameSeed, samples: &mut Vec<Sample>) {
    let first = samples.len();
    let corner = rules.shape().cells().next().expect("a board has cells");
    let mut engine = Engine::default();
    // The probability to come so far, at each sample.
    let mut reached: Vec<f64> = Vec::new();
    let board = Board::dealt(rules.clone(), seed);
    let won = player.play(board, corner, seed, |before, board, cell, survived| {
        let mut view = before.clone();
        if let Face::Open { shown, .. } = board.view().face(cell) {
            view.suppose(cell, shown);
        }
        let odds = engine.odds(&view).expect("a dealt board has layouts");
        samples.push(Sample {
            traits: traits(&view, odds),
            promise: promise(&view, odds),
            won: 0.0,
        });
        reached.push(survived);
    });
    for (sample, reached) in samples[first..].iter_mut().zip(reached) {
        sample.won = won / reached;
    }
}

/// Logistic regression by Newton's method, for the win chance divided by the promise.
fn fit(samples: &[Sample]) -> [f64; TRAITS] {
    let mut weights = [0.0; TRAITS];
    for _ in 0..8 {
        // One row for each weight, the gradient at its end.
        let mut rows = [[0.0; TRAITS + 1]; TRAITS];
        for sample in samples {
            let outlook = logistic(&sample.traits, &weights);
            let error = sample.won / sample.promise - outlook;
            for (row, one) in rows.iter_mut().zip(sample.traits) {
                let slope = outlook * (1.0 - outlook) * one * sample.promise;
                for (sum, other) in row.iter_mut().zip(sample.traits) {
                    *sum += slope * other;
                }
                row[TRAITS] += error * one * sample.promise;
            }
        }
        // A small ridge term, since some traits are nearly equal.
        for (at, row) in rows.iter_mut().enumerate() {
            row[at] += 1e-5 * samples.len() as f64;
        }
        for (weight, step) in weights.iter_mut().zip(solve(rows)) {
            *weight += step;
        }
    }
    weights
}

fn logistic(traits: &[f64; TRAITS], weights: &[f64; TRAITS]) -> f64 {
    let sum: f64 = traits.iter().zip(weights).map(|(value, weight)| value * weight).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// Solves linear equations by elimination; the matrix is positive, so no row need be exchanged.
fn solve(mut rows: [[f64; TRAITS + 1]; TRAITS]) -> [f64; TRAITS] {
    for pivot in 0..TRAITS {
        let scale = rows[pivot][pivot];
        rows[pivot] = rows[pivot].map(|value| value / scale);
        let row = rows[pivot];
        for (_, other) in rows.iter_mut().enumerate().filter(|(at, _)| *at != pivot) {
            let factor = other[pivot];
            for (value, part) in other.iter_mut().zip(row) {
                *value -= factor * part;
            }
        }
    }
    rows.map(|row| row[TRAITS])
}

/// Prints how estimates and games agree, by fifths of the positions.
fn report(board: &str, samples: &[Sample], weights: &[f64; TRAITS]) {
    let estimate = |sample: &Sample| (sample.promise * logistic(&sample.traits, weights)).min(1.0);
    let mut pairs: Vec<(f64, f64)> =
        samples.iter().map(|sample| (estimate(sample), sample.won)).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    print!("// {board}:");
    for fifth in pairs.chunks(pairs.len().div_ceil(5).max(1)) {
        let mean = |value: fn(&(f64, f64)) -> f64| {
            fifth.iter().map(value).sum::<f64>() / fifth.len() as f64
        };
        print!(" {:.3}/{:.3}", mean(|pair| pair.0), mean(|pair| pair.1));
    }
    println!(" (estimated/won)");
}
