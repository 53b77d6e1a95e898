//! The engines: deminer's and its peers, behind one trait.

use std::hint::black_box;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use cpu_time::ThreadTime;
use deminer_game::{Cell, Face, Form, View};

/// An engine by name.
pub struct Entry {
    /// The name in tables, and for the worker.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Makes one.
    pub build: fn() -> Box<dyn Engine>,
}

/// Computes the probability of a mine in every covered cell.
pub trait Engine {
    /// Computes from the view alone, without results of earlier views, the given number of times.
    /// The time covers the engine's own work: not turning our view into its board, nor what it
    /// prepares for boards of a size.
    fn compute(&mut self, view: &View, often: usize) -> Result<Computed>;
}

/// The odds of a view.
pub struct Computed {
    /// CPU time of the thread for all computations together.
    pub time: Duration,
    /// The probability of a mine for each covered cell, row by row.
    pub mines: Vec<f64>,
}

/// Ours.
pub const DEMINER: Entry = Entry {
    name: "deminer",
    about: "our own",
    build: || Box::new(Deminer(deminer_inference::odds::Engine::default())),
};

/// The others.
pub const PEERS: &[Entry] = &[
    Entry {
        name: "toollib-enum",
        about: "ms_toollib 1.5.16, cal_probability_enum",
        build: || toollib(ms_toollib::cal_probability_enum, false),
    },
    Entry {
        name: "toollib-enum-marked",
        about: "the same after mark_board, as its documentation advises",
        build: || toollib(ms_toollib::cal_probability_enum, true),
    },
    Entry {
        name: "toollib-csp",
        about: "ms_toollib 1.5.16, cal_probability_csp",
        build: || toollib(ms_toollib::cal_probability_csp, false),
    },
    Entry {
        name: "toollib-csp-marked",
        about: "the same after mark_board",
        build: || toollib(ms_toollib::cal_probability_csp, true),
    },
    Entry {
        name: "demine",
        about: "demine 0.1.0, mine_probability of every covered cell; it counts in f32",
        build: || Box::new(Demine),
    },
];

/// The engine of this name, ours or a peer.
pub fn by_name(name: &str) -> Result<&'static Entry> {
    let mut all = [&DEMINER].into_iter().chain(PEERS);
    all.find(|entry| entry.name == name).with_context(|| format!("there is no engine `{name}`"))
}

struct Deminer(deminer_inference::odds::Engine);

impl Engine for Deminer {
    fn compute(&mut self, view: &View, often: usize) -> Result<Computed> {
        let start = ThreadTime::now();
        for _ in 0..often {
            self.0.forget();
            black_box(self.0.odds(view)?);
        }
        let time = start.elapsed();
        let odds = self.0.odds(view)?;
        let mine = |cell| odds.mine(cell).expect("covered cells have odds");
        Ok(Computed { time, mines: view.covered().map(mine).collect() })
    }
}

/// What both engines of `ms_toollib` return: the probability of fringe cells by row and column,
/// that of the sea, and two measures of the work.
type ToollibOdds = Result<(Vec<((usize, usize), f64)>, f64, [usize; 3], usize), usize>;

type CalProbability = fn(&Vec<Vec<i32>>, f64) -> ToollibOdds;

fn toollib(cal_probability: CalProbability, mark: bool) -> Box<dyn Engine> {
    Box::new(Toollib { cal_probability, mark })
}

struct Toollib {
    cal_probability: CalProbability,
    /// Whether its cheap proofs are written into the board first.
    mark: bool,
}

/// How `ms_toollib` writes what is covered, proved a mine, and proved safe.
const COVERED: i32 = 10;
const PROVED_MINE: i32 = 11;
const PROVED_SAFE: i32 = 12;

impl Engine for Toollib {
    fn compute(&mut self, view: &View, often: usize) -> Result<Computed> {
        let clues = clues(view)?;
        let numbers: Vec<i32> = clues.iter().map(|clue| clue.map_or(COVERED, i32::from)).collect();
        let board: Vec<Vec<i32>> =
            numbers.chunks(view.shape().width()).map(<[i32]>::to_vec).collect();
        let mines = view.rules().mines() as f64;
        // Marking changes a board.
        let mut boards = vec![board; often];

        let start = ThreadTime::now();
        let odds: Result<Vec<_>, usize> = boards
            .iter_mut()
            .map(|board| {
                if self.mark {
                    ms_toollib::mark_board(board, false)?;
                }
                (self.cal_probability)(board, mines)
            })
            .collect();
        let time = start.elapsed();

        let mut odds = odds.map_err(|code| anyhow!("error code {code}"))?;
        let (fringe, sea, _, _) = odds.pop().context("computed at least once")?;
        let board = &boards[0];
        let position = |cell: Cell| view.shape().position(cell);
        let proved = view.covered().map(|cell| {
            let (row, column) = position(cell);
            match board[row][column] {
                PROVED_MINE => 1.0,
                PROVED_SAFE => 0.0,
                _ => sea,
            }
        });
        let mut mines: Vec<f64> = proved.collect();
        let places: Vec<_> = view.covered().map(position).collect();
        for (place, mine) in fringe {
            let at = places.binary_search(&place).map_err(|_| anyhow!("odds of an open cell"))?;
            mines[at] = mine;
        }
        Ok(Computed { time, mines })
    }
}

struct Demine;

impl Engine for Demine {
    fn compute(&mut self, view: &View, often: usize) -> Result<Computed> {
        let shape = view.shape();
        let clues = clues(view)?;
        let known: Vec<Option<usize>> = clues.iter().map(|clue| clue.map(usize::from)).collect();
        let covered: Vec<_> = view.covered().map(|cell| shape.position(cell)).collect();
        // A new one each time, since it remembers.
        let new = |_| demine::solver::Solver::new(shape.width(), shape.height(), 0);
        let mut solvers: Vec<_> = (0..often).map(new).collect();

        let start = ThreadTime::now();
        let mines: Result<Vec<Vec<Option<f32>>>, _> = solvers
            .iter_mut()
            .map(|solver| {
                let mut solver = solver.with_known(&known, Some(view.rules().mines()))?;
                let cells = covered.iter();
                cells.map(|&(row, column)| solver.mine_probability(row, column)).collect()
            })
            .collect();
        let time = start.elapsed();

        let mut mines = mines.map_err(|error| anyhow!("{error}"))?;
        let mines = mines.pop().context("computed at least once")?;
        let mines: Option<Vec<f64>> = mines.into_iter().map(|mine| mine.map(f64::from)).collect();
        Ok(Computed { time, mines: mines.context("no probability for a covered cell")? })
    }
}

/// The number that each open cell shows; none for covered cells. Peers know plain play only.
fn clues(view: &View) -> Result<Vec<Option<u8>>> {
    let clue = |face: &Face| match face {
        Face::Covered | Face::Flagged => Ok(None),
        Face::Open { clue, .. } => clue.exact().map(Some).context("a clue is not exact"),
        Face::Mine => bail!("a mine is shown"),
    };
    if view.shape().form() != Form::Rect {
        bail!("the board is no rectangle");
    }
    view.faces().iter().map(clue).collect()
}
