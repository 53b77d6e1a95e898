//! Positions: from text, links, files and numpy arrays, and back.

use deminer::Overrides;
use deminer_draw::{BoardPicture, Look};
use deminer_formats::Document;
use deminer_formats::wire::{Cascade, PositionRow, Text, WirePosition, Word};
use deminer_game::{ClueRule, Face, Form, Shape, Shown, Start, View, Words};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::errors::{format, wrong};
use crate::formats;
use crate::rules::Rules;

/// The code of a covered cell in arrays; open cells are their clue, 0 to 8.
pub const COVERED: i8 = -1;
/// The code of a flag.
pub const FLAGGED: i8 = -2;
/// The code of a mine that is shown.
pub const MINE: i8 = -3;
/// The code of an open cell without a clue.
pub const BLANK: i8 = 9;

/// The code of a face in arrays.
pub fn code(face: Face) -> i8 {
    match face {
        Face::Covered => COVERED,
        Face::Flagged => FLAGGED,
        Face::Mine => MINE,
        Face::Open { shown: Shown::Number(number), .. } => number as i8,
        Face::Open { shown: Shown::Blank, .. } => BLANK,
    }
}

/// The face of a code.
fn face(code: i8, clues: ClueRule, degree: u8) -> Option<Face> {
    let open = |shown| Face::Open { shown, clue: clues.clue(shown, degree) };
    match code {
        COVERED => Some(Face::Covered),
        FLAGGED => Some(Face::Flagged),
        MINE => Some(Face::Mine),
        BLANK => Some(open(Shown::Blank)),
        0..=8 => Some(open(Shown::Number(code as u8))),
        _ => None,
    }
}

/// What a player sees of a board.
///
/// The source is text, a link, the bytes of a file in any format that `convert` reads, a list of
/// rows, or a numpy array of `int8`: the clue of an open cell, -1 covered, -2 flag, -3 a mine
/// that is shown, 9 open without a clue. A game gives its last position. Keywords replace what
/// the source says; arrays and rows need `mines`.
///
/// >>> position = deminer.Position("mines 3\n####\n#12#\n####")
/// >>> position.width, position.height, position.mines
/// (4, 3, 3)
/// >>> position.to_numpy()
/// array([[-1, -1, -1, -1],
///        [-1,  1,  2, -1],
///        [-1, -1, -1, -1]], dtype=int8)
/// >>> deminer.Position(position.to_numpy(), mines=3) == position
/// True
#[pyclass(frozen, module = "deminer")]
pub struct Position(pub View);

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (source, mines=None, *, shape=None, start=None, cascade=None, clues=None))]
    fn new(
        source: &Bound<'_, PyAny>,
        mines: Option<usize>,
        shape: Option<&str>,
        start: Option<&str>,
        cascade: Option<bool>,
        clues: Option<&str>,
    ) -> PyResult<Self> {
        let overrides = Overrides {
            mines,
            shape: shape.map(Form::from_word).transpose().map_err(wrong)?,
            start: start.map(Start::from_word).transpose().map_err(wrong)?,
            cascade,
            clues: clues.map(str::parse).transpose().map_err(wrong)?,
            trust_flags: false,
        };
        let (view, start) = read(source, &overrides)?;
        overrides.apply(&view, start).map(Self).map_err(wrong)
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.0.rules().clone())
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
        self.0.rules().mines()
    }

    /// Mines without a flag: the number that programs show above the board.
    #[getter]
    fn mines_left(&self) -> isize {
        self.0.rules().mines() as isize - self.0.flag_count() as isize
    }

    /// The cells as numbers: the clue of an open cell, -1 covered, -2 flag, -3 a mine that is
    /// shown, 9 open without a clue.
    fn to_numpy<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i8>> {
        let codes = self.0.faces().iter().map(|&face| code(face)).collect();
        grid(py, self.0.shape(), codes)
    }

    /// Cells that can be opened: covered and without a flag.
    fn covered(&self) -> Vec<(usize, usize)> {
        self.0.openable().map(|cell| self.0.shape().position(cell)).collect()
    }

    /// The position in a format, as bytes; see `convert`.
    #[pyo3(signature = (format="text"))]
    fn write<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        formats::write(py, &Document::Position(self.0.clone()), format)
    }

    /// A picture of the position as SVG.
    fn svg(&self) -> String {
        BoardPicture::new(&self.0).look(Look::default()).scene().svg()
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position({:?})", self.0.to_string())
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.0.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.rules() == other.0.rules() && self.0.faces() == other.0.faces()
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String,), Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        keywords.set_item("start", self.0.rules().start().word())?;
        keywords.set_item("cascade", self.0.rules().cascade())?;
        Ok(((self.0.to_string(),), keywords))
    }
}

/// One value for each cell as a numpy array; the values are not copied.
pub fn grid<'py, T: numpy::Element>(
    py: Python<'py>,
    shape: &Shape,
    values: Vec<T>,
) -> Bound<'py, PyArray2<T>> {
    let rows = Array2::from_shape_vec((shape.height(), shape.width()), values);
    rows.expect("one value for each cell").into_pyarray(py)
}

/// The position of a source, and the start rule that it has unless another is asked for.
fn read(source: &Bound<'_, PyAny>, overrides: &Overrides) -> PyResult<(View, Start)> {
    if let Ok(position) = source.cast::<Position>() {
        let view = position.get().0.clone();
        let start = view.rules().start();
        return Ok((view, start));
    }
    if source.cast::<PyUntypedArray>().is_ok() {
        return Ok((of_array(source, overrides)?, Start::Unsafe));
    }
    if source.cast::<PyList>().is_ok() {
        return Ok((of_rows(source.extract()?, overrides)?, Start::Unsafe));
    }
    let document = formats::document(source, None, None)?;
    let view = document.position().map_err(format)?;
    let start = match document {
        Document::Position(_) | Document::Layout(_) => Start::Unsafe,
        Document::Replay(_) | Document::Record(_) => view.rules().start(),
    };
    Ok((view, start))
}

/// The rules of a source that has only cells.
fn plain_rules(
    width: usize,
    height: usize,
    overrides: &Overrides,
) -> PyResult<deminer_game::Rules> {
    let mines = overrides.mines.ok_or_else(no_mines)?;
    let form = overrides.shape.unwrap_or(Form::Rect);
    let shape = Shape::new(form, width, height).map_err(wrong)?;
    deminer_game::Rules::new(shape, mines).map_err(wrong)
}

fn of_array(source: &Bound<'_, PyAny>, overrides: &Overrides) -> PyResult<View> {
    let array = source.cast::<PyUntypedArray>()?;
    let Ok(codes) = source.extract::<PyReadonlyArray2<'_, i8>>() else {
        let message = format!(
            "a position is an array of int8 with two dimensions, not of {} with {}",
            array.dtype(),
            array.ndim()
        );
        return Err(PyTypeError::new_err(message));
    };
    let codes = codes.as_array();
    let (height, width) = codes.dim();
    let rules = plain_rules(width, height, overrides)?;
    let face = |(&code, cell)| {
        face(code, rules.clues(), rules.shape().degree(cell) as u8).ok_or_else(|| {
            let (row, column) = rules.shape().position(cell);
            wrong(format_args!(
                "row {row}, column {column}: {code} is not a cell (use 0-8, -1 covered, -2 flag, \
                 -3 mine or 9 without a clue)"
            ))
        })
    };
    let faces = codes.iter().zip(rules.shape().cells()).map(face).collect::<PyResult<_>>()?;
    View::from_faces(rules, faces).map_err(wrong)
}

fn of_rows(rows: Vec<String>, overrides: &Overrides) -> PyResult<View> {
    let mines = overrides.mines.ok_or_else(no_mines)?;
    let without_blanks = |row: String| PositionRow(row.split_whitespace().collect());
    let position = WirePosition {
        rows: rows.into_iter().map(without_blanks).collect(),
        mines,
        shape: Word(overrides.shape.unwrap_or(Form::Rect)),
        clues: Text(overrides.clues.unwrap_or(ClueRule::Exact)),
        start: Word(Start::Unsafe),
        cascade: Cascade::On,
    };
    position.view().map_err(wrong)
}

fn no_mines() -> PyErr {
    wrong("give the number of mines: mines=N")
}
