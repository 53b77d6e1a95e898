//! Answers positions with the engine named: a position on the input, then an empty line; its odds
//! on one line of the output.

use anyhow::{Context, Result};
use deminer_peers::{engine, serve};

/// More memory than this is a crash of the engine, not of the machine.
#[cfg(target_os = "linux")]
const MEMORY: u64 = 4 << 30;

fn main() -> Result<()> {
    let name = std::env::args().nth(1).context("usage: deminer-peer ENGINE")?;
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let limit = Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) };
        setrlimit(Resource::As, limit).context("the memory is not limited")?;
    }
    let entry = engine::by_name(&name)?;
    serve(entry, &mut std::io::stdin().lock(), &mut std::io::stdout().lock())
}
