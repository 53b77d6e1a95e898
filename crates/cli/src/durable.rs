//! What the verbs of durable runs share.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::Context;
use deminer_lab::durable::{Progress, RunDir, RunDirError, RunSpec, Sealed};
use serde::Serialize;

use crate::failure::{Done, Failure};
use crate::output::{Output, SCHEMA_VERSION, name_input, read_input};
use crate::tournament::{report, standing, stop_on_interrupt};

/// Reads a spec.
pub fn read_spec(path: &Path) -> Result<RunSpec, Failure> {
    let text = String::from_utf8(read_input(path)?);
    let name = || name_input(path);
    let text = text.context("not UTF-8").with_context(name).map_err(Failure::input)?;
    text.parse::<RunSpec>().with_context(name).map_err(Failure::input)
}

/// Begins a run, or goes on with it.
pub fn open(folder: PathBuf, spec: &RunSpec) -> Result<RunDir, Failure> {
    RunDir::open(folder, spec).map_err(failure)
}

/// Says with its code what is wrong with a run.
pub fn failure(error: RunDirError) -> Failure {
    match error {
        RunDirError::Spec(_)
        | RunDirError::OtherRun { .. }
        | RunDirError::Occupied { .. }
        | RunDirError::NoShard { .. } => Failure::usage(error),
        RunDirError::NoRun { .. } | RunDirError::DamagedSpec { .. } => Failure::input(error),
        _ => error.into(),
    }
}

/// Plays a run, or one shard of it, to its end or to Ctrl-C.
pub fn play(
    run: &RunDir,
    shard: Option<u64>,
    threads: NonZero<usize>,
    output: &Output,
    quiet: bool,
) -> Result<Progress, Failure> {
    let spec = run.spec();
    let stop = stop_on_interrupt()?;
    let bar = output.progress(spec.games, "games", quiet);
    let (mut told, mut finished, mut playing) = (0, 0, false);
    let progress = |progress: &Progress| {
        for aside in &progress.set_aside[told..] {
            let path = aside.path.display();
            let cause = &aside.cause;
            let note = format!("set aside as {path}: {cause}; its games are played again");
            bar.suspend(|| output.note(note));
        }
        told = progress.set_aside.len();
        bar.set_length(progress.games);
        bar.set_position(progress.tallies[0].games());
        bar.set_message(standing(&spec.agents, &progress.tallies));
        // Games that were there already tell nothing about how long the others take.
        if !playing && finished == progress.finished {
            playing = true;
            bar.reset_eta();
        }
        finished = progress.finished;
    };
    let played = match shard {
        None => run.run(threads, &stop, progress),
        Some(shard) => run.run_shard(shard, threads, &stop, progress),
    };
    bar.finish_and_clear();
    played.map_err(failure)
}

/// Says how to go on after Ctrl-C.
pub fn interrupted(progress: &Progress) -> Failure {
    let Progress { finished, shards, .. } = progress;
    Failure::interrupted(format!(
        "interrupted: {finished} of {shards} shards are finished; the same command goes on"
    ))
}

/// How far a run is.
#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    directory: &'a Path,
    fingerprint: String,
    shards: u64,
    finished: u64,
    complete: bool,
    sealed: bool,
    set_aside: Vec<AsideShape<'a>>,
}

#[derive(Serialize)]
struct AsideShape<'a> {
    path: &'a Path,
    cause: &'a str,
}

/// Prints how far a run is as a document.
pub fn print_progress(run: &RunDir, progress: &Progress, output: &Output) -> Done {
    let aside = progress.set_aside.iter();
    output.json(&Document {
        schema_version: SCHEMA_VERSION,
        directory: run.path(),
        fingerprint: run.spec().fingerprint(),
        shards: progress.shards,
        finished: progress.finished,
        complete: progress.complete(),
        sealed: run.is_sealed(),
        set_aside: aside
            .map(|aside| AsideShape { path: &aside.path, cause: &aside.cause })
            .collect(),
    })
}

/// Counts all games of a run and prints what they come to.
pub fn seal(run: &RunDir, output: &Output, json: bool) -> Done {
    let before = run.is_sealed();
    let Sealed { results, builds, text } = run.seal().map_err(failure)?;
    if json {
        output.bytes(text.as_bytes())?;
    } else {
        output.print(report(&run.spec().tournament(), &results))?;
    }
    let totals = run.totals_path();
    match before {
        true => output.note(format_args!("sealed before, in {}", totals.display())),
        false => output.note(format_args!("wrote {}", totals.display())),
    }
    if builds.len() > 1 {
        let name = |build: &deminer_lab::provenance::Build| {
            let commit = build.commit.as_deref().unwrap_or("no commit");
            format!("{} ({commit}, rustc {}, {})", build.version, build.rustc, build.cpu)
        };
        let names: Vec<String> = builds.iter().map(name).collect();
        output.note(format_args!("several builds of deminer played: {}", names.join("; ")));
    }
    Ok(())
}
