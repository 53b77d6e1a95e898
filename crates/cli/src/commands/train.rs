//! `deminer train`: learned agents, one file for each kind.

#[cfg(feature = "neural")]
pub mod net;
pub mod tree;

use clap::Subcommand;

use crate::failure::Done;
use crate::output::Output;

/// Make a learned agent: watch another play and imitate it, or let it play itself.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Tree(tree::Args),
    #[cfg(feature = "neural")]
    #[command(flatten)]
    Net(net::Net),
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        match self.what {
            What::Tree(args) => args.run(output),
            #[cfg(feature = "neural")]
            What::Net(net) => net.run(output),
        }
    }
}
