//! What the fuzz targets do with their bytes. Each function takes any bytes and panics where
//! something is wrong; `tests` feeds them the committed inputs without a fuzzer.

mod board;
mod engine;
#[cfg(feature = "lab")]
mod lab;
#[cfg(feature = "agents")]
mod learned;
mod text;

pub use engine::{analysis, following, whole_numbers};
#[cfg(feature = "lab")]
pub use lab::{durable_parts, http, run_specs};
#[cfg(feature = "agents")]
pub use learned::{agent_specs, artifacts};
pub use text::{formats, notation};

/// A target by its name.
pub type Target = (&'static str, fn(&[u8]));

/// All targets of this build.
pub const TARGETS: &[Target] = &[
    ("notation", notation),
    ("formats", formats),
    ("analysis", analysis),
    ("whole_numbers", whole_numbers),
    ("following", following),
    #[cfg(feature = "agents")]
    ("artifacts", artifacts),
    #[cfg(feature = "agents")]
    ("agent_specs", agent_specs),
    #[cfg(feature = "lab")]
    ("durable_parts", durable_parts),
    #[cfg(feature = "lab")]
    ("run_specs", run_specs),
    #[cfg(feature = "lab")]
    ("http", http),
];
