//! One file for each command, and one for those of durable runs.

pub mod agents;
pub mod analyze;
pub mod bench;
pub mod coach;
pub mod completions;
pub mod convert;
pub mod durable;
pub mod generate;
pub mod genome;
pub mod lesson;
pub mod man;
pub mod play;
pub mod report;
pub mod reproduce;
pub mod serve;
pub mod site;
pub mod train;
pub mod tree;
