//! `cargo xtask outlook`: fits the weights by which `best` tells how likely a game is won.

use anyhow::{Context, Result, bail};
use deminer_agents::search::outlook::{TRAITS, promise, traits};
use deminer_agents::search::{Judge, Settings};
use deminer_game::{Action, Board, Cell, Face, GameSeed, Purpose, Rng, Rules, Size, State};
use deminer_inference::count::Engine;
use deminer_inference::deduce::{Fact, SinglePoint};

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
        let mut player = Player::new(&rules);
        for game in 0..games {
            player.play(&rules, GameSeed { seed: SEED, game }, &mut samples);
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

/// No run that measures anything has this seed.
const SEED: u64 = 8_000_008;

struct Player {
    judge: Judge,
    known: SinglePoint,
    engine: Engine,
}

impl Player {
    fn new(rules: &Rules) -> Self {
        let judge = Judge::new(Settings::QUICK);
        Self { judge, known: SinglePoint::new(rules.shape()), engine: Engine::default() }
    }

    /// Plays a game, and on after every mine with the layout drawn again, up to where it is solved.
    fn play(&mut self, rules: &Rules, seed: GameSeed, samples: &mut Vec<Sample>) {
        let mut board = Board::dealt(rules.clone(), seed);
        let mut rng = seed.rng(Purpose::Lab);
        self.known.reset(rules.shape());
        board.act(Action::Open(rules.shape().cells().next().expect("a board has cells")));
        let first = samples.len();
        // The probability to come so far, at each sample.
        let mut reached: Vec<f64> = Vec::new();
        let mut survived = 1.0;
        let won = loop {
            if board.state() == State::Won {
                break survived;
            }
            self.known.update(board.view());
            let fresh = self.known.fresh().filter(|&(_, fact)| fact == Fact::Safe);
            let mut safe: Vec<Cell> = fresh.map(|(cell, _)| cell).collect();
            if safe.is_empty() {
                let judged = self.judge.find_best(board.view(), &self.known, &mut rng);
                let judged = judged.expect("a dealt board has layouts");
                if judged.exact {
                    break survived * judged.win.expect("exact wins are told");
                }
                safe = judged.safe;
                if safe.is_empty() {
                    let guess = judged.moves[0];
                    survived *= guess.safety;
                    self.guess(&mut board, guess.cell, &mut rng, samples);
                    reached.push(survived);
                }
            }
            for cell in safe {
                // A cascade may have opened it meanwhile.
                if board.view().face(cell).is_covered() {
                    board.act(Action::Open(cell));
                }
            }
        };
        for (sample, reached) in samples[first..].iter_mut().zip(reached) {
            sample.won = won / reached;
        }
    }

    /// Opens a cell as if it were safe, and keeps the position with nothing but it open.
    fn guess(&mut self, board: &mut Board, cell: Cell, rng: &mut Rng, samples: &mut Vec<Sample>) {
        if board.hides_mine(cell) {
            let layout = self.engine.sample(board.view(), Some(cell), rng);
            board.redraw(layout.expect("the cell may be safe")).expect("the same rules");
        }
        let mut view = board.view().clone();
        board.act(Action::Open(cell));
        if let Face::Open { shown, .. } = board.view().face(cell) {
            view.suppose(cell, shown);
        }
        let odds = self.engine.odds(&view).expect("a dealt board has layouts");
        let sample =
            Sample { traits: traits(&view, odds), promise: promise(&view, odds), won: 0.0 };
        samples.push(sample);
    }
}

/// Logistic regression by Newton's method: what is left of a win when its promise is taken out.
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
        // A little stiffness, for traits that say the same.
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
