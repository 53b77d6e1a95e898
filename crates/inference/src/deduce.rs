//! Sound rules: each proves that cells are safe or mines, and names its premises.
//!
//! Rules look only at the counts a clue admits, never at the name of the clue rule, and only
//! at neighbor lists, so they hold on every shape under every clue rule. If no layout
//! fits the view, their results mean nothing; [`conflict`](crate::proof::conflict) finds that.

mod contradiction;
mod elimination;
mod equations;
mod gauss;
mod grounds;
mod ladder;
mod pair;
mod row;
mod search;
mod single_point;
mod total;

use deminer_game::{Cell, CellSet, Face, Premise, Shape, View};

pub use elimination::Elimination;
pub use equations::{Equation, Equations};
pub(crate) use grounds::clues_of;
pub use ladder::{ProofStep, chain, prove, prove_all};
pub(crate) use search::{Answer, Question, blocked, by_distance, shrink};
pub use single_point::SinglePoint;

/// What is proved about a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// No layout that fits the view has a mine here.
    Safe,
    /// Every layout that fits the view has a mine here.
    Mine,
}
deminer_game::words!(Fact, "a fact": Safe = "safe", Mine = "mine");

impl Fact {
    /// The other fact.
    #[inline]
    pub const fn opposite(self) -> Self {
        match self {
            Fact::Safe => Fact::Mine,
            Fact::Mine => Fact::Safe,
        }
    }
}

/// What is known about each cell: open cells are safe, visible mines are mines, and facts that
/// rules have proved. Flags prove nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    shape: Shape,
    known: Vec<Option<Fact>>,
    mines: usize,
    unknown: usize,
}

impl Facts {
    /// What the view shows, before any proof.
    pub fn of(view: &View) -> Self {
        let fact = |face: &Face| match face {
            Face::Open { .. } => Some(Fact::Safe),
            Face::Mine => Some(Fact::Mine),
            Face::Covered | Face::Flagged => None,
        };
        let known = view.faces().iter().map(fact).collect();
        let (mines, unknown) = (view.shown_mines().count(), view.covered_count());
        Self { shape: view.shape().clone(), known, mines, unknown }
    }

    /// Notes facts about cells that are not known already.
    pub fn learn_all<'a>(&mut self, conclusions: impl IntoIterator<Item = &'a Conclusion>) {
        for conclusion in conclusions {
            self.learn(conclusion.cell, conclusion.fact);
        }
    }

    /// What is known about a cell.
    #[inline]
    pub fn get(&self, cell: Cell) -> Option<Fact> {
        self.known[cell.index()]
    }

    /// Notes a fact about a cell. Returns false, and changes nothing, if the cell is known already.
    #[inline]
    pub fn learn(&mut self, cell: Cell, fact: Fact) -> bool {
        let fresh = self.known[cell.index()].is_none();
        if fresh {
            self.known[cell.index()] = Some(fact);
            self.unknown -= 1;
            self.mines += usize::from(fact == Fact::Mine);
        }
        fresh
    }

    /// How many mines are known.
    #[inline]
    pub fn mines(&self) -> usize {
        self.mines
    }

    /// The number of unknown cells.
    #[inline]
    pub fn unknown(&self) -> usize {
        self.unknown
    }

    /// The known cells, row by row.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Cell, Fact)> + '_ {
        self.shape.cells().filter_map(|cell| Some((cell, self.get(cell)?)))
    }

    /// The unknown cells, row by row.
    #[inline]
    pub fn unknown_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.shape.cells().filter(|&cell| self.get(cell).is_none())
    }
}

/// A fact that a rule has proved, and what from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Conclusion {
    /// The cell.
    pub cell: Cell,
    /// What it is.
    pub fact: Fact,
    /// Clues, facts known before that no open cell shows, and the mine total.
    pub premises: Vec<Premise>,
}

/// The open cells next to a cell that is not known, as opened.
pub fn asking(view: &View, facts: &Facts) -> Vec<Cell> {
    view.opened().iter().copied().filter(|&clue| asks(view, facts, clue)).collect()
}

fn asks(view: &View, facts: &Facts, clue: Cell) -> bool {
    view.shape().neighbors(clue).iter().any(|&near| facts.get(near).is_none())
}

/// Conclusions as a rule finds them: the first about each cell stays.
struct Findings {
    cells: CellSet,
    list: Vec<Conclusion>,
}

impl Findings {
    fn new(view: &View) -> Self {
        Self { cells: CellSet::new(view.shape().size()), list: Vec::new() }
    }

    /// Notes that these cells are all safe or all mines.
    fn add(&mut self, cells: &[Cell], fact: Fact, premises: impl Fn() -> Vec<Premise>) {
        let mut shared = None;
        for &cell in cells {
            if self.cells.insert(cell) {
                let premises = shared.get_or_insert_with(&premises).clone();
                self.list.push(Conclusion { cell, fact, premises });
            }
        }
    }
}

/// How hard a proof is to find, easiest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rung {
    /// One clue at a time.
    SingleClue,
    /// Two clues that share cells.
    Pair,
    /// Any number of clues, added and subtracted.
    Several,
    /// The number of mines on the whole board, with or without clues.
    MineTotal,
    /// Case analysis: supposing the opposite, nothing fits.
    Contradiction,
}
deminer_game::words!(
    Rung, "a rung of the ladder":
    SingleClue = "single clue",
    Pair = "pair",
    Several = "several clues",
    MineTotal = "mine total",
    Contradiction = "contradiction",
);

/// A sound rule.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// Where it stands on the ladder.
    pub rung: Rung,
    /// What it does, in a line.
    pub about: &'static str,
    /// What these clues prove of cells not known yet, at most one conclusion each. Applied again
    /// with the new facts they may prove more. Only clues next to an unknown cell matter:
    /// [`asking`] lists them.
    pub find: fn(&View, &Facts, &[Cell]) -> Vec<Conclusion>,
}

/// The ladder: the rules [`prove_all`] climbs, easiest first.
pub const RULES: &[Rule] =
    &[single_point::RULE, pair::RULE, gauss::RULE, total::RULE, contradiction::RULE];

#[cfg(test)]
pub(crate) mod tests;
