//! `deminer completions`: shell completion scripts.

use clap_complete::Shell;

use crate::failure::Done;
use crate::output::Output;

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
    pub fn run(self, output: &Output, mut command: clap::Command) -> Done {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "deminer", &mut script);
        output.bytes(&script)
    }
}
