//! `deminer run`: plays a durable run.

use deminer::roster::Roster;

use crate::durable::RunArgs;
use crate::failure::Done;
use crate::output::Output;

/// Play a campaign of games into a directory; it can be killed and resumed at any time.
///
/// Run the same command again to resume. Several processes can share the work on one directory.
/// `deminer seal` checks and counts the games once all are played. The spec is a TOML file with
/// agents and games; other keys default to the flags of `bench`.
#[derive(clap::Args)]
#[command(after_help = SPEC_HELP)]
pub struct Args {
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

impl Args {
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
