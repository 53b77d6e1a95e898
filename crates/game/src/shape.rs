//! Shapes of boards: which cells there are and which touch.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::Cell;

/// The most cells a board may have.
pub const MAX_CELLS: usize = 65_535;

/// How the cells of a board lie together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Form {
    /// A rectangle; inner cells have 8 neighbors.
    #[default]
    Rect,
    /// A rectangle that wraps both ways.
    Torus,
    /// Hexagons, odd rows shifted half a cell to the right; inner cells have 6 neighbors.
    Hex,
}
crate::words!(Form, "a shape": Rect = "rect", Torus = "torus", Hex = "hex");

impl Form {
    /// Row and column steps to the neighbors of a cell in the given row.
    fn steps(self, row: usize) -> &'static [(isize, isize)] {
        const EIGHT: [(isize, isize); 8] =
            [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
        const SIX_EVEN: [(isize, isize); 6] = [(-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)];
        const SIX_ODD: [(isize, isize); 6] = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)];
        match self {
            Form::Rect | Form::Torus => &EIGHT,
            Form::Hex if row.is_multiple_of(2) => &SIX_EVEN,
            Form::Hex => &SIX_ODD,
        }
    }
}

/// The cells of a board and the neighbors of each. Cloning shares the neighbor lists.
///
/// Everything above uses the lists, never `x ± 1`, so that every form plays everywhere:
///
/// ```text
/// rect        torus 4x2     hex
/// a b c       a b c d        a b c
/// d e f       e f g h         d e f
///                            g h i
/// a: b d e    a: b d e f h   a: b d     e: b c d f h i
/// ```
#[derive(Clone)]
pub struct Shape(Arc<Grid>);

struct Grid {
    form: Form,
    width: usize,
    height: usize,
    /// The neighbors of cell `i` are `neighbors[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    neighbors: Vec<Cell>,
}

/// No board has this shape.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("a board {width} wide and {height} high has {fault}")]
pub struct ShapeError {
    width: usize,
    height: usize,
    fault: String,
}

impl ShapeError {
    /// More than [`MAX_CELLS`].
    pub(crate) fn too_large(width: usize, height: usize) -> Self {
        Self { width, height, fault: format!("too many cells (at most {MAX_CELLS})") }
    }
}

/// A row and column that a board does not have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct OutsideError(String);

/// One cell.
impl Default for Shape {
    fn default() -> Self {
        Self::new(Form::default(), 1, 1).expect("one cell makes a board")
    }
}

impl Shape {
    /// A shape with its neighbor lists; costs time and memory in proportion to its cells.
    pub fn new(form: Form, width: usize, height: usize) -> Result<Self, ShapeError> {
        if width == 0 || height == 0 {
            let fault = "no cells (both sides must be at least 1)".into();
            return Err(ShapeError { width, height, fault });
        }
        let cells = width
            .checked_mul(height)
            .filter(|&cells| cells <= MAX_CELLS)
            .ok_or_else(|| ShapeError::too_large(width, height))?;

        let mut starts = Vec::with_capacity(cells + 1);
        let mut neighbors: Vec<Cell> = Vec::with_capacity(cells * 8);
        for index in 0..cells {
            let start = neighbors.len();
            starts.push(start as u32);
            let (row, column) = (index / width, index % width);
            for &(down, right) in form.steps(row) {
                let Some(near) = step(form, width, height, (row, column), (down, right)) else {
                    continue;
                };
                // Narrow tori reach the same cell, or the cell itself, by several ways.
                if near.index() != index && !neighbors[start..].contains(&near) {
                    neighbors.push(near);
                }
            }
            neighbors[start..].sort_unstable();
        }
        starts.push(neighbors.len() as u32);
        Ok(Self(Arc::new(Grid { form, width, height, starts, neighbors })))
    }

    /// How the cells lie together.
    #[inline]
    pub fn form(&self) -> Form {
        self.0.form
    }

    /// Cells in a row.
    #[inline]
    pub fn width(&self) -> usize {
        self.0.width
    }

    /// Rows.
    #[inline]
    pub fn height(&self) -> usize {
        self.0.height
    }

    /// How many cells there are.
    #[inline]
    pub fn size(&self) -> usize {
        self.0.starts.len() - 1
    }

    /// Every cell, row by row.
    #[inline]
    pub fn cells(&self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + use<> {
        (0..self.size() as u16).map(Cell::new)
    }

    /// The cell with this place in row-major order.
    #[inline]
    pub fn nth(&self, index: usize) -> Option<Cell> {
        (index < self.size()).then(|| Cell::new(index as u16))
    }

    /// The cell in this row and column, counted from 0.
    #[inline]
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        (row < self.height() && column < self.width())
            .then(|| Cell::new((row * self.width() + column) as u16))
    }

    /// The cell in this row and column, or an error that says what the board has.
    pub fn cell_at(&self, row: usize, column: usize) -> Result<Cell, OutsideError> {
        self.cell(row, column).ok_or_else(|| {
            let board = format!("{} rows of {}, counted from 0", self.height(), self.width());
            OutsideError(format!("row {row}, column {column} is outside the board ({board})"))
        })
    }

    /// Row and column of a cell, counted from 0.
    #[inline]
    pub fn position(&self, cell: Cell) -> (usize, usize) {
        (cell.index() / self.width(), cell.index() % self.width())
    }

    /// The place of a cell in words, as in `row 3, column 5`.
    pub fn place(&self, cell: Cell) -> String {
        let (row, column) = self.position(cell);
        format!("row {row}, column {column}")
    }

    /// Whether the cell is on this board. Cells of this shape always are; a cell of a larger
    /// board may not be.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        cell.index() < self.size()
    }

    /// The cells that touch this one, in row-major order, never the cell itself.
    #[inline]
    pub fn neighbors(&self, cell: Cell) -> &[Cell] {
        let (from, to) = (self.0.starts[cell.index()], self.0.starts[cell.index() + 1]);
        &self.0.neighbors[from as usize..to as usize]
    }

    /// How many cells touch this one.
    #[inline]
    pub fn degree(&self, cell: Cell) -> usize {
        self.neighbors(cell).len()
    }

    /// For every cell, the sum of what the cells around it hold. No eight of the values may sum to
    /// more than 255.
    ///
    /// On a rectangle rows are added up as wholes, which costs a few instructions for sixteen
    /// cells; elsewhere neighbor lists are.
    pub fn sums_around(&self, values: &[u8], sums: &mut Vec<u8>) {
        assert_eq!(values.len(), self.size(), "a value for each cell");
        sums.clear();
        match self.form() {
            Form::Rect => sums_in_rectangle(self.width(), values, sums),
            Form::Torus | Form::Hex => sums.extend(self.cells().map(|cell| {
                self.neighbors(cell).iter().map(|near| values[near.index()]).sum::<u8>()
            })),
        }
    }

    /// The fewest steps from neighbor to neighbor that lead from one cell to another.
    pub fn distance(&self, one: Cell, other: Cell) -> usize {
        let ((row, column), (to_row, to_column)) = (self.position(one), self.position(other));
        let (rows, columns) = (row.abs_diff(to_row), column.abs_diff(to_column));
        match self.form() {
            Form::Rect => rows.max(columns),
            Form::Torus => rows.min(self.height() - rows).max(columns.min(self.width() - columns)),
            Form::Hex => {
                // Steps up and down move half a cell sideways for free, in the direction that
                // the row's shift allows.
                let slant = |row: usize, column: usize| 2 * column + row % 2;
                let sideways = slant(row, column).abs_diff(slant(to_row, to_column));
                rows + sideways.saturating_sub(rows) / 2
            }
        }
    }

    /// The cell `down` rows below and `right` columns to the right; a torus wraps, elsewhere
    /// it may lie outside.
    #[inline]
    pub fn offset(&self, cell: Cell, down: isize, right: isize) -> Option<Cell> {
        step(self.form(), self.width(), self.height(), self.position(cell), (down, right))
    }
}

#[inline]
fn step(
    form: Form,
    width: usize,
    height: usize,
    (row, column): (usize, usize),
    (down, right): (isize, isize),
) -> Option<Cell> {
    let (mut row, mut column) = (row as isize + down, column as isize + right);
    let (height, width) = (height as isize, width as isize);
    if form == Form::Torus {
        (row, column) = (row.rem_euclid(height), column.rem_euclid(width));
    }
    ((0..height).contains(&row) && (0..width).contains(&column))
        .then(|| Cell::new((row * width + column) as u16))
}

/// Sums of three in a row first, then of three rows, less the cell itself.
fn sums_in_rectangle(width: usize, values: &[u8], sums: &mut Vec<u8>) {
    let cells = values.len();
    // The rows' sums lie behind the result while it is made.
    sums.resize(2 * cells, 0);
    let (sums_of_nine, triples) = sums.split_at_mut(cells);
    triples.copy_from_slice(values);
    add(&mut triples[1..], values);
    add(triples, &values[1..]);
    for start in (width..cells).step_by(width) {
        // The end of one row and the start of the next do not touch.
        triples[start - 1] -= values[start];
        triples[start] -= values[start - 1];
    }
    let rows = triples.iter().zip(values);
    for (sum, (triple, value)) in sums_of_nine.iter_mut().zip(rows) {
        *sum = triple - value;
    }
    add(&mut sums_of_nine[width..], triples);
    add(sums_of_nine, &triples[width..]);
    sums.truncate(cells);
}

/// Adds value by value, as far as both go.
fn add(sums: &mut [u8], values: &[u8]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum = sum.wrapping_add(*value);
    }
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        let key = |shape: &Shape| (shape.form(), shape.width(), shape.height());
        Arc::ptr_eq(&self.0, &other.0) || key(self) == key(other)
    }
}

impl Eq for Shape {}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}x{}", self.form(), self.width(), self.height())
    }
}

/// The ways to turn and mirror a rectangle, each as the places its cells are taken from, row by
/// row: eight for a square, four for others. The first changes nothing.
pub fn symmetries(width: usize, height: usize) -> Vec<Vec<usize>> {
    let way = |symmetry: usize| {
        let (flip, mirror, swap) = (symmetry & 1 != 0, symmetry & 2 != 0, symmetry & 4 != 0);
        let source = move |at: usize| {
            let (row, column) = (at / width, at % width);
            let (row, column) = if swap { (column, row) } else { (row, column) };
            let row = if flip { height - 1 - row } else { row };
            let column = if mirror { width - 1 - column } else { column };
            row * width + column
        };
        (0..width * height).map(source).collect()
    };
    let ways = if width == height { 8 } else { 4 };
    (0..ways).map(way).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks the neighbors of the cell written `o` in the picture.
    fn check(form: Form, picture: &str) {
        let symbols: Vec<char> = picture.chars().filter(|symbol| !symbol.is_whitespace()).collect();
        let height = picture.lines().count();
        let shape = Shape::new(form, symbols.len() / height, height).unwrap();
        let at = |symbol| -> Vec<Cell> {
            shape.cells().filter(|cell| symbols[cell.index()] == symbol).collect()
        };
        let center = at('o')[0];
        let near = shape.neighbors(center);
        assert_eq!(near, at('x'), "{form} {picture}");
        assert!(near.iter().all(|&near| shape.neighbors(near).contains(&center)));
    }

    #[test]
    fn neighbors_lie_around_a_cell() {
        check(Form::Rect, "x x x -\nx o x -\nx x x -\n- - - -");
        check(Form::Rect, "o x -\nx x -");
        check(Form::Rect, "x o x - -");
        // A torus wraps both ways.
        check(Form::Torus, "o x - x\nx x - x\n- - - -\nx x - x");
        check(Form::Torus, "x x x -\nx o x -");
        // Narrow tori repeat no neighbor.
        check(Form::Torus, "o x");
        check(Form::Torus, "o");
        check(Form::Torus, "o x - x");
        check(Form::Torus, "o x\nx x");
        check(Form::Torus, "o x x\nx x x");
        // Hexagons have six neighbors, and odd rows are shifted to the right.
        check(Form::Hex, "- x x -\nx o x -\n- x x -");
        check(Form::Hex, "- - - -\nx x - -\nx o x -\nx x - -");
        check(Form::Hex, "o x -\nx - -");
    }

    #[test]
    fn sums_around_are_sums_over_neighbors() {
        let sizes = [(1, 1), (1, 4), (5, 1), (2, 2), (3, 5), (17, 3), (30, 16)];
        let shapes = sizes.iter().flat_map(|&(width, height)| {
            Form::ALL.map(|form| Shape::new(form, width, height).unwrap())
        });
        for shape in shapes {
            let values: Vec<u8> = shape.cells().map(|cell| (cell.index() * 7 % 17) as u8).collect();
            let value = |near: &Cell| values[near.index()];
            let around = |cell| shape.neighbors(cell).iter().map(value).sum::<u8>();
            let mut sums = vec![9];
            shape.sums_around(&values, &mut sums);
            assert_eq!(sums, shape.cells().map(around).collect::<Vec<u8>>(), "{shape:?}");
        }
    }

    #[test]
    fn distances_count_steps_from_neighbor_to_neighbor() {
        for (form, width, height) in
            Form::ALL.into_iter().flat_map(|form| [(form, 7, 5), (form, 4, 9), (form, 1, 3)])
        {
            let shape = Shape::new(form, width, height).unwrap();
            for start in shape.cells() {
                let mut steps = vec![usize::MAX; shape.size()];
                let mut reached = vec![start];
                steps[start.index()] = 0;
                for place in 0.. {
                    let Some(&cell) = reached.get(place) else { break };
                    for &near in shape.neighbors(cell) {
                        if steps[near.index()] == usize::MAX {
                            steps[near.index()] = steps[cell.index()] + 1;
                            reached.push(near);
                        }
                    }
                }
                for cell in shape.cells() {
                    assert_eq!(shape.distance(start, cell), steps[cell.index()], "{shape:?}");
                }
            }
        }
    }

    #[test]
    fn impossible_shapes_say_what_is_wrong() {
        assert_eq!(
            Shape::new(Form::Rect, 0, 4).unwrap_err().to_string(),
            "a board 0 wide and 4 high has no cells (both sides must be at least 1)"
        );
        assert!(Shape::new(Form::Rect, 256, 256).is_err());
        assert!(Shape::new(Form::Rect, usize::MAX, 2).is_err());
        assert_eq!(Shape::new(Form::Rect, 257, 255).unwrap().size(), 65_535);
    }

    #[test]
    fn squares_turn_eight_ways_and_rectangles_four() {
        let mut ways = symmetries(3, 3);
        assert_eq!(ways[0], [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(ways[4], [0, 3, 6, 1, 4, 7, 2, 5, 8]);
        ways.sort();
        ways.dedup();
        assert_eq!(ways.len(), 8);
        let turned =
            [[0, 1, 2, 3, 4, 5], [3, 4, 5, 0, 1, 2], [2, 1, 0, 5, 4, 3], [5, 4, 3, 2, 1, 0]];
        assert_eq!(symmetries(3, 2), turned);
    }
}
