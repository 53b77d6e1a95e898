//! How fast networks answer, one position at a time, and how many games a second they play.
//!
//! `cargo bench -p deminer-neural --features library`: answers to positions never seen before and steps of training,
//! by our kernels and by a tensor library; then whole games of every agent whose network is
//! shipped.

#[path = "../tests/library/mod.rs"]
mod library;

use std::hint::black_box;
use std::time::{Duration, Instant};

use deminer_game::{At, GameSeed, Match, Options, Rng, Rules, Size};
use deminer_neural::ROSTER;
use deminer_neural::encode::{self, OUTSIDE};
use deminer_neural::forward::{Extra, Forward};
use deminer_neural::nets::{DESIGNS, Variant};
use deminer_neural::train::{Batch, Gradients, Loss, Samples, Tiles};
use deminer_neural::weights::{Spread, Weights};
use library::Burn;

/// How long each thing is measured.
const SPAN: Duration = Duration::from_millis(300);

/// Calls a second.
fn speed(mut call: impl FnMut()) -> f64 {
    call();
    let start = Instant::now();
    let mut calls = 0;
    while start.elapsed() < SPAN {
        call();
        calls += 1;
    }
    f64::from(calls) / start.elapsed().as_secs_f64()
}

fn main() {
    answers();
    steps();
    games();
}

fn answers() {
    let size: Size = "10x10x10".parse().expect("a board");
    println!(
        "{:12} {:>10} {:>14} {:>14} {:>8}",
        "network", "numbers", "ours, µs", "library, µs", "ratio"
    );
    for design in DESIGNS {
        let net = (design.build)(Variant::Repaired, size);
        let mut rng = Rng::new(1);
        let weights = Weights::random(&net, Spread::ByTerms, &mut rng);
        let (height, width) = net.extent.unwrap_or((16, 30));
        let mut samples = Samples::new(width, height, 1);
        for _ in 0..64 {
            let codes: Vec<u8> =
                (0..width * height).map(|_| rng.below(usize::from(OUTSIDE)) as u8).collect();
            samples.push(&codes, 0.2, &[0.0]);
        }
        let mut forward = Forward::new(&net, &weights);
        let mut at = 0;
        let ours = speed(|| {
            at = (at + 1) % samples.len();
            black_box(forward.run(samples.codes(at), width, Extra { density: 0.2 }));
        });
        let mut burn = Burn::default();
        let still = &encode::symmetries(width, height)[..1];
        let mut batch = Batch::default();
        let library = speed(|| {
            at = (at + 1) % samples.len();
            batch.fill(&samples, &[at], still, &mut rng);
            black_box(burn.answers(&net, &weights, &batch));
        });
        let (ours, library) = (1e6 / ours, 1e6 / library);
        let (name, numbers) = (design.name, net.parameters());
        println!("{name:12} {numbers:>10} {ours:>14.1} {library:>14.1} {:>8.1}", library / ours);
    }
}

/// Samples a second in training, in one thread.
fn steps() {
    let size: Size = "10x10x10".parse().expect("a board");
    println!(
        "\n{:12} {:>8} {:>14} {:>14} {:>8}",
        "network", "batch", "ours/s", "library/s", "ratio"
    );
    for design in DESIGNS {
        for (variant, most) in [(Variant::Repaired, 128), (Variant::Orig, 1024)] {
            let net = (design.build)(variant, size);
            let mut rng = Rng::new(1);
            let weights = Weights::random(&net, Spread::ByTerms, &mut rng);
            let (height, width) = net.extent.unwrap_or((16, 16));
            let count = if width * height > 25 { most / 4 } else { most };
            let answers = if width * height > 25 { width * height } else { 1 };
            let mut samples = Samples::new(width, height, answers);
            for _ in 0..count {
                let codes: Vec<u8> =
                    (0..width * height).map(|_| rng.below(usize::from(OUTSIDE)) as u8).collect();
                samples.push(&codes, 0.2, &vec![0.5; answers]);
            }
            let all: Vec<usize> = (0..count).collect();
            let still = &encode::symmetries(width, height)[..1];
            let mut batch = Batch::default();
            batch.fill(&samples, &all, still, &mut rng);
            let mut measure = |gradients: &mut dyn Gradients| {
                let loss = Loss::SquaredError;
                let step = || {
                    black_box(gradients.slope(&net, &weights, &batch, loss, &mut rng));
                };
                count as f64 * speed(step)
            };
            let ours = measure(&mut Tiles::default());
            let library = measure(&mut Burn::default());
            let name =
                format!("{}{}", design.name, if variant == Variant::Orig { ":orig" } else { "" });
            println!("{name:16} {count:>4} {ours:>14.0} {library:>14.0} {:>8.1}", ours / library);
        }
    }
}

fn games() {
    println!("\n{:12} {:>12} {:>12}", "agent", "board", "games/s");
    for entry in ROSTER {
        let Ok(mut agent) = (entry.build)(&Options::default()) else {
            println!("{:12} {:>12} {:>12}", entry.name, "", "not trained");
            continue;
        };
        for board in ["10x10x10", "16x16x40", "30x16x99"] {
            let rules = Rules::of(board.parse().expect("a board")).expect("a board");
            let mut game = Match::new(rules, At::Corner, GameSeed { seed: 1, game: 0 });
            let mut number = 0;
            let speed = speed(|| {
                number += 1;
                game.restart(GameSeed { seed: 1, game: number });
                game.play(agent.as_mut());
            });
            println!("{:12} {board:>12} {speed:>12.1}", entry.name);
        }
    }
}
