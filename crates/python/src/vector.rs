//! Many boards stepped together: the core of the Gymnasium environments.
//!
//! Observations, masks, rewards and ends are written into numpy arrays that are made once. A step
//! writes only what it changed.

use deminer_draw::BoardPicture;
use deminer_game::{
    Action, Cell, Effect, Face, FirstClick, GameSeed, Match, Rng, State, View, Words,
};
use deminer_inference::odds::Engine;
use numpy::{
    PyArray1, PyArray2, PyArray3, PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::wrong;
use crate::position::{BLANK, COVERED, FLAGGED, MINE, Position, code};
use crate::rules::Rules;

/// One plane for each code: 0 to 8, without a clue, covered, flag, mine.
const PLANES: usize = 13;

/// The plane of a code.
const fn plane(code: i8) -> usize {
    match code {
        COVERED => 10,
        FLAGGED => 11,
        MINE => 12,
        // 0 to 8, and BLANK is 9.
        shown => shown as usize,
    }
}
const _: () = assert!(plane(BLANK) == 9 && plane(MINE) + 1 == PLANES);

/// When a board that is over is dealt anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Autoreset {
    /// By the next step, which ignores its action.
    NextStep,
    /// By the step that ends the game.
    SameStep,
    /// By `reset` alone.
    Disabled,
}
deminer_game::words!(
    Autoreset, "an autoreset mode":
    NextStep = "NextStep",
    SameStep = "SameStep",
    Disabled = "Disabled",
);

/// What a step is worth.
#[derive(Clone, Copy)]
struct Rewards {
    /// It opened cells, or set a flag.
    safe: f64,
    /// It opened a mine.
    mine: f64,
    /// It won the game.
    win: f64,
    /// It did nothing.
    invalid: f64,
}

struct Settings {
    rewards: Rewards,
    /// Whether there is a second action for each cell, which sets or takes a flag.
    flags: bool,
    /// Whether an action without effect ends the game.
    invalid_ends: bool,
    /// Steps after which a game is cut off.
    max_steps: Option<u32>,
    autoreset: Autoreset,
    cells: usize,
}

impl Settings {
    fn actions(&self) -> usize {
        if self.flags { 2 * self.cells } else { self.cells }
    }
}

/// One board.
struct Environment {
    game: Match,
    steps: u32,
    /// The game is over, and was not dealt anew yet.
    over: bool,
}

/// The arrays of an observation of all boards.
struct Observation {
    faces: Py<PyArray3<i8>>,
    mines_left: Py<PyArray2<i32>>,
    mask: Py<PyArray2<bool>>,
    planes: Option<Py<PyArray4<f32>>>,
    odds: Option<Py<PyArray3<f32>>>,
}

impl Observation {
    fn new(py: Python<'_>, rules: &deminer_game::Rules, count: usize, wants: Wants) -> Self {
        let (height, width) = (rules.shape().height(), rules.shape().width());
        let board = [count, height, width];
        let planes = [count, PLANES, height, width];
        Self {
            faces: PyArray3::zeros(py, board, false).unbind(),
            mines_left: PyArray2::zeros(py, [count, 1], false).unbind(),
            mask: PyArray2::zeros(py, [count, wants.actions], false).unbind(),
            planes: wants.planes.then(|| PyArray4::zeros(py, planes, false).unbind()),
            odds: wants.odds.then(|| PyArray3::zeros(py, board, false).unbind()),
        }
    }
}

/// What an observation has.
#[derive(Clone, Copy)]
struct Wants {
    actions: usize,
    planes: bool,
    odds: bool,
}

/// The same arrays, to be written.
struct Canvas<'a> {
    cells: usize,
    actions: usize,
    faces: &'a mut [i8],
    mines_left: &'a mut [i32],
    mask: &'a mut [bool],
    planes: Option<&'a mut [f32]>,
    odds: Option<&'a mut [f32]>,
}

impl Canvas<'_> {
    /// Shows a board that nothing was done to.
    fn cover(&mut self, place: usize, mines: usize) {
        let cells = self.cells;
        self.faces[place * cells..][..cells].fill(COVERED);
        self.mines_left[place] = mines as i32;
        self.mask[place * self.actions..][..self.actions].fill(true);
        if let Some(planes) = &mut self.planes {
            let planes = &mut planes[place * PLANES * cells..][..PLANES * cells];
            planes.fill(0.0);
            planes[plane(COVERED) * cells..][..cells].fill(1.0);
        }
    }

    /// Shows a cell.
    #[inline]
    fn show(&mut self, place: usize, cell: Cell, face: Face) {
        let (cells, index, code) = (self.cells, cell.index(), code(face));
        let before = std::mem::replace(&mut self.faces[place * cells + index], code);
        let mask = &mut self.mask[place * self.actions..][..self.actions];
        mask[index] = code == COVERED;
        if let Some(flag) = mask.get_mut(cells + index) {
            *flag = face.is_covered();
        }
        if let Some(planes) = &mut self.planes {
            let planes = &mut planes[place * PLANES * cells..][..PLANES * cells];
            planes[plane(before) * cells + index] = 0.0;
            planes[plane(code) * cells + index] = 1.0;
        }
    }

    /// Counts a board: the mine probability of covered cells, -1 for the others.
    fn count(&mut self, place: usize, view: &View, engine: &mut Engine) {
        let Some(odds) = &mut self.odds else { return };
        let odds = &mut odds[place * self.cells..][..self.cells];
        match engine.sampled_odds(view, &mut Rng::new(0)) {
            Ok(counted) => {
                for (value, cell) in odds.iter_mut().zip(view.shape().cells()) {
                    *value = counted.mine(cell).unwrap_or(-1.0) as f32;
                }
            }
            Err(_) => odds.fill(-1.0),
        }
    }

    /// Any action may be given to a board that is over: it is ignored.
    fn allow_all(&mut self, place: usize) {
        self.mask[place * self.actions..][..self.actions].fill(true);
    }

    /// Copies one board from another canvas.
    fn copy(&mut self, from: &Canvas<'_>, place: usize) {
        let cells = place * self.cells..(place + 1) * self.cells;
        let actions = place * self.actions..(place + 1) * self.actions;
        self.faces[cells.clone()].copy_from_slice(&from.faces[cells.clone()]);
        self.mines_left[place] = from.mines_left[place];
        self.mask[actions.clone()].copy_from_slice(&from.mask[actions]);
        if let (Some(to), Some(from)) = (&mut self.planes, &from.planes) {
            let planes = cells.start * PLANES..cells.end * PLANES;
            to[planes.clone()].copy_from_slice(&from[planes]);
        }
        if let (Some(to), Some(from)) = (&mut self.odds, &from.odds) {
            to[cells.clone()].copy_from_slice(&from[cells]);
        }
    }
}

/// Writes into the arrays of an observation.
macro_rules! canvas {
    ($canvas:ident, $py:expr, $observation:expr, $core:expr) => {
        let mut faces = $observation.faces.bind($py).readwrite();
        let mut mines_left = $observation.mines_left.bind($py).readwrite();
        let mut mask = $observation.mask.bind($py).readwrite();
        let mut planes = $observation.planes.as_ref().map(|array| array.bind($py).readwrite());
        let mut odds = $observation.odds.as_ref().map(|array| array.bind($py).readwrite());
        let mut $canvas = Canvas {
            cells: $core.cells,
            actions: $core.actions(),
            faces: faces.as_slice_mut()?,
            mines_left: mines_left.as_slice_mut()?,
            mask: mask.as_slice_mut()?,
            planes: planes.as_mut().map(|array| array.as_slice_mut()).transpose()?,
            odds: odds.as_mut().map(|array| array.as_slice_mut()).transpose()?,
        };
    };
}

/// What came of a step, one value for each board.
struct Ends<'a> {
    rewards: &'a mut [f64],
    terminated: &'a mut [bool],
    truncated: &'a mut [bool],
    won: &'a mut [bool],
}

/// Boards that are stepped together. `deminer.gym` makes environments of them.
#[pyclass(module = "deminer._deminer")]
pub struct Environments {
    boards: Vec<Environment>,
    settings: Settings,
    engine: Engine,
    rng: Rng,
    seen: Observation,
    /// The last observation of games that ended and were dealt anew in the same step.
    last: Option<Observation>,
    #[pyo3(get)]
    rewards: Py<PyArray1<f64>>,
    #[pyo3(get)]
    terminated: Py<PyArray1<bool>>,
    #[pyo3(get)]
    truncated: Py<PyArray1<bool>>,
    #[pyo3(get)]
    won: Py<PyArray1<bool>>,
}

#[pymethods]
impl Environments {
    #[new]
    #[pyo3(signature = (count, rules, *, at, rewards, flags, invalid_ends, max_steps, autoreset, planes, odds))]
    #[expect(clippy::too_many_arguments, reason = "these are the keywords of the environments")]
    fn new(
        py: Python<'_>,
        count: usize,
        rules: &Rules,
        at: &str,
        rewards: [f64; 4],
        flags: bool,
        invalid_ends: bool,
        max_steps: Option<u32>,
        autoreset: &str,
        planes: bool,
        odds: bool,
    ) -> PyResult<Self> {
        let Rules(rules) = rules;
        if count == 0 {
            return Err(wrong("num_envs must be at least 1"));
        }
        if rules.safe_cells() == 0 || rules.mines() == 0 {
            return Err(wrong("an environment needs a mine and a cell without one"));
        }
        let at = FirstClick::parse(at, rules.shape()).map_err(wrong)?;
        let autoreset = Autoreset::from_word(autoreset).map_err(wrong)?;
        let [safe, mine, win, invalid] = rewards;
        let settings = Settings {
            rewards: Rewards { safe, mine, win, invalid },
            flags,
            invalid_ends,
            max_steps,
            autoreset,
            cells: rules.shape().size(),
        };
        let wants = Wants { actions: settings.actions(), planes, odds };
        let board = |_| Environment {
            game: Match::new(rules.clone(), at, GameSeed { seed: 0, game: 0 }),
            steps: 0,
            over: true,
        };
        let last = autoreset == Autoreset::SameStep;
        Ok(Self {
            boards: (0..count).map(board).collect(),
            settings,
            engine: Engine::new(Engine::BUDGET),
            rng: Rng::new(0),
            seen: Observation::new(py, rules, count, wants),
            last: last.then(|| Observation::new(py, rules, count, wants)),
            rewards: PyArray1::zeros(py, count, false).unbind(),
            terminated: PyArray1::zeros(py, count, false).unbind(),
            truncated: PyArray1::zeros(py, count, false).unbind(),
            won: PyArray1::zeros(py, count, false).unbind(),
        })
    }

    /// The observation: faces, mines left, action mask, planes, odds.
    #[getter]
    fn seen(&self, py: Python<'_>) -> Arrays {
        Arrays::of(py, &self.seen)
    }

    /// The last observation of games that ended in this step.
    #[getter]
    fn last(&self, py: Python<'_>) -> Option<Arrays> {
        self.last.as_ref().map(|last| Arrays::of(py, last))
    }

    /// Seeds the random actions.
    fn seed_actions(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    /// Deals boards anew: those with a seed as its first game, the others as the next game of
    /// their seed. `places` chooses boards.
    fn reset(
        &mut self,
        py: Python<'_>,
        seeds: Vec<Option<u64>>,
        places: PyReadonlyArray1<'_, bool>,
    ) -> PyResult<()> {
        let places = places.as_slice()?;
        if seeds.len() != self.boards.len() || places.len() != self.boards.len() {
            let count = self.boards.len();
            return Err(wrong(format_args!(
                "there are {count} environments: give a seed for each"
            )));
        }
        let Self { boards, settings, engine, .. } = self;
        canvas!(canvas, py, self.seen, settings);
        for place in (0..boards.len()).filter(|&place| places[place]) {
            let board = &mut boards[place];
            let seed = match seeds[place] {
                Some(seed) => GameSeed { seed, game: 0 },
                None => next_game(board.game.seed()),
            };
            deal(board, seed, place, &mut canvas, engine)?;
        }
        Ok(())
    }

    /// Does one action on every board.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = read_actions(actions, self.boards.len(), self.settings.actions())?;
        let actions = actions.as_slice()?;
        let Self { boards, settings, engine, .. } = self;
        canvas!(canvas, py, self.seen, settings);
        let mut rewards = self.rewards.bind(py).readwrite();
        let mut terminated = self.terminated.bind(py).readwrite();
        let mut truncated = self.truncated.bind(py).readwrite();
        let mut won = self.won.bind(py).readwrite();
        let mut ends = Ends {
            rewards: rewards.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
            truncated: truncated.as_slice_mut()?,
            won: won.as_slice_mut()?,
        };
        match &self.last {
            None => step_all(boards, settings, engine, actions, &mut canvas, None, &mut ends),
            Some(last) => {
                canvas!(last, py, last, settings);
                step_all(boards, settings, engine, actions, &mut canvas, Some(&mut last), &mut ends)
            }
        }
    }

    /// A random legal action for each board.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let chosen = PyArray1::zeros(py, self.boards.len(), false);
        let mask = self.seen.mask.bind(py).readonly();
        let rows = mask.as_slice()?.chunks_exact(self.settings.actions());
        let mut written: PyReadwriteArray1<'_, i64> = chosen.readwrite();
        for (action, row) in written.as_slice_mut()?.iter_mut().zip(rows) {
            *action = random_legal(row, &mut self.rng) as i64;
        }
        drop(written);
        Ok(chosen)
    }

    /// The position of a board.
    fn position(&self, place: usize) -> PyResult<Position> {
        Ok(Position(self.board(place)?.game.board().view().clone()))
    }

    /// A board as text for a terminal.
    fn text(&self, place: usize) -> PyResult<String> {
        Ok(BoardPicture::of(self.board(place)?.game.board()).text())
    }

    /// A board as pixels: rows, columns, and red, green and blue.
    fn pixels<'py>(
        &self,
        py: Python<'py>,
        place: usize,
        scale: f32,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let pixels = BoardPicture::of(self.board(place)?.game.board()).scene().pixels(scale);
        PyArray1::from_vec(py, pixels.rgb).reshape([pixels.height, pixels.width, 3])
    }

    /// The seed and the number of the game of each board.
    fn seeds(&self) -> Vec<(u64, u64)> {
        let seed = |board: &Environment| (board.game.seed().seed, board.game.seed().game);
        self.boards.iter().map(seed).collect()
    }
}

impl Environments {
    fn board(&self, place: usize) -> PyResult<&Environment> {
        let count = self.boards.len();
        self.boards.get(place).ok_or_else(|| wrong(format_args!("there are {count} environments")))
    }
}

/// The arrays of an observation, as Python gets them.
#[derive(IntoPyObject)]
struct Arrays {
    faces: Py<PyArray3<i8>>,
    mines_left: Py<PyArray2<i32>>,
    action_mask: Py<PyArray2<bool>>,
    planes: Option<Py<PyArray4<f32>>>,
    teacher_odds: Option<Py<PyArray3<f32>>>,
}

impl Arrays {
    fn of(py: Python<'_>, observation: &Observation) -> Self {
        Self {
            faces: observation.faces.clone_ref(py),
            mines_left: observation.mines_left.clone_ref(py),
            action_mask: observation.mask.clone_ref(py),
            planes: observation.planes.as_ref().map(|array| array.clone_ref(py)),
            teacher_odds: observation.odds.as_ref().map(|array| array.clone_ref(py)),
        }
    }
}

/// One action for each board; a wrong shape, type or number is an error.
fn read_actions<'py>(
    given: &Bound<'py, PyAny>,
    boards: usize,
    actions: usize,
) -> PyResult<PyReadonlyArray1<'py, i64>> {
    let Ok(read) = given.extract::<PyReadonlyArray1<'py, i64>>() else {
        return Err(PyTypeError::new_err("actions are an array of int64 with one dimension"));
    };
    if read.len() != boards {
        let found = read.len();
        return Err(wrong(format_args!("{found} actions for {boards} environments")));
    }
    let outside = |action: &&i64| !(0..actions as i64).contains(*action);
    if let Some(action) = read.as_array().iter().find(outside) {
        return Err(wrong(format_args!("action {action} is not one of 0 to {}", actions - 1)));
    }
    Ok(read)
}

fn next_game(seed: GameSeed) -> GameSeed {
    GameSeed { game: seed.game.wrapping_add(1), ..seed }
}

/// A first click can end a game at once. Then the next game is dealt, up to this number of times.
const MOST_DEALS: usize = 10_000;

/// Deals a board, with its first click unless the agent makes it.
fn deal(
    board: &mut Environment,
    mut seed: GameSeed,
    place: usize,
    canvas: &mut Canvas<'_>,
    engine: &mut Engine,
) -> PyResult<()> {
    (board.steps, board.over) = (0, false);
    for _ in 0..MOST_DEALS {
        board.game.restart(seed);
        let first = board.game.first_click();
        if let Some(cell) = first {
            board.game.board_mut().act(Action::Open(cell));
        }
        if matches!(board.game.board().state(), State::Fresh | State::Live) {
            let view = board.game.board().view();
            canvas.cover(place, view.rules().mines());
            for &cell in view.opened() {
                canvas.show(place, cell, view.face(cell));
            }
            canvas.count(place, view, engine);
            return Ok(());
        }
        seed = next_game(seed);
    }
    Err(wrong("the first click ends every game: use another `at` or `start`"))
}

/// Steps every board.
fn step_all(
    boards: &mut [Environment],
    settings: &Settings,
    engine: &mut Engine,
    actions: &[i64],
    canvas: &mut Canvas<'_>,
    mut last: Option<&mut Canvas<'_>>,
    ends: &mut Ends<'_>,
) -> PyResult<()> {
    let disabled = settings.autoreset == Autoreset::Disabled;
    if disabled && let Some(place) = boards.iter().position(|board| board.over) {
        return Err(wrong(format_args!("environment {place} is over: reset it first")));
    }
    for (place, (board, &action)) in boards.iter_mut().zip(actions).enumerate() {
        if board.over {
            deal(board, next_game(board.game.seed()), place, canvas, engine)?;
            ends.rewards[place] = 0.0;
            (ends.terminated[place], ends.truncated[place]) = (false, false);
            ends.won[place] = false;
            continue;
        }
        let (reward, terminated) = act(board, settings, action as usize, place, canvas);
        let truncated = settings.max_steps.is_some_and(|most| board.steps >= most);
        ends.rewards[place] = reward;
        (ends.terminated[place], ends.truncated[place]) = (terminated, truncated);
        ends.won[place] = board.game.board().state() == State::Won;
        canvas.count(place, board.game.board().view(), engine);
        if terminated || truncated {
            board.over = true;
            canvas.allow_all(place);
            if let Some(last) = &mut last {
                last.copy(canvas, place);
                deal(board, next_game(board.game.seed()), place, canvas, engine)?;
            }
        }
    }
    Ok(())
}

/// Does an action on a board and shows what it changed; its reward, and whether the game is over.
fn act(
    board: &mut Environment,
    settings: &Settings,
    action: usize,
    place: usize,
    canvas: &mut Canvas<'_>,
) -> (f64, bool) {
    let rewards = &settings.rewards;
    let view = board.game.board().view();
    let opened = view.opened().len();
    let cell = view.shape().nth(action % settings.cells).expect("actions were checked");
    let action = match (action < settings.cells, view.face(cell)) {
        (true, _) => Action::Open(cell),
        (false, Face::Flagged) => Action::Unflag(cell),
        (false, _) => Action::Flag(cell),
    };
    board.steps += 1;
    let effect = board.game.board_mut().act(action);
    let (state, view) = (board.game.board().state(), board.game.board().view());
    match effect {
        Effect::Opened(_) => {
            for &cell in &view.opened()[opened..] {
                canvas.show(place, cell, view.face(cell));
            }
            if state == State::Won { (rewards.win, true) } else { (rewards.safe, false) }
        }
        Effect::Exploded(mine) => {
            canvas.show(place, mine, Face::Mine);
            (rewards.mine, true)
        }
        Effect::Flagged => {
            canvas.show(place, cell, view.face(cell));
            canvas.mines_left[place] = view.rules().mines() as i32 - view.flag_count() as i32;
            (0.0, false)
        }
        Effect::Nothing(_) => (rewards.invalid, settings.invalid_ends),
    }
}

/// A random place that is true; 0 if none is.
fn random_legal(mask: &[bool], rng: &mut Rng) -> usize {
    let legal = mask.iter().filter(|&&legal| legal).count();
    if legal == 0 {
        return 0;
    }
    let wanted = rng.below(legal);
    let mut places = mask.iter().enumerate().filter(|&(_, &legal)| legal);
    places.nth(wanted).map_or(0, |(place, _)| place)
}
