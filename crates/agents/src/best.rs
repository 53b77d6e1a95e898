//! The strongest player: exact odds, a look ahead at what each opening would tell, and optimal
//! play at the end. All its judgement is in [`judge`](crate::search::judge).

use deminer_game::{
    Action, Agent, Decision, Entry, Face, Kind, OptionEntry, Proof, Rng, Rules, Values, View, Why,
};

use crate::certain::Certain;
use crate::risk::LISTED;
use crate::search::judge::{Judge, Settings};
use crate::search::value::Model;

pub const ENTRY: Entry = Entry {
    name: "best",
    about: "the strongest: looks ahead at what openings tell, optimal at the end",
    kind: Kind::Search,
    options: &[
        OptionEntry { name: "value", values: Values::Number(0.0, 9.0), about: "model" },
        OptionEntry { name: "mix", values: Values::Number(0.0, 9.0), about: "mix" },
        OptionEntry { name: "power", values: Values::Number(0.0, 9.0), about: "mix" },
        OptionEntry { name: "cut", values: Values::Number(0.0, 9.0), about: "cut" },
        OptionEntry { name: "second", values: Values::Number(0.0, 9.0), about: "cut" },
        OptionEntry { name: "progress", values: Values::Number(0.0, 9.0), about: "cut" },
    ],
    build: |options| {
        let mut settings = Settings::default();
        settings.mix = options.number("mix", 1.0);
        settings.cut = options.number("cut", 0.9);
        settings.second = options.number("second", 0.2);
        settings.progress = options.number("progress", 0.0);
        settings.power = options.number("power", 0.0);
        let value = options.number("value", 0.0);
        if value > 0.0 {
            let bytes = std::fs::read(format!("/tmp/value{value}.weights")).unwrap();
            let weights = bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap()));
            settings.model = Some(Model { weights: weights.collect() });
        }
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
        let Ok(mut weighed) = self.judge.weigh(view, self.certain.known(), rng) else {
            return Decision::decline();
        };
        for cell in weighed.safe {
            self.certain.keep(cell, Proof::new("all layouts", Vec::new()));
        }
        if let Some(decision) = self.certain.next(view) {
            return decision;
        }
        weighed.alternatives.truncate(LISTED);
        let Some(best) = weighed.alternatives.first() else { return Decision::decline() };
        // A flag on it is wrong and goes first.
        let action = match view.face(best.cell) {
            Face::Flagged => Action::Unflag(best.cell),
            _ => Action::Open(best.cell),
        };
        Decision::new(action, Why::Risk(1.0 - best.safety))
            .with_estimates(weighed.estimates)
            .with_alternatives(weighed.alternatives)
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
