//! `deminer run-shard`: plays one shard of a durable run.

use deminer::roster::Roster;

use crate::durable::RunArgs;
use crate::failure::Done;
use crate::output::Output;

/// Play one shard of a campaign: for Slurm arrays, shell loops and the like.
///
/// Shard i starts at game i times the spec's `shard`. The first process creates the directory. A
/// finished shard is not played again. If another process plays the shard, this command waits for
/// it, and takes over if that process dies.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer run-shard expert.toml --out campaign --shard 17
  deminer run-shard expert.toml --out campaign --shard $SLURM_ARRAY_TASK_ID")]
pub struct Args {
    /// The number of the shard, from 0.
    #[arg(long, value_name = "I")]
    shard: u64,

    #[command(flatten)]
    run: RunArgs,
}

impl Args {
    pub fn run(self, roster: &Roster, output: &Output) -> Done {
        let shard = self.shard;
        self.run.play(Some(shard), roster, output, |run| {
            format!("shard {shard} of {} is finished\n", run.spec().shards())
        })
    }
}
