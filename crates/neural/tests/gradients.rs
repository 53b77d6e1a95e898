//! Training: our gradients are those of a tensor library for every network, runs can be taken up
//! again, and what is learned is what plays.
//!
//! The library takes minutes to build, so its answers are kept in `gradients.txt`. Building with
//! the feature `library` compares the library itself with the file; `cargo xtask gradients` does
//! that and writes the file anew.

#[cfg(feature = "library")]
mod library;

use std::fmt::Write;

use deminer_game::{Rng, Rules, Size};
use deminer_neural::encode::{COVERED, Code, Encoding, OUTSIDE};
use deminer_neural::forward::Forward;
use deminer_neural::nets::{self, DESIGNS, Layer, Net, Output, Variant};
use deminer_neural::train::{
    Backprop, Curriculum, Gradients, Loss, Recipe, Samples, SelfPlay, Trainer,
};
use deminer_neural::weights::{Spread, Weights, plan};

/// How far two numbers may differ, as a share of the largest number they are compared with.
const TOLERANCE: f64 = 2e-3;

/// Single values kept of each list of numbers, spread evenly over it.
const KEPT: usize = 4;

/// Random positions, some targets unknown.
fn batch(width: usize, height: usize, answers: usize, count: usize, rng: &mut Rng) -> Samples {
    let answer = |rng: &mut Rng| if rng.below(5) == 0 { f32::NAN } else { rng.unit() as f32 };
    batch_of(width, height, answers, count, rng, answer)
}

/// Random positions with these answers.
fn batch_of(
    width: usize,
    height: usize,
    answers: usize,
    count: usize,
    rng: &mut Rng,
    answer: impl Fn(&mut Rng) -> f32,
) -> Samples {
    let mut samples = Samples::new(width, height, answers);
    for _ in 0..count {
        let codes: Vec<Code> =
            (0..width * height).map(|_| rng.below(usize::from(OUTSIDE)) as Code).collect();
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
        // More than one tile and not a whole number of tiles.
        let batch = batch(width, height, answers, 9, rng);
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

/// Weights with running means and variances that are not those of the start.
fn lived_in(net: &Net, rng: &mut Rng) -> Weights {
    let mut weights = Weights::random(net, Spread::ByTerms, rng);
    for (slot, values) in plan(net).iter().zip(&mut weights.0) {
        if !slot.learned {
            values.iter_mut().for_each(|value| *value = 0.5 + rng.unit() as f32);
        }
    }
    weights
}

#[test]
fn play_and_training_agree_on_every_network() {
    let size: Size = "6x5x4".parse().unwrap();
    for design in DESIGNS {
        for variant in [Variant::Orig, Variant::Repaired] {
            let net = (design.build)(variant, size);
            let rng = &mut Rng::new(7);
            let weights = lived_in(&net, rng);
            let (height, width) = net.extent.unwrap_or((5, 7));
            let samples = batch(width, height, 1, 9, rng);
            let expected = Backprop::default().answers(&net, &weights, &samples);
            let in_training = Net { in_play: net.encoding, ..net.clone() };
            let mut forward = Forward::new(&in_training, &weights);
            let mut found = Vec::new();
            for (codes, density) in samples.positions() {
                found.extend_from_slice(forward.run(codes, width, density));
            }
            assert_eq!(found.len(), expected.len(), "{}", design.name);
            for (found, expected) in found.iter().zip(&expected) {
                let gap = (found - expected).abs();
                assert!(gap < 1e-4, "{} {variant:?}: {found} {expected}", design.name);
            }
        }
    }
}

/// A network small enough to nudge every weight: every kind of layer once.
fn tiny() -> Net {
    let encoding = Encoding::Density;
    let layers = vec![
        Layer::Convolution { from: 11, to: 2, side: 3 },
        Layer::Residual(vec![Layer::Convolution { from: 2, to: 2, side: 1 }]),
        Layer::Relu,
        Layer::Dense { inputs: 12, outputs: 4 },
        Layer::BatchNorm(4),
        Layer::Relu,
        Layer::Dense { inputs: 4, outputs: 6 },
    ];
    Net { encoding, in_play: encoding, extent: Some((2, 3)), layers, output: Output::Sigmoid }
}

#[test]
fn gradients_are_those_of_nudged_weights() {
    let (net, rng) = (tiny(), &mut Rng::new(3));
    let mut samples = batch_of(3, 2, 6, 5, rng, |rng| rng.unit() as f32);
    samples.replace(0, &[COVERED; 6], 0.2, &[f32::NAN, 0.5, f32::NAN, 1.0, 0.0, 0.25]);
    let weights = Weights::random(&net, Spread::ByTerms, rng);
    let mut tiles = Backprop::default();
    for loss in [Loss::SquaredError, Loss::Hinge, Loss::CrossEntropy] {
        let slope = tiles.slope(&net, &weights, &samples, loss, rng);
        for (at, slot) in plan(&net).iter().enumerate().filter(|(_, slot)| slot.learned) {
            for number in [0, slot.size() / 2, slot.size() - 1] {
                let mut nudged = |by: f32| {
                    let mut weights = weights.clone();
                    weights.0[at][number] += by;
                    tiles.slope(&net, &weights, &samples, loss, rng).loss
                };
                let step = 1e-2;
                let expected = (nudged(step) - nudged(-step)) / (2.0 * step);
                let found = slope.gradients.0[at][number];
                let gap = (found - expected).abs();
                assert!(gap < 2e-3, "{loss:?} {} {number}: {found} {expected}", slot.name);
            }
        }
    }
}

fn recipe() -> Recipe {
    let design = nets::find("mlp-5x5").unwrap();
    Recipe { batch: 8, rate: 1e-2, ..(design.recipe)(Variant::Repaired) }
}

#[test]
fn learning_lowers_the_loss_and_validation_follows_play() {
    let (net, recipe) = (tiny(), recipe());
    let samples = batch(3, 2, 6, 40, &mut Rng::new(4));
    let mut trainer = Trainer::new(net, &Recipe { symmetric: false, ..recipe }, 1);
    let before = trainer.validate(&samples);
    let order: Vec<usize> = (0..40).collect();
    for round in 0..200 {
        trainer.learn(&samples, &order, 1e-2, &mut Rng::new(round));
    }
    let after = trainer.validate(&samples);
    assert!(after < before - 0.05, "{before} {after}");
}

#[test]
fn a_run_taken_up_ends_with_the_same_bits() {
    let samples = batch(3, 2, 6, 40, &mut Rng::new(4));
    let order: Vec<usize> = (0..40).collect();
    let learn = |trainer: &mut Trainer, rounds: std::ops::Range<u64>| {
        for round in rounds {
            trainer.learn(&samples, &order, 1e-2 / (1 + round) as f64, &mut Rng::new(round));
        }
    };
    let mut whole = Trainer::new(tiny(), &recipe(), 1);
    learn(&mut whole, 0..10);
    let mut first = Trainer::new(tiny(), &recipe(), 1);
    learn(&mut first, 0..4);
    let mut second = Trainer::resumed(tiny(), &recipe(), first.weights, first.adam);
    learn(&mut second, 4..10);
    assert_eq!(whole.weights, second.weights);
    assert_eq!(whole.adam, second.adam);
}

#[test]
fn networks_learn_from_their_own_games_and_games_repeat() {
    let design = nets::find("sla-small").unwrap();
    let rules = || Rules::of("6x5x4".parse().unwrap()).unwrap();
    for variant in [Variant::Orig, Variant::Repaired] {
        let recipe = (design.recipe)(variant);
        let curriculum =
            Curriculum { games: 6, memory: 50, draws: 32, ..recipe.curriculum.clone().unwrap() };
        let play = || {
            let net = (design.build)(variant, rules().size());
            let trainer = Trainer::new(net, &recipe, 5);
            let mut school = SelfPlay::new(trainer, variant, &recipe, &curriculum, vec![rules()]);
            let mut lessons = Vec::new();
            while !school.is_over() {
                lessons.push(school.game(9, &mut |_| None));
            }
            (lessons, school)
        };
        let ((lessons, school), (again, other)) = (play(), play());
        assert_eq!(lessons, again);
        assert_eq!(school.trainer.weights, other.trainer.weights);
        assert_eq!(lessons.len(), 6);
        assert!(school.remembered > 10, "{variant:?} remembers what it sees");
        assert!(lessons.iter().any(|lesson| lesson.samples == 32 && lesson.loss > 0.0));
    }
}
