//! `deminer run`: a campaign that survives being killed.

use std::path::PathBuf;

use crate::durable;
use crate::failure::Done;
use crate::output::Output;
use crate::tournament::ThreadArgs;

/// Play a campaign of games into a directory; nothing is lost if it is killed.
///
/// Run the same command again to resume. Several processes can share the work on one directory.
/// `deminer seal` checks and counts the games once all are played. The spec is a TOML file with
/// agents and games; other keys default to the flags of `bench`.
#[derive(clap::Args)]
#[command(after_help = SPEC_HELP)]
pub struct Args {
    /// The spec, a TOML file.
    #[arg(value_name = "SPEC")]
    spec: PathBuf,

    /// The directory: new, empty, or of the same run.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

const SPEC_HELP: &str = r#"A spec with all its keys; only agents and games must be there:
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

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let spec = durable::read_spec(&self.spec)?;
        let run = durable::open(self.out, &spec)?;
        let name = run.path().display();
        let progress = durable::play(&run, None, self.threads.count(), output, self.json)?;
        if self.json {
            durable::print_progress(&run, &progress, output)?;
        }
        if !progress.complete() {
            return Err(durable::interrupted(&progress));
        }
        if !self.json {
            let text = if run.is_sealed() {
                format!(
                    "{name} is sealed: its {} games are counted, nothing is left to play\n",
                    spec.games
                )
            } else {
                let shards = spec.shards();
                format!(
                    "all {shards} shards are finished; `deminer seal {name}` counts their games\n"
                )
            };
            output.print(text)?;
        }
        Ok(())
    }
}
