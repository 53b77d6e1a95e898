//! Many games and what they mean: all agents, tournaments over paired seeds, statistics,
//! pictures and tables.

pub mod analysis;
pub mod chains;
pub mod completion;
pub mod distill;
pub mod durable;
pub mod evolution;
pub mod measure;
pub mod no_guess;
pub mod provenance;
pub mod report;
pub mod reproduce;
pub mod roster;
pub mod run;
pub mod stats;
pub mod tables;
pub mod totals;
pub mod weighted;
