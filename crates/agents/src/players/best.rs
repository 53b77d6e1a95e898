//! The strongest player: exact odds, a look ahead at what each opening would show, and optimal
//! play at the end. All its judgment is in [`Judge`].

use deminer_game::{
    Agent, Decision, Entry, Kind, OptionEntry, Proof, Rng, Rules, Values, View, Why,
};

use crate::parts::moves;
use crate::parts::risk::LISTED;
use crate::parts::safe_queue::SafeQueue;
use crate::search::{Judge, Settings};

pub const ENTRY: Entry = Entry {
    name: "best",
    about: "the strongest: compares guesses one move ahead, optimal in the endgame",
    kind: Kind::Search,
    options: &[OptionEntry {
        name: "deep",
        values: Values::Flag,
        about: "search more: more candidates, and optimal play begins earlier",
    }],
    build: |options| {
        let settings = if options.flag("deep") { Settings::DEEP } else { Settings::QUICK };
        Ok(Box::new(Best { certain: SafeQueue::default(), judge: Judge::new(settings) }))
    },
    ..Entry::PLAIN
};

struct Best {
    certain: SafeQueue,
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
        let why = match view.promises_safe_click() {
            true => Why::rule("first click", Vec::new()),
            false => Why::Risk(1.0 - best.safety),
        };
        Decision::new(moves::open(view, best.cell), why)
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

#[cfg(test)]
mod tests {
    use deminer_game::{Action, ClueRule, Form, GameSeed, Match, Shape, Start};

    use super::*;
    use crate::parts::pictures;

    /// Compares the cell that is opened, `o` in the picture.
    fn check(position: &str, expected: &str) {
        pictures::decide(&ENTRY, &[], position).does(expected);
    }

    fn decide(rules: Rules) -> Decision {
        pictures::decide_on(&ENTRY, &[], View::new(rules)).decision
    }

    #[test]
    fn the_most_informative_guess_is_made() {
        check("mines 1\n# # #\n# 1 ?", "o # #\n# 1 ?");
        check("mines 1\nclues blind:0.1\n# # #\n# 1 ?", "o # #\n# 1 ?");
    }

    #[test]
    fn the_first_click_is_a_corner_or_opens_much() {
        check("mines 2\n# # #\n# # #", "o # #\n# # #");
        let shape = Shape::new(Form::Rect, 9, 7).unwrap();
        let rules = Rules::starting(shape, 10, Start::Open).unwrap();
        let Action::Open(cell) = decide(rules).action else { panic!("an opening") };
        assert_eq!((cell.index() / 9, cell.index() % 9), (3, 3));
    }

    #[test]
    fn decisions_list_the_cells_considered() {
        let decision = pictures::decide(&ENTRY, &[], "mines 1\n# # #\n# 1 ?").decision;
        assert_eq!(decision.why, Why::Risk(0.25));
        let weighed: Vec<(f64, Option<f64>)> =
            decision.alternatives.iter().map(|other| (other.safety, other.win)).collect();
        assert_eq!(weighed[0], (0.75, Some(0.75)));
        assert_eq!(weighed.len(), 4);
        let fresh = Rules::of("expert".parse().unwrap()).unwrap();
        assert_eq!(decide(fresh).why, Why::rule("first click", Vec::new()));
    }

    /// The decisions of some games on every shape and with uncertain clues, as one number: it
    /// changes with the play, and with nothing else.
    #[test]
    fn the_fingerprint_of_its_decisions() {
        let mut agent = (ENTRY.build)(&Default::default()).unwrap();
        let mut print = 0xcbf2_9ce4_8422_2325u64;
        for (form, clues, width, height, mines, games) in [
            (Form::Rect, ClueRule::Exact, 30, 16, 99, 40),
            (Form::Rect, ClueRule::Exact, 16, 16, 40, 40),
            (Form::Torus, ClueRule::Exact, 12, 9, 18, 20),
            (Form::Hex, ClueRule::Exact, 12, 9, 18, 20),
            (Form::Rect, ClueRule::Blind(0.1), 9, 7, 9, 10),
        ] {
            let shape = Shape::new(form, width, height).unwrap();
            let rules = Rules::starting(shape, mines, Start::Safe).unwrap().with_clues(clues);
            for game in 0..games {
                let seed = GameSeed { seed: 8, game };
                let mut game = Match::new(rules.clone(), deminer_game::FirstClick::Corner, seed);
                while let Some(turn) = game.turn(agent.as_mut()) {
                    let action = turn.decision.action;
                    let cell = action.cell().map_or(u64::MAX, |cell| cell.index() as u64);
                    for word in action.name().bytes().map(u64::from).chain([cell]) {
                        print = (print ^ word).wrapping_mul(0x0100_0000_01b3);
                    }
                }
            }
        }
        assert_eq!(format!("{print:016x}"), "511aed47ca5c543b");
    }
}
