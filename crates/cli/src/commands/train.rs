//! `deminer train`: learned agents, one file for each kind.

pub mod mio;
pub mod tree;

use clap::Subcommand;

use crate::failure::Done;
use crate::output::Output;

/// Make a learned agent: by watching another play, or from examples.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Mio(mio::Args),
    Tree(tree::Args),
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        match self.what {
            What::Mio(args) => args.run(output),
            What::Tree(args) => args.run(output),
        }
    }
}
