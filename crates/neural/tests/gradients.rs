//! Compares our gradients with those of a tensor library, for every network.
//!
//! The library takes minutes to build, so its answers are kept in `gradients.txt`. Building with
//! the feature `library` compares the library itself with the file; `cargo xtask gradients` does
//! that and writes the file anew.

#[cfg(feature = "library")]
mod library;

use std::fmt::Write;

use deminer_game::{Rng, Size};
use deminer_neural::encode::{Code, OUTSIDE};
use deminer_neural::nets::{DESIGNS, Layer, Net, Variant};
use deminer_neural::train::{Backprop, Gradients, Loss, Samples};
use deminer_neural::weights::{Spread, Weights, plan};

/// How far two numbers may differ, as a share of the largest number they are compared with.
const TOLERANCE: f64 = 2e-3;

/// Single values kept of each list of numbers, spread evenly over it.
const KEPT: usize = 4;

/// Random positions: more than one tile and not a whole number of tiles, some targets unknown.
fn batch(width: usize, height: usize, answers: usize, rng: &mut Rng) -> Samples {
    let mut samples = Samples::new(width, height, answers);
    for _ in 0..9 {
        let codes: Vec<Code> =
            (0..width * height).map(|_| rng.below(usize::from(OUTSIDE)) as Code).collect();
        let answer = |rng: &mut Rng| if rng.below(5) == 0 { f32::NAN } else { rng.unit() as f32 };
        let targets: Vec<f32> = (0..answers).map(|_| answer(rng)).collect();
        samples.push(&codes, rng.unit() as f32, &targets);
    }
    samples
}

/// Removes dropout: the two implementations draw the dropped values in different orders.
fn without_dropout(layers: &[Layer]) -> Vec<Layer> {
    layers.iter().filter(|layer| !matches!(layer, Layer::Dropout(_))).cloned().collect()
}

/// A summary of a list of numbers in which every one of them counts.
///
/// Length, norm, sum with random signs, largest magnitude, then [`KEPT`] single values.
fn summary(numbers: &[f32]) -> String {
    let numbers: Vec<f64> = numbers.iter().copied().map(f64::from).collect();
    let norm = numbers.iter().map(|number| number * number).sum::<f64>().sqrt();
    let rng = &mut Rng::new(numbers.len() as u64);
    let signed = numbers.iter().map(|number| if rng.below(2) == 0 { *number } else { -number });
    let most = numbers.iter().fold(0.0_f64, |most, number| most.max(number.abs()));
    let mut text = format!("{} {norm:.6e} {:.6e} {most:.6e}", numbers.len(), signed.sum::<f64>());
    for number in numbers.iter().step_by(numbers.len().div_ceil(KEPT).max(1)) {
        write!(text, " {number:.6e}").unwrap();
    }
    text
}

/// A line for each list of numbers that an implementation computes: loss, gradients, statistics
/// of normalization and answers, by network, variant and loss.
fn report(gradients: &mut impl Gradients) -> Vec<(String, String)> {
    let size: Size = "6x5x4".parse().unwrap();
    let mut lines = Vec::new();
    for (design, variant) in
        DESIGNS.iter().flat_map(|design| [Variant::Orig, Variant::Repaired].map(|v| (design, v)))
    {
        let net = (design.build)(variant, size);
        let net = Net { layers: without_dropout(&net.layers), ..net };
        let rng = &mut Rng::new(7);
        let weights = Weights::random(&net, Spread::ByTerms, rng);
        let (height, width) = net.extent.unwrap_or((5, 7));
        let answers = if net.extent == Some((5, 5)) { 1 } else { width * height };
        let batch = batch(width, height, answers, rng);
        for loss in [Loss::SquaredError, Loss::Hinge, Loss::CrossEntropy] {
            let mut line = |name: &str, numbers: &[f32]| {
                let key = format!("{} {variant:?} {loss:?} {name}", design.name);
                lines.push((key, summary(numbers)));
            };
            let slope = gradients.slope(&net, &weights, &batch, loss, rng);
            line("loss", &[slope.loss]);
            let slots = plan(&net);
            let learned = slots.iter().zip(&slope.gradients.0).filter(|(slot, _)| slot.learned);
            for (slot, numbers) in learned {
                line(&slot.name, numbers);
            }
            for (at, numbers) in &slope.statistics {
                line(&format!("statistics-{at}"), numbers);
            }
            line("answers", &gradients.answers(&net, &weights, &batch));
        }
    }
    lines
}

/// Fails at the first line that differs by more than [`TOLERANCE`].
fn compare(found: &[(String, String)], expected: &str) {
    assert!(found.len() > 500, "only {} lines", found.len());
    assert_eq!(found.len(), expected.lines().count(), "run `cargo xtask gradients`");
    for ((key, found), expected) in found.iter().zip(expected.lines()) {
        let expected = expected.strip_prefix(key.as_str()).expect(key);
        let read = |text: &str| -> Vec<f64> {
            text.split_whitespace().map(|number| number.parse().unwrap()).collect()
        };
        let (found, expected) = (read(found), read(expected));
        assert_eq!((found.len(), found[0]), (expected.len(), expected[0]), "{key}");
        let (norm, most) = (expected[1].max(1e-3), expected[3].max(1e-3));
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let scale = if at < 3 { norm } else { most };
            assert!((found - expected).abs() < TOLERANCE * scale, "{key}: {found} {expected}");
        }
    }
}

#[test]
fn gradients_are_those_of_the_tensor_library() {
    compare(&report(&mut Backprop::default()), include_str!("gradients.txt"));
}

/// Compares the library with the file, or with `DEMINER_WRITE_GRADIENTS` writes it.
#[cfg(feature = "library")]
#[test]
fn the_file_holds_the_librarys_gradients() {
    let lines = report(&mut library::Burn::default());
    if std::env::var_os("DEMINER_WRITE_GRADIENTS").is_some() {
        let text: String = lines.iter().map(|(key, line)| format!("{key} {line}\n")).collect();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gradients.txt");
        std::fs::write(path, text).unwrap();
    } else {
        compare(&lines, include_str!("gradients.txt"));
    }
}
