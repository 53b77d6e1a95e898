//! Plays optimally on small boards by searching every sequence of moves.
//!
//! From the first click on, every cell is weighed by what the best play wins after it; see
//! [`endgame`](crate::search::endgame). No player wins more often on these boards, so all others
//! can be compared with this agent there. It refuses boards with too many layouts, and gives up
//! where a search takes too long.

use deminer_game::{Agent, ClueKind, Decision, Entry, Face, Kind, Rng, Rules, Supports, View};
use deminer_inference::odds::{Engine, Layouts};
use rustc_hash::FxHashMap;

use crate::search::endgame::{Endgame, SMALL, SMALL_NODES};

pub const ENTRY: Entry = Entry {
    name: "optimal",
    about: "optimal play by complete search, on small boards only",
    kind: Kind::Search,
    supports: Supports { clues: &[ClueKind::Exact], layouts: Some(SMALL), ..Supports::ALL },
    build: |_| Ok(Box::new(Optimal::new())),
    ..Entry::PLAIN
};

/// The most positions kept in memory: games on a small board often repeat.
const REMEMBERED: usize = 1 << 14;

#[derive(Default)]
struct Optimal {
    engine: Engine,
    layouts: Layouts,
    endgame: Endgame,
    /// The rules of all positions remembered.
    rules: Option<Rules>,
    solved: FxHashMap<Vec<Face>, Decision>,
}

impl Optimal {
    fn new() -> Self {
        Self { endgame: Endgame::new(SMALL_NODES), ..Self::default() }
    }
}

impl Agent for Optimal {
    fn begin(&mut self, rules: &Rules) {
        if self.rules.as_ref() != Some(rules) {
            self.rules = Some(rules.clone());
            self.solved.clear();
        }
    }

    fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
        if let Some(decision) = self.solved.get(view.faces()) {
            return decision.clone();
        }
        let Ok(odds) = self.engine.odds(view) else { return Decision::decline() };
        let listed = self.layouts.list(view, odds, SMALL as usize);
        let solved = listed.ok().and_then(|()| self.endgame.solve(view, &self.layouts).ok());
        let decision = match solved {
            Some(solved) => solved.decide(view).with_estimates(odds.estimates(view)),
            None => Decision::decline(),
        };
        if self.solved.len() == REMEMBERED {
            self.solved.clear();
        }
        self.solved.insert(view.faces().to_vec(), decision.clone());
        decision
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::Action;

    use super::*;

    #[test]
    fn the_best_guess_tells_something() {
        let view: View = "mines 1\n# # #\n# 1 ?".parse().unwrap();
        let decision = Optimal::new().decide(&view, &mut Rng::new(0));
        assert_eq!(decision.action, Action::Open(view.shape().nth(0).unwrap()));
        assert_eq!(decision.alternatives[0].win, Some(0.75));
    }
}
