//! A position as linear equations, and the facts that follow from them.
//!
//! The analytic method of K. Lubarski, B. Samujło and K. Wszeborowski, "Neural Networks in solving
//! Minesweeper", figures 2 to 4: covered cells beside a number are unknowns, every number is an
//! equation, and an unknown with one value in all solutions is decided. The solver is that of the
//! agent `gauss-csp`.
//!
//! ```
//! let view = "mines 3\n# 1\n# 2\n# 2\n# 2\n# 1".parse().unwrap();
//! let system = deminer::equations::Equations::of(&view);
//! assert_eq!(system.equations().next().unwrap(), "x1 + x2 = 1");
//! assert_eq!(system.decided().collect::<Vec<_>>(), ["x3 = 1: a mine"]);
//! ```

use deminer_game::{Cell, View};
use deminer_inference::constraints::Constraint;
use deminer_inference::deduce::{Elimination, Fact};

use crate::reasons::place;

/// The equations of a position, their unknowns named row by row.
#[derive(Clone, Debug)]
pub struct Equations {
    unknowns: Vec<Cell>,
    /// The clues that show their count, each with its unknowns and the mines among them.
    clues: Vec<(Cell, Vec<Cell>, i64)>,
    decided: Vec<(Cell, Fact)>,
    /// What is left once the decided cells are known.
    rest: Vec<(Vec<(Cell, i64)>, i64)>,
}

impl Equations {
    /// The equations of all numbers that have covered cells beside them.
    pub fn of(view: &View) -> Self {
        let shape = view.shape();
        let clue = |cell: Cell| {
            let Constraint { need, cells, .. } = Constraint::of(view, cell, |_| None)?;
            let is_equation = !cells.is_empty() && need.counts().is_power_of_two();
            is_equation.then(|| (cell, cells.to_vec(), i64::from(need.low())))
        };
        let clues: Vec<_> = shape.cells().filter_map(clue).collect();
        let is_seen = |cell: &Cell| clues.iter().any(|(_, cells, _)| cells.contains(cell));
        let unknowns: Vec<Cell> = shape.cells().filter(is_seen).collect();
        let known = Elimination::of(view);
        let decided = unknowns.iter().filter_map(|&cell| Some((cell, known.fact(cell)?)));
        let decided: Vec<_> = decided.collect();
        let mut rest: Vec<_> =
            known.undecided().map(|(terms, value)| (terms.to_vec(), value)).collect();
        rest.sort_unstable();
        Self { unknowns, clues, decided, rest }
    }

    /// The unknowns with their names, row by row: `x1`, `x2` and so on.
    pub fn names(&self) -> impl Iterator<Item = (Cell, String)> {
        self.unknowns.iter().map(|&cell| (cell, self.name(cell)))
    }

    fn name(&self, cell: Cell) -> String {
        let at = self.unknowns.iter().position(|&other| other == cell);
        at.map_or_else(|| "?".to_owned(), |at| format!("x{}", at + 1))
    }

    /// The equations, one for each clue, row by row: `x1 + x2 = 1`.
    pub fn equations(&self) -> impl Iterator<Item = String> {
        self.clues.iter().map(|(_, cells, mines)| {
            let terms: Vec<(Cell, i64)> = cells.iter().map(|&cell| (cell, 1)).collect();
            self.write(&terms, *mines)
        })
    }

    /// The unknowns with one value in all solutions, such as `x3 = 1: a mine`.
    pub fn decided(&self) -> impl Iterator<Item = String> {
        self.decided.iter().map(|&(cell, fact)| match fact {
            Fact::Mine => format!("{} = 1: a mine", self.name(cell)),
            Fact::Safe => format!("{} = 0: safe", self.name(cell)),
        })
    }

    /// The cells that are decided.
    pub fn facts(&self) -> impl Iterator<Item = (Cell, Fact)> {
        self.decided.iter().copied()
    }

    /// The equations that remain without the decided unknowns. None of these rows decides one.
    pub fn rest(&self) -> impl Iterator<Item = String> {
        self.rest.iter().map(|(terms, value)| self.write(terms, *value))
    }

    fn write(&self, terms: &[(Cell, i64)], value: i64) -> String {
        let mut terms = terms.to_vec();
        terms.sort_by_key(|&(cell, _)| self.unknowns.iter().position(|&other| other == cell));
        // Rows are written with a leading plus.
        let sign = terms.first().map_or(1, |&(_, factor)| factor.signum());
        let mut text = String::new();
        for (at, (cell, factor)) in terms.into_iter().enumerate() {
            let factor = sign * factor;
            let times =
                if factor.abs() == 1 { String::new() } else { format!("{} ", factor.abs()) };
            let joint = match (at, factor < 0) {
                (0, _) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            };
            text += &format!("{joint}{times}{}", self.name(cell));
        }
        format!("{text} = {}", sign * value)
    }

    /// All of it in words: the board with its unknowns, the equation of each number, and what
    /// follows.
    pub fn text(&self, view: &View) -> String {
        let shape = view.shape();
        let wide = format!("x{}", self.unknowns.len()).len();
        let mut text = String::new();
        for row in 0..shape.height() {
            let cell = |column| shape.cell(row, column).expect("rows and columns of the board");
            let tiles = (0..shape.width()).map(cell).map(|cell| {
                let symbol = match self.unknowns.contains(&cell) {
                    true => self.name(cell),
                    false => view.face(cell).to_string(),
                };
                format!("{symbol:>wide$}")
            });
            text += tiles.collect::<Vec<_>>().join(" ").trim_end();
            text.push('\n');
        }
        if self.clues.is_empty() {
            return text + "no number has a covered cell beside it\n";
        }
        text += "equations:\n";
        let lines: Vec<String> = self.equations().collect();
        let longest = lines.iter().map(String::len).max().unwrap_or(0);
        for ((clue, ..), line) in self.clues.iter().zip(lines) {
            text += &format!(
                "  {line:longest$}  the {} at {}\n",
                view.face(*clue),
                place(shape, *clue)
            );
        }
        if self.decided.is_empty() {
            text += "no unknown has the same value in all solutions\n";
        } else {
            text += "what follows:\n";
            for (line, (cell, _)) in self.decided().zip(&self.decided) {
                text += &format!("  {line} ({})\n", place(shape, *cell));
            }
        }
        if !self.rest.is_empty() {
            text += "what stays open:\n";
            self.rest().for_each(|line| text += &format!("  {line}\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(position: &str) -> String {
        let view: View = position.parse().unwrap();
        Equations::of(&view).text(&view)
    }

    #[test]
    fn the_papers_example_decides_the_unknown_in_the_middle() {
        assert_eq!(
            text("mines 3\n# 1\n# 2\n# 2\n# 2\n# 1"),
            "x1  1\nx2  2\nx3  2\nx4  2\nx5  1\n\
             equations:\n\
             \x20 x1 + x2 = 1       the 1 at row 0, column 1\n\
             \x20 x1 + x2 + x3 = 2  the 2 at row 1, column 1\n\
             \x20 x2 + x3 + x4 = 2  the 2 at row 2, column 1\n\
             \x20 x3 + x4 + x5 = 2  the 2 at row 3, column 1\n\
             \x20 x4 + x5 = 1       the 1 at row 4, column 1\n\
             what follows:\n\
             \x20 x3 = 1: a mine (row 2, column 0)\n\
             what stays open:\n\
             \x20 x1 + x5 = 1\n\
             \x20 x2 - x5 = 0\n\
             \x20 x4 + x5 = 1\n"
        );
    }

    #[test]
    fn flags_prove_nothing_and_known_mines_are_taken_off() {
        let view: View = "mines 3\nF # *\n# 2 #".parse().unwrap();
        let system = Equations::of(&view);
        assert_eq!(system.equations().collect::<Vec<_>>(), ["x1 + x2 + x3 + x4 = 1"]);
        assert_eq!((system.decided().count(), system.names().count()), (0, 4));
        assert!(system.text(&view).contains("no unknown has the same value"));
    }

    #[test]
    fn a_position_without_numbers_has_no_equations() {
        assert_eq!(
            text("mines 1\n# #\n# #"),
            " #  #\n #  #\nno number has a covered cell beside it\n"
        );
    }

    #[test]
    fn safe_cells_follow_too() {
        let view: View = "mines 1\n# # #\n1 1 ?".parse().unwrap();
        let system = Equations::of(&view);
        assert_eq!(system.decided().collect::<Vec<_>>(), ["x3 = 0: safe"]);
        assert_eq!(system.facts().count(), 1);
        assert_eq!(system.rest().collect::<Vec<_>>(), ["x1 + x2 = 1"]);
    }
}
