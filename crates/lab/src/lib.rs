//! Many games: tournaments over paired seeds, durable runs, statistics, paper tables, training.

pub mod artifact_files;
pub mod disk;
pub mod durable;
pub mod measure;
pub mod meter;
pub mod paper;
pub mod provenance;
pub mod report;
pub mod reproduce;
pub use deminer::stats;
pub mod tables;
pub mod totals;
pub mod tournament;
pub mod train;
pub mod weighted;
