//! Opens what a single clue proves safe, and guesses blindly when none does.
//!
//! The usual baseline: how far one gets without combining clues. Described as the common local
//! rule by K. Lubarski, B. Samujło and K. Wszeborowski, "Neural Networks in solving
//! Minesweeper".

use std::collections::VecDeque;

use deminer_game::{
    Action, Agent, Cell, Decision, Entry, OptionEntry, Rng, Rules, Values, View, Why,
};
use deminer_inference::deduce::{Fact, SinglePoint};

pub const ENTRY: Entry = Entry {
    name: "single-point",
    about: "one clue at a time, then a blind guess",
    options: &[OptionEntry {
        name: "flag",
        values: Values::Flag,
        about: "put a flag on each proved mine",
    }],
    build: |options| {
        let flags = options.flag("flag");
        Ok(Box::new(SinglePointPlayer { flags, ..Default::default() }))
    },
    ..Entry::PLAIN
};

#[derive(Default)]
struct SinglePointPlayer {
    known: SinglePoint,
    /// Proved cells still to be acted on.
    queue: VecDeque<(Cell, Fact)>,
    flags: bool,
}

impl SinglePointPlayer {
    /// The next proved cell that needs an action.
    fn proved(&mut self, view: &View) -> Option<Decision> {
        while let Some((cell, fact)) = self.queue.pop_front() {
            let action = match fact {
                Fact::Safe => Action::Open(cell),
                Fact::Mine => Action::Flag(cell),
            };
            // A cascade may have opened it meanwhile.
            if view.face(cell).is_covered() {
                let proof = self.known.proof(view, cell).expect("queued cells are proved");
                return Some(Decision::new(action, Why::Proved(proof)));
            }
        }
        None
    }

    fn guess(&self, view: &View, rng: &mut Rng) -> Decision {
        if self.known.unknown() == 0 {
            return Decision::decline();
        }
        let choice = rng.below(self.known.unknown());
        let mut unknown = view.shape().cells().filter(|&cell| self.known.fact(cell).is_none());
        Decision::blind(unknown.nth(choice).expect("as many as counted"))
    }
}

impl Agent for SinglePointPlayer {
    fn begin(&mut self, rules: &Rules) {
        self.known.reset(rules.shape());
        self.queue.clear();
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        if let Some(decision) = self.proved(view) {
            return decision;
        }
        self.known.update(view);
        let flags = self.flags;
        self.queue.extend(self.known.fresh().filter(|&(_, fact)| flags || fact == Fact::Safe));
        self.proved(view).unwrap_or_else(|| self.guess(view, rng))
    }
}
