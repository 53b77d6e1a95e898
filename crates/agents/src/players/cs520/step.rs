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
    /// Another stage; the index of its reason.
    Words(u32),
}

/// A cell to be opened or flagged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Waiting {
    cell: Cell,
    reason: Reason,
}

/// The two queues: safe cells and mines.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    queues: [VecDeque<Waiting>; 2],
    /// The cells in each queue.
    cells: [CellSet; 2],
    words: Vec<(&'static str, Vec<Premise>)>,
}

/// Which of the waiting cells comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum QueueOrder {
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
        self.queues.iter_mut().for_each(VecDeque::clear);
        self.cells = [CellSet::new(cells), CellSet::new(cells)];
        self.words.clear();
    }

    /// Whether nothing waits. Cells that were resolved while they waited still count.
    pub fn is_empty(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty)
    }

    /// Lets the cells wait that these hints have decided.
    pub fn take(&mut self, known: &Knowledge, decided: &[(Cell, Fact)]) {
        for &(hint, fact) in decided {
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
        if self.cells[fact as usize].insert(waiting.cell) {
            self.queues[fact as usize].push_back(waiting);
        }
    }

    /// The next move. A cell that was resolved while it waited is left out.
    pub fn next(&mut self, known: &Knowledge, order: QueueOrder) -> Option<Decision> {
        for queue in &mut self.queues {
            while queue.front().is_some_and(|waiting| !known.is_unresolved(waiting.cell)) {
                queue.pop_front();
            }
        }
        let (fact, waiting) = match order {
            QueueOrder::Queue => self.pop(Fact::Safe).or_else(|| self.pop(Fact::Mine)),
            QueueOrder::FlagsFirst => self.pop(Fact::Mine).or_else(|| self.pop(Fact::Safe)),
            QueueOrder::Near => self.nearest(known),
        }?;
        self.cells[fact as usize].remove(waiting.cell);
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
        self.remove(fact, 0)
    }

    /// The waiting cell nearest to the last move, safe ones first where several are; among equals
    /// the one that waits longest.
    fn nearest(&mut self, known: &Knowledge) -> Option<(Fact, Waiting)> {
        for queue in &mut self.queues {
            queue.retain(|waiting| known.is_unresolved(waiting.cell));
        }
        let last = known.resolved().last().copied();
        let distance =
            |waiting: &Waiting| last.map_or(0, |last| known.shape().distance(last, waiting.cell));
        let nearest = |queue: &VecDeque<Waiting>| {
            queue.iter().enumerate().map(|(place, waiting)| (distance(waiting), place)).min()
        };
        let facts = [Fact::Safe, Fact::Mine].into_iter();
        let best = facts.filter_map(|fact| Some((nearest(&self.queues[fact as usize])?, fact)));
        let ((_, place), fact) = best.min_by_key(|((distance, _), _)| *distance)?;
        self.remove(fact, place)
    }

    fn remove(&mut self, fact: Fact, place: usize) -> Option<(Fact, Waiting)> {
        self.queues[fact as usize].remove(place).map(|waiting| (fact, waiting))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::cs520::pictures::{self, cell};

    /// Lets the cells wait that single hints decide.
    fn decide(known: &mut Knowledge, queues: &mut Queues) {
        let mut decided = Vec::new();
        known.take_decided(&mut decided);
        queues.take(known, &decided);
    }

    #[test]
    fn single_hints_decide_the_cells_around_them() {
        // The wrong flag is on one of the two safe cells above the 1.
        pictures::check(
            "> flags that account for a hint clear the rest
             mines 2
             F # #  ->  F s s
             1 1 #      1 1 s

             > a hint that needs all its cells makes them mines
             mines 6
             # F 5 #  ->  * F 5 *
             3 # # #      3 * * *

             > hints that are undecided or hidden decide nothing
             mines 2
             # # # #  ->  # # # #
             1 2 ? #      1 2 ? #

             > wrong flags mislead
             mines 1
             F # #  ->  F s s
             ? 1 ?      ? 1 ?",
            |_, known, queues| decide(known, queues),
        );
    }

    #[test]
    fn a_cautious_number_stands_for_the_count_it_makes_likely() {
        // Two mines among eleven cells make an 8 for the corner likely to be one mine at most;
        // at the margin of a third that is none.
        for (margin, answer) in [(0.0, "8 #\n# #\n# #\n# #"), (0.3, "8 s\ns s\n# #\n# #")] {
            let position = "mines 1\nclues cautious\n8 #\n# #\n# #\n# #";
            let (view, mut known) = pictures::known(position, margin);
            let mut queues = pictures::queues(&view);
            decide(&mut known, &mut queues);
            pictures::compare("cautious", &view, &known, queues, answer);
        }
    }

    #[test]
    fn a_reason_names_the_hint_and_what_matters_around_it() {
        let (view, mut known) = pictures::known("mines 2\nF # ?\n1 1 ?", 0.05);
        let mut queues = pictures::queues(&view);
        decide(&mut known, &mut queues);
        let decision = queues.next(&known, QueueOrder::Queue).unwrap();
        let clue = Premise::Clue(cell(&view, 1, 0));
        let mine = Premise::Mine(cell(&view, 0, 0));
        assert_eq!(decision.action, Action::Open(cell(&view, 0, 1)));
        assert_eq!(decision.why, Why::rule(NAME, vec![clue, mine]));
    }

    /// The order in which waiting cells are acted on, from a to d.
    fn order(order: QueueOrder, picture: &str) {
        let (view, known) = pictures::known("mines 2\n# # # # #\n# # . # #", 0.0);
        let mut queues = pictures::queues(&view);
        let at = |(row, column)| cell(&view, row, column);
        queues.add([(0, 0), (0, 2)].map(at), Fact::Safe, "test", Vec::new());
        queues.add([(0, 4), (1, 3)].map(at), Fact::Mine, "test", Vec::new());
        let mut drawn = vec!['-'; 10];
        for letter in 'a'..='d' {
            let decision = queues.next(&known, order).unwrap();
            drawn[decision.action.cell().unwrap().index()] = letter;
        }
        assert_eq!(queues.next(&known, order), None);
        let expected: Vec<char> =
            picture.chars().filter(|symbol| !symbol.is_whitespace()).collect();
        assert_eq!(drawn, expected, "{order:?}");
    }

    #[test]
    fn safe_cells_come_before_flags_or_as_ordered() {
        order(QueueOrder::Queue, "a - b - c\n- - - d -");
        order(QueueOrder::FlagsFirst, "c - d - a\n- - - b -");
        order(QueueOrder::Near, "c - a - d\n- - - b -");
    }
}
