//! Boards from seeds.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use deminer::documents::{BoardDocument, Dealt, Found};
use deminer::no_guess::{Difficulty, Generator, NoGuessError};
use deminer_draw::BoardPicture;
use deminer_formats::Document;
use deminer_formats::wire::layout_rows;
use deminer_game::{FirstClick, GameSeed, Layout, Start, View, Words};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::document::to_python;
use crate::errors::{LimitError, wrong};
use crate::formats;
use crate::interrupt::{self, Reporter};
use crate::position::grid;
use crate::rules::Rules;

/// Where the mines of a board lie.
///
/// >>> board = deminer.generate(board="8x4x5", seed=2)[0]
/// >>> board.mines.sum()
/// np.int64(5)
/// >>> board.three_bv > 0
/// True
#[pyclass(frozen, module = "deminer")]
pub struct Board {
    layout: Layout,
    /// How it was dealt; none for boards that were read.
    dealt: Option<Dealt>,
}

impl Board {
    /// A board that was read.
    pub fn laid(layout: Layout) -> Self {
        Self { layout, dealt: None }
    }

    fn dealt(dealt: Dealt) -> Self {
        Self { layout: dealt.layout().clone(), dealt: Some(dealt) }
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }
}

#[pymethods]
impl Board {
    /// Cells in a row.
    #[getter]
    fn width(&self) -> usize {
        self.layout.shape().width()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> usize {
        self.layout.shape().height()
    }

    /// Which cells have mines, row by row.
    #[getter]
    fn mines<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<bool>> {
        let shape = self.layout.shape();
        grid(py, shape, shape.cells().map(|cell| self.layout.is_mine(cell)).collect())
    }

    /// The mines around each cell, row by row; a mine does not count itself.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u8>> {
        let shape = self.layout.shape();
        grid(py, shape, shape.cells().map(|cell| self.layout.count(cell)).collect())
    }

    /// The fewest left clicks that open it without chords.
    #[getter]
    fn three_bv(&self) -> usize {
        self.layout.three_bv()
    }

    /// The cell to open first, which the start rule kept free; None for boards that were read.
    #[getter]
    fn first(&self) -> Option<(usize, usize)> {
        let first = match &self.dealt.as_ref()?.board {
            Found::Any { first, .. } => *first,
            Found::NoGuess(board) => board.first,
        };
        Some(self.layout.shape().position(first))
    }

    /// How hard the board is: `easy`, `medium`, `hard` or `extreme`; None unless it was made to
    /// need no guess.
    #[getter]
    fn difficulty(&self) -> Option<&'static str> {
        match &self.dealt.as_ref()?.board {
            Found::Any { .. } => None,
            Found::NoGuess(board) => Some(board.difficulty().word()),
        }
    }

    /// The board as `deminer generate --json` has it; only `rows` and `three_bv` for boards that
    /// were read.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(dealt) = &self.dealt {
            return to_python(py, &BoardDocument::of(dealt));
        }
        let document = PyDict::new(py);
        document.set_item("three_bv", self.three_bv())?;
        document.set_item("rows", layout_rows(&self.layout))?;
        Ok(document.into_any())
    }

    /// The board in a format, as bytes; see `convert`.
    #[pyo3(signature = (format="text"))]
    fn write<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        formats::write(py, &Document::Layout(self.layout.clone()), format)
    }

    /// A picture of the mines as SVG.
    fn svg(&self) -> PyResult<String> {
        let rules = deminer_game::Rules::new(self.layout.shape().clone(), self.layout.total());
        let view = View::new(rules.map_err(wrong)?);
        Ok(BoardPicture::new(&view).layout(&self.layout).scene().svg())
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg()
    }

    fn __str__(&self) -> String {
        self.layout.to_string()
    }

    fn __repr__(&self) -> String {
        let shape = self.layout.shape();
        format!("<Board {}x{}x{}>", shape.width(), shape.height(), self.layout.total())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.layout == other.layout
    }
}

/// Boards from a seed.
#[pyfunction]
#[pyo3(signature = (rules, *, at, seed, first_game, count, no_guess, difficulty, tries))]
#[expect(clippy::too_many_arguments, reason = "these are the keywords of the Python function")]
pub fn generate(
    py: Python<'_>,
    rules: &Rules,
    at: &str,
    seed: u64,
    first_game: u64,
    count: u64,
    no_guess: bool,
    difficulty: Option<&str>,
    tries: Option<usize>,
) -> PyResult<Vec<Board>> {
    let Rules(mut rules) = rules.clone();
    let at = FirstClick::parse(at, rules.shape()).map_err(wrong)?;
    if at == FirstClick::Agent {
        return Err(wrong("a board needs its first click: use at=corner, random or ROW,COLUMN"));
    }
    let end = first_game
        .checked_add(count)
        .ok_or_else(|| wrong("first_game and count exceed the number of boards a seed has"))?;
    let difficulty = difficulty.map(Difficulty::from_word).transpose().map_err(wrong)?;
    let stop = Arc::new(AtomicBool::new(false));
    let mut generator = None;
    if no_guess || difficulty.is_some() {
        if rules.start() == Start::Unsafe {
            return Err(wrong("boards without guesses need start=\"open\""));
        }
        rules = rules.with_start(Start::Open).map_err(wrong)?;
        let made = Generator::new(&rules, difficulty, tries.unwrap_or(Generator::TRIES));
        generator = Some(made.map_err(wrong)?.until(Arc::clone(&stop)));
    }
    let deal = move |_: &Reporter<_, ()>| {
        let deal = |game| {
            let seed = GameSeed { seed, game };
            let dealt = Dealt::deal(&rules, at, seed, generator.as_mut());
            dealt.map(Board::dealt).map_err(|error| (game, error))
        };
        (first_game..end).map(deal).collect::<Result<Vec<Board>, _>>()
    };
    interrupt::run(py, &stop, deal, |()| Ok(()))?.map_err(|(game, error)| match error {
        NoGuessError::OutOfTries { .. } => {
            LimitError::new_err(format!("seed {seed}, game {game}: {error}"))
        }
        error => wrong(error),
    })
}
