//! `deminer train`: learned agents, one file for each kind.

mod checkpoint;
pub mod gp;
pub mod mio;
#[cfg(feature = "neural")]
pub mod net;
pub mod q_table;
pub mod quartetti;
pub mod tree;

use clap::Subcommand;

use crate::failure::Done;
use crate::output::Output;

/// Make a learned agent: it watches another play, plays itself, learns from examples, or evolves.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Gp(gp::Args),
    Mio(mio::Args),
    #[command(name = "q-table")]
    QTable(q_table::Args),
    Quartetti(quartetti::Args),
    Tree(tree::Args),
    #[cfg(feature = "neural")]
    #[command(flatten)]
    Net(net::Net),
}

impl Args {
    /// Refuses what cannot be trained, before anything is done.
    pub fn check(&self) -> Done {
        match &self.what {
            What::Gp(args) => args.check(),
            What::QTable(args) => args.check(),
            What::Tree(args) => args.check(),
            #[cfg(feature = "neural")]
            What::Net(net) => net.check(),
            // Each of their options is checked where it is read.
            What::Mio(_) | What::Quartetti(_) => Ok(()),
        }
    }

    pub fn run(self, output: &Output) -> Done {
        match self.what {
            What::Gp(args) => args.run(output),
            What::Mio(args) => args.run(output),
            What::QTable(args) => args.run(output),
            What::Quartetti(args) => args.run(output),
            What::Tree(args) => args.run(output),
            #[cfg(feature = "neural")]
            What::Net(net) => net.run(output),
        }
    }
}
