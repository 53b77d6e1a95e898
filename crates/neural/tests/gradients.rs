//! Our gradients against a tensor library's, for every network:
//! `cargo test --release -p deminer-neural --features library`.

mod library;

use deminer_game::{Rng, Size};
use deminer_neural::encode::{self, Code, OUTSIDE};
use deminer_neural::nets::{DESIGNS, Layer, Net, Variant};
use deminer_neural::train::{Batch, Gradients, Loss, Samples, Tiles};
use deminer_neural::weights::{Spread, Weights, plan};
use library::Burn;

/// Random positions, more than a tile and not a whole number of them, some answers left open.
fn batch(width: usize, height: usize, answers: usize, rng: &mut Rng) -> Batch {
    let mut samples = Samples::new(width, height, answers);
    for _ in 0..9 {
        let codes: Vec<Code> =
            (0..width * height).map(|_| rng.below(usize::from(OUTSIDE)) as Code).collect();
        let answer = |rng: &mut Rng| if rng.below(5) == 0 { f32::NAN } else { rng.unit() as f32 };
        let targets: Vec<f32> = (0..answers).map(|_| answer(rng)).collect();
        samples.push(&codes, rng.unit() as f32, &targets);
    }
    let all: Vec<usize> = (0..samples.len()).collect();
    let still = &deminer_game::symmetries(width, height)[..1];
    let mut batch = Batch::default();
    batch.fill(&samples, &all, still, &mut Rng::new(0));
    batch
}

/// Both draw dropped numbers in their own order, so none are dropped.
fn without_dropout(layers: &[Layer]) -> Vec<Layer> {
    layers.iter().filter(|layer| !matches!(layer, Layer::Dropout(_))).cloned().collect()
}

fn close(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let most = expected.iter().fold(1e-3_f32, |most, number| most.max(number.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 2e-3 * most, "{what}: {found} {expected}");
    }
}

#[test]
fn gradients_are_those_of_a_tensor_library() {
    let size: Size = "6x5x4".parse().unwrap();
    for design in DESIGNS {
        for variant in [Variant::Orig, Variant::Repaired] {
            let net = (design.build)(variant, size);
            let net = Net { layers: without_dropout(&net.layers), ..net };
            let rng = &mut Rng::new(7);
            let weights = Weights::random(&net, Spread::ByTerms, rng);
            let (height, width) = net.extent.unwrap_or((5, 7));
            let answers = if net.extent == Some((5, 5)) { 1 } else { width * height };
            let batch = batch(width, height, answers, rng);
            for loss in [Loss::SquaredError, Loss::Hinge, Loss::CrossEntropy] {
                let what = format!("{} {variant:?} {loss:?}", design.name);
                let ours = Tiles::default().slope(&net, &weights, &batch, loss, rng);
                let theirs = Burn::default().slope(&net, &weights, &batch, loss, rng);
                close(&[ours.loss], &[theirs.loss], &what);
                for (at, slot) in plan(&net).iter().enumerate() {
                    let (ours, theirs) = (&ours.gradients.0[at], &theirs.gradients.0[at]);
                    close(ours, theirs, &format!("{what} {}", slot.name));
                }
                assert_eq!(ours.statistics.len(), theirs.statistics.len());
                for ((at, ours), (place, theirs)) in ours.statistics.iter().zip(&theirs.statistics)
                {
                    assert_eq!(at, place);
                    close(ours, theirs, &what);
                }
                let ours = Tiles::default().answers(&net, &weights, &batch);
                let theirs = Burn::default().answers(&net, &weights, &batch);
                close(&ours, &theirs, &what);
            }
        }
    }
}
