//! Analyses: odds at once, the best move and proofs when they are asked for.

use std::cell::RefCell;
use std::num::NonZero;
use std::sync::OnceLock;
use std::thread;

use deminer::analysis::{Analysis as Answer, AnalyzeOptions, Conflict};
use deminer::documents::AnalysisDocument;
use deminer_draw::{BoardPicture, Look};
use deminer_game::{Cell, Estimates, Rng, View};
use deminer_inference::deduce::Fact;
use deminer_inference::odds::{Engine, Odds, OddsError};
use deminer_learn::parallel::in_order;
use numpy::PyArray2;
use pyo3::prelude::*;

use crate::document::to_python;
use crate::errors::wrong;
use crate::position::{Position, grid};

thread_local! {
    /// Keeps its buffers, and the regions that it has counted, from call to call.
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new(Engine::BUDGET));
}

/// What is known about a position.
///
/// Odds are counted at once; `best` and `proofs` are worked out when they are first asked for.
#[pyclass(frozen, module = "deminer")]
pub struct Analysis {
    position: Py<Position>,
    odds: Result<Odds, OddsError>,
    /// With the best move; with proofs as well; with marks as well.
    best: Lazy,
    proved: Lazy,
    marked: Lazy,
}

/// An analysis by the front door. It is boxed: most are never asked for.
type Lazy = OnceLock<Box<Result<Answer, Conflict>>>;

fn count(view: &View) -> Result<Odds, OddsError> {
    ENGINE.with_borrow_mut(|engine| engine.sampled_odds(view, &mut Rng::new(0)).cloned())
}

impl Analysis {
    fn new(position: Py<Position>, odds: Result<Odds, OddsError>) -> Self {
        let (best, proved, marked) = (Lazy::new(), Lazy::new(), Lazy::new());
        Self { position, odds, best, proved, marked }
    }

    fn view(&self) -> &View {
        &self.position.get().0
    }

    fn answer<'a>(
        &self,
        py: Python<'_>,
        lazy: &'a Lazy,
        options: &AnalyzeOptions,
    ) -> &'a Result<Answer, Conflict> {
        py.detach(|| lazy.get_or_init(|| Box::new(options.analyze(self.view()))))
    }

    /// The analysis with the best move.
    fn with_best(&self, py: Python<'_>) -> &Result<Answer, Conflict> {
        self.answer(py, &self.best, &AnalyzeOptions::default())
    }

    /// The analysis with the best move and all proofs.
    fn with_proofs(&self, py: Python<'_>) -> &Result<Answer, Conflict> {
        let options = AnalyzeOptions { proofs: true, ..AnalyzeOptions::default() };
        self.answer(py, &self.proved, &options)
    }

    /// The analysis with the best move and marks.
    fn with_marks(&self, py: Python<'_>) -> &Result<Answer, Conflict> {
        let options = AnalyzeOptions { marks: true, ..AnalyzeOptions::default() };
        self.answer(py, &self.marked, &options)
    }

    fn places(&self, cells: &[Cell]) -> Vec<(usize, usize)> {
        cells.iter().map(|&cell| self.view().shape().position(cell)).collect()
    }

    /// Cells that are certainly safe, or mines, row by row.
    fn certain(&self, fact: Fact, py: Python<'_>) -> Vec<(usize, usize)> {
        let shape = self.view().shape();
        match &self.odds {
            Ok(odds) => {
                let cells = shape.cells().filter(|&cell| odds.fact(cell) == Some(fact));
                cells.map(|cell| shape.position(cell)).collect()
            }
            // Without odds, simple rules may still prove cells.
            Err(_) => match (self.with_best(py), fact) {
                (Ok(answer), Fact::Safe) => self.places(&answer.safe),
                (Ok(answer), Fact::Mine) => self.places(&answer.mines),
                (Err(_), _) => Vec::new(),
            },
        }
    }

    fn document(&self, proofs: bool, py: Python<'_>) -> AnalysisDocument {
        let answer = if proofs { self.with_proofs(py) } else { self.with_best(py) };
        AnalysisDocument::of(self.view(), answer)
    }
}

#[pymethods]
impl Analysis {
    /// The position.
    #[getter]
    fn position(&self, py: Python<'_>) -> Py<Position> {
        self.position.clone_ref(py)
    }

    /// Whether any layout of mines fits the position.
    #[getter]
    fn consistent(&self) -> bool {
        !matches!(self.odds, Err(OddsError::Contradiction))
    }

    /// Clues that contradict each other, if no layout fits.
    #[getter]
    fn conflict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.document(false, py).conflict)
    }

    /// Whether the odds are exact.
    #[getter]
    fn exact(&self) -> bool {
        self.odds.as_ref().is_ok_and(Odds::is_exact)
    }

    /// Why there are no odds, or why they are not exact.
    #[getter]
    fn reason(&self, py: Python<'_>) -> Option<String> {
        (!self.exact()).then(|| self.document(false, py).reason).flatten()
    }

    /// The greatest standard error of odds that were sampled.
    #[getter]
    fn standard_error(&self) -> Option<f64> {
        self.odds.as_ref().ok()?.standard_error()
    }

    /// The decimal logarithm of the number of layouts that fit.
    #[getter]
    fn log10_layouts(&self) -> Option<f64> {
        self.odds.as_ref().ok()?.log10_layouts()
    }

    /// The mine probability of each covered cell, row by row; `nan` for open cells, and for all
    /// cells if there are no odds.
    #[getter]
    fn mine_probability<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        let shape = self.view().shape();
        let mine = |cell| self.odds.as_ref().ok().and_then(|odds| odds.mine(cell));
        grid(py, shape, shape.cells().map(|cell| mine(cell).unwrap_or(f64::NAN)).collect())
    }

    /// Covered cells that are certainly safe.
    #[getter]
    fn safe(&self, py: Python<'_>) -> Vec<(usize, usize)> {
        self.certain(Fact::Safe, py)
    }

    /// Covered cells that are certainly mines.
    #[getter]
    fn mines(&self, py: Python<'_>) -> Vec<(usize, usize)> {
        self.certain(Fact::Mine, py)
    }

    /// The best move: `cell`, `safety`, `win`, `win_exact`, `why`, `reasons`, and `alternatives`
    /// with the same for the other moves that were compared. None if there is nothing to open.
    #[getter]
    fn best<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.document(false, py).best)
    }

    /// A proof of each certain cell: `cell`, `fact`, `rule`, `clues`, `mine_total`, `minimum`,
    /// `depth` and the sentence `why`.
    #[getter]
    fn proofs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.document(true, py).proofs.unwrap_or_default())
    }

    /// Dead cells: uncertain cells whose clue is known already, so that opening one shows only
    /// whether it is a mine.
    #[getter]
    fn dead(&self, py: Python<'_>) -> Vec<(usize, usize)> {
        let marks = self.with_marks(py).as_ref().ok().and_then(|answer| answer.marks.as_ref());
        marks.map_or(Vec::new(), |marks| self.places(&marks.dead))
    }

    /// 50/50s: pairs of cells with one mine, which only a guess can decide.
    #[getter]
    fn fifty_fifty(&self, py: Python<'_>) -> Vec<[(usize, usize); 2]> {
        let marks = self.with_marks(py).as_ref().ok().and_then(|answer| answer.marks.as_ref());
        let pairs = marks.map_or(&[][..], |marks| &marks.fifty_fifty);
        pairs.iter().map(|pair| pair.map(|cell| self.view().shape().position(cell))).collect()
    }

    /// The whole analysis: the document of `deminer analyze --json`; with proofs as `--why` has
    /// them, and with `marks`, dead cells and 50/50s.
    #[pyo3(signature = (proofs=false, marks=false))]
    fn to_dict<'py>(
        &self,
        py: Python<'py>,
        proofs: bool,
        marks: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut document = self.document(proofs, py);
        if marks {
            let marked = AnalysisDocument::of(self.view(), self.with_marks(py));
            (document.dead, document.fifty_fifty) = (marked.dead, marked.fifty_fifty);
        }
        to_python(py, &document)
    }

    /// A picture of the odds as SVG, with a ring around the best move.
    fn svg(&self, py: Python<'_>) -> String {
        let estimates = match &self.odds {
            Ok(odds) => odds.estimates(self.view()),
            Err(_) => Estimates::new(self.view().shape().size()),
        };
        let look = Look { percentages: true, ..Look::default() };
        let mut picture = BoardPicture::new(self.view()).look(look).estimates(&estimates);
        if let Ok(Answer { best: Some(best), .. }) = self.with_best(py) {
            picture = picture.action(best.cell);
        }
        picture.scene().svg()
    }

    fn _repr_svg_(&self, py: Python<'_>) -> String {
        self.svg(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let rules = self.view().rules();
        if !self.consistent() {
            return format!("<Analysis of {}: contradictory clues>", rules.size());
        }
        let (safe, mines) = (self.safe(py).len(), self.mines(py).len());
        format!("<Analysis of {}: {safe} safe, {mines} mines>", rules.size())
    }
}

/// Analyzes a position.
#[pyfunction]
pub fn analyze(py: Python<'_>, position: Py<Position>) -> Analysis {
    let odds = py.detach(|| count(&position.get().0));
    Analysis::new(position, odds)
}

/// Analyzes many positions on several threads, in order.
#[pyfunction]
pub fn analyze_many(
    py: Python<'_>,
    positions: Vec<Py<Position>>,
    threads: Option<usize>,
) -> PyResult<Vec<Analysis>> {
    let threads = thread_count(threads)?;
    let odds = py
        .detach(|| in_order(threads, positions.len(), |number| count(&positions[number].get().0)));
    Ok(positions.into_iter().zip(odds).map(|(one, odds)| Analysis::new(one, odds)).collect())
}

/// The number of threads asked for, or all cores.
pub fn thread_count(threads: Option<usize>) -> PyResult<NonZero<usize>> {
    match threads {
        Some(threads) => NonZero::new(threads).ok_or_else(|| wrong("threads must be at least 1")),
        None => Ok(thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)),
    }
}
