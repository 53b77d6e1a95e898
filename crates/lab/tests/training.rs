//! Training from end to end, with networks small enough for a test.
#![cfg(feature = "neural")]

use std::cell::Cell;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

use deminer_game::Size;
use deminer_lab::training::{Checkpoints, Ended, Order, TrainError, Trained};
use deminer_neural::artifact::{self, ArtifactError};
use deminer_neural::nets::{self, Variant};
use deminer_neural::shelf;
use deminer_neural::train::{Curriculum, EXACT, Length};

fn order(net: &str, variant: Variant, boards: &[&str]) -> Order {
    let design = nets::find(net).unwrap();
    let mut recipe = (design.recipe)(variant);
    recipe.teacher = EXACT.to_owned();
    recipe.games = 6;
    recipe.batch = 4;
    recipe.length = Length::Epochs(3);
    if let Some(curriculum) = &mut recipe.curriculum {
        *curriculum = Curriculum { games: 6, memory: 64, draws: 16, ..curriculum.clone() };
    }
    Order {
        design,
        variant,
        boards: boards.iter().map(|board| board.parse::<Size>().unwrap()).collect(),
        recipe,
        seed: 5,
        threads: NonZero::new(2).unwrap(),
        trial: 3,
        command: "deminer train".to_owned(),
    }
}

/// Trains, stopping after each so many reports and going on from the checkpoint.
fn train(order: &Order, stop_every: Option<u32>) -> Trained {
    let mut held: Option<Vec<u8>> = None;
    loop {
        let mut saved = None;
        let stop = AtomicBool::new(false);
        let reports = Cell::new(0);
        let checkpoints =
            Checkpoints { resume: held.take(), save: &mut |file| saved = Some(file.to_vec()) };
        let ended = order.train(checkpoints, &stop, &mut |_| {
            reports.set(reports.get() + 1);
            stop.store(stop_every == Some(reports.get()), Ordering::Relaxed);
        });
        match ended.unwrap() {
            Ended::Trained(trained) => return *trained,
            Ended::Stopped => held = Some(saved.expect("a stopped run is kept")),
        }
    }
}

#[test]
fn a_stopped_run_ends_with_the_same_file() {
    for order in [
        order("mlp-5x5", Variant::Orig, &["5x4x3"]),
        order("cnn-full", Variant::Repaired, &["5x4x3"]),
        order("sla-small", Variant::Repaired, &["5x4x2", "5x4x3"]),
        order("msla", Variant::Orig, &["5x4x3"]),
        order("convnet", Variant::Repaired, &["5x4x3"]),
    ] {
        let whole = train(&order, None);
        let pieces = train(&order, Some(2));
        assert!(whole.file == pieces.file, "{}", order.name());
        assert_eq!(whole.curve, pieces.curve);
        assert!(whole.curve.svg().contains("million samples"));
        let (header, net, _) = artifact::read(&whole.file).unwrap();
        assert_eq!((header, net.parameters()), (whole.header.clone(), whole.parameters));
        assert!(whole.header.metrics.contains_key("wins on 5x4x3"), "{:?}", whole.header);
    }
}

#[test]
fn samples_do_not_depend_on_threads() {
    let one =
        Order { threads: NonZero::<usize>::MIN, ..order("mlp-5x5", Variant::Repaired, &["5x4x3"]) };
    let three = Order { threads: NonZero::new(3).unwrap(), ..one.clone() };
    assert!(train(&one, None).file == train(&three, None).file);
}

#[test]
fn foreign_and_damaged_files_are_refused_with_a_reason() {
    let file = train(&order("mlp-5x5", Variant::Repaired, &["5x4x3"]), None).file;
    let reason = |file: &[u8]| artifact::read(file).unwrap_err();
    assert!(matches!(reason(b"GIF89a"), ArtifactError::Damaged(_)));
    assert!(matches!(reason(&file[..file.len() - 1]), ArtifactError::Damaged(_)));
    let mut changed = file.clone();
    *changed.last_mut().unwrap() ^= 1;
    assert!(matches!(reason(&changed), ArtifactError::Checksum { .. }));
    let edited = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let text = file.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        let mut edited = file.clone();
        edited[text..text + to.len()].copy_from_slice(to.as_bytes());
        reason(&edited)
    };
    assert_eq!(edited("deminer network 1", "deminer network 7"), ArtifactError::Foreign);
    assert_eq!(edited("mlp-5x5", "mlp-9x9"), ArtifactError::Unknown("mlp-9x9".into()));
    assert!(matches!(
        edited("mlp-5x5", "cnn-5x5"),
        ArtifactError::Missing(_) | ArtifactError::Shape { .. }
    ));
    assert!(matches!(edited("repaired", "repaird "), ArtifactError::Header("variant")));
}

/// What is too large to be shipped is described, and its description says what its header says.
#[test]
fn descriptions_say_what_headers_say() {
    let header = train(&order("mlp-5x5", Variant::Orig, &["5x4x3"]), None).header;
    let text = artifact::describe(&header);
    assert_eq!(artifact::read_description(&text).unwrap(), header);
    for (wrong, fault) in [
        ("{", "this describes no network"),
        ("{}", "the header's `format` is missing"),
        (&text.replace("5x4x3", "five"), "the header's `board` is missing"),
        (&text.replace("\"metrics\": {", "\"other\": {"), "the header's `metrics` is missing"),
    ] {
        let told = artifact::read_description(wrong).unwrap_err().to_string();
        assert!(told.starts_with(fault), "{told}");
    }
    for (name, read) in shelf::described() {
        let header = read.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(name.starts_with(&header.net) && header.command.contains(&header.net), "{name}");
    }
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let first = order("mlp-5x5", Variant::Repaired, &["5x4x3"]);
    let mut saved = None;
    let stop = AtomicBool::new(true);
    let checkpoints = Checkpoints { resume: None, save: &mut |file| saved = Some(file.to_vec()) };
    assert!(matches!(first.train(checkpoints, &stop, &mut |_| {}), Ok(Ended::Stopped)));
    let other = Order { seed: 6, ..first };
    let checkpoints = Checkpoints { resume: saved, save: &mut |_| {} };
    let error = other.train(checkpoints, &stop, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("belongs to another run"), "{error}");
}

#[test]
fn a_teacher_without_beliefs_teaches_nothing() {
    let mut order = order("mlp-5x5", Variant::Repaired, &["5x4x3"]);
    order.recipe.teacher = "random".to_owned();
    let checkpoints = Checkpoints { resume: None, save: &mut |_| {} };
    let error = order.train(checkpoints, &AtomicBool::new(false), &mut |_| {}).unwrap_err();
    assert!(matches!(error, TrainError::NoSamples { .. }), "{error}");
}
