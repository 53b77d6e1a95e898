//! x
use crate::failure::Done;
use crate::output::Output;
/// x
#[derive(clap::Args)]
pub struct Args {}
impl Args {
    pub fn run(self, _o: &Output) -> Done {
        Ok(())
    }
}
