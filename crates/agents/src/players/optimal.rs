//! Plays optimally on small boards by searching every sequence of moves.
//!
//! From the first click on, every cell is weighed by what the best play wins after it; see
//! [`endgame`](crate::search::endgame). No player wins more often on these boards, so all others
//! can be compared with this agent there. It refuses boards with too many layouts, and gives up
//! where a search takes too long.

use deminer_game::{Agent, ClueKind, Decision, Entry, Kind, Rng, Supports, View};
use deminer_inference::odds::{Engine, Layouts};

use crate::search::endgame::{Endgame, Repeated, SMALL, SMALL_NODES, Unsolved};

pub const ENTRY: Entry = Entry {
    name: "optimal",
    about: "optimal play by complete search, on small boards only",
    kind: Kind::Search,
    supports: Supports { clues: &[ClueKind::Exact], layouts: Some(SMALL), ..Supports::ALL },
    build: |_| Ok(Box::new(Optimal::new())),
    ..Entry::PLAIN
};

#[derive(Default)]
struct Optimal {
    engine: Engine,
    layouts: Layouts,
    endgame: Endgame,
    repeated: Repeated<Decision>,
}

impl Optimal {
    fn new() -> Self {
        Self { endgame: Endgame::new(SMALL_NODES), ..Self::default() }
    }
}

impl Agent for Optimal {
    fn decide(&mut self, view: &View, _: &mut Rng) -> Decision {
        let Self { engine, layouts, endgame, repeated } = self;
        let decide = || {
            let odds = engine.odds(view).map_err(|_| Unsolved::Layouts)?;
            layouts.list(view, odds, SMALL as usize).map_err(|_| Unsolved::Layouts)?;
            let solved = endgame.solve(view, layouts)?;
            Ok(solved.decide(view).with_estimates(odds.estimates(view)))
        };
        repeated.answer(view, decide).unwrap_or_else(|_| Decision::decline())
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
