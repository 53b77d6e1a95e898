//! Shared code of the commands for durable runs.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::Context;
use deminer::roster::Roster;
use deminer_lab::durable::{Progress, RunDir, RunDirError, RunSpec, Sealed};
use serde::Serialize;

use crate::failure::{Done, Failure};
use crate::output::{Output, SCHEMA_VERSION, name_input, read_input};
use crate::tournament::{ThreadArgs, report, standing, stop_on_interrupt};

/// Reads a spec file.
fn read_spec(path: &Path, roster: &Roster) -> Result<RunSpec, Failure> {
    let text = String::from_utf8(read_input(path)?);
    let name = || name_input(path);
    let text = text.context("not UTF-8").with_context(name).map_err(Failure::input)?;
    RunSpec::parse(&text, roster).with_context(name).map_err(Failure::input)
}

/// Starts a run or resumes it.
pub fn open(folder: PathBuf, spec: &RunSpec) -> Result<RunDir, Failure> {
    RunDir::open(folder, spec).map_err(failure)
}

/// The failure with its exit code.
pub fn failure(error: RunDirError) -> Failure {
    match error {
        RunDirError::Spec(_)
        | RunDirError::OtherRun { .. }
        | RunDirError::Occupied { .. }
        | RunDirError::NoShard { .. } => Failure::usage(error),
        RunDirError::NoRun { .. }
        | RunDirError::DamagedSpec { .. }
        | RunDirError::DamagedTotals { .. } => Failure::input(error),
        _ => error.into(),
    }
}

/// Where a run is played, and how.
#[derive(clap::Args)]
pub struct RunArgs {
    /// The spec, a TOML file; see `deminer run`.
    #[arg(value_name = "SPEC")]
    spec: PathBuf,

    /// The directory: new, empty, or with the same run.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

impl RunArgs {
    /// Plays the run, or one shard of it, and prints its progress or `finished`.
    pub fn play(
        self,
        shard: Option<u64>,
        roster: &Roster,
        output: &Output,
        finished: impl FnOnce(&RunDir) -> String,
    ) -> Done {
        let run = open(self.out, &read_spec(&self.spec, roster)?)?;
        let progress = play(&run, shard, self.threads.count(), output, self.json)?;
        if self.json {
            print_progress(&run, &progress, output)?;
        }
        match progress.complete() {
            false => Err(interrupted(&progress)),
            true if self.json => Ok(()),
            true => output.print(finished(&run)),
        }
    }
}

/// Plays a run, or one shard of it, until it is finished or Ctrl-C is pressed.
pub fn play(
    run: &RunDir,
    shard: Option<u64>,
    threads: NonZero<usize>,
    output: &Output,
    quiet: bool,
) -> Result<Progress, Failure> {
    let spec = run.spec();
    let stop = stop_on_interrupt()?;
    let bar = output.progress(spec.games(), "games", quiet);
    let (mut reported, mut finished, mut playing) = (0, 0, false);
    let progress = |progress: &Progress| {
        for aside in &progress.set_aside[reported..] {
            let path = aside.path.display();
            let cause = &aside.cause;
            let note = format!("set aside as {path}: {cause}; its games are played again");
            bar.suspend(|| output.note(note));
        }
        reported = progress.set_aside.len();
        bar.set_length(progress.games);
        bar.set_position(progress.tallies[0].games());
        bar.set_message(standing(&spec.tournament.agents, &progress.tallies));
        // Games that were already finished must not count in the estimate of the remaining time.
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

/// The failure after Ctrl-C.
pub fn interrupted(progress: &Progress) -> Failure {
    let Progress { finished, shards, .. } = progress;
    Failure::interrupted(format!(
        "interrupted: {finished} of {shards} shards are finished; the same command resumes"
    ))
}

/// The progress of a run.
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

/// Prints the progress of a run as a document.
fn print_progress(run: &RunDir, progress: &Progress, output: &Output) -> Done {
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

/// Seals a run and prints its totals.
pub fn seal(run: &RunDir, output: &Output, json: bool) -> Done {
    let before = run.is_sealed();
    let Sealed { results, builds, text } = run.seal().map_err(failure)?;
    if json {
        output.bytes(text.as_bytes())?;
    } else {
        output.print(report(&run.spec().tournament, &results))?;
    }
    let totals = run.totals_path();
    match before {
        true => output.note(format_args!("already sealed, in {}", totals.display())),
        false => output.note(format_args!("wrote {}", totals.display())),
    }
    if builds.len() > 1 {
        let name = |build: &deminer_lab::provenance::Build| {
            let commit = build.commit.as_deref().unwrap_or("no commit");
            format!("{} ({commit}, rustc {}, {})", build.version, build.rustc, build.cpu)
        };
        let names: Vec<String> = builds.iter().map(name).collect();
        output.note(format_args!(
            "several builds of deminer played these games: {}",
            names.join("; ")
        ));
    }
    Ok(())
}
