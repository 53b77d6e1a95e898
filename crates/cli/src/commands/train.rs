//! `deminer train`: learned agents, one file for each kind.

mod checkpoint;
pub mod gp;
pub mod quartetti;
pub mod tree;

use clap::Subcommand;

use crate::failure::Done;
use crate::output::Output;

/// Make a learned agent: imitate another, or evolve one.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Gp(gp::Args),
    Quartetti(quartetti::Args),
    Tree(tree::Args),
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        match self.what {
            What::Gp(args) => args.run(output),
            What::Quartetti(args) => args.run(output),
            What::Tree(args) => args.run(output),
        }
    }
}
