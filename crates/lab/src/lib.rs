//! Many games and what they mean: all agents, tournaments over paired seeds, statistics,
//! pictures and tables.

pub mod analysis;
#[cfg(feature = "neural")]
pub mod artifacts;
pub mod chains;
pub mod coach;
pub mod completion;
pub mod distill;
pub mod documents;
pub mod durable;
pub mod evolution;
pub mod hint;
pub mod induce;
pub mod measure;
pub mod no_guess;
pub mod provenance;
pub mod reasons;
pub mod report;
pub mod reproduce;
pub mod roster;
pub mod run;
pub mod stats;
pub mod tables;
pub mod totals;
#[cfg(feature = "neural")]
pub mod training;
pub mod weighted;
