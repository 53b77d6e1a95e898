//! `deminer run`, `run-shard` and `seal`: durable runs.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::Context;
use deminer::roster::Roster;
use deminer_lab::durable::{Progress, RunDir, RunDirError, RunSpec, Sealed, SetAside};
use serde::Serialize;

use crate::failure::{Done, Failure};
use crate::output::{Output, name_input, read_input};
use crate::tournament::{ThreadArgs, report, standing, stop_on_interrupt};

/// Play a campaign of games into a directory; it can be killed and resumed at any time.
///
/// Run the same command again to resume. Several processes can share the work on one directory.
/// `deminer seal` checks and counts the games once all are played. The spec is a TOML file with
/// agents and games; other keys default to the flags of `bench`.
#[derive(clap::Args)]
#[command(after_help = SPEC_HELP)]
pub struct Run {
    #[command(flatten)]
    run: RunArgs,
}

const SPEC_HELP: &str = r#"A spec with all keys; only agents and games are required:
  agents = ["single-point", "random"]
  board = "expert"
  shape = "rect"
  start = "safe"
  at = "corner"
  cascade = "on"
  clues = "exact"
  seed = 1
  games = 1000000
  shard = 10000
  estimator = "plain"

Examples:
  deminer run expert.toml --out campaign
  deminer seal campaign"#;

impl Run {
    pub fn run(self, roster: &Roster, output: &Output) -> Done {
        self.run.play(None, roster, output, |run| {
            let (name, spec) = (run.path().display(), run.spec());
            match run.is_sealed() {
                true => format!(
                    "{name} is sealed: its {} games are counted, nothing is left to play\n",
                    spec.games()
                ),
                false => format!(
                    "all {} shards are finished; `deminer seal {name}` counts their games\n",
                    spec.shards()
                ),
            }
        })
    }
}

/// Play one shard of a campaign: for Slurm arrays, shell loops and the like.
///
/// Shard i starts at game i times the spec's `shard`. The first process creates the directory. A
/// finished shard is not played again. If another process plays the shard, this command waits for
/// it, and takes over if that process dies.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer run-shard expert.toml --out campaign --shard 17
  deminer run-shard expert.toml --out campaign --shard $SLURM_ARRAY_TASK_ID")]
pub struct RunShard {
    /// The number of the shard, from 0.
    #[arg(long, value_name = "I")]
    shard: u64,

    #[command(flatten)]
    run: RunArgs,
}

impl RunShard {
    pub fn run(self, roster: &Roster, output: &Output) -> Done {
        let shard = self.shard;
        self.run.play(Some(shard), roster, output, |run| {
            format!("shard {shard} of {} is finished\n", run.spec().shards())
        })
    }
}

/// Check that a campaign has every game exactly once, and write its final totals.
///
/// Writes totals.json into the directory and prints what `bench` would have printed. A sealed
/// campaign is final; sealing it again checks that nothing has changed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer seal campaign
  deminer seal campaign --json")]
pub struct Seal {
    /// The directory of the run.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Print one JSON document: the content of totals.json.
    #[arg(long)]
    json: bool,
}

impl Seal {
    pub fn run(self, output: &Output) -> Done {
        let run = RunDir::existing(self.folder).map_err(failure)?;
        seal(&run, output, self.json)
    }
}

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
        RunDirError::Request(_) => Failure::usage(error),
        RunDirError::NoRun(_) => Failure::input(error),
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
struct ProgressDocument<'a> {
    directory: &'a Path,
    fingerprint: String,
    shards: u64,
    finished: u64,
    complete: bool,
    sealed: bool,
    set_aside: &'a [SetAside],
}

/// Prints the progress of a run as a document.
fn print_progress(run: &RunDir, progress: &Progress, output: &Output) -> Done {
    output.versioned(&ProgressDocument {
        directory: run.path(),
        fingerprint: run.spec().fingerprint(),
        shards: progress.shards,
        finished: progress.finished,
        complete: progress.complete(),
        sealed: run.is_sealed(),
        set_aside: &progress.set_aside,
    })
}

/// Seals a run and prints its totals.
pub fn seal(run: &RunDir, output: &Output, json: bool) -> Done {
    let before = run.is_sealed();
    let Sealed { results, builds, text, repaired } = run.seal().map_err(failure)?;
    if json {
        output.bytes(text.as_bytes())?;
    } else {
        output.print(report(&run.spec().tournament, &results))?;
    }
    let totals = run.totals_path();
    match (repaired, before) {
        (Some(cause), _) => output.note(format_args!(
            "{} was damaged ({cause}); it is written anew from the parts",
            totals.display()
        )),
        (None, true) => output.note(format_args!("already sealed, in {}", totals.display())),
        (None, false) => output.note(format_args!("wrote {}", totals.display())),
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
