//! Exceptions. Messages are those of the crates that find the fault.

use std::fmt::Display;

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    deminer,
    DeminerError,
    PyValueError,
    "Something that deminer was given is wrong."
);
create_exception!(deminer, AgentError, DeminerError, "No such agent, or it cannot play.");
create_exception!(deminer, FormatError, DeminerError, "Input that no format explains.");
create_exception!(deminer, LimitError, DeminerError, "A limit was reached before the answer.");
create_exception!(deminer, RunError, DeminerError, "A run directory that cannot be used.");

/// A wrong argument.
pub fn wrong(error: impl Display) -> PyErr {
    DeminerError::new_err(error.to_string())
}

/// An agent that does not exist or cannot play.
pub fn agent(error: impl Display) -> PyErr {
    AgentError::new_err(error.to_string())
}

/// Input that cannot be read.
pub fn format(error: impl Display) -> PyErr {
    FormatError::new_err(error.to_string())
}
