//! The strongest player: exact odds, a look ahead at what each opening would tell, and optimal
//! play at the end. All its judgement is in [`Judge`].

use deminer_game::{
    Action, Agent, Decision, Entry, Face, Kind, OptionEntry, Proof, Rng, Rules, Values, View, Why,
};

use crate::certain::Certain;
use crate::risk::LISTED;
use crate::search::{Judge, Settings};

pub const ENTRY: Entry = Entry {
    name: "best",
    about: "the strongest: looks ahead at what openings tell, optimal at the end",
    kind: Kind::Search,
    options: &[OptionEntry {
        name: "deep",
        values: Values::Flag,
        about: "think longer: more cells are looked at, play is optimal sooner",
    }],
    build: |options| {
        let settings = if options.flag("deep") { Settings::DEEP } else { Settings::QUICK };
        Ok(Box::new(Best { certain: Certain::new(), judge: Judge::new(settings) }))
    },
    ..Entry::PLAIN
};

struct Best {
    certain: Certain,
    judge: Judge,
}

impl Best {
    fn by_odds(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let Ok(mut judged) = self.judge.find_best(view, self.certain.known(), rng) else {
            return Decision::decline();
        };
        for cell in judged.safe {
            self.certain.keep(cell, Proof::new("all layouts", Vec::new()));
        }
        if let Some(decision) = self.certain.next(view) {
            return decision;
        }
        judged.moves.truncate(LISTED);
        let Some(best) = judged.moves.first() else { return Decision::decline() };
        let why = match view.opened().is_empty() && best.safety == 1.0 {
            true => Why::rule("first click", Vec::new()),
            false => Why::Risk(1.0 - best.safety),
        };
        // A flag on it is wrong and goes first.
        let action = match view.face(best.cell) {
            Face::Flagged => Action::Unflag(best.cell),
            _ => Action::Open(best.cell),
        };
        Decision::new(action, why)
            .with_estimates(judged.estimates)
            .with_alternatives(judged.moves)
    }
}

impl Agent for Best {
    fn begin(&mut self, rules: &Rules) {
        self.certain.begin(rules);
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        self.certain.next(view).unwrap_or_else(|| self.by_odds(view, rng))
    }
}
