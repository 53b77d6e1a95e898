//! Leap of faith: what to open, or flag, when nothing is decided.
//!
//! Each hint around a cell estimates it by the share it expects there. Nine estimates are
//! averaged, one for each neighbor and one for the cell itself; the missing ones are taken to be
//! the mines not yet flagged divided by the cells not yet open.
//!
//! ```text
//! mines 4
//! # # # #      the cells that both clues see have the estimates 1/8 and 2/8; the other seven
//! # 1 2 #      are 4/10
//! # # # #
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
        let is_open = mean(known, cell) * 2 < whole(known);
        let action = if is_open { Action::Open(cell) } else { Action::Flag(cell) };
        let decision = Decision::new(action, Why::Risk(estimate(known, cell)));
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

/// The first unresolved cell with the smallest mean.
fn least_likely(known: &Knowledge) -> Option<Cell> {
    let unresolved = known.shape().cells().filter(|&cell| known.is_unresolved(cell));
    unresolved.min_by_key(|&cell| mean(known, cell))
}

/// The mean of a cell's nine estimates, as an exact number of parts of the [`whole`].
fn mean(known: &Knowledge, cell: Cell) -> i64 {
    let (mines, among) = known.rate();
    let (mut sum, mut missing) = (0, 9);
    if known.is_beside_open(cell) {
        for hint in known.hints_around(cell) {
            sum += known.share(hint);
            missing -= 1;
        }
    }
    sum * among + missing * mines * ONE
}

/// One mine, in the parts that means of this moment are counted in.
fn whole(known: &Knowledge) -> i64 {
    9 * known.rate().1 * ONE
}

fn estimate(known: &Knowledge, cell: Cell) -> f64 {
    mean(known, cell) as f64 / whole(known) as f64
}

/// The means of all unresolved cells; flagged ones are taken for mines.
fn estimates(known: &Knowledge) -> Estimates {
    let risks = known.shape().cells().filter_map(|cell| match known.status(cell) {
        Status::Unresolved => Some((cell, estimate(known, cell))),
        Status::Flagged => Some((cell, 1.0)),
        Status::Open => None,
    });
    Estimates::of(known.shape().size(), risks)
}

#[cfg(test)]
mod tests {
    use deminer_game::View;

    use super::*;
    use crate::players::cs520::pictures::{self, cell};

    /// The leap in a position.
    fn decide(position: &str) -> (View, Decision) {
        let (view, known) = pictures::known(position, 0.05);
        let mut leap = Leap::default();
        leap.begin(view.shape());
        let decision = leap.decide(&known).expect("a cell is left");
        (view, decision)
    }

    #[test]
    fn early_leaps_go_to_the_middles_of_edges_then_to_corners_then_along_the_edges() {
        let view: View = format!("mines 20\n{}", "# # # # # # #\n".repeat(6)).parse().unwrap();
        let known = pictures::known_of(&view, 0.0);
        let mut leap = Leap::default();
        leap.begin(view.shape());
        let mut drawn = vec!['-'; view.shape().size()];
        for letter in 'a'..='n' {
            // Nothing is opened here, so the list of edges repeats what was among the middles.
            let mut chosen = std::iter::from_fn(|| leap.choose(&known));
            let cell = chosen.find(|cell| drawn[cell.index()] == '-').unwrap();
            drawn[cell.index()] = letter;
        }
        let rows: Vec<String> = drawn.chunks(7).map(|row| row.iter().collect()).collect();
        assert_eq!(rows, ["h-ldk-f", "-------", "n-----m", "c-----b", "-------", "g-jai-e"]);
    }

    #[test]
    fn nine_estimates_are_averaged_the_missing_ones_by_the_rate_of_the_board() {
        // Two of four mines are flagged, eight of fourteen cells are open: where no hint sees a cell,
        // it is 2 mines in 6 cells. The 3 has one mine left for two cells.
        let position = "mines 4
             F 3 # # ? ? ?
             F ? # # ? 1 ?";
        let (view, decision) = decide(position);
        let estimates = decision.estimates.expect("leaps estimate");
        let mean = |row, column| estimates.mine(cell(&view, row, column));
        let rate = 2.0 / 6.0;
        let close = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-12;
        assert!(close(mean(0, 2), (0.5 + 8.0 * rate) / 9.0));
        assert!(close(mean(0, 3), rate));
        assert!(close(mean(0, 0), 1.0));
        assert_eq!(mean(0, 1), None);
    }

    #[test]
    fn the_least_mean_is_opened_or_flagged_the_first_of_equals() {
        let check = |position, column, risk| {
            let (view, decision) = decide(position);
            let action = Action::Open(cell(&view, 0, column));
            assert_eq!((decision.action, decision.why), (action, Why::Risk(risk)));
        };
        // The 1 expects a half in two cells, the 2 two thirds in three; 2 in 5 elsewhere.
        check("mines 2\n? ? 1 # #\n? ? ? # #\n? ? ? 2 #", 4, 0.4);
        check("mines 1\n? ? ? # #\n? ? ? # #", 3, 0.25);
        // A cell that is more likely a mine than not is flagged.
        let (view, decision) = decide("mines 4\n? ? ? # #\n? ? ? # #\n? ? ? ? #");
        assert_eq!(decision.action, Action::Flag(cell(&view, 0, 3)));
    }
}
