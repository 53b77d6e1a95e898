//! Keeps the filter scores of all cells up to date during a game.

use std::collections::VecDeque;

use deminer_game::{Cell, CellSet, Premise, Shape, View};
use deminer_inference::deduce::Fact;

use super::{Filters, OpenClue, Scene};

/// A game as filters see it, kept up to date as cells are opened.
///
/// A filter that scores 0 makes a cell known to be safe, one that scores 1 a mine. Known mines
/// are taken off the clues, so that other templates match, until nothing changes. Only windows in
/// which something changed are matched again.
#[derive(Clone, Debug)]
pub struct Reading {
    cells: Vec<CellReading>,
    /// How many cells of [`View::opened`] have been read.
    taken: usize,
    /// Cells whose windows changed.
    changed: VecDeque<Cell>,
    waiting: CellSet,
    /// Cells found safe that may still be covered.
    safe: VecDeque<Found>,
}

/// A cell that a filter found safe.
#[derive(Clone, Debug)]
pub struct Found {
    /// The cell.
    pub cell: Cell,
    /// The filter's place in the list.
    pub rank: usize,
    /// The clues it looked at, and what was known of the cells that they see.
    pub premises: Vec<Premise>,
}

#[derive(Clone, Copy, Debug)]
struct CellReading {
    known: Option<Fact>,
    /// What an open clue lacks, and among how many cells.
    clue: Option<OpenClue>,
    /// The first filter that matches the cell's window, while it is unknown.
    rank: Option<u32>,
}

impl Reading {
    /// Nothing seen.
    pub fn new(shape: &Shape) -> Self {
        Self {
            cells: vec![CellReading { known: None, clue: None, rank: None }; shape.size()],
            taken: 0,
            changed: VecDeque::new(),
            waiting: CellSet::new(shape.size()),
            safe: VecDeque::new(),
        }
    }

    /// Reads the cells opened since the last update and applies the filters until nothing
    /// more is found.
    pub fn update(&mut self, view: &View, filters: &Filters) {
        let new = &view.opened()[self.taken..];
        for &cell in new {
            match self.known(cell) {
                None => self.learn(view, cell, Fact::Safe),
                Some(Fact::Mine) => self.correct(view, cell),
                Some(Fact::Safe) => {}
            }
        }
        for &cell in new {
            let exact = view.face(cell).clue().and_then(|clue| clue.exact());
            let Some(number) = exact else { continue };
            let mut clue = OpenClue { missing: number, unknown: 0 };
            for &near in view.shape().neighbors(cell) {
                match self.known(near) {
                    Some(Fact::Mine) => clue.missing = clue.missing.saturating_sub(1),
                    Some(Fact::Safe) => {}
                    None => clue.unknown += 1,
                }
            }
            self.cells[cell.index()].clue = Some(clue);
            self.disturb(view, cell);
        }
        self.taken = view.opened().len();
        while let Some(cell) = self.changed.pop_front() {
            self.waiting.remove(cell);
            if self.known(cell).is_none() {
                self.look(view, filters, cell);
            }
        }
    }

    /// What is known of a cell; open cells are safe.
    pub fn known(&self, cell: Cell) -> Option<Fact> {
        self.cells[cell.index()].known
    }

    /// The place in the list of the filter that an unknown cell's window matches first.
    pub fn rank(&self, cell: Cell) -> Option<usize> {
        self.cells[cell.index()].rank.map(|rank| rank as usize)
    }

    /// The window around an unknown cell.
    pub fn scene(&self, view: &View, cell: Cell) -> Scene {
        let unknown = |near: Cell| self.known(near).is_none();
        Scene::around(view, cell, unknown, |near| self.cells[near.index()].clue)
    }

    /// Notes what an unknown cell turned out to be.
    fn learn(&mut self, view: &View, cell: Cell, fact: Fact) {
        self.cells[cell.index()].known = Some(fact);
        for near in view.shape().neighbors(cell) {
            if let Some(clue) = &mut self.cells[near.index()].clue {
                clue.unknown -= 1;
                if fact == Fact::Mine {
                    clue.missing = clue.missing.saturating_sub(1);
                }
            }
        }
        self.disturb(view, cell);
    }

    /// Takes back that a cell is a mine: it was opened. On a torus narrower than a window a cell
    /// may be seen twice, and templates be wrong.
    fn correct(&mut self, view: &View, cell: Cell) {
        self.cells[cell.index()].known = Some(Fact::Safe);
        for near in view.shape().neighbors(cell) {
            if let Some(clue) = &mut self.cells[near.index()].clue {
                clue.missing += 1;
            }
        }
        self.disturb(view, cell);
    }

    /// A covered cell that was found safe, the same until it is opened.
    pub fn safe(&mut self, view: &View) -> Option<&Found> {
        while self.safe.front().is_some_and(|found| !view.face(found.cell).is_covered()) {
            self.safe.pop_front();
        }
        self.safe.front()
    }

    /// Matches the window around an unknown cell.
    fn look(&mut self, view: &View, filters: &Filters, cell: Cell) {
        let first = filters.first(&self.scene(view, cell));
        self.cells[cell.index()].rank = first.map(|(rank, _)| rank as u32);
        let Some((rank, clues)) = first else { return };
        let fact = match filters.list()[rank].score {
            0.0 => Fact::Safe,
            1.0 => Fact::Mine,
            _ => return,
        };
        if fact == Fact::Safe {
            let premises = self.premises(view, cell, clues);
            self.safe.push_back(Found { cell, rank, premises });
        }
        self.learn(view, cell, fact);
    }

    /// Clues around a cell, and what is known of the covered cells that they see.
    fn premises(&self, view: &View, cell: Cell, clues: u32) -> Vec<Premise> {
        let clues: Vec<Cell> = Scene::cells(view, cell, clues).collect();
        let mut premises: Vec<Premise> = clues.iter().copied().map(Premise::Clue).collect();
        let near = clues.iter().flat_map(|&clue| view.shape().neighbors(clue));
        for &near in near.filter(|&&near| view.face(near).is_covered()) {
            let premise = match self.known(near) {
                Some(Fact::Mine) => Premise::Mine(near),
                Some(Fact::Safe) => Premise::Safe(near),
                None => continue,
            };
            if !premises.contains(&premise) {
                premises.push(premise);
            }
        }
        premises
    }

    /// Has the windows that a cell matters to matched again: those that it is in, and those with
    /// a clue that sees it.
    fn disturb(&mut self, view: &View, cell: Cell) {
        for down in -3..=3 {
            for right in -3..=3 {
                let Some(near) = view.shape().offset(cell, down, right) else { continue };
                if self.known(near).is_none() && self.waiting.insert(near) {
                    self.changed.push_back(near);
                }
            }
        }
    }
}
