//! A queue of cells that are proved safe, opened one per turn.

use std::collections::VecDeque;

use deminer_game::{Cell, Decision, Face, Proof, Rules, View, Why};
use deminer_inference::deduce::{Fact, SinglePoint};

use crate::parts::moves;

/// Cells proved safe by single clues, and by other rules of the agent.
#[derive(Default)]
pub struct SafeQueue {
    known: SinglePoint,
    /// Cells proved safe by single clues, still to be opened.
    clear: Vec<Cell>,
    /// Cells proved safe otherwise, still to be opened.
    proved: VecDeque<(Cell, Proof)>,
}

impl SafeQueue {
    /// Forgets everything, for a new game.
    pub fn begin(&mut self, rules: &Rules) {
        self.known.reset(rules.shape());
        self.clear.clear();
        self.proved.clear();
    }

    /// What single clues prove, up to the last look.
    pub fn known(&self) -> &SinglePoint {
        &self.known
    }

    /// Keeps a cell that was proved safe for a later turn.
    pub fn keep(&mut self, cell: Cell, proof: Proof) {
        self.proved.push_back((cell, proof));
    }

    /// Reads newly opened cells, and opens a cell that is proved safe, if there is one. A flag on
    /// it is wrong: it is removed now, and the cell is opened in the next turn.
    pub fn next(&mut self, view: &View) -> Option<Decision> {
        while let Some((cell, proof)) = self.proved.pop_front() {
            match view.face(cell) {
                Face::Flagged => self.proved.push_front((cell, proof.clone())),
                Face::Covered => {}
                // A cascade has opened it meanwhile.
                _ => continue,
            }
            return Some(Decision::new(moves::open(view, cell), Why::Proved(proof)));
        }
        self.known.update(view);
        let fresh = self.known.fresh().filter(|&(_, fact)| fact == Fact::Safe);
        self.clear.extend(fresh.map(|(cell, _)| cell));
        while let Some(cell) = self.clear.pop() {
            match view.face(cell) {
                Face::Flagged => self.clear.push(cell),
                Face::Covered => {}
                _ => continue,
            }
            let proof = self.known.proof(view, cell).expect("a fresh fact is proved");
            return Some(Decision::new(moves::open(view, cell), Why::Proved(proof)));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::Action;

    use super::*;

    #[test]
    fn a_wrong_flag_goes_before_the_cell_under_it_is_opened() {
        let mut certain = SafeQueue::default();
        let view: View = "mines 1\n1 F\n# 1\n1 1".parse().unwrap();
        certain.begin(view.rules());
        let flagged = view.shape().nth(1).unwrap();
        certain.keep(flagged, Proof::new("told", Vec::new()));
        let actions: Vec<Action> = (0..2).map(|_| certain.next(&view).unwrap().action).collect();
        assert_eq!(actions, [Action::Unflag(flagged); 2]);
        let view: View = "mines 1\n1 #\n# 1\n1 1".parse().unwrap();
        assert_eq!(certain.next(&view).unwrap().action, Action::Open(flagged));
    }
}
