//! Step-by-step: cells that are decided wait in two queues, one to be opened, one to be flagged.
//!
//! A hint that expects no mine in the cells around it, or one in each, decides them:
//!
//! ```text
//! F # #        F s s
//! 1 1 #   ->   1 1 s     the flag is the only mine of both 1s
//! ```
//!
//! Safe cells are opened before mines are flagged. Each move refreshes the hints around it and
//! may decide more; all that costs a constant time for each move.

use std::collections::VecDeque;

use deminer_game::{Action, Cell, CellSet, Decision, Premise, Why};
use deminer_inference::deduce::Fact;

use super::knowledge::Knowledge;

/// The name of the stage in reasons.
pub(crate) const NAME: &str = "step-by-step";

/// Why a cell waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reason {
    /// This hint decided it.
    Verdict(Cell),
    /// Another stage did; its words are number so many.
    Words(u32),
}

/// A cell to be opened or flagged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Waiting {
    cell: Cell,
    reason: Reason,
}

/// The two queues.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    safe: VecDeque<Waiting>,
    mines: VecDeque<Waiting>,
    /// The cells in each queue, and those that have left it.
    safe_cells: CellSet,
    mine_cells: CellSet,
    words: Vec<(&'static str, Vec<Premise>)>,
}

/// Which of the waiting cells comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Order {
    /// Safe cells before mines, each as they came.
    #[default]
    Queue,
    /// Mines before safe cells, each as they came.
    FlagsFirst,
    /// The cell nearest to the last move, safe or mine.
    Near,
}

impl Queues {
    /// Empties the queues for a new game.
    pub fn begin(&mut self, cells: usize) {
        self.safe.clear();
        self.mines.clear();
        self.safe_cells = CellSet::new(cells);
        self.mine_cells = CellSet::new(cells);
        self.words.clear();
    }

    /// Whether nothing waits. Cells that were resolved while they waited still count.
    pub fn is_empty(&self) -> bool {
        self.safe.is_empty() && self.mines.is_empty()
    }

    /// Lets the cells wait that these hints have decided.
    pub fn take(&mut self, known: &Knowledge, decided: Vec<(Cell, Fact)>) {
        for (hint, fact) in decided {
            for cell in known.unresolved_around(hint) {
                self.push(Waiting { cell, reason: Reason::Verdict(hint) }, fact);
            }
        }
    }

    /// Lets cells wait that a stage has decided, for these reasons.
    pub fn add(
        &mut self,
        cells: impl IntoIterator<Item = Cell>,
        fact: Fact,
        stage: &'static str,
        premises: Vec<Premise>,
    ) {
        let reason = Reason::Words(self.words.len() as u32);
        self.words.push((stage, premises));
        for cell in cells {
            self.push(Waiting { cell, reason }, fact);
        }
    }

    fn push(&mut self, waiting: Waiting, fact: Fact) {
        let (queue, cells) = match fact {
            Fact::Safe => (&mut self.safe, &mut self.safe_cells),
            Fact::Mine => (&mut self.mines, &mut self.mine_cells),
        };
        if cells.insert(waiting.cell) {
            queue.push_back(waiting);
        }
    }

    /// The next move. A cell that was resolved while it waited is left out.
    pub fn next(&mut self, known: &Knowledge, order: Order) -> Option<Decision> {
        for queue in [&mut self.safe, &mut self.mines] {
            while queue.front().is_some_and(|waiting| !known.is_unresolved(waiting.cell)) {
                queue.pop_front();
            }
        }
        let (fact, waiting) = match order {
            Order::Queue => self.pop(Fact::Safe).or_else(|| self.pop(Fact::Mine)),
            Order::FlagsFirst => self.pop(Fact::Mine).or_else(|| self.pop(Fact::Safe)),
            Order::Near => self.nearest(known),
        }?;
        let why = match waiting.reason {
            Reason::Verdict(hint) => Why::rule(NAME, known.grounds_of_verdict(hint, fact)),
            Reason::Words(number) => {
                let (stage, premises) = &self.words[number as usize];
                Why::rule(stage, premises.clone())
            }
        };
        let action = match fact {
            Fact::Safe => Action::Open(waiting.cell),
            Fact::Mine => Action::Flag(waiting.cell),
        };
        Some(Decision::new(action, why))
    }

    fn pop(&mut self, fact: Fact) -> Option<(Fact, Waiting)> {
        let queue = match fact {
            Fact::Safe => &mut self.safe,
            Fact::Mine => &mut self.mines,
        };
        queue.pop_front().map(|waiting| (fact, waiting))
    }

    /// The waiting cell nearest to the last move, safe ones first where several are; among equals
    /// the one that waits longest.
    fn nearest(&mut self, known: &Knowledge) -> Option<(Fact, Waiting)> {
        for queue in [&mut self.safe, &mut self.mines] {
            queue.retain(|waiting| known.is_unresolved(waiting.cell));
        }
        let last = known.resolved().last().copied();
        let distance =
            |waiting: &Waiting| last.map_or(0, |last| known.shape().distance(last, waiting.cell));
        let nearest = |queue: &VecDeque<Waiting>| {
            queue.iter().enumerate().map(|(place, waiting)| (distance(waiting), place)).min()
        };
        match (nearest(&self.safe), nearest(&self.mines)) {
            (Some(safe), Some(mine)) if mine.0 < safe.0 => self.remove(Fact::Mine, mine.1),
            (Some(safe), _) => self.remove(Fact::Safe, safe.1),
            (None, Some(mine)) => self.remove(Fact::Mine, mine.1),
            (None, None) => None,
        }
    }

    fn remove(&mut self, fact: Fact, place: usize) -> Option<(Fact, Waiting)> {
        let queue = match fact {
            Fact::Safe => &mut self.safe,
            Fact::Mine => &mut self.mines,
        };
        queue.remove(place).map(|waiting| (fact, waiting))
    }
}
