//! The rules of a board, as Python passes them.

use deminer_game::{ClueRule, Form, Size, Start, Words};
use pyo3::prelude::*;

use crate::errors::wrong;

/// Board and rules: the flags that every command with a board shares.
#[pyclass(frozen, eq, module = "deminer")]
#[derive(Clone, PartialEq)]
pub struct Rules(pub deminer_game::Rules);

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (board="beginner", *, shape="rect", start="safe", cascade=true, clues="exact"))]
    fn new(board: &str, shape: &str, start: &str, cascade: bool, clues: &str) -> PyResult<Self> {
        let size: Size = board.parse().map_err(wrong)?;
        let form = Form::from_word(shape).map_err(wrong)?;
        let start = Start::from_word(start).map_err(wrong)?;
        let clues: ClueRule = clues.parse().map_err(wrong)?;
        let rules = deminer_game::Rules::on(form, size, start).map_err(wrong)?;
        Ok(Self(rules.with_cascade(cascade).with_clues(clues)))
    }

    /// Width, height and mines, such as `30x16x99`.
    #[getter]
    fn board(&self) -> String {
        self.0.size().to_string()
    }

    /// Cells in a row.
    #[getter]
    fn width(&self) -> usize {
        self.0.shape().width()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> usize {
        self.0.shape().height()
    }

    /// Mines on the whole board.
    #[getter]
    fn mines(&self) -> usize {
        self.0.mines()
    }

    /// How the cells lie together: `rect`, `torus` or `hex`.
    #[getter]
    fn shape(&self) -> &'static str {
        self.0.shape().form().word()
    }

    /// What the first opened cell is promised: `unsafe`, `safe` or `open`.
    #[getter]
    fn start(&self) -> &'static str {
        self.0.start().word()
    }

    /// Whether a zero opens its neighbors.
    #[getter]
    fn cascade(&self) -> bool {
        self.0.cascade()
    }

    /// What clues show.
    #[getter]
    fn clues(&self) -> String {
        self.0.clues().to_string()
    }

    fn __repr__(&self) -> String {
        let cascade = if self.cascade() { "True" } else { "False" };
        format!(
            "Rules({:?}, shape={:?}, start={:?}, cascade={cascade}, clues={:?})",
            self.board(),
            self.shape(),
            self.start(),
            self.clues()
        )
    }
}
