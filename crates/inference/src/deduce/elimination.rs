//! Linear equations that stay reduced while a game goes on.

use deminer_game::{Cell, Face, Shape, View};

use super::gauss::gcd;
use super::grounds::grounds;
use super::{Conclusion, Fact, Facts};
use crate::constraints::Constraint;

/// What linear elimination proves without bounds, kept up to date as cells are opened: the same
/// as [`unique`](super::unique) finds in one look.
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
    rows: Vec<EliminationRow>,
    conclusions: Vec<Conclusion>,
    /// How many cells of [`View::opened`] have been read.
    seen: usize,
    /// Room for rows in the making.
    scratch: Scratch,
}

/// An equation: the sum of the mines in these cells, each times its factor, is `value`.
#[derive(Clone, Debug, Default)]
struct EliminationRow {
    /// By cell, none with factor 0.
    terms: Vec<(Cell, i64)>,
    value: i64,
    /// The clues it was made from, in row-major order.
    clues: Vec<Cell>,
    /// The cell that no other row has; none while the row is in the making.
    pivot: Option<Cell>,
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    terms: Vec<(Cell, i64)>,
    clues: Vec<Cell>,
}

impl Elimination {
    /// Nothing seen, nothing proved.
    pub fn new(shape: &Shape) -> Self {
        let facts = Facts {
            shape: shape.clone(),
            known: vec![None; shape.size()],
            mines: 0,
            unknown: shape.size(),
        };
        Self {
            facts,
            rows: Vec::new(),
            conclusions: Vec::new(),
            seen: 0,
            scratch: Scratch::default(),
        }
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

    /// Takes an unknown that turned out to be 0 out of all rows.
    fn take_out(&mut self, cell: Cell) {
        let mut orphan = None;
        for (place, row) in self.rows.iter_mut().enumerate() {
            if let Ok(term) = row.find(cell) {
                row.terms.remove(term);
                if row.pivot == Some(cell) {
                    orphan = Some(place);
                }
            }
        }
        if let Some(place) = orphan {
            let row = self.rows.swap_remove(place);
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
        let mut row = EliminationRow {
            terms: cells.iter().map(|&cell| (cell, 1)).collect(),
            value: i64::from(need.low()),
            clues: vec![clue],
            pivot: None,
        };
        // Rows hold no pivots but their own, so each that is cleared brings no other.
        let fits = self.rows.iter().all(|other| {
            let pivot = other.pivot.expect("rows that are kept have pivots");
            row.find(pivot).is_err() || row.clear(pivot, other, &mut self.scratch).is_some()
        });
        if fits {
            self.settle(row);
        }
    }

    /// Gives a row a pivot and takes that out of all others. A row without terms says nothing.
    fn settle(&mut self, mut row: EliminationRow) {
        let Some(&(pivot, _)) = row.terms.iter().min_by_key(|(_, factor)| factor.abs()) else {
            return;
        };
        row.pivot = Some(pivot);
        let scratch = &mut self.scratch;
        self.rows.retain_mut(|other| {
            other.find(pivot).is_err() || other.clear(pivot, &row, scratch).is_some()
        });
        self.rows.push(row);
    }

    /// Notes the cells that are alone in their rows.
    fn conclude(&mut self, view: &View) {
        let first = self.conclusions.len();
        self.rows.retain(|row| {
            let &[(cell, factor)] = &row.terms[..] else { return true };
            let fact = match row.value {
                0 => Fact::Safe,
                value if value == factor => Fact::Mine,
                // No layout fits.
                _ => return true,
            };
            let premises = grounds(view, &self.facts, row.clues.iter().copied());
            self.conclusions.push(Conclusion { cell, fact, premises });
            false
        });
        // Only now, so that none of them counts another among its premises.
        for conclusion in &self.conclusions[first..] {
            self.facts.learn(conclusion.cell, conclusion.fact);
        }
    }
}

impl EliminationRow {
    fn find(&self, cell: Cell) -> Result<usize, usize> {
        self.terms.binary_search_by_key(&cell, |&(cell, _)| cell)
    }

    fn factor(&self, cell: Cell) -> i64 {
        self.find(cell).map_or(0, |place| self.terms[place].1)
    }

    /// Takes away so much of the other row that the cell's factor becomes 0. None on overflow,
    /// and the row is as it was.
    fn clear(&mut self, cell: Cell, other: &EliminationRow, scratch: &mut Scratch) -> Option<()> {
        let (mine, its) = (self.factor(cell), other.factor(cell));
        let common = gcd(mine, its);
        let (times, less) = (its / common, mine / common);
        let combine =
            |mine: i64, its: i64| mine.checked_mul(times)?.checked_sub(its.checked_mul(less)?);
        let value = combine(self.value, other.value)?;
        let mut content = value.abs();
        scratch.terms.clear();
        for (cell, mine, its) in merged(&self.terms, &other.terms) {
            let factor = combine(mine, its)?;
            if factor != 0 {
                content = gcd(content, factor);
                scratch.terms.push((cell, factor));
            }
        }
        let content = content.max(1);
        self.value = value / content;
        scratch.terms.iter_mut().for_each(|(_, factor)| *factor /= content);
        std::mem::swap(&mut self.terms, &mut scratch.terms);
        scratch.clues.clear();
        scratch.clues.extend_from_slice(&self.clues);
        scratch.clues.extend_from_slice(&other.clues);
        scratch.clues.sort_unstable();
        scratch.clues.dedup();
        std::mem::swap(&mut self.clues, &mut scratch.clues);
        Some(())
    }
}

/// The cells of two rows in order, with the factor each has in one and the other.
fn merged(
    mut one: &[(Cell, i64)],
    mut other: &[(Cell, i64)],
) -> impl Iterator<Item = (Cell, i64, i64)> {
    std::iter::from_fn(move || {
        let cell = match (one.first(), other.first()) {
            (Some(mine), Some(its)) => mine.0.min(its.0),
            (Some(only), None) | (None, Some(only)) => only.0,
            (None, None) => return None,
        };
        let take = |row: &mut &[(Cell, i64)]| match row.split_first() {
            Some((&(first, factor), rest)) if first == cell => {
                *row = rest;
                factor
            }
            _ => 0,
        };
        Some((cell, take(&mut one), take(&mut other)))
    })
}

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Board, Form, GameSeed, Rules};

    use super::*;
    use crate::deduce::tests::{check_sound, random_views};
    use crate::deduce::unique;

    /// All that one look after another proves.
    fn by_looking(view: &View) -> Facts {
        let mut facts = Facts::of(view);
        loop {
            let found = unique(view, &facts);
            if found.is_empty() {
                return facts;
            }
            for conclusion in found {
                facts.learn(conclusion.cell, conclusion.fact);
            }
        }
    }

    #[test]
    fn one_look_proves_all_that_ever_follows() {
        for view in random_views(5, 40) {
            let first = unique(&view, &Facts::of(&view));
            let mut facts = Facts::of(&view);
            for conclusion in first {
                facts.learn(conclusion.cell, conclusion.fact);
            }
            assert_eq!(facts, by_looking(&view), "{view}");
        }
    }

    #[test]
    fn it_proves_what_one_look_does_and_says_why() {
        for view in random_views(6, 60) {
            let known = Elimination::of(&view);
            assert_eq!(known.facts, by_looking(&view), "{view}");
            check_sound("elimination", &view, &Facts::of(&view), known.conclusions());
        }
    }

    #[test]
    fn following_a_game_proves_what_one_look_does() {
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
                    assert_eq!(known.facts, by_looking(view), "{form} {game}\n{view}");
                }
            }
        }
    }

    /// Compares what is proved of covered cells, `s` safe and `*` mine, with the picture.
    fn check(position: &str, expected: &str) {
        let view: View = position.parse().unwrap();
        let known = Elimination::of(&view);
        let found = crate::deduce::tests::picture(&view, |cell| known.fact(cell));
        assert_eq!(found, expected.split_whitespace().collect::<String>(), "{position}");
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
