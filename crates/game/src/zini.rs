//! ZiNi: an estimate of the fewest clicks that solve a board with flags and chords.
//!
//! The greedy method of Elmar Zimmermann and Christoph Nikolaus (2009), who know all mines. The
//! premium of a safe cell is what a chord on it saves, compared with opening cells one by one:
//!
//! ```text
//! premium = 3BV that the chord opens - flags that it needs - 1 if the cell is closed - 1
//! ```
//!
//! The cell with the highest premium is opened if it is closed, the mines around it are flagged,
//! and it is chorded, as long as the premium is not negative. Where no premium is, the first closed
//! cell is opened that is a zero or lies outside of openings. Human ZiNi first opens all openings
//! and then chords on open cells only.
//!
//! Where premiums are equal, the first cell column by column counts (left to right, in a column
//! from the top), as in the original program and in ms_toollib, with which these numbers agree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{Cell, CellSet, ClickParts, Layout};

impl Layout {
    /// Greedy ZiNi: clicks that solve the board when all mines are known.
    pub fn zini(&self) -> usize {
        Solve::new(self, &ClickParts::of(self), false).finish()
    }

    /// Human ZiNi: as [`Layout::zini`], but all openings are opened first, and only open cells are
    /// chorded.
    pub fn human_zini(&self) -> usize {
        let parts = ClickParts::of(self);
        let mut solve = Solve::new(self, &parts, true);
        for opening in &parts.openings {
            solve.click(opening.zeros[0]);
        }
        solve.finish()
    }
}

/// A board that is being solved.
struct Solve<'a> {
    layout: &'a Layout,
    parts: &'a ClickParts,
    /// Whether only open cells are chorded.
    open_only: bool,
    /// The opening of each zero.
    opening_of: Vec<Option<usize>>,
    /// Numbers outside of openings.
    isolated: CellSet,
    /// Cells by their place in their columns, to go through boards column by column.
    order: Vec<Cell>,
    place: Vec<usize>,
    premium: Vec<i32>,
    open: CellSet,
    flagged: CellSet,
    closed: usize,
    clicks: usize,
    /// Premiums that were not negative once, highest and first in order on top. Premiums that
    /// changed since are skipped.
    heap: BinaryHeap<(i32, Reverse<usize>)>,
    /// Cells before this place in order are not opened for want of a premium.
    next: usize,
}

impl<'a> Solve<'a> {
    fn new(layout: &'a Layout, parts: &'a ClickParts, open_only: bool) -> Self {
        let shape = layout.shape();
        let mut order: Vec<Cell> = shape.cells().collect();
        order.sort_by_key(|&cell| {
            let (row, column) = shape.position(cell);
            (column, row)
        });
        let mut place = vec![0; shape.size()];
        for (at, cell) in order.iter().enumerate() {
            place[cell.index()] = at;
        }
        let mut opening_of = vec![None; shape.size()];
        for (number, opening) in parts.openings.iter().enumerate() {
            for zero in &opening.zeros {
                opening_of[zero.index()] = Some(number);
            }
        }
        let mut solve = Self {
            layout,
            parts,
            open_only,
            opening_of,
            isolated: CellSet::of(shape.size(), parts.isolated.iter().copied()),
            order,
            place,
            premium: vec![0; shape.size()],
            open: CellSet::new(shape.size()),
            flagged: CellSet::new(shape.size()),
            closed: shape.size() - layout.total(),
            clicks: 0,
            heap: BinaryHeap::new(),
            next: 0,
        };
        solve.set_premiums();
        solve
    }

    /// The premiums of a board on which nothing is open.
    fn set_premiums(&mut self) {
        let shape = self.layout.shape();
        for cell in shape.cells() {
            let mines = i32::from(self.layout.count(cell));
            let gain =
                around(self.layout, cell).filter(|&near| self.isolated.contains(near)).count();
            self.premium[cell.index()] = gain as i32 - mines - 2;
        }
        for opening in &self.parts.openings {
            for cell in opening.zeros.iter().chain(&opening.border) {
                self.premium[cell.index()] += 1;
            }
        }
        for cell in shape.cells() {
            self.offer(cell);
        }
    }

    /// Solves the rest; returns all clicks.
    fn finish(mut self) -> usize {
        while self.closed > 0 {
            match self.best() {
                Some(cell) => self.chord(cell),
                None => self.click_first(),
            }
        }
        self.clicks
    }

    /// The first cell of the highest premium, unless that is negative.
    fn best(&mut self) -> Option<Cell> {
        while let Some((premium, Reverse(place))) = self.heap.pop() {
            let cell = self.order[place];
            if self.premium[cell.index()] == premium {
                return Some(cell);
            }
        }
        None
    }

    fn chord(&mut self, cell: Cell) {
        if !self.open.contains(cell) {
            self.click(cell);
        }
        for mine in around(self.layout, cell).filter(|&near| self.layout.is_mine(near)) {
            if self.flagged.insert(mine) {
                self.clicks += 1;
                self.raise_around(mine, 1);
            }
        }
        self.clicks += 1;
        for near in around(self.layout, cell).filter(|&near| !self.layout.is_mine(near)) {
            self.reveal(near);
        }
    }

    fn click_first(&mut self) {
        let is_next = |cell: Cell| {
            !self.open.contains(cell)
                && (self.isolated.contains(cell) || self.opening_of[cell.index()].is_some())
        };
        while !is_next(self.order[self.next]) {
            self.next += 1;
        }
        self.click(self.order[self.next]);
    }

    fn click(&mut self, cell: Cell) {
        self.clicks += 1;
        self.reveal(cell);
    }

    /// What opening a safe cell reveals.
    fn reveal(&mut self, cell: Cell) {
        if self.open.contains(cell) {
            return;
        }
        let Some(number) = self.opening_of[cell.index()] else { return self.uncover(cell) };
        let opening = &self.parts.openings[number];
        for &member in opening.zeros.iter().chain(&opening.border) {
            self.uncover(member);
            self.raise(member, -1);
        }
    }

    /// Opens one cell, unless it is open.
    fn uncover(&mut self, cell: Cell) {
        if !self.open.insert(cell) {
            return;
        }
        self.closed -= 1;
        self.raise(cell, 1);
        if self.isolated.contains(cell) {
            self.raise_around(cell, -1);
        }
    }

    fn raise_around(&mut self, cell: Cell, change: i32) {
        for near in around(self.layout, cell) {
            self.raise(near, change);
        }
    }

    fn raise(&mut self, cell: Cell, change: i32) {
        self.premium[cell.index()] += change;
        self.offer(cell);
    }

    /// Puts a cell on the heap, if it may be chorded and its premium is not negative.
    fn offer(&mut self, cell: Cell) {
        let premium = self.premium[cell.index()];
        let fits = !self.open_only || self.open.contains(cell);
        if premium >= 0 && fits && !self.layout.is_mine(cell) {
            self.heap.push((premium, Reverse(self.place[cell.index()])));
        }
    }
}

/// A cell and its neighbors.
fn around(layout: &Layout, cell: Cell) -> impl Iterator<Item = Cell> {
    layout.shape().neighbors(cell).iter().copied().chain([cell])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, GameSeed, Purpose, Rng, Rules, Shape, Size, Start};

    /// The method word for word: every premium is counted anew before each chord.
    fn plain(layout: &Layout, human: bool) -> usize {
        let shape = layout.shape();
        let parts = ClickParts::of(layout);
        let mut open = CellSet::new(shape.size());
        let mut flagged = CellSet::new(shape.size());
        let mut clicks = 0;
        let mut columns: Vec<Cell> = Vec::new();
        for column in 0..shape.width() {
            columns.extend((0..shape.height()).filter_map(|row| shape.cell(row, column)));
        }
        let reveal = |cell: Cell, open: &mut CellSet| {
            open.insert(cell);
            for opening in parts.openings.iter().filter(|opening| opening.zeros.contains(&cell)) {
                for &member in opening.zeros.iter().chain(&opening.border) {
                    open.insert(member);
                }
            }
        };
        if human {
            for opening in &parts.openings {
                clicks += 1;
                reveal(opening.zeros[0], &mut open);
            }
        }
        let safe = |cell: Cell| !layout.is_mine(cell);
        while shape.cells().any(|cell| safe(cell) && !open.contains(cell)) {
            let premium = |cell: Cell| {
                let near: Vec<Cell> = around(layout, cell).collect();
                let closed = |cell: &&Cell| !open.contains(**cell);
                let alone = near.iter().filter(closed).filter(|near| parts.isolated.contains(near));
                let openings = parts.openings.iter().filter(|opening| {
                    let zero = opening.zeros.iter().find(|zero| near.contains(zero));
                    zero.is_some_and(|zero| !open.contains(*zero))
                });
                let unflagged =
                    near.iter().filter(|near| layout.is_mine(**near) && !flagged.contains(**near));
                let gain = (alone.count() + openings.count()) as i32;
                gain - unflagged.count() as i32 - i32::from(!open.contains(cell)) - 1
            };
            let mut best: Option<(i32, Cell)> = None;
            let may_chord = |cell: &&Cell| safe(**cell) && (!human || open.contains(**cell));
            for &cell in columns.iter().filter(may_chord) {
                let premium = premium(cell);
                if premium >= 0 && best.is_none_or(|(most, _)| premium > most) {
                    best = Some((premium, cell));
                }
            }
            let Some((_, cell)) = best else {
                let is_zero =
                    |cell| parts.openings.iter().any(|opening| opening.zeros.contains(&cell));
                let first = columns.iter().copied().find(|&cell| {
                    !open.contains(cell) && (parts.isolated.contains(&cell) || is_zero(cell))
                });
                clicks += 1;
                reveal(first.expect("some cell is closed"), &mut open);
                continue;
            };
            if !open.contains(cell) {
                clicks += 1;
                reveal(cell, &mut open);
            }
            clicks += 1;
            for near in around(layout, cell) {
                match layout.is_mine(near) {
                    true => clicks += usize::from(flagged.insert(near)),
                    false => reveal(near, &mut open),
                }
            }
        }
        clicks
    }

    #[test]
    fn the_fast_way_and_the_plain_way_agree_on_all_shapes() {
        let mut rng = Rng::new(5);
        for game in 0..400 {
            let form = Form::ALL[game % Form::ALL.len()];
            let shape = Shape::new(form, 3 + rng.below(8), 3 + rng.below(8)).unwrap();
            let mines = rng.below(shape.size() / 2);
            let rules = Rules::new(shape.clone(), mines).unwrap();
            let rules = rules.with_start(Start::Unsafe).unwrap();
            let layout = Layout::deal(&rules, rng.bits(), shape.nth(0).unwrap());
            assert_eq!(layout.zini(), plain(&layout, false), "{form}\n{layout}");
            assert_eq!(layout.human_zini(), plain(&layout, true), "{form}\n{layout}");
        }
    }

    #[test]
    fn small_boards_can_be_counted_by_hand() {
        let counted = |text: &str| {
            let layout: Layout = text.parse().unwrap();
            (layout.zini(), layout.human_zini())
        };
        assert_eq!(counted("...\n..."), (1, 1), "one opening");
        assert_eq!(counted("**\n**"), (0, 0), "nothing to open");
        // Left edge: open, flag, chord opens two columns; two chords open the third. A human opens
        // the corner, flags and chords it, and needs three chords more.
        assert_eq!(counted("...\n.*.\n..."), (5, 6));
        assert_eq!(counted("*..\n...\n..."), (1, 1), "the opening holds all");
    }

    #[test]
    fn the_largest_board_is_quick() {
        let rules = Rules::of("255x255x13000".parse::<Size>().unwrap()).unwrap();
        let seed = GameSeed { seed: 1, game: 0 }.derive(Purpose::Layout);
        let layout = Layout::deal(&rules, seed, rules.shape().nth(0).unwrap());
        assert!(layout.zini() < layout.three_bv());
    }
}
