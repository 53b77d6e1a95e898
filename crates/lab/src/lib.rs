//! Many games and what they mean: all agents, tournaments over paired seeds, statistics,
//! pictures and tables.

pub mod analysis;
#[cfg(feature = "neural")]
pub mod artifacts;
pub mod measure;
pub mod no_guess;
pub mod provenance;
pub mod report;
pub mod roster;
pub mod run;
pub mod stats;
pub mod tables;
#[cfg(feature = "neural")]
pub mod training;
pub mod weighted;
