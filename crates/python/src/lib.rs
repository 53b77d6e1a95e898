//! The extension module `deminer._deminer`: the front door and the lab for Python.
//!
//! It converts values and releases the interpreter lock while Rust works; it decides nothing. The
//! Python sources in `python/deminer` give its functions their keywords and documentation.

// Comments on what Python sees are its docstrings: `[0]` is an index there, not a link.
#![allow(rustdoc::broken_intra_doc_links)]

mod agents;
mod analysis;
mod bench;
mod boards;
mod document;
mod errors;
mod formats;
mod interrupt;
mod position;
mod records;
mod rules;
mod runs;
mod trainings;
mod vector;

use pyo3::prelude::*;

/// The compiled part of deminer.
#[pymodule]
mod _deminer {
    #[pymodule_export]
    use super::agents::{Rng, agents};
    #[pymodule_export]
    use super::analysis::{Analysis, analyze, analyze_many};
    #[pymodule_export]
    use super::bench::bench;
    #[pymodule_export]
    use super::boards::{Board, generate};
    #[pymodule_export]
    use super::errors::{AgentError, DeminerError, FormatError, LimitError, RunError};
    #[pymodule_export]
    use super::formats::{convert, formats, read};
    #[pymodule_export]
    use super::position::Position;
    #[pymodule_export]
    use super::records::{Record, coach, play};
    #[pymodule_export]
    use super::rules::Rules;
    #[pymodule_export]
    use super::runs::Run;
    #[pymodule_export]
    use super::trainings::{check_training, learners, train};
    #[pymodule_export]
    use super::vector::Environments;
}
