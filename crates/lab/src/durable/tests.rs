//! Directories as kills, copies and bad disks leave them.

use std::ffi::OsStr;
use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::{fs, thread};

use tempfile::TempDir;

use super::*;
use crate::disk::Failure;
use crate::tournament::{Estimator, GameRow, Tournament};
use deminer::roster::{Roster, Spec};

/// Two agents, 250 games, shards of 100, 100 and 50.
const SPEC_TEXT: &str = r#"
    agents = ["random", "single-point"]
    board = "6x5x5"
    games = 250
    shard = 100
    seed = 3
"#;

fn spec() -> RunSpec {
    RunSpec::parse(SPEC_TEXT, &Roster::default()).unwrap()
}

/// The same with another tournament.
fn with(change: impl FnOnce(&mut Tournament)) -> RunSpec {
    let mut spec = spec();
    change(&mut spec.tournament);
    spec
}

fn scratch() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn open(folder: &TempDir, spec: &RunSpec) -> RunDir {
    RunDir::open(folder.path(), spec).unwrap()
}

/// Why a run cannot be opened.
fn refusal(path: impl Into<PathBuf>, spec: &RunSpec) -> String {
    RunDir::open(path, spec).unwrap_err().to_string()
}

fn go_on(run: &RunDir) -> Progress {
    run.run(NonZero::new(2).unwrap(), &Arc::default(), |_| {}).unwrap()
}

/// Why a run cannot be played.
fn fault(run: &RunDir) -> String {
    let stop = Arc::new(AtomicBool::new(false));
    run.run(NonZero::<usize>::MIN, &stop, |_| {}).unwrap_err().to_string()
}

/// A finished run.
fn finished(folder: &TempDir) -> RunDir {
    let run = open(folder, &spec());
    assert!(go_on(&run).complete());
    run
}

/// Plays and seals a run on a disk that may fail.
fn campaign(disk: &Disk, folder: &TempDir) -> Result<Sealed, RunDirError> {
    let run = RunDir::open_on(disk, folder.path().join("run"), &spec())?;
    run.run(NonZero::<usize>::MIN, &Arc::default(), |_| {})?;
    run.seal()
}

#[test]
fn whatever_fails_nothing_is_lost_and_nothing_is_counted_twice() {
    let expected = undisturbed(&spec());
    let mut points = 0;
    for failure in Failure::ALL {
        for at in 0.. {
            let folder = scratch();
            let disk = Disk::failing(failure, at);
            let first = campaign(&disk, &folder);
            if !disk.has_failed() {
                assert!(first.is_ok());
                break;
            }
            points += 1;
            // Parts and totals that exist when the first try ends never change.
            let kept: Vec<(PathBuf, Vec<u8>)> = fs::read_dir(folder.path().join("run"))
                .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
                .unwrap_or_else(|_| Vec::new())
                .into_iter()
                .filter(|path: &PathBuf| {
                    path.extension().is_some_and(|end| end == "parquet" || end == "json")
                })
                .map(|path| (path.clone(), fs::read(path).unwrap()))
                .collect();
            let sealed = campaign(&Disk::default(), &folder).unwrap();
            assert_eq!(sums(&sealed.results), expected, "{failure:?} at step {at}");
            assert_eq!(sealed.repaired, None, "{failure:?} at step {at}");
            for (path, bytes) in kept {
                assert_eq!(fs::read(&path).unwrap(), bytes, "{failure:?} at step {at}: {path:?}");
            }
            if let Ok(first) = first {
                assert_eq!(first.text, sealed.text, "{failure:?} at step {at}");
            }
            let run = RunDir::existing(folder.path().join("run")).unwrap();
            assert_eq!(files(&run).len(), 5, "{failure:?} at step {at}: {:?}", files(&run));
        }
    }
    assert!(points > 80, "{points} points of failure");
}

/// All that repeats of a tally.
type Sums = (Vec<deminer_game::Outcome>, Vec<f64>, f64, u64, u64, u64);

fn sums(results: &Results) -> Vec<Sums> {
    let sums = |tally: &Tally| {
        let Tally { outcomes, weights, actions, guesses, opened, .. } = tally.clone();
        (outcomes, weights, tally.rate(), actions, guesses, opened)
    };
    results.tallies.iter().map(sums).collect()
}

/// What the same games come to without any directory.
fn undisturbed(spec: &RunSpec) -> Vec<Sums> {
    let threads = NonZero::new(2).unwrap();
    sums(&spec.tournament.run(threads, &Arc::default(), |_| {}).unwrap())
}

fn files(run: &RunDir) -> Vec<String> {
    let mut names = names(run.path()).unwrap();
    names.sort();
    names
}

#[test]
fn a_run_is_the_undisturbed_tournament() {
    for estimator in Estimator::ALL {
        let folder = scratch();
        let spec = with(|tournament| tournament.estimator = estimator);
        let run = RunDir::open(folder.path().join("new/folder"), &spec).unwrap();
        let progress = go_on(&run);
        assert_eq!((progress.shards, progress.finished, progress.set_aside.len()), (3, 3, 0));
        assert_eq!(progress.tallies[1].games(), 250);
        let sealed = run.seal().unwrap();
        assert_eq!(sums(&sealed.results), undisturbed(&spec));
        assert_eq!(sealed.builds, [Build::here()]);
        assert_eq!(fs::read_to_string(run.totals_path()).unwrap(), sealed.text);
        let parts = [0, 1, 2].map(part_name);
        let others = ["spec.toml", "totals.json"].map(str::to_owned);
        assert_eq!(files(&run), [&parts[..], &others].concat());
    }
}

#[test]
fn the_same_spec_goes_on_and_another_is_refused() {
    let folder = scratch();
    finished(&folder);
    assert_eq!(open(&folder, &spec()).spec().to_string(), spec().to_string());
    let other = with(|tournament| (tournament.seed, tournament.games) = (4, 0..300));
    assert_eq!(
        refusal(folder.path(), &other),
        format!(
            "{} contains another run: seed is 3 there and 4 here, games is 250 there and 300 here; \
             choose another directory, or use the spec it was started with",
            folder.path().display()
        )
    );
}

#[test]
fn impossible_specs_are_refused_before_anything_is_written() {
    let folder = scratch();
    let path = folder.path().join("run");
    let no_agents = with(|tournament| tournament.agents.clear());
    assert_eq!(refusal(&path, &no_agents), "agents: name at least one agent");
    assert!(!path.exists());
}

#[test]
fn a_run_begins_in_an_empty_directory() {
    let folder = scratch();
    fs::write(folder.path().join("thesis.tex"), "").unwrap();
    let message = refusal(folder.path(), &spec());
    assert!(message.contains("contains no run but other files, such as thesis.tex"), "{message}");
    assert_eq!(names(folder.path()).unwrap(), ["thesis.tex"]);
    let message = RunDir::existing(folder.path()).unwrap_err().to_string();
    assert!(message.ends_with("contains no run: it has no spec.toml"), "{message}");
    // What a killed start leaves behind does not disturb the next one.
    let folder = scratch();
    fs::write(folder.path().join("spec.toml.lock"), "").unwrap();
    fs::write(folder.path().join("spec.toml.unfinished"), "agents = [").unwrap();
    finished(&folder).seal().unwrap();
}

#[test]
fn shards_can_be_played_one_by_one() {
    let folder = scratch();
    let run = open(&folder, &spec());
    let (one, stop) = (NonZero::<usize>::MIN, Arc::new(AtomicBool::new(false)));
    for index in [2, 0, 2, 1] {
        let progress = run.run_shard(index, one, &stop, |_| {}).unwrap();
        assert_eq!((progress.shards, progress.finished), (1, 1));
        let games = progress.tallies[0].games();
        assert_eq!(games, if index == 2 { 50 } else { 100 });
    }
    assert_eq!(sums(&run.seal().unwrap().results), undisturbed(&spec()));
    assert_eq!(
        run.run_shard(3, one, &stop, |_| {}).unwrap_err().to_string(),
        "there is no shard 3: the run has 3, numbered from 0"
    );
}

#[test]
fn missing_shards_are_named() {
    let folder = scratch();
    let run = open(&folder, &RunSpec { shard: NonZero::new(20).unwrap(), ..spec() });
    go_on(&run);
    for shard in [0, 1, 2, 7, 12] {
        fs::remove_file(run.part_path(shard)).unwrap();
    }
    assert_eq!(run.rows(3).unwrap()[1].len(), 20);
    for wrong in [7, 13] {
        assert!(run.rows(wrong).unwrap_err().to_string().contains("shard"));
    }
    let message = run.seal().unwrap_err().to_string();
    assert!(
        message.ends_with(
            "is not finished: 5 of 13 shards are missing (0-2, 7, 12); run it again to play the \
             missing games"
        ),
        "{message}"
    );
    assert!(!run.is_sealed());
    assert_eq!(go_on(&run).finished, 13);
    run.seal().unwrap();
}

/// Damages the middle part of a finished run and sees it found, set aside and played anew.
fn check_damage(damage: impl Fn(&RunDir), cause: &str) {
    let folder = scratch();
    let run = finished(&folder);
    damage(&run);
    let message = run.seal().unwrap_err().to_string();
    let told = format!("is not finished: shard-000001.parquet is damaged: {cause};");
    assert!(message.contains(&told), "{message}");
    let damaged = fs::read(run.part_path(1)).unwrap();

    let progress = go_on(&run);
    assert!(progress.complete());
    assert_eq!(progress.tallies[0].games(), 250);
    let [aside] = &progress.set_aside[..] else { panic!("{:?}", progress.set_aside) };
    assert_eq!(aside.cause, cause);
    assert_eq!(aside.path.file_name(), Some(OsStr::new("shard-000001.parquet.set-aside")));
    assert_eq!(fs::read(&aside.path).unwrap(), damaged);
    assert_eq!(sums(&run.seal().unwrap().results), undisturbed(&spec()));
}

/// Writes another part in the place of the middle one.
fn forge(run: &RunDir, spec: &RunSpec, games: Range<u64>, rows: &[Vec<GameRow>]) {
    let bytes = part::encode(spec, games, rows, &Build::here()).unwrap();
    fs::write(run.part_path(1), bytes).unwrap();
}

/// The same with the right label on it.
fn mislabel(run: &RunDir, agents: &[Spec], games: Range<u64>, rows: &[Vec<GameRow>]) {
    let label = part::label(&spec(), &(100..200), 200, &Build::here());
    fs::write(run.part_path(1), part::table(agents, games, rows, label).unwrap()).unwrap();
}

fn middle_rows(run: &RunDir) -> Vec<Vec<GameRow>> {
    run.rows(1).unwrap()
}

#[test]
fn truncated_and_changed_parts_are_found() {
    let change = |run: &RunDir, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = fs::read(run.part_path(1)).unwrap();
        change(&mut bytes);
        fs::write(run.part_path(1), bytes).unwrap();
    };
    let (cut, changed) =
        ("it is truncated, or not a part of a run", "its bytes have changed since it was written");
    for (keep, cause) in [(0.0, cut), (0.5, cut), (0.99, changed)] {
        let cut = |bytes: &mut Vec<u8>| bytes.truncate((bytes.len() as f64 * keep) as usize);
        check_damage(|run| change(run, &cut), cause);
    }
    check_damage(|run| change(run, &|bytes| bytes[1000] ^= 1), changed);
}

#[test]
fn parts_of_other_runs_and_other_games_are_found() {
    let other = with(|tournament| tournament.seed = 4);
    check_damage(
        |run| forge(run, &other, 100..200, &middle_rows(run)),
        &format!(
            "it belongs to another run (fingerprint {}, not {})",
            other.fingerprint(),
            spec().fingerprint()
        ),
    );
    check_damage(
        |run| {
            fs::copy(run.part_path(0), run.part_path(1)).unwrap();
        },
        "it contains games 0 to 99, not 100 to 199",
    );
}

#[test]
fn games_that_are_there_twice_or_not_at_all_are_found() {
    let agents = spec().tournament.agents;
    // The games of one agent twice, those of the other not at all.
    let twice = [agents[0].clone(), agents[0].clone()];
    check_damage(
        |run| mislabel(run, &twice, 100..200, &middle_rows(run)),
        "row 100 is game 100 of random, but should be game 100 of single-point",
    );
    // One game of the run twice, another not at all.
    check_damage(
        |run| mislabel(run, &agents, 99..199, &middle_rows(run)),
        "row 0 is game 99 of random, but should be game 100 of random",
    );
    check_damage(
        |run| {
            let rows: Vec<_> = middle_rows(run).iter().map(|rows| rows[..99].to_vec()).collect();
            mislabel(run, &agents, 100..199, &rows);
        },
        "it has 198 rows, not 200",
    );
}

/// Every byte of a part matters, and none that changed reaches a parser.
#[test]
fn no_changed_byte_and_no_cut_passes() {
    let folder = scratch();
    let run = finished(&folder);
    let bytes = fs::read(run.part_path(2)).unwrap();
    let passes = |bytes: Vec<u8>| part::decode(bytes, &spec(), 200..250).is_ok();
    assert!(passes(bytes.clone()));
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 1 << (place % 8);
        assert!(!passes(changed), "byte {place}");
        assert!(!passes(bytes[..place].to_vec()), "cut at {place}");
    }
    assert!(!passes([&bytes[..], b"x"].concat()));
}

#[test]
fn what_was_set_aside_before_stays() {
    let folder = scratch();
    let run = finished(&folder);
    for round in 1..=3 {
        fs::write(run.part_path(0), format!("round {round}")).unwrap();
        assert!(go_on(&run).complete());
    }
    let mut aside = files(&run);
    aside.retain(|name| name.contains("set-aside"));
    let names = ["", "-2", "-3"].map(|end| format!("shard-000000.parquet.set-aside{end}"));
    assert_eq!(aside, names);
}

#[test]
fn a_sealed_run_is_final() {
    let folder = scratch();
    let run = finished(&folder);
    let sealed = run.seal().unwrap();
    assert!(run.is_sealed() && go_on(&run).complete());
    assert_eq!(run.seal().unwrap().text, sealed.text);

    // A part that was played anew is right, but not what was sealed.
    let part = fs::read(run.part_path(1)).unwrap();
    let mut rows = middle_rows(&run);
    rows[0][0].nanos += 1;
    forge(&run, &spec(), 100..200, &rows);
    let message = run.seal().unwrap_err().to_string();
    assert!(message.ends_with("totals.json: parts have changed since the run was sealed"));
    fs::write(run.part_path(1), &part[1..]).unwrap();
    assert_eq!(fault(&run), message);
    fs::write(run.part_path(1), part).unwrap();
    assert_eq!(run.seal().unwrap().text, sealed.text);
}

#[test]
fn totals_that_were_changed_by_hand_are_refused() {
    let folder = scratch();
    let run = finished(&folder);
    let text = run.seal().unwrap().text;
    let won =
        |text: &str| text.split("\"won\": ").nth(1).unwrap().split(',').next().unwrap().to_owned();
    let forged = text.replacen(&format!("\"won\": {}", won(&text)), "\"won\": 250", 1);
    fs::write(run.totals_path(), &forged).unwrap();
    let told = format!(
        "totals.json was changed: agents[0].won is 250 there and {} in the parts; remove it and \
         seal the run again",
        won(&text)
    );
    assert!(run.seal().unwrap_err().to_string().ends_with(&told), "{}", run.seal().unwrap_err());
    assert!(run.sealed().unwrap_err().to_string().ends_with(&told));
    for (from, to) in [
        ("\"complete\": true", "\"complete\": false"),
        ("\"paired\": [", "\"paired\": [], \"unpaired\": ["),
        ("\"version\": \"", "\"version\": \"9."),
    ] {
        assert!(text.contains(from), "{from}");
        fs::write(run.totals_path(), text.replacen(from, to, 1)).unwrap();
        assert!(run.seal().is_err(), "{to}");
    }
}

#[test]
fn torn_totals_are_told_and_written_anew() {
    let folder = scratch();
    let run = finished(&folder);
    let text = run.seal().unwrap().text;
    for torn in [&b""[..], &text.as_bytes()[..text.len() / 2], b"\xff\xfe", b"{}"] {
        fs::write(run.totals_path(), torn).unwrap();
        let told = run.sealed().unwrap_err().to_string();
        assert!(told.contains("totals.json is damaged: "), "{told}");
        let sealed = run.seal().unwrap();
        assert!(sealed.repaired.is_some());
        assert_eq!(fs::read_to_string(run.totals_path()).unwrap(), sealed.text);
        assert_eq!(run.seal().unwrap().repaired, None);
    }
}

#[test]
fn a_stopped_run_gives_up_its_shards_and_goes_on_later() {
    let folder = scratch();
    let run = open(&folder, &with(|tournament| tournament.games = 0..100_000));
    let stop = Arc::new(AtomicBool::new(false));
    let progress = run
        .run(NonZero::new(2).unwrap(), &stop, |progress| {
            stop.store(progress.finished >= 5, Ordering::Relaxed);
        })
        .unwrap();
    assert!(!progress.complete() && progress.finished >= 5);
    assert!(files(&run).iter().all(|name| !name.contains("lock") && !name.contains("unfinished")));
    // Stopped before it begins, it does nothing at all.
    let again = run.run(NonZero::<usize>::MIN, &Arc::new(AtomicBool::new(true)), |_| {}).unwrap();
    assert_eq!(again.finished, 0);
}

#[test]
fn several_at_once_share_the_work() {
    let folder = scratch();
    let spec = with(|tournament| tournament.games = 0..20_000);
    let played = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let run = open(&folder, &spec);
                let mut counted = 0;
                let progress = run
                    .run(NonZero::<usize>::MIN, &Arc::default(), |progress| {
                        // Batches have 64 games, or 36 at a shard's end; parts have 100.
                        let games = progress.tallies[0].games();
                        played.fetch_add((games - counted) % 100, Ordering::Relaxed);
                        counted = games;
                    })
                    .unwrap();
                assert!(progress.complete());
                assert_eq!(progress.tallies[0].games(), 20_000);
            });
        }
    });
    assert_eq!(played.into_inner(), 20_000, "no game is played by two processes");
    let run = RunDir::existing(folder.path()).unwrap();
    assert_eq!(sums(&run.seal().unwrap().results), undisturbed(&spec));
}

#[test]
fn a_claim_is_waited_for_while_its_owner_lives_and_taken_over_afterwards() {
    let folder = scratch();
    let run = open(&folder, &spec());
    let claim = try_claim(&run.disk, &run.part_path(1)).unwrap().expect("the part is free");
    assert!(try_claim(&run.disk, &run.part_path(1)).unwrap().is_none());
    let finished = AtomicU64::new(0);
    thread::scope(|scope| {
        let runner = scope.spawn(|| {
            run.run(NonZero::<usize>::MIN, &Arc::default(), |progress| {
                finished.store(progress.finished, Ordering::Relaxed);
            })
        });
        while finished.load(Ordering::Relaxed) < 2 {
            thread::sleep(PATIENCE / 10);
        }
        thread::sleep(3 * PATIENCE);
        assert!(!runner.is_finished(), "shard 1 is someone else's");
        drop(claim);
        assert!(runner.join().unwrap().unwrap().complete());
    });
    // A lock file without an owner is no claim.
    fs::remove_file(run.part_path(0)).unwrap();
    fs::write(folder.path().join("shard-000000.parquet.lock"), "").unwrap();
    fs::write(folder.path().join("shard-000000.parquet.unfinished"), "half").unwrap();
    assert!(go_on(&run).complete());
    fs::write(folder.path().join("shard-000002.parquet.lock"), "").unwrap();
    run.seal().unwrap();
    assert_eq!(files(&run).len(), 5, "{:?}", files(&run));
}

#[test]
fn what_cannot_be_written_is_told_with_its_path() {
    let folder = scratch();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let message = refusal(file.join("run"), &spec());
    let start = format!("cannot make the directory {}", file.join("run").display());
    assert!(message.starts_with(&start), "{message}");

    // Something else has the name under which a part is written before it is whole.
    let run = RunDir::open(folder.path().join("run"), &spec()).unwrap();
    fs::create_dir(run.path().join("shard-000001.parquet.unfinished")).unwrap();
    let message = fault(&run);
    let start = format!("cannot write {}: ", run.part_path(1).display());
    assert!(message.starts_with(&start), "{message}");
    // Other shards are none the worse for it.
    assert!(run.part(0).is_ok() && matches!(run.part(1), Err(Absence::Missing)));

    fs::write(run.path().join(SPEC), "agents = 3\ngames = 1").unwrap();
    let message = refusal(run.path(), &spec());
    assert!(message.contains("spec.toml: line 1: agents: integer `3` does not fit"), "{message}");
}
