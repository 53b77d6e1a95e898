//! Every learner from end to end, with options that make it quick.

use std::cell::Cell;
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use deminer::roster::Roster;
use deminer_lab::disk::{Claim, Disk, Failure};
use deminer_lab::train::{
    self, Choices, Context, Event, LEARNERS, LearnerEntry, Made, MadeFile, TrainError,
};
use deminer_neural::artifact::{self, ArtifactError, Header};
use deminer_neural::models;

fn roster() -> Roster {
    Roster::new(deminer_artifacts::shipped())
}

fn choices(entry: &'static LearnerEntry, others: &[(&str, &str)]) -> Choices {
    let given = |name: &str| others.iter().any(|(other, _)| *other == name);
    let small = entry.small.iter().filter(|(name, _)| !given(name));
    let values = small.chain(others).map(|(name, value)| (name.to_string(), value.to_string()));
    Choices::read(entry, "deminer train", &roster(), values).unwrap()
}

/// How often a training is stopped at most.
const STOPS: u32 = 3;

/// Trains what was chosen, stopping after every few reports.
fn train_in(choices: &Choices, stop_every: Option<u32>, threads: usize) -> (Made, u32) {
    let mut stops = 0;
    loop {
        let stop = Arc::new(AtomicBool::new(false));
        let events = Cell::new(0);
        let mut tell = |event: Event| {
            if let Event::Progress(progress) = event {
                assert!(progress.done <= progress.total, "{progress:?}");
                events.set(events.get() + 1);
                let due = stop_every == Some(events.get()) && stops < STOPS;
                stop.store(due, Ordering::Relaxed);
            }
        };
        let threads = NonZero::new(threads).unwrap();
        let disk = Disk::default();
        let mut context = Context { threads, stop: &stop, disk, tell: &mut tell };
        match train::train(choices, &mut context).unwrap() {
            Ok(mut made) => return (made.remove(0), stops),
            Err(farewell) => {
                assert!(farewell.contains("continues from"), "{farewell}");
                stops += 1;
            }
        }
    }
}

/// A training that is asked to stop when this share of it is done. What was made, or nothing.
fn train_until(choices: &Choices, share: f64, disk: &Disk) -> Result<Option<Made>, TrainError> {
    let stop = Arc::new(AtomicBool::new(false));
    let mut tell = |event: Event| {
        if let Event::Progress(progress) = event {
            stop.store(progress.share() >= share, Ordering::Relaxed);
        }
    };
    let (threads, disk) = (NonZero::<usize>::MIN, disk.clone());
    let mut context = Context { threads, stop: &stop, disk, tell: &mut tell };
    Ok(train::train(choices, &mut context)?.ok().map(|mut made| made.remove(0)))
}

/// The end of a training has work of its own, such as a trial, which can be stopped as well.
#[test]
fn a_training_that_is_stopped_at_its_end_ends_with_the_same_file() {
    for entry in ["mlp-5x5", "sla-small", "tree"].map(|name| train::find(name).unwrap()) {
        let made = |shares: &[f64]| {
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join(format!("made.{}", entry.extension));
            let choices = choices(entry, &[("out", out.to_str().unwrap())]);
            let mut made = None;
            for &share in shares {
                made = train_until(&choices, share, &Disk::default()).unwrap();
            }
            made.unwrap()
        };
        let never = 2.0;
        assert!(made(&[1.0, 1.0, never]) == made(&[never]), "{}", entry.name);
    }
}

#[test]
fn whatever_fails_a_training_goes_on_and_ends_with_the_same_file() {
    // A network has three files; a table of values keeps its checkpoint.
    for (name, extension) in [("mlp-5x5", "safetensors"), ("q-table", "q")] {
        let entry = train::find(name).unwrap();
        let whole = small(name, &[], 1).0;
        let mut points = 0;
        for failure in Failure::ALL {
            for at in 0.. {
                let folder = tempfile::tempdir().unwrap();
                let out = folder.path().join(format!("made.{extension}"));
                let others = [("out", out.to_str().unwrap())];
                let choices = choices(entry, &others);
                let disk = Disk::failing(failure, at);
                let stopped = train_until(&choices, 0.0, &disk);
                let ended = stopped.and_then(|_| train_until(&choices, 2.0, &disk));
                if ended.is_ok() {
                    assert!(std::fs::read(&out).unwrap() == whole.artifact, "{failure:?} {at}");
                }
                if !disk.has_failed() {
                    break;
                }
                points += 1;
                // A file that is there is whole, whatever happened.
                if let Ok(bytes) = std::fs::read(&out) {
                    assert!(bytes == whole.artifact, "{name}, {failure:?} at step {at}");
                }
                train_until(&choices, 2.0, &Disk::default()).unwrap().unwrap();
                assert!(std::fs::read(&out).unwrap() == whole.artifact, "{failure:?} {at}");
                let left = std::fs::read_dir(folder.path()).unwrap();
                let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
                let files = 1 + whole.files.len();
                assert_eq!(left.len(), files, "{name}, {failure:?} at step {at}: {left:?}");
            }
        }
        assert!(points >= 40, "{name}: {points} points of failure");
    }
}

#[test]
fn two_trainings_of_the_same_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("made.q");
    let choices = choices(train::find("q-table").unwrap(), &[("out", out.to_str().unwrap())]);
    let checkpoint = out.with_extension("checkpoint");
    let claim = Claim::take(&Disk::default(), &checkpoint).unwrap().unwrap();
    let error = train_until(&choices, 2.0, &Disk::default()).unwrap_err().to_string();
    let holder = format!("another deminer (process {})", std::process::id());
    assert!(error.contains("made.q is being trained") && error.contains(&holder), "{error}");
    drop(claim);
    assert!(train_until(&choices, 2.0, &Disk::default()).unwrap().is_some());
}

fn quietly<T>(work: impl FnOnce(&mut Context) -> T) -> T {
    let stop = Arc::new(AtomicBool::new(false));
    let (threads, disk) = (NonZero::<usize>::MIN, Disk::default());
    work(&mut Context { threads, stop: &stop, disk, tell: &mut |_| () })
}

fn small(name: &str, others: &[(&str, &str)], threads: usize) -> (Made, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let choices = choices(train::find(name).unwrap(), &[others, &[("out", out)]].concat());
    (train_in(&choices, None, threads).0, folder)
}

/// A stopped training ends with the same files as one that was never stopped.
fn check_stopping(entry: &'static LearnerEntry, others: &[(&str, &str)]) {
    let [whole, pieces] = [None, Some(1)].map(|stop_every| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(format!("made.{}", entry.extension));
        let out = out.to_str().unwrap();
        let choices = choices(entry, &[others, &[("out", out)]].concat());
        let (made, stops) =
            train_in(&choices, stop_every, if stop_every.is_some() { 2 } else { 1 });
        assert_eq!(stops > 0, stop_every.is_some(), "{} was not stopped", entry.name);
        assert_eq!(std::fs::read(out).unwrap(), made.artifact);
        assert!(!Path::new(out).with_extension("checkpoint").exists(), "{}", entry.name);
        made
    });
    assert!(whole == pieces, "{} {others:?}", entry.name);
}

#[test]
fn a_stopped_training_ends_with_the_same_file() {
    for entry in LEARNERS.iter() {
        check_stopping(entry, &[]);
    }
}

#[test]
fn originals_and_other_ways_to_learn_can_be_stopped_too() {
    let find = |name| train::find(name).unwrap();
    check_stopping(find("mlp-5x5"), &[("orig", "true")]);
    check_stopping(find("msla"), &[("orig", "true"), ("board", "5x4x3")]);
    check_stopping(find("gp"), &[("scheme", "mulambda"), ("positions", "true")]);
}

#[test]
fn curves_lie_beside_networks_and_rows_where_they_are_asked_for() {
    let (made, folder) = small("mlp-5x5", &[], 2);
    let [(MadeFile::Beside("svg"), curve)] = &made.files[..] else { panic!("one curve") };
    assert!(String::from_utf8_lossy(curve).contains("million samples"));
    let (header, net, _) = artifact::read(&made.artifact).unwrap();
    assert!(made.report.contains(&format!("{} learned numbers", net.parameters())));
    assert!(header.metrics.contains_key("wins on 5x4x3"), "{header:?}");
    assert_eq!(std::fs::read(folder.path().join("mlp-5x5-5x4x3.svg")).unwrap(), *curve);

    let rows = folder.path().join("rows.csv");
    small("gp", &[("rows", rows.to_str().unwrap())], 2);
    let rows = std::fs::read_to_string(rows).unwrap();
    assert!(rows.starts_with("iteration,evaluations,best,") && rows.lines().count() == 8, "{rows}");
}

#[test]
fn checkpoints_of_other_runs_and_other_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.checkpoint");
    let kept = [("checkpoint", path.to_str().unwrap())];
    let entry = train::find("gp").unwrap();
    let run = |others: &[(&str, &str)]| {
        quietly(|context| train::train(&choices(entry, &[&kept, others].concat()), context))
    };
    let words = |others: &[(&str, &str)]| run(others).unwrap_err().to_string();
    assert!(words(&[("resume", "true")]).starts_with("there is no checkpoint"));
    // A checkpoint that was asked for stays, so that a longer training continues.
    assert!(run(&[]).unwrap().is_ok() && path.exists());
    let made = run(&[("iterations", "70")]).unwrap().unwrap();
    assert!(made[0].report.starts_with("70 iterations"), "{}", made[0].report);
    let other = words(&[("seed", "6")]);
    assert!(other.contains("belongs to another run") && other.contains("seed=6"), "{other}");
    for foreign in ["deminer evolution 1\n", "deminer checkpoint 2\n"] {
        std::fs::write(&path, foreign).unwrap();
        assert!(words(&[]).contains("remove it to begin again"), "{}", words(&[]));
    }
}

#[test]
fn samples_do_not_depend_on_threads() {
    let [one, three] = [1, 3].map(|threads| small("mlp-5x5", &[], threads).0);
    assert!(one == three);
}

#[test]
fn foreign_and_damaged_files_are_refused_with_a_reason() {
    let file = small("mlp-5x5", &[], 2).0.artifact;
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
    let file = small("mlp-5x5", &[("orig", "true")], 2).0.artifact;
    let (header, ..): (Header, _, _) = artifact::read(&file).unwrap();
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
    for (name, read) in models::described(&deminer_artifacts::shipped()) {
        let header = read.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(name.starts_with(&header.net) && header.command.contains(&header.net), "{name}");
    }
}

#[test]
fn a_teacher_without_estimates_teaches_nothing() {
    let entry = train::find("mlp-5x5").unwrap();
    let choices = choices(entry, &[("teacher", "random")]);
    let error = quietly(|context| {
        (entry.begin)(&choices, None, context).ok().unwrap().step(context).unwrap_err()
    });
    assert!(matches!(error, TrainError::NoSamples(_)), "{error}");
}

fn refused(words: &str) -> (String, String) {
    let words: Vec<&str> = words.split(' ').collect();
    let entry = train::find(words[0]).unwrap();
    let pair = |word: &&str| word.split_once('=').map(|(name, value)| (name.into(), value.into()));
    let choices = Choices::read(entry, "", &roster(), words[1..].iter().filter_map(pair));
    let checked =
        choices.map_err(TrainError::from).and_then(|choices| (entry.check)(&choices)).err();
    match checked {
        None => (String::new(), String::new()),
        Some(TrainError::Option(error)) => (error.name, error.reason),
        Some(other) => ("-".into(), other.to_string()),
    }
}

#[test]
fn wrong_options_are_named_before_anything_starts() {
    for right in [
        "tree board=9x9x10 games=10",
        "q-table board=4x4x3",
        "gp board=9x9x10",
        "quartetti population=20 others=5,7",
        "mio beyond=true rounds=3",
        "cnn-5x5 board=7x7x5 out=artifact.safetensors",
        "cnn-5x5 orig=true dropout=0.3",
        "sla-small orig=true further=50000",
    ] {
        assert_eq!(refused(right), (String::new(), String::new()), "{right}");
    }
    for (wrong, option, words) in [
        ("tree board=banana", "board", "banana"),
        ("tree depth=200", "depth", "from 0 to 64"),
        ("tree features=smell", "features", "symmetric"),
        ("tree colour=red", "colour", "there are of, games"),
        ("tree of=nobody", "of", "nobody"),
        ("tree at=middle", "at", "middle"),
        ("tree shape=hex", "-", "hex"),
        ("tree of=lowest-risk clues=smell", "clues", "smell"),
        ("mio rounds=3", "beyond", "`beyond`"),
        ("mio beyond=true pool=true", "beyond", "--pool"),
        ("gp board=9x9", "board", "9x9"),
        ("gp board=200x2x9", "board", "at most 127"),
        ("quartetti others=5,70", "others", "from 1 to 11"),
        ("q-table board=30x16x99", "board", "too many views"),
        ("q-table board=4x4x3 mine=-2000", "mine", "from -1000 to 1000"),
        ("cnn-5x5 out=artifact.safetensors", "board", "--board"),
        ("sla-small epochs=3", "epochs", "--games"),
        ("mlp-5x5 epochs=3 samples=3", "epochs", "--samples"),
        ("mlp-5x5 mixed=true", "mixed", "does not play itself"),
        ("mlp-5x5 further=5", "further", "does not play itself"),
        ("mlp-5x5 dropout=0.3", "dropout", "no dropout layers"),
        ("cnn-full orig=true dropout=0.3", "dropout", "no dropout layers"),
        ("mlp-5x5 orig=true dropout=1", "dropout", "from 0 to 0.9"),
        ("mlp-5x5 teacher=nobody", "teacher", "nobody"),
        ("mlp-5x5 board=3x3x9 start=open", "-", "mines"),
        ("mlp-5x5 board=9x9x10 teacher=optimal", "-", "optimal"),
    ] {
        let (name, reason) = refused(wrong);
        assert_eq!(name, option, "{wrong}: {reason}");
        assert!(reason.contains(words), "{wrong}: {reason}");
    }
}
