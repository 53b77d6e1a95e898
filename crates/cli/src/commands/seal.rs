//! `deminer seal`: checks a finished run and writes its totals.

use std::path::PathBuf;

use deminer_lab::durable::RunDir;

use crate::durable;
use crate::failure::Done;
use crate::output::Output;

/// Check that a campaign has every game exactly once, and write its final totals.
///
/// Writes totals.json into the directory and prints what `bench` would have printed. A sealed
/// campaign is final; sealing it again checks that nothing has changed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer seal campaign
  deminer seal campaign --json")]
pub struct Args {
    /// The directory of the run.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Print one JSON document: the content of totals.json.
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let run = RunDir::existing(self.folder).map_err(durable::failure)?;
        durable::seal(&run, output, self.json)
    }
}
