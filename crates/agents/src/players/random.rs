//! Opens any covered cell, each equally likely.
//!
//! The baseline: the score of a player without any skill.

use deminer_game::{Agent, Decision, Entry, Rng, View};

pub const ENTRY: Entry = Entry {
    name: "random",
    about: "any covered cell, each equally likely",
    build: |_| Ok(Box::new(Random)),
    ..Entry::PLAIN
};

struct Random;

impl Agent for Random {
    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        Decision::anywhere(view, rng)
    }
}
