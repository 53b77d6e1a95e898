//! `deminer run-shard`: one piece of a campaign, for those who hand out the pieces.

use std::path::PathBuf;

use crate::durable;
use crate::failure::Done;
use crate::output::Output;
use crate::tournament::ThreadArgs;

/// Play one shard of a campaign: for Slurm arrays, shell loops and the like.
///
/// Shard i holds the games from i times the spec's `shard` on. The directory is made by whoever
/// comes first. A shard that is finished is not played again; one that another process plays is
/// waited for, or taken over when that process dies.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer run-shard expert.toml --out campaign --shard 17
  deminer run-shard expert.toml --out campaign --shard $SLURM_ARRAY_TASK_ID")]
pub struct Args {
    /// The spec, a TOML file; see `deminer run`.
    #[arg(value_name = "SPEC")]
    spec: PathBuf,

    /// The directory: new, empty, or of the same run.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The number of the shard, from 0.
    #[arg(long, value_name = "I")]
    shard: u64,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let spec = durable::read_spec(&self.spec)?;
        let run = durable::open(self.out, &spec)?;
        let (shard, threads) = (self.shard, self.threads.count());
        let progress = durable::play(&run, Some(shard), threads, output, self.json)?;
        if self.json {
            durable::print_progress(&run, &progress, output)?;
        }
        if !progress.complete() {
            return Err(durable::interrupted(&progress));
        }
        if !self.json {
            output.print(format_args!("shard {shard} of {} is finished\n", spec.shards()))?;
        }
        Ok(())
    }
}
