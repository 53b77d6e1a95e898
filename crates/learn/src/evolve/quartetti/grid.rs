//! Small boards as bits, for millions of games.

use super::machine::{Code, Ground, Machine, Wish};
use super::operation::Operation;

/// A board of at most 128 cells, with the neighbors of each.
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    cells: usize,
    /// Cells around each cell.
    near: Vec<u128>,
    /// The cell in each direction, itself for the ninth; none beyond the border.
    steps: Vec<[Option<u8>; 9]>,
}

/// A game played to its end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Game {
    /// Whether all free cells were uncovered.
    pub won: bool,
    /// Whether a mine was.
    pub lost: bool,
    /// The share of free cells uncovered.
    pub opened: f64,
}

/// The most actions of a game.
pub(super) const ACTIONS: u32 = 500;

impl Grid {
    /// A board of this many rows and columns.
    ///
    /// # Panics
    /// If it has no cells, or more than 128.
    pub fn new(height: usize, width: usize) -> Self {
        assert!((1..=128).contains(&(height * width)), "a board as bits has 1 to 128 cells");
        let mut grid = Self { cells: height * width, near: Vec::new(), steps: Vec::new() };
        for cell in 0..height * width {
            let (row, column) = ((cell / width) as isize, (cell % width) as isize);
            let step = |(down, right): (isize, isize)| {
                let (row, column) = (row + down, column + right);
                let inside =
                    (0..height as isize).contains(&row) && (0..width as isize).contains(&column);
                inside.then(|| (row as usize * width + column as usize) as u8)
            };
            let steps = Operation::STEPS.map(step);
            let near = steps[..8].iter().flatten().fold(0, |near, &cell| near | 1u128 << cell);
            grid.near.push(near);
            grid.steps.push(steps);
        }
        grid
    }

    /// How many cells it has.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Plays a program on a board with these mines, from the top left corner, which is uncovered
    /// beforehand. A mine that would lie there lies on the first free cell after it.
    pub fn play(&self, code: &Code, machine: &mut Machine, mines: u128) -> Game {
        let mut mines = mines;
        if mines & 1 == 1 {
            let free = (1..self.cells).find(|&cell| mines >> cell & 1 == 0);
            mines = mines & !1 | free.map_or(0, |cell| 1 << cell);
        }
        let all = if self.cells == 128 { u128::MAX } else { (1 << self.cells) - 1 };
        let mut board = Covered { grid: self, mines, covered: all, marked: 0 };
        board.open(0);
        machine.begin(code, 0, ACTIONS);
        let mut before = None;
        let mut lost = false;
        while board.covered != mines && !lost {
            match machine.run(code, &board) {
                Wish::Uncover(cell) => {
                    let bit = 1 << cell;
                    if board.covered & !board.marked & bit != 0 {
                        lost = mines & bit != 0;
                        board.open(cell);
                    }
                }
                Wish::Mark(cell) => board.marked |= board.covered & 1 << cell,
                Wish::Nothing => break,
                Wish::Again => {
                    // A program has no memory but these: what changed nothing never will.
                    let now = Some((machine.position, board.covered, board.marked));
                    if before == now {
                        break;
                    }
                    before = now;
                }
            }
        }
        let free = (self.cells - mines.count_ones() as usize).max(1);
        let left = (board.covered & !mines).count_ones() as usize;
        let opened = free.saturating_sub(left) as f64 / free as f64;
        Game { won: left == 0 && !lost, lost, opened }
    }
}

struct Covered<'a> {
    grid: &'a Grid,
    mines: u128,
    covered: u128,
    marked: u128,
}

impl Covered<'_> {
    /// Uncovers a cell, and all around a zero.
    fn open(&mut self, cell: usize) {
        let mut fresh: u128 = 1 << cell;
        while fresh != 0 {
            let cell = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            self.covered &= !(1 << cell);
            if self.mines & (self.grid.near[cell] | 1 << cell) == 0 {
                fresh |= self.grid.near[cell] & self.covered & !self.marked;
            }
        }
    }
}

impl Ground for Covered<'_> {
    fn step(&self, from: usize, direction: u8) -> Option<usize> {
        self.grid.steps[from][usize::from(direction)].map(usize::from)
    }

    fn covered(&self, cell: usize) -> bool {
        self.covered >> cell & 1 == 1
    }

    fn count(&self, cell: usize) -> Option<u8> {
        (!self.covered(cell)).then(|| (self.mines & self.grid.near[cell]).count_ones() as u8)
    }
}
