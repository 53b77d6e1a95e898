//! One file for each command.

pub mod agents;
pub mod analyze;
pub mod bench;
pub mod coach;
pub mod completions;
pub mod convert;
pub mod generate;
pub mod genome;
pub mod man;
pub mod play;
pub mod report;
pub mod reproduce;
pub mod run;
pub mod run_shard;
pub mod seal;
pub mod serve;
pub mod train;
pub mod tree;
