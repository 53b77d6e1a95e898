//! `deminer man`: manual pages.

use std::path::PathBuf;

use anyhow::Context;

use crate::failure::Done;
use crate::output::Output;

/// Print the manual page, or write the manual pages of all commands to a folder.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer man | man -l -
  deminer man --out ~/.local/share/man/man1")]
pub struct Args {
    /// Write deminer.1, deminer-play.1 and so on to this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Args {
    pub fn run(self, output: &Output, command: clap::Command) -> Done {
        let Some(folder) = self.out else {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            return output.bytes(&page);
        };
        std::fs::create_dir_all(&folder)
            .and_then(|()| clap_mangen::generate_to(command, &folder))
            .with_context(|| format!("cannot write to {}", folder.display()))?;
        output.note(format_args!("wrote manual pages to {}", folder.display()));
        Ok(())
    }
}
