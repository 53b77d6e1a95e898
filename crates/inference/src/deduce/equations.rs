//! Set equations: the number of mines in a set of cells.
//!
//! The reasoning of "Programmer's Minesweeper" strategies (J. Ramsdell, PGMS): equations from
//! clues and from the whole board, differences of those that contain one another, and three
//! rules. Weaker than the ladder but for its use of the mine total; players that weigh
//! equations want them as they are.

use deminer_game::{Cell, View};
use rustc_hash::FxHashSet;

use super::grounds::{constraints, grounds};
use super::{Conclusion, Fact, Facts};

/// No more equations than these are derived.
const MOST: usize = 1500;

/// Between `low` and `high` mines lie among these cells; as many as the clue says when it
/// admits a single count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Equation {
    cells: CellBits,
    low: usize,
    high: usize,
    /// Clues that it was made from, in row-major order.
    clues: Vec<Cell>,
    total: bool,
}

impl Equation {
    /// The fewest and the most mines among its cells.
    pub fn mines(&self) -> (usize, usize) {
        (self.low, self.high)
    }

    /// How many cells it is about, at least one.
    pub fn size(&self) -> usize {
        self.cells.size
    }

    /// Whether it is about this cell.
    pub fn contains(&self, cell: Cell) -> bool {
        self.cells.contains(cell)
    }
}

/// The equations that remain after all conclusions, and these conclusions.
#[derive(Clone, Debug)]
pub struct Equations {
    /// The equations over cells of which nothing is known, the clues' first, then the whole
    /// board's, then differences.
    pub list: Vec<Equation>,
    /// What was proved on the way, in the order of the proofs; later ones may rest on earlier.
    pub conclusions: Vec<Conclusion>,
}

impl Equations {
    /// Derives all equations and applies three rules until nothing more follows:
    ///
    /// ```text
    /// no mines among S                  ->  S is safe
    /// as many mines as cells in S       ->  S is mined
    /// T has |T \ S| mines more than S   ->  T \ S is mined, S \ T is safe
    /// ```
    ///
    /// What the equations of the clues and the board prove as they are is drawn first: most of
    /// what follows at all, at a small part of the cost of all differences.
    pub fn of(view: &View, facts: &Facts) -> Self {
        let mut facts = facts.clone();
        let mut conclusions: Vec<Conclusion> = Vec::new();
        loop {
            let mut system = EquationSystem::of(view, &facts);
            let mut found = conclude(view, &facts, &system.list);
            if found.is_empty() {
                system.derive();
                found = conclude(view, &facts, &system.list);
            }
            if found.is_empty() {
                return Self { list: system.list, conclusions };
            }
            for conclusion in found {
                if facts.learn(conclusion.cell, conclusion.fact) {
                    conclusions.push(conclusion);
                }
            }
        }
    }
}

/// Equations, each set of cells and bounds once.
#[derive(Default)]
struct EquationSystem {
    list: Vec<Equation>,
    known: FxHashSet<(CellBits, usize, usize)>,
}

impl EquationSystem {
    /// Equations of the clues and of the whole board.
    fn of(view: &View, facts: &Facts) -> Self {
        let mut system = Self::default();
        let constraints = constraints(view, facts, view.opened());
        for clue in &constraints.clues {
            let cells = CellBits::of(view, constraints.cells_at(&clue.cells));
            let (low, high) = (usize::from(clue.need.low()), usize::from(clue.need.high()));
            system.add(Equation { cells, low, high, clues: vec![clue.cell], total: false });
        }
        if let Some(left) = view.rules().mines().checked_sub(facts.mines()) {
            let cells = CellBits::of(view, facts.unknown_cells());
            system.add(Equation { cells, low: left, high: left, clues: Vec::new(), total: true });
        }
        system
    }

    fn add(&mut self, equation: Equation) {
        let is_useful = equation.low > 0 || equation.high < equation.cells.size;
        let possible = equation.low <= equation.high && equation.cells.size > 0;
        if !is_useful || !possible || self.list.len() == MOST {
            return;
        }
        if self.known.insert((equation.cells.clone(), equation.low, equation.high)) {
            self.list.push(equation);
        }
    }

    /// Adds differences of a set and one within it, and theirs, as long as there is room.
    fn derive(&mut self) {
        let mut next = 0;
        while next < self.list.len() && self.list.len() < MOST {
            for other in 0..next {
                for (inner, outer) in [(next, other), (other, next)] {
                    if self.list[inner].cells.within(&self.list[outer].cells) {
                        let difference = difference(&self.list[outer], &self.list[inner]);
                        self.add(difference);
                    }
                }
            }
            next += 1;
        }
    }
}

/// The equation of the cells that are in one set and not in the other.
fn difference(outer: &Equation, inner: &Equation) -> Equation {
    let cells = outer.cells.without(&inner.cells);
    let clues = clues_of_both(outer, inner);
    Equation {
        low: outer.low.saturating_sub(inner.high),
        high: outer.high.saturating_sub(inner.low).min(cells.size),
        cells,
        clues,
        total: outer.total || inner.total,
    }
}

/// What the three rules prove.
fn conclude(view: &View, facts: &Facts, list: &[Equation]) -> Vec<Conclusion> {
    let mut found = super::Findings::new(view);
    let mut add = |cells: &CellBits, fact, sources: [&Equation; 2]| {
        let cells: Vec<Cell> = facts.unknown_cells().filter(|&cell| cells.contains(cell)).collect();
        let total = sources.iter().any(|equation| equation.total);
        let clues = || clues_of_both(sources[0], sources[1]);
        found.add(&cells, fact, || grounds(view, facts, clues(), total));
    };
    for equation in list {
        if equation.high == 0 {
            add(&equation.cells, Fact::Safe, [equation; 2]);
        } else if equation.low == equation.cells.size {
            add(&equation.cells, Fact::Mine, [equation; 2]);
        }
    }
    for (place, one) in list.iter().enumerate() {
        for other in &list[..place] {
            let (less, more) = if one.low > other.high { (other, one) } else { (one, other) };
            if more.low <= less.high {
                continue;
            }
            let outside = more.low - less.high;
            // Only sets that share a cell prove something. Sizes alone rule out most pairs.
            let (size, its_size) = (more.cells.size, less.cells.size);
            let may_fit = outside < size && size <= its_size + outside;
            if may_fit && more.cells.outside(&less.cells) == outside {
                add(&more.cells.without(&less.cells), Fact::Mine, [less, more]);
                add(&less.cells.without(&more.cells), Fact::Safe, [less, more]);
            }
        }
    }
    found.list
}

/// The clues that two equations were made from.
fn clues_of_both(one: &Equation, other: &Equation) -> Vec<Cell> {
    let mut clues = [&one.clues[..], &other.clues].concat();
    clues.sort_unstable();
    clues.dedup();
    clues
}

/// A set of cells that can be compared with others quickly.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct CellBits {
    words: Box<[u64]>,
    size: usize,
}

impl CellBits {
    fn of(view: &View, cells: impl Iterator<Item = Cell>) -> Self {
        let mut words = vec![0u64; view.shape().size().div_ceil(64)];
        cells.for_each(|cell| words[cell.index() / 64] |= 1 << (cell.index() % 64));
        Self::from(words.into())
    }

    fn from(words: Box<[u64]>) -> Self {
        let size = words.iter().map(|word| word.count_ones() as usize).sum();
        Self { words, size }
    }

    fn contains(&self, cell: Cell) -> bool {
        self.words[cell.index() / 64] >> (cell.index() % 64) & 1 == 1
    }

    /// Whether all its cells, and not only they, are in the other.
    #[inline]
    fn within(&self, other: &CellBits) -> bool {
        self.size < other.size
            && self.words.iter().zip(&other.words).all(|(mine, its)| mine & !its == 0)
    }

    /// How many of its cells are not in the other.
    #[inline]
    fn outside(&self, other: &CellBits) -> usize {
        let words = self.words.iter().zip(&other.words);
        words.map(|(mine, its)| (mine & !its).count_ones() as usize).sum()
    }

    fn without(&self, other: &CellBits) -> Self {
        Self::from(self.words.iter().zip(&other.words).map(|(mine, its)| mine & !its).collect())
    }
}
