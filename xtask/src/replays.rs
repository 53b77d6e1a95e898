//! `cargo xtask replays FOLDER`: tests the readers on a collection of replays.
//!
//! Every file is read, replayed, converted to RawVF and read back: the moves must be the same. Then
//! it is damaged by truncation and by changed bytes: no damage may crash a reader or take long.
//! With `--coach PROGRAM`, a built `deminer`, its coach also reviews every game, which takes longer.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use deminer_formats::{ReadError, detect, find};
use deminer_game::Rng;

/// Number of truncations and number of changed bytes for each file.
const DAMAGES: usize = 200;
/// The time limit for reading a file, also in unoptimized builds.
const TIME_LIMIT: Duration = Duration::from_secs(10);

pub fn run(options: &[&str]) -> Result<()> {
    let mut coach = None;
    let mut folder = None;
    let mut words = options.iter().copied();
    while let Some(option) = words.next() {
        match option {
            "--coach" => coach = Some(words.next().context("--coach needs a PROGRAM")?),
            _ if option.starts_with('-') => bail!("replays takes no `{option}`"),
            _ if folder.is_some() => bail!("replays takes one folder"),
            _ => folder = Some(PathBuf::from(option)),
        }
    }
    let folder = folder.context("replays needs a FOLDER")?;
    let tally = try_folder(&folder, coach, |line| println!("{line}"))?;
    println!("{} files read, {} refused, {} faults", tally.read, tally.refused, tally.faults);
    match tally.faults {
        0 => Ok(()),
        faults => Err(anyhow!("{faults} files show a bug in deminer")),
    }
}

/// The results.
#[derive(Default, PartialEq, Debug)]
struct Tally {
    /// Read, and the same moves came back from RawVF.
    read: usize,
    /// Refused with an error.
    refused: usize,
    /// Read wrongly, or a reader crashed.
    faults: usize,
}

/// Tests every file of a folder, by name.
fn try_folder(folder: &Path, coach: Option<&str>, mut print: impl FnMut(String)) -> Result<Tally> {
    let name = folder.display().to_string();
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {name}"))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry?.path());
    }
    paths.retain(|path| path.is_file());
    paths.sort();
    let mut tally = Tally::default();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = fs::read(&path).with_context(|| format!("cannot read {name}"))?;
        let report = match opened(&path, &name, &bytes, coach) {
            Ok(Ok(report)) => {
                tally.read += 1;
                report
            }
            Ok(Err(error)) => {
                tally.refused += 1;
                format!("refused: {error}")
            }
            Err(fault) => {
                tally.faults += 1;
                format!("FAULT: {fault:#}")
            }
        };
        print(format!("{name:<36} {report}"));
    }
    Ok(tally)
}

/// A line about a file, or why it cannot be read. Fails if it was read incorrectly.
fn opened(
    path: &Path,
    name: &str,
    bytes: &[u8],
    coach: Option<&str>,
) -> Result<Result<String, ReadError>> {
    survives(name, bytes)?;
    let start = Instant::now();
    let document = match deminer_formats::read(bytes, Some(name)) {
        Ok(document) => document,
        Err(error) => return Ok(Err(error)),
    };
    let took = start.elapsed();
    let format = detect(bytes, Some(name)).map_or("?", |format| format.name);
    let Ok(record) = document.record() else {
        return Ok(Ok(format!("{format:<8} a {}, not a game", document.kind())));
    };
    record.replay(|_, _, _| {}).context("its moves cannot be played")?;
    let rawvf = find("rawvf").expect("one of the formats");
    let text = rawvf.write(&document).context("it cannot be written as RawVF")?;
    let again = deminer_formats::read(&text, None).context("its RawVF cannot be read")?.record()?;
    ensure!(again.layout == record.layout, "RawVF gives other mines back");
    ensure!(again.moves == record.moves, "RawVF gives other moves back");
    ensure!(again.outcome == record.outcome, "RawVF gives another outcome back");
    if let Some(program) = coach {
        let mut review = Command::new(program);
        review.arg("coach").arg(path).arg("--json").stdout(Stdio::null());
        crate::succeed(&mut review, program)?;
    }
    Ok(Ok(format!(
        "{format:<8} {:<10} 3BV {:<4} {:<10} {:>5} moves  {:>7} events  {:>4} ms",
        record.rules.size().to_string(),
        record.layout.as_ref().map_or(0, |layout| layout.three_bv()),
        record.outcome.name(),
        record.moves.len(),
        document.replay().map_or(0, |replay| replay.events.len()),
        took.as_millis(),
    )))
}

/// Fails if some damage to the file crashes a reader or takes too long.
fn survives(name: &str, bytes: &[u8]) -> Result<()> {
    let mut rng = Rng::new(bytes.len() as u64);
    survive(name, bytes).context("as it is")?;
    for number in 0..DAMAGES.min(bytes.len()) {
        // Short files are cut at every length, long ones at evenly spread lengths.
        let length = number * bytes.len() / DAMAGES.min(bytes.len());
        survive(name, &bytes[..length]).with_context(|| format!("cut off at byte {length}"))?;
        let at = rng.below(bytes.len());
        let mut damaged = bytes.to_vec();
        damaged[at] = rng.below(256) as u8;
        let byte = damaged[at];
        survive(name, &damaged).with_context(|| format!("with {byte} at byte {at}"))?;
    }
    Ok(())
}

fn survive(name: &str, bytes: &[u8]) -> Result<()> {
    let start = Instant::now();
    let read = || {
        if let Ok(document) = deminer_formats::read(bytes, Some(name)) {
            let _ = document.record();
        }
    };
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| anyhow!("a reader crashed"))?;
    ensure!(start.elapsed() < TIME_LIMIT, "a reader took {} s", start.elapsed().as_secs());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_tried_file_by_file() {
        let folder = std::env::temp_dir().join(format!("deminer-replays-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let game = "Width: 4\nHeight: 2\nBoard:\n*000\n0000\n0.000 start\n0.1 lc (56 8)\n\
                    0.2 lr (56 8)\n0.3 lc (8 24)\n0.4 lr (8 24)\n";
        fs::write(folder.join("a.rawvf"), game).unwrap();
        fs::write(folder.join("b.rawvf"), game.replace("0.3 lc", "0.3 xx")).unwrap();
        fs::write(folder.join("c.bin"), [250, 251]).unwrap();
        let mut lines = Vec::new();
        let tally = try_folder(&folder, None, |line| lines.push(line)).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(tally, Tally { read: 1, refused: 2, faults: 0 });
        assert!(lines[0].starts_with("a.rawvf "));
        assert!(
            lines[0]
                .contains("rawvf    4x2x1      3BV 2    won            2 moves        4 events")
        );
        assert!(lines[1].contains("refused: line 9: this event is `0.3 xx (8 24)`"));
        assert!(lines[2].contains("refused: This file is not in a format deminer reads."));
    }
}
