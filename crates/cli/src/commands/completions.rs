//! `deminer completions`: shell completion scripts.

use std::io::{self, Write};

use clap_complete::Shell;

use crate::failure::Done;

/// Print the completion script for a shell.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer completions bash > ~/.local/share/bash-completion/completions/deminer
  deminer completions zsh > ~/.zfunc/_deminer")]
pub struct Args {
    /// The shell.
    shell: Shell,
}

impl Args {
    pub fn run(self, mut command: clap::Command) -> Done {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "deminer", &mut script);
        Ok(io::stdout().lock().write_all(&script)?)
    }
}
