use deminer_game::{Rules, Size};

use super::*;
use crate::encode::{COVERED, Code, Encoding, OUTSIDE};
use crate::forward::Forward;
use crate::nets::{DESIGNS, Layer, Output, Variant};
use crate::weights::{Spread, Weights};

/// Random positions with random answers.
fn samples(width: usize, height: usize, answers: usize, count: usize, rng: &mut Rng) -> Samples {
    let mut samples = Samples::new(width, height, answers);
    for _ in 0..count {
        let codes: Vec<Code> =
            (0..width * height).map(|_| rng.below(usize::from(OUTSIDE)) as Code).collect();
        let targets: Vec<f32> = (0..answers).map(|_| rng.unit() as f32).collect();
        samples.push(&codes, rng.unit() as f32, &targets);
    }
    samples
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
            let samples = samples(width, height, 1, 9, rng);
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
    let mut samples = samples(3, 2, 6, 5, rng);
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
    let design = crate::nets::find("mlp-5x5").unwrap();
    Recipe { batch: 8, rate: 1e-2, ..(design.recipe)(Variant::Repaired) }
}

#[test]
fn learning_lowers_the_loss_and_validation_follows_play() {
    let (net, recipe) = (tiny(), recipe());
    let samples = samples(3, 2, 6, 40, &mut Rng::new(4));
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
    let samples = samples(3, 2, 6, 40, &mut Rng::new(4));
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
    let design = crate::nets::find("sla-small").unwrap();
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
