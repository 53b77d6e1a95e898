//! Leap of faith: what to open, or flag, when nothing is decided.
//!
//! Each hint around a cell estimates it by the share it expects there. Nine estimates are
//! averaged, one for each neighbor and one for the cell itself; the missing ones are taken to be
//! the mines not yet flagged divided by the cells not yet open.
//!
//! ```text
//! mines 4
//! # # # #      the cell between the 1 and the 2 has the estimates 1/8 and 2/8, the other
//! # 1 2 #      seven are 4/14
//! # # # # #
//! ```
//!
//! Early on, corners and the middles of edges are opened instead, then other cells of the edge:
//! few neighbors make a zero likely.

use deminer_game::{Action, Cell, Decision, Estimates, Shape, Why};

use super::knowledge::{Knowledge, ONE, Status};

/// The stage, with what it remembers of the game.
#[derive(Debug, Default)]
pub(crate) struct Leap {
    /// Corners and middles of edges still to be opened, the next one last.
    starts: Vec<Cell>,
    /// Other cells of the edges still to be opened, the next one last.
    edges: Vec<Cell>,
}

/// The mean of nine estimates, as an exact fraction of one mine.
#[derive(Clone, Copy, Debug)]
struct Mean {
    numerator: i64,
    denominator: i64,
}

impl Mean {
    fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl Leap {
    /// Starts over, for a new game.
    pub fn begin(&mut self, shape: &Shape) {
        let (bottom, right) = (shape.height() - 1, shape.width() - 1);
        let (middle_row, middle_column) = (shape.height() / 2, shape.width() / 2);
        let cell = |(row, column)| shape.cell(row, column).expect("on the board");
        let starts = [
            (0, 0),
            (bottom, 0),
            (0, right),
            (bottom, right),
            (0, middle_column),
            (middle_row, 0),
            (middle_row, right),
            (bottom, middle_column),
        ];
        self.starts.clear();
        self.starts.extend(starts.map(cell));
        // Not within two cells of a corner.
        let (rows, columns) = (2..bottom.max(1) - 1, 2..right.max(1) - 1);
        let sides = rows.clone().map(|row| (row, 0)).chain(rows.map(|row| (row, right)));
        let ends = columns.clone().map(|at| (0, at)).chain(columns.map(|at| (bottom, at)));
        self.edges.clear();
        self.edges.extend(sides.chain(ends).map(cell));
    }

    /// Puts the corners before the middles of edges.
    pub fn prefer_corners(&mut self) {
        self.starts.rotate_left(4);
    }

    /// The cell to open first: the middle of the lowest row, or a corner if these are preferred.
    pub fn first(&mut self) -> Option<Cell> {
        self.starts.pop()
    }

    /// Opens a cell, or flags it if it is more likely a mine; none if no cell is left.
    pub fn decide(&mut self, known: &Knowledge) -> Option<Decision> {
        let cell = self.choose(known)?;
        let mean = mean(known, cell);
        let action = if mean.numerator * 2 < mean.denominator {
            Action::Open(cell)
        } else {
            Action::Flag(cell)
        };
        let decision = Decision::new(action, Why::Risk(mean.to_f64()));
        Some(decision.with_estimates(estimates(known)))
    }

    fn choose(&mut self, known: &Knowledge) -> Option<Cell> {
        let mut listed = None;
        if known.is_below(33) {
            listed = next_unresolved(&mut self.starts, known);
        }
        if listed.is_none() && known.is_below(10) {
            listed = next_unresolved(&mut self.edges, known);
        }
        listed.or_else(|| least_likely(known))
    }
}

fn next_unresolved(list: &mut Vec<Cell>, known: &Knowledge) -> Option<Cell> {
    std::iter::from_fn(|| list.pop()).find(|&cell| known.is_unresolved(cell))
}

/// The unresolved cell with the smallest mean, the first of equals.
fn least_likely(known: &Knowledge) -> Option<Cell> {
    let unresolved = known.shape().cells().filter(|&cell| known.is_unresolved(cell));
    unresolved.min_by(|&one, &other| {
        let (one, other) = (mean(known, one), mean(known, other));
        one.numerator.cmp(&other.numerator)
    })
}

/// The mean of a cell's nine estimates. All means of one moment have the same denominator.
fn mean(known: &Knowledge, cell: Cell) -> Mean {
    let (mines, among) = known.rate();
    let (mut sum, mut missing) = (0, 9);
    if known.is_beside_open(cell) {
        for hint in known.hints_around(cell) {
            sum += known.share(hint);
            missing -= 1;
        }
    }
    Mean { numerator: sum * among + missing * mines * ONE, denominator: 9 * among * ONE }
}

/// The means of all unresolved cells; flagged ones are taken for mines.
fn estimates(known: &Knowledge) -> Estimates {
    let mut estimates = Estimates::new(known.shape().size());
    for cell in known.shape().cells() {
        match known.status(cell) {
            Status::Unresolved => estimates.believe(cell, mean(known, cell).to_f64()),
            Status::Flagged => estimates.believe(cell, 1.0),
            Status::Open => {}
        }
    }
    estimates
}
