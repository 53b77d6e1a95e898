//! Linear equations that stay reduced while a game goes on.

use deminer_game::{Cell, Face, Shape, View};

use super::grounds::grounds;
use super::row::Row;
use super::{Conclusion, Fact, Facts};
use crate::constraints::Constraint;

/// What linear elimination proves without bounds, kept up to date as cells are opened.
///
/// ```text
/// a b c d      a + b = 1, a + b + c = 2, b + c + d = 2: the second less the first leaves c = 1,
/// 1 2 2 ?      a mine; what the third says, b + d = 1, fixes neither
/// ```
///
/// Every clue that shows its count is an equation over the covered cells around it. Each row is
/// solved for an unknown of its own, its pivot, which no other row has. A cell has the same
/// value in all solutions, also fractional and negative ones, exactly when it is alone
/// in its row. An opened cell leaves its rows and a new clue makes one more, so a turn costs
/// time in proportion to the rows around it rather than a whole elimination.
///
/// Arithmetic is in integers; a row whose numbers grow too large is left out, so no answer is
/// wrong. Flags prove nothing.
#[derive(Clone, Debug)]
pub struct Elimination {
    facts: Facts,
    /// Each row with its pivot.
    rows: Vec<(Cell, CellRow)>,
    conclusions: Vec<Conclusion>,
    /// How many cells of [`View::opened`] have been read.
    seen: usize,
    buffer: CellRow,
}

/// An equation over cells, made from clues.
type CellRow = Row<Cell, Cell>;

impl Elimination {
    /// Nothing seen, nothing proved.
    pub fn new(shape: &Shape) -> Self {
        let facts = Facts {
            shape: shape.clone(),
            known: vec![None; shape.size()],
            mines: 0,
            unknown: shape.size(),
        };
        let (rows, conclusions) = (Vec::new(), Vec::new());
        Self { facts, rows, conclusions, seen: 0, buffer: Row::default() }
    }

    /// All that elimination proves in a view.
    pub fn of(view: &View) -> Self {
        let mut known = Self::new(view.shape());
        for cell in view.shape().cells().filter(|&cell| view.face(cell) == Face::Mine) {
            known.facts.learn(cell, Fact::Mine);
        }
        known.update(view);
        known
    }

    /// Reads the cells opened since the last update and draws all conclusions.
    pub fn update(&mut self, view: &View) {
        let new = &view.opened()[self.seen..];
        for &cell in new {
            if self.facts.learn(cell, Fact::Safe) {
                self.take_out(cell);
            }
        }
        for &clue in new {
            self.take_in(view, clue);
        }
        self.seen = view.opened().len();
        self.conclude(view);
    }

    /// What is known about a cell; open cells are safe.
    #[inline]
    pub fn fact(&self, cell: Cell) -> Option<Fact> {
        self.facts.get(cell)
    }

    /// What was proved of covered cells, in the order of the proofs; later ones may rest on
    /// earlier. Those opened since are listed too.
    #[inline]
    pub fn conclusions(&self) -> &[Conclusion] {
        &self.conclusions
    }

    /// The reduced equations that decide no cell: cells with their factors, and what they add up
    /// to. Each is solved for the first of its cells that no other row has.
    pub fn undecided(&self) -> impl Iterator<Item = (&[(Cell, i64)], i64)> {
        self.rows.iter().map(|(_, row)| (&row.terms[..], row.value))
    }

    /// Takes an unknown that turned out to be 0 out of all rows.
    fn take_out(&mut self, cell: Cell) {
        for (_, row) in &mut self.rows {
            row.terms.retain(|&(held, _)| held != cell);
        }
        if let Some(place) = self.rows.iter().position(|&(pivot, _)| pivot == cell) {
            let (_, row) = self.rows.swap_remove(place);
            self.settle(row);
        }
    }

    /// Adds the equation of a clue.
    fn take_in(&mut self, view: &View, clue: Cell) {
        let known = |cell| self.facts.get(cell);
        let Some(Constraint { need, cells, .. }) = Constraint::of(view, clue, known) else {
            return;
        };
        if !need.asks() || !need.counts().is_power_of_two() {
            return;
        }
        let mut row = Row {
            terms: cells.iter().map(|&cell| (cell, 1)).collect(),
            value: i64::from(need.low()),
            sources: vec![clue],
        };
        // Rows hold no pivots but their own, so each that is cleared brings no other.
        let fits = self.rows.iter().all(|(pivot, other)| {
            row.factor(*pivot) == 0 || row.clear(*pivot, other, &mut self.buffer).is_some()
        });
        if fits {
            self.settle(row);
        }
    }

    /// Gives a row a pivot and takes that out of all others. A row without terms says nothing.
    fn settle(&mut self, row: CellRow) {
        let Some(&(pivot, _)) = row.terms.iter().min_by_key(|(_, factor)| factor.abs()) else {
            return;
        };
        let buffer = &mut self.buffer;
        self.rows.retain_mut(|(_, other)| {
            other.factor(pivot) == 0 || other.clear(pivot, &row, buffer).is_some()
        });
        self.rows.push((pivot, row));
    }

    /// Notes the cells that are alone in their rows.
    fn conclude(&mut self, view: &View) {
        let first = self.conclusions.len();
        self.rows.retain(|(_, row)| {
            let &[(cell, factor)] = &row.terms[..] else { return true };
            let fact = match row.value {
                0 => Fact::Safe,
                value if value == factor => Fact::Mine,
                // No layout fits.
                _ => return true,
            };
            let premises = grounds(view, &self.facts, row.sources.iter().copied(), false);
            self.conclusions.push(Conclusion { cell, fact, premises });
            false
        });
        // Only now, so that none of them counts another among its premises.
        self.facts.learn_all(&self.conclusions[first..]);
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Board, Form, GameSeed, Rules};

    use super::*;
    use crate::deduce::gauss::LinearSystem;
    use crate::deduce::grounds::constraints;
    use crate::deduce::tests::{check_sound, random_views};

    /// The same by plain elimination of all equations at once.
    fn at_once(view: &View) -> Facts {
        let mut facts = Facts::of(view);
        let exact = |&clue: &Cell| {
            let clue = Constraint::of(view, clue, |cell| facts.get(cell));
            clue.is_some_and(|clue| clue.need.counts().is_power_of_two())
        };
        let clues: Vec<Cell> = view.opened().iter().copied().filter(exact).collect();
        let constraints = constraints(view, &facts, &clues);
        for region in constraints.regions() {
            let system = LinearSystem::of(&constraints, &region.clues, None).reduced().unwrap();
            for row in system.rows {
                let [(unknown, factor)] = row.terms[..] else { continue };
                let [cell] = system.unknowns[unknown].cells[..] else { continue };
                if row.value == 0 || row.value == factor {
                    facts.learn(cell, if row.value == 0 { Fact::Safe } else { Fact::Mine });
                }
            }
        }
        facts
    }

    #[test]
    fn it_proves_what_all_equations_at_once_do_and_says_why() {
        for view in random_views(6, 60) {
            let known = Elimination::of(&view);
            assert_eq!(known.facts, at_once(&view), "{view}");
            check_sound("elimination", &view, &Facts::of(&view), known.conclusions());
        }
    }

    #[test]
    fn following_a_game_proves_the_same() {
        for form in Form::ALL {
            let shape = Shape::new(form, 11, 8).unwrap();
            let rules = Rules::new(shape, 14).unwrap();
            for game in 0..60 {
                let mut board = Board::dealt(rules.clone(), GameSeed { seed: 7, game });
                let mut known = Elimination::new(rules.shape());
                for cell in rules.shape().cells() {
                    if !board.layout().is_some_and(|layout| layout.is_mine(cell)) {
                        board.act(Action::Open(cell));
                    }
                    known.update(board.view());
                    let view = board.view();
                    assert_eq!(known.facts, at_once(view), "{form} {game}\n{view}");
                }
            }
        }
    }

    fn check(position: &str, expected: &str) {
        let view: View = position.parse().unwrap();
        let known = Elimination::of(&view);
        crate::boards::check_facts(&view, |cell| known.fact(cell), expected);
    }

    #[test]
    fn only_what_all_solutions_share_is_proved() {
        // The published example: of five unknowns the equations fix the one in the middle.
        check("mines 3\n# # # # #\n1 2 2 2 1", "# # * # #\n1 2 2 2 1");
        // Two of two are mines, but 3 and -1 would add up too: no bounds, no proof.
        check("mines 2\n# # ? ?\n2 ? ? ?", "# # ? ?\n2 ? ? ?");
        check("mines 1\n# # # #\n1 1 ? ?", "# # s #\n1 1 ? ?");
    }
}
