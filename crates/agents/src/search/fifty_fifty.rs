//! Finds 50/50s: cells that only a guess can decide.
//!
//! Some cells decide each other: once one of them is known, all are, and just two arrangements of
//! mines fit. If every cell around them shows the same number in both arrangements, and both hold
//! as many mines, no clue and no mine count can ever show which is right:
//!
//! ```text
//! # 1 .      the mine is in the upper or in the lower cell; both clues see both of them
//! # 1 .
//! ```
//!
//! Sets of more than two cells are the same: one guess decides them all.

use deminer_game::{Cell, Face, Shown, View};

/// Cells with two possible arrangements of mines that nothing but a guess decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FiftyFifty {
    /// Mines of one arrangement.
    pub one: Vec<Cell>,
    /// Mines of the other.
    pub other: Vec<Cell>,
}

impl FiftyFifty {
    /// Whether opening the cell decides it.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.one.contains(&cell) || self.other.contains(&cell)
    }

    /// Two of its cells that stand for it: the first one, and one that is a mine if it is not.
    #[inline]
    pub fn pair(&self) -> [Cell; 2] {
        [self.one[0], self.other[0]]
    }

    /// Pairs of its cells with one mine between them, because a clue touches no others that are
    /// undecided.
    pub fn pairs(&self, view: &View) -> Vec<[Cell; 2]> {
        let side = |cells: &[Cell], clue: Cell| -> Vec<Cell> {
            let near = view.shape().neighbors(clue);
            cells.iter().copied().filter(|cell| near.contains(cell)).collect()
        };
        let pair = |&clue: &Cell| match (&side(&self.one, clue)[..], &side(&self.other, clue)[..]) {
            (&[one], &[other]) => Some([one.min(other), one.max(other)]),
            _ => None,
        };
        let mut pairs: Vec<[Cell; 2]> = view.opened().iter().filter_map(pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

/// All 50/50s of a position, given how likely a mine is in each covered cell. Those whose cells
/// are tied together only by more than one clue at a time are not found.
pub fn fifty_fifties(view: &View, mine: impl Fn(Cell) -> Option<f64>) -> Vec<FiftyFifty> {
    let sight = Sight { view, mine };
    let mut found: Vec<FiftyFifty> = Vec::new();
    for cell in view.covered().filter(|&cell| sight.is_undecided(cell)) {
        if !found.iter().any(|held| held.contains(cell)) {
            found.extend(sight.decided_by(cell));
        }
    }
    found
}

struct Sight<'a, F> {
    view: &'a View,
    mine: F,
}

/// Cells tied to a first one: a mine just if it is one (1), or just if it is not (-1).
type Tied = Vec<(Cell, i32)>;

impl<F: Fn(Cell) -> Option<f64>> Sight<'_, F> {
    fn is_undecided(&self, cell: Cell) -> bool {
        (self.mine)(cell).is_some_and(|mine| mine > 0.0 && mine < 1.0)
    }

    /// The 50/50 with this cell, if there is one.
    fn decided_by(&self, first: Cell) -> Option<FiftyFifty> {
        let mut tied: Tied = vec![(first, 1)];
        let mut looked = 0;
        while looked < tied.len() {
            for &near in self.view.shape().neighbors(tied[looked].0) {
                if let Some(next) = self.ties(near, &tied) {
                    tied.push(next);
                }
            }
            looked += 1;
        }
        tied.extend(self.tied_by_total(&tied));
        let mines: i32 = tied.iter().map(|(_, sign)| sign).sum();
        let mut around = tied.iter().flat_map(|&(cell, _)| self.view.shape().neighbors(cell));
        if tied.len() < 2 || mines != 0 || around.any(|&near| self.differs(near, &tied)) {
            return None;
        }
        tied.sort_unstable();
        let side = |sign| tied.iter().filter(|held| held.1 == sign).map(|held| held.0).collect();
        let (one, other): (Vec<Cell>, Vec<Cell>) = (side(1), side(-1));
        Some(if one < other {
            FiftyFifty { one, other }
        } else {
            FiftyFifty { one: other, other: one }
        })
    }

    /// The cell that a clue ties to those that are tied already.
    fn ties(&self, clue: Cell, tied: &Tied) -> Option<(Cell, i32)> {
        self.view.face(clue).clue()?.exact()?;
        let is_new = |cell: &Cell| self.is_undecided(*cell) && sign(tied, *cell) == 0;
        let mut rest = self.view.shape().neighbors(clue).iter().copied().filter(is_new);
        let (next, none) = (rest.next()?, rest.next());
        let balance = self.balance(clue, tied);
        (none.is_none() && balance.abs() == 1).then_some((next, -balance))
    }

    /// The only other undecided cell of the board, which the mine count ties to the others.
    fn tied_by_total(&self, tied: &Tied) -> Option<(Cell, i32)> {
        let is_new = |cell: &Cell| self.is_undecided(*cell) && sign(tied, *cell) == 0;
        let mut rest = self.view.covered().filter(is_new);
        let (next, none) = (rest.next()?, rest.next());
        let balance: i32 = tied.iter().map(|(_, sign)| sign).sum();
        (none.is_none() && balance.abs() == 1).then_some((next, -balance))
    }

    /// How many more mines are around a cell in one arrangement than in the other.
    fn balance(&self, cell: Cell, tied: &Tied) -> i32 {
        self.view.shape().neighbors(cell).iter().map(|&near| sign(tied, near)).sum()
    }

    /// Whether a cell may show which arrangement is right.
    fn differs(&self, cell: Cell, tied: &Tied) -> bool {
        let shows = match self.view.face(cell) {
            Face::Open { shown, .. } => shown != Shown::Blank,
            Face::Mine => false,
            Face::Covered | Face::Flagged => {
                sign(tied, cell) == 0 && (self.mine)(cell).is_none_or(|mine| mine < 1.0)
            }
        };
        shows && self.balance(cell, tied) != 0
    }
}

fn sign(tied: &Tied, cell: Cell) -> i32 {
    tied.iter().find(|held| held.0 == cell).map_or(0, |held| held.1)
}

#[cfg(test)]
mod tests {
    use deminer_game::{Rng, Start};
    use deminer_inference::odds::{Engine, Layouts};

    use super::*;
    use crate::parts::pictures::{check_drawn, small_board};

    /// The cells of each 50/50 found, as `a` and `A` for the two arrangements of the first one,
    /// `b` and `B` for those of the second.
    fn check(position: &str, expected: &str) {
        let view: View = position.parse().unwrap();
        let odds = Engine::default().odds(&view).unwrap().clone();
        let found = fifty_fifties(&view, |cell| odds.mine(cell));
        let letter = |cell: Cell| {
            let at = found.iter().position(|held| held.contains(cell))?;
            let letter = char::from(b'a' + at as u8);
            Some(if found[at].one.contains(&cell) { letter } else { letter.to_ascii_uppercase() })
        };
        check_drawn(&view, |cell| letter(cell).map(String::from), expected);
    }

    #[test]
    fn cells_that_only_a_guess_decides_are_found() {
        // Two cells that the same clues see.
        check("mines 1\n# 1 .\n# 1 .", "a 1 .\nA 1 .");
        check("mines 2\n# 1 1 #\n# 1 1 #", "a 1 1 b\nA 1 1 B");
        // A third cell decides them.
        check("mines 2\n# 1 .\n# 2 1\n# # #", "# 1 .\n# 2 1\n# # #");
        // Behind a certain mine nothing does.
        check("mines 3\n# # # 2\n1 3 # 2\n. 1 1 1", "a A # 2\n1 3 # 2\n. 1 1 1");
        // A square is decided by one guess.
        check("mines 3\n1 1 1 .\n1 # 2 1\n1 2 # #\n. 1 # #", "1 1 1 .\n1 # 2 1\n1 2 a A\n. 1 A a");
        // The fourth cell decides the first two, and the fifth may decide the fourth.
        check("mines 2\n# # 1 # #\n1 ? ? ? #", "# # 1 # #\n1 ? ? ? #");
        // Either the middle cell is a mine or the two outer ones are: the mine count decides.
        check("mines 1\n1 1 1\n# # #", "1 1 1\n# # #");
    }

    /// What a 50/50 claims, layout by layout: its other arrangement fits as well, and every other
    /// safe cell shows the same.
    #[test]
    fn both_arrangements_look_the_same_from_outside() {
        let mut rng = Rng::new(2);
        let (mut engine, mut layouts) = (Engine::default(), Layouts::default());
        let mut found = 0;
        for _ in 0..1500 {
            let board = small_board(&mut rng, &["exact"], Start::Unsafe);
            let shape = board.view().shape();
            let view = board.view();
            let odds = engine.odds(view).unwrap();
            let Ok(()) = layouts.list(view, odds, 2_000) else { continue };
            let all: Vec<Vec<bool>> = (0..layouts.len())
                .map(|layout| shape.cells().map(|cell| layouts.has_mine(layout, cell)).collect())
                .collect();
            for held in fifty_fifties(view, |cell| odds.mine(cell)) {
                found += 1;
                for mines in &all {
                    let mut other = mines.clone();
                    for &cell in held.one.iter().chain(&held.other) {
                        other[cell.index()] = !mines[cell.index()];
                    }
                    assert!(all.contains(&other), "{held:?} of\n{view}");
                    let count = |mines: &[bool], cell| {
                        shape.neighbors(cell).iter().filter(|near| mines[near.index()]).count()
                    };
                    for cell in shape.cells().filter(|&cell| !held.contains(cell)) {
                        let same = count(mines, cell) == count(&other, cell);
                        assert!(same || mines[cell.index()], "{held:?} of\n{view}");
                    }
                }
            }
        }
        assert!(found > 50, "{found}");
    }
}
