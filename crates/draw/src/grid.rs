//! The positions of cells in a picture of a board.

use deminer_game::{Cell, Form, Shape};

use super::scene::{Outline, Point};

/// The longest side of a board.
const LONGEST: f32 = 1560.0;
/// The smallest tiles with lines between them.
const LINED: f32 = 6.0;
/// Height of a hexagon's row, as a share of its width.
const HEX_ROW: f32 = 0.866;

/// A board of this shape with tiles of this size.
pub(super) struct Grid<'a> {
    shape: &'a Shape,
    /// Width of a tile in pixels.
    pub cell: f32,
    /// Upper left corner of the board.
    pub corner: Point,
    /// From one number beside the board to the next, where it is given.
    step: Option<usize>,
}

impl<'a> Grid<'a> {
    /// A board with its upper left corner at the origin. A beginner board is about 300 pixels
    /// wide and no board much wider than 1600.
    pub fn new(shape: &'a Shape) -> Self {
        let longest = shape.width().max(shape.height()) as f32;
        let cell = if longest <= 16.0 { 30.0 } else { (LONGEST / longest).min(28.0) };
        // Whole pixels keep edges crisp.
        let cell = if cell >= 2.0 { cell.floor() } else { cell };
        Self { shape, cell, corner: Point::new(0.0, 0.0), step: None }
    }

    /// The same with tiles of a given side and numbers at a given distance, where they are given.
    pub fn with(shape: &'a Shape, tile: Option<f32>, step: Option<usize>) -> Self {
        let grid = Self::new(shape);
        let cell = tile.map_or(grid.cell, |tile| tile.max(1.0));
        Self { cell, step: step.map(|step| step.max(1)), ..grid }
    }

    fn is_hex(&self) -> bool {
        self.shape.form() == Form::Hex
    }

    fn row_step(&self) -> f32 {
        if self.is_hex() { self.cell * HEX_ROW } else { self.cell }
    }

    /// Width of the board in pixels.
    pub fn width(&self) -> f32 {
        let half = if self.is_hex() && self.shape.height() > 1 { 0.5 } else { 0.0 };
        (self.shape.width() as f32 + half) * self.cell
    }

    /// Height of the board in pixels.
    pub fn height(&self) -> f32 {
        let rest = if self.is_hex() { self.cell * (2.0 / 3.0 * 1.732 - HEX_ROW) } else { 0.0 };
        self.shape.height() as f32 * self.row_step() + rest
    }

    /// How far a torus repeats its other side beyond its edge.
    pub fn overhang(&self) -> f32 {
        if self.shape.form() == Form::Torus { (self.cell / 2.0).floor() } else { 0.0 }
    }

    /// The middle of a row and column, which may lie outside the board. A square tile leaves
    /// the last pixel to the line between tiles, so that all edges fall on whole pixels.
    pub fn center(&self, row: isize, column: isize) -> Point {
        let (across, down) = (column as f32 + 0.5, row as f32 * self.row_step());
        if self.is_hex() {
            let shift = if row.rem_euclid(2) == 1 { 0.5 } else { 0.0 };
            self.corner.moved((across + shift) * self.cell, down + self.cell / 1.732)
        } else {
            let line = if self.cell >= LINED { 0.5 } else { 0.0 };
            self.corner.moved(across * self.cell - line, down + self.cell / 2.0 - line)
        }
    }

    /// The narrowest margin between a tile and its cell.
    pub fn margin(&self) -> f32 {
        if self.cell >= LINED { 0.5 } else { 0.0 }
    }

    /// Every cell with its center; on a torus also the cells repeated beyond the edge.
    pub fn places(&self) -> Vec<(Cell, Point)> {
        let beyond = isize::from(self.shape.form() == Form::Torus);
        let (height, width) = (self.shape.height() as isize, self.shape.width() as isize);
        let rows = -beyond..height + beyond;
        rows.flat_map(|row| (-beyond..width + beyond).map(move |column| (row, column)))
            .filter_map(|(row, column)| {
                let wrapped = (row.rem_euclid(height) as usize, column.rem_euclid(width) as usize);
                let cell = self.shape.cell(wrapped.0, wrapped.1)?;
                Some((cell, self.center(row, column)))
            })
            .collect()
    }

    /// The middle of a cell on the board.
    pub fn middle(&self, cell: Cell) -> Point {
        let (row, column) = self.shape.position(cell);
        self.center(row as isize, column as isize)
    }

    /// A tile, smaller than its cell by `inset` pixels on every side.
    pub fn tile(&self, center: Point, inset: f32) -> Outline {
        let radius = (self.cell * 0.12 - inset * 0.3).max(0.0);
        if !self.is_hex() {
            return Outline::square(center, self.cell - 2.0 * inset, radius);
        }
        let half = self.cell / 2.0 - inset;
        let tall = half * 2.0 / 1.732;
        let points = [(0.0, -1.0), (1.0, -0.5), (1.0, 0.5), (0.0, 1.0), (-1.0, 0.5), (-1.0, -0.5)]
            .map(|(x, y)| center.moved(x * half, y * tall));
        Outline::polygon(&points, radius)
    }

    /// The lines between these cells and all others; where tiles are hexagons, the cells.
    pub fn border(&self, cells: &[Cell]) -> Vec<Outline> {
        if self.is_hex() {
            return cells.iter().map(|&cell| self.tile(self.middle(cell), 1.0)).collect();
        }
        let inside = |row: isize, column: isize| {
            let at = (usize::try_from(row).ok(), usize::try_from(column).ok());
            let (Some(row), Some(column)) = at else { return false };
            self.shape.cell(row, column).is_some_and(|cell| cells.contains(&cell))
        };
        let half = self.cell / 2.0;
        let mut sides = Vec::new();
        for &cell in cells {
            let (row, column) = self.shape.position(cell);
            let (row, column) = (row as isize, column as isize);
            let middle = self.center(row, column);
            for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                if inside(row + down, column + right) {
                    continue;
                }
                let side = middle.moved(right as f32 * half, down as f32 * half);
                let along = |sign: f32| {
                    let (x, y) = (down.abs() as f32, right.abs() as f32);
                    side.moved(sign * x * half, sign * y * half)
                };
                sides.push(Outline::line(&[along(-1.0), along(1.0)]));
            }
        }
        sides
    }

    /// The rows or columns that carry a number: all on small boards, every fifth on larger
    /// ones, fewer where tiles are tiny.
    pub fn ruled(&self, count: usize) -> impl Iterator<Item = usize> + use<> {
        let longest = self.shape.width().max(self.shape.height());
        let step = if let Some(step) = self.step {
            step
        } else if longest <= 12 && self.cell >= 12.0 {
            1
        } else {
            let room = (28.0 / self.cell) as usize;
            [5, 10, 25, 50, 100].into_iter().find(|&step| step >= room).unwrap_or(room)
        };
        (0..count).step_by(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(width: usize, height: usize) -> (f32, f32) {
        let shape = Shape::new(Form::Rect, width, height).unwrap();
        let grid = Grid::new(&shape);
        (grid.width(), grid.height())
    }

    #[test]
    fn boards_get_sensible_sizes() {
        assert_eq!(sides(9, 9), (270.0, 270.0));
        assert_eq!(sides(4, 3), (120.0, 90.0));
        assert_eq!(sides(30, 16), (840.0, 448.0));
        assert_eq!(sides(100, 100), (1500.0, 1500.0));
        assert_eq!(sides(255, 255), (1530.0, 1530.0));
        let (width, height) = sides(65_535, 1);
        assert!(width < 1600.0 && height > 0.0);
    }

    #[test]
    fn odd_rows_of_hexagons_lie_half_a_cell_to_the_right() {
        let shape = Shape::new(Form::Hex, 4, 3).unwrap();
        let grid = Grid { cell: 20.0, ..Grid::new(&shape) };
        let (above, below) = (grid.center(0, 1), grid.center(1, 1));
        assert_eq!(below.x - above.x, 10.0);
        assert!((below.y - above.y - 17.32).abs() < 1e-3);
        // Touching hexagons are one width apart in every direction.
        let apart = (grid.center(1, 0).x - above.x).hypot(below.y - above.y);
        assert!((apart - 20.0).abs() < 0.01, "{apart}");
        assert_eq!(grid.width(), 90.0);
    }

    #[test]
    fn a_torus_is_seen_again_beyond_its_edge() {
        let shape = Shape::new(Form::Torus, 4, 3).unwrap();
        let places = Grid::new(&shape).places();
        assert_eq!(places.len(), 6 * 5);
        assert_eq!(places[0].0, shape.cell(2, 3).unwrap());
    }

    #[test]
    fn a_border_leaves_out_the_sides_between_its_cells() {
        let shape = Shape::new(Form::Rect, 4, 3).unwrap();
        let grid = Grid::new(&shape);
        let at = |row, column| shape.cell(row, column).unwrap();
        assert_eq!(grid.border(&[at(1, 1)]).len(), 4);
        assert_eq!(grid.border(&[at(1, 1), at(1, 2)]).len(), 6);
        assert_eq!(grid.border(&[at(0, 0), at(0, 1), at(1, 0), at(1, 1)]).len(), 8);
        let hexagons = Shape::new(Form::Hex, 4, 3).unwrap();
        let cells: Vec<Cell> = hexagons.cells().take(3).collect();
        assert_eq!(Grid::new(&hexagons).border(&cells).len(), 3);
    }

    #[test]
    fn tiles_and_rulers_can_be_given() {
        let shape = Shape::new(Form::Rect, 40, 20).unwrap();
        let grid = Grid::with(&shape, Some(16.0), Some(16));
        assert_eq!((grid.width(), grid.height()), (640.0, 320.0));
        assert_eq!(grid.ruled(40).collect::<Vec<_>>(), [0, 16, 32]);
    }

    #[test]
    fn rulers_count_by_fives_on_large_boards() {
        let ruled = |size: usize| {
            let shape = Shape::new(Form::Rect, size, size).unwrap();
            Grid::new(&shape).ruled(size).take(3).collect::<Vec<_>>()
        };
        assert_eq!(ruled(9), [0, 1, 2]);
        assert_eq!(ruled(30), [0, 5, 10]);
        assert_eq!(ruled(255), [0, 5, 10]);
    }
}
