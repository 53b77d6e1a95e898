//! Other published exact Minesweeper engines, run on our positions.
//!
//! `cargo bench -p deminer-peers` measures them beside deminer's own engine. A peer may crash,
//! hang or ask for all memory there is, so each engine lives in a process of its own: the
//! program `deminer-peer`, which answers positions one by one. [`Worker`] starts it, waits for
//! each answer for a limited time, and restarts it when needed.

pub mod engine;
#[path = "../../inference/benches/measure/mod.rs"]
pub mod measure;
mod worker;

pub use worker::{Answer, Worker, serve};
