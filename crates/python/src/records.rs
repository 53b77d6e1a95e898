//! Games: played, read, replayed and reviewed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use deminer::coach::Review;
use deminer::documents::ReviewDocument;
use deminer::play::Recorder;
use deminer_draw::{BoardPicture, ReviewPicture, Theme};
use deminer_formats::Document;
use deminer_formats::wire::WireRecord;
use deminer_game::{FirstClick, GameSeed, Match, Words};
use deminer_lab::tournament::{any_seed, thread_micros};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::agents::Agents;
use crate::document::to_python;
use crate::errors::{self, wrong};
use crate::formats;
use crate::interrupt::{self, Reporter};
use crate::position::{Position, grid};
use crate::rules::Rules;

/// A game, move by move.
///
/// >>> game = deminer.play("best", board="expert", seed=4)
/// >>> game.outcome, game.player
/// ('won', 'best')
/// >>> game.moves[0]["cell"]
/// (0, 0)
/// >>> deminer.read(game.write()) == game
/// True
#[pyclass(frozen, eq, module = "deminer")]
#[derive(PartialEq)]
pub struct Record(pub deminer_game::Record);

impl Record {
    fn wire(&self) -> PyResult<WireRecord> {
        WireRecord::of(&self.0).map_err(wrong)
    }
}

#[pymethods]
impl Record {
    /// Who played.
    #[getter]
    fn player(&self) -> &str {
        &self.0.player
    }

    /// How it ended: `won`, `lost`, `stuck` or `undecided`.
    #[getter]
    fn outcome(&self) -> &'static str {
        self.0.outcome.word()
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.0.rules.clone())
    }

    /// The seed and the number of the game; None where the board came from elsewhere.
    #[getter]
    fn seed(&self) -> Option<(u64, u64)> {
        self.0.seed.map(|GameSeed { seed, game }| (seed, game))
    }

    /// Which cells have mines; None where nothing was opened.
    #[getter]
    fn mines<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray2<bool>>> {
        let layout = self.0.layout.as_ref()?;
        let shape = layout.shape();
        let mines = shape.cells().map(|cell| layout.is_mine(cell)).collect();
        Some(grid(py, shape, mines))
    }

    /// Every move: `by`, `action`, `cell`, `why`, and `micros`, the time that it took.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.wire()?.moves)
    }

    /// The position before each move, and the last one.
    fn positions(&self) -> PyResult<Vec<Position>> {
        let start = self.0.board().map_err(wrong)?;
        let mut positions = vec![Position(start.view().clone())];
        let replayed = self.0.replay(|_, _, board| positions.push(Position(board.view().clone())));
        replayed.map_err(wrong)?;
        Ok(positions)
    }

    /// The game as a record has it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.wire()?)
    }

    /// The game in a format, as bytes; see `convert`.
    #[pyo3(signature = (format="record"))]
    fn write<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        formats::write(py, &Document::Record(self.0.clone()), format)
    }

    /// A picture of the last position as SVG, with the mines.
    fn svg(&self) -> PyResult<String> {
        let board = self.0.replay(|_, _, _| {}).map_err(wrong)?;
        Ok(BoardPicture::of(&board).scene().svg())
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg()
    }

    fn __len__(&self) -> usize {
        self.0.moves.len()
    }

    fn __repr__(&self) -> String {
        let deminer_game::Record { player, rules, moves, outcome, .. } = &self.0;
        format!("<Record of {player} on {}: {outcome} in {} moves>", rules.size(), moves.len())
    }
}

/// One game of an agent.
#[pyfunction]
#[pyo3(signature = (agent, rules, *, at, seed, game))]
pub fn play(
    py: Python<'_>,
    agent: Bound<'_, PyAny>,
    rules: &Rules,
    at: &str,
    seed: Option<u64>,
    game: u64,
) -> PyResult<Record> {
    let Rules(rules) = rules.clone();
    let at = FirstClick::parse(at, rules.shape()).map_err(wrong)?;
    let agents = Agents::of(vec![agent], &rules)?;
    let spec = agents.specs[0].clone();
    let seed = GameSeed { seed: seed.unwrap_or_else(any_seed), game };
    let record = move |_: &Reporter<_, ()>| {
        Recorder::timed(thread_micros).record(&spec, Match::new(rules, at, seed), |_, _| {})
    };
    let record = interrupt::run(py, &agents.raised.stop, record, |()| Ok(()))?;
    agents.raised.check()?;
    record.map(Record).map_err(errors::agent)
}

/// The review of a game: the document of `deminer coach --json`, and its picture as SVG.
#[pyfunction]
pub fn coach<'py>(py: Python<'py>, record: &Record) -> PyResult<(Bound<'py, PyAny>, String)> {
    let stop = Arc::new(AtomicBool::new(false));
    let (game, raised) = (record.0.clone(), Arc::clone(&stop));
    let review = move |_: &Reporter<_, ()>| Review::of(&game, &raised);
    let review = interrupt::run(py, &stop, review, |()| Ok(()))?.map_err(wrong)?;
    let document = to_python(py, &ReviewDocument::of(&review, record.0.rules.shape()))?;
    Ok((document, ReviewPicture { review: &review, theme: Theme::Light }.scene().svg()))
}
