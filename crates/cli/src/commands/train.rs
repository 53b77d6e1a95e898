//! `deminer train`: learned agents, one file for each kind.

pub mod tree;

use clap::Subcommand;

use crate::failure::Done;
use crate::output::Output;

/// Make a learned agent: watch another play and imitate it.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Tree(tree::Args),
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        match self.what {
            What::Tree(args) => args.run(output),
        }
    }
}
