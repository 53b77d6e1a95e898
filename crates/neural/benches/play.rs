//! How fast networks answer, one position at a time, and how many games a second they play.
//!
//! `cargo bench -p deminer-neural --features library`: answers to positions never seen before and steps of training,
//! by our kernels and by a tensor library; answers of shipped networks beside PyTorch's on the same
//! weights, where `python3` (or the program that `PYTHON` names) has it; then whole games of every
//! agent whose network is shipped. `-- --json FILE` also writes the rows of `cargo xtask bench-all`.

#[path = "../tests/library/mod.rs"]
mod library;

use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use deminer_game::{FirstClick, GameSeed, Match, Options, Outcome, Rng, Rules, Size};
use deminer_neural::ROSTER;
use deminer_neural::artifact;
use deminer_neural::encode::{self, OUTSIDE};
use deminer_neural::forward::Forward;
use deminer_neural::nets::{DESIGNS, Layer, Net, Output, Variant};
use deminer_neural::train::{Backprop, Gradients, Loss, Samples};
use deminer_neural::weights::{Spread, Weights};
use library::Burn;
use serde_json::{Value, json};

/// The tensor library, as rows name it.
const LIBRARY: &str = "Burn (flex)";

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

/// Positions of random codes, each with these answers.
fn positions(width: usize, height: usize, count: usize, answers: &[f32], rng: &mut Rng) -> Samples {
    let mut samples = Samples::new(width, height, answers.len());
    for _ in 0..count {
        let codes: Vec<u8> =
            (0..width * height).map(|_| rng.below(usize::from(OUTSIDE)) as u8).collect();
        samples.push(&codes, 0.2, answers);
    }
    samples
}

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let file = match words.as_slice() {
        [] => None,
        ["--json", file] => Some(*file),
        _ => panic!("the only option is --json FILE"),
    };
    let mut rows = Vec::new();
    answers(&mut rows);
    steps(&mut rows);
    let notes: Vec<String> = beside_pytorch(&mut rows).into_iter().collect();
    games(&mut rows);
    if let Some(file) = file {
        let document = json!({ "rows": rows, "notes": notes });
        fs::write(file, document.to_string()).expect("the file can be written");
    }
}

fn answers(rows: &mut Vec<Value>) {
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
        let samples = positions(width, height, 64, &[0.0], &mut rng);
        let mut forward = Forward::new(&net, &weights);
        let mut at = 0;
        let ours = speed(|| {
            at = (at + 1) % samples.len();
            black_box(forward.run(samples.codes(at), width, 0.2));
        });
        let mut burn = Burn::default();
        let still = &deminer_game::symmetries(width, height)[..1];
        let mut batch = Samples::default();
        let library = speed(|| {
            at = (at + 1) % samples.len();
            batch.fill(&samples, &[at], still, &mut rng);
            black_box(burn.answers(&net, &weights, &batch));
        });
        let (ours, library) = (1e6 / ours, 1e6 / library);
        let (name, numbers) = (design.name, net.parameters());
        println!("{name:12} {numbers:>10} {ours:>14.1} {library:>14.1} {:>8.1}", library / ours);
        rows.push(json!({
            "what": format!("{name}, an answer"), "unit": "µs", "ours": ours,
            "beside": { "name": LIBRARY, "value": library, "ratio": library / ours },
        }));
    }
}

/// Samples a second in training, in one thread.
fn steps(rows: &mut Vec<Value>) {
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
            let batch = positions(width, height, count, &vec![0.5; answers], &mut rng);
            let mut measure = |gradients: &mut dyn Gradients| {
                let loss = Loss::SquaredError;
                let step = || {
                    black_box(gradients.slope(&net, &weights, &batch, loss, &mut rng));
                };
                count as f64 * speed(step)
            };
            let ours = measure(&mut Backprop::default());
            let library = measure(&mut Burn::default());
            let name =
                format!("{}{}", design.name, if variant == Variant::Orig { ":orig" } else { "" });
            println!("{name:16} {count:>4} {ours:>14.0} {library:>14.0} {:>8.1}", ours / library);
            rows.push(json!({
                "what": format!("{name}, training"), "unit": "samples/s", "ours": ours,
                "beside": { "name": LIBRARY, "value": library, "ratio": ours / library },
            }));
        }
    }
}

/// Networks that are shipped, with ours and PyTorch's time for an answer; or why they are not.
fn beside_pytorch(rows: &mut Vec<Value>) -> Option<String> {
    let python = env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&python).args(["-c", "import torch"]).output();
    if !found.is_ok_and(|found| found.status.success()) {
        let missing =
            format!("{python} has no PyTorch; the variable PYTHON may name one that has.");
        println!("\n{missing}");
        return Some(missing);
    }
    println!(
        "\n{:26} {:>12} {:>14} {:>8} {:>12}",
        "shipped network", "ours, µs", "PyTorch, µs", "ratio", "differ by"
    );
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../artifacts/networks");
    let files = fs::read_dir(folder).expect("networks are shipped");
    let mut files: Vec<PathBuf> =
        files.map(|file| file.expect("a folder that can be read").path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|ext| ext == "safetensors"))
    {
        let bytes = fs::read(file).expect("a file that can be read");
        let (_, net, weights) = artifact::read(&bytes).expect("a network of ours");
        let (height, width) = net.extent.unwrap_or((16, 30));
        let mut rng = Rng::new(1);
        let samples = positions(width, height, 16, &[0.0], &mut rng);
        let in_training = Net { in_play: net.encoding, ..net.clone() };
        let mut forward = Forward::new(&in_training, &weights);
        let mut answers: Vec<f32> = Vec::new();
        for (codes, density) in samples.positions() {
            answers.extend_from_slice(forward.run(codes, width, density));
        }
        let mut at = 0;
        let ours = 1e6
            / speed(|| {
                at = (at + 1) % samples.len();
                black_box(forward.run(samples.codes(at), width, 0.2));
            });
        let (theirs, difference) = pytorch(&python, file, &net, &samples, &answers);
        let name = file.file_stem().expect("a file has a name").to_string_lossy();
        println!(
            "{name:26} {ours:>12.1} {theirs:>14.1} {:>8.1} {difference:>12.1e}",
            theirs / ours
        );
        rows.push(json!({
            "what": format!("{name}, an answer"), "unit": "µs", "ours": ours,
            "beside": { "name": "PyTorch", "value": theirs, "ratio": theirs / ours },
        }));
    }
    None
}

/// PyTorch's microseconds for an answer, and how far its answers are from ours.
fn pytorch(python: &str, file: &Path, net: &Net, batch: &Samples, answers: &[f32]) -> (f64, f64) {
    let channels = net.encoding.channels();
    let (positions, shape) = match net.layers.first() {
        Some(Layer::Convolution { .. }) => {
            let shape = vec![batch.len(), channels, batch.height(), batch.width()];
            (library::planes(batch, net.encoding), shape)
        }
        _ => {
            let numbers = channels * batch.height() * batch.width();
            (library::flat(batch, net.encoding), vec![batch.len(), numbers])
        }
    };
    let mut layers = words(&net.layers, "");
    if net.output == Output::Sigmoid {
        layers.push("sigmoid".to_owned());
    }
    fn line<T: ToString>(numbers: &[T]) -> String {
        numbers.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
    }
    let input = [layers.join(" "), line(&shape), line(&positions), line(answers)].join("\n");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/pytorch.py");
    let mut child = Command::new(python)
        .arg(script)
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python was there before");
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(input.as_bytes())
        .expect("the script reads it all");
    let output = child.wait_with_output().expect("the script ends");
    let said = String::from_utf8_lossy(&output.stdout);
    let mut numbers = said.split_whitespace().map(|word| word.parse().expect("a number"));
    let mut next = || numbers.next().expect("the script prints two numbers");
    (next(), next())
}

/// The layers as the script reads them, with the names of their weights.
fn words(layers: &[Layer], path: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, layer) in layers.iter().enumerate() {
        let at = format!("{path}{at}");
        match layer {
            Layer::Dense { .. } => words.push(format!("dense:{at}")),
            Layer::Convolution { .. } => words.push(format!("convolution:{at}")),
            Layer::BatchNorm(_) => words.push(format!("norm:{at}")),
            Layer::Dropout(_) => {}
            Layer::Relu => words.push("relu".to_owned()),
            Layer::Residual(inner) => {
                words.push("[".to_owned());
                words.extend(self::words(inner, &format!("{at}.")));
                words.push("]".to_owned());
            }
        }
    }
    words
}

fn games(rows: &mut Vec<Value>) {
    println!("\n{:12} {:>12} {:>12}", "agent", "board", "games/s");
    let options = Options::default().with_artifacts(deminer_artifacts::shipped());
    for entry in ROSTER {
        let Ok(mut agent) = (entry.build)(&options) else {
            println!("{:12} {:>12} {:>12}", entry.name, "", "not trained");
            continue;
        };
        for board in ["7x7x5", "10x10x10", "16x16x40", "30x16x99"] {
            let rules = Rules::of(board.parse().expect("a board")).expect("a board");
            let mut game = Match::new(rules, FirstClick::Corner, GameSeed { seed: 1, game: 0 });
            // Networks on whole boards play boards of their size.
            if game.play(agent.as_mut()) == Outcome::Undecided {
                println!("{:12} {board:>12} {:>12}", entry.name, "not trained");
                continue;
            }
            let mut number = 0;
            let speed = speed(|| {
                number += 1;
                game.restart(GameSeed { seed: 1, game: number });
                game.play(agent.as_mut());
            });
            println!("{:12} {board:>12} {speed:>12.1}", entry.name);
            let what = format!("{}, {board}", entry.name);
            rows.push(json!({ "what": what, "unit": "games/s", "ours": speed }));
        }
    }
}
