//! `cs520` with the improvements its authors propose; each can be switched off.
//!
//! H. Zhang, H. Wu, S. Li and Z. Xu, "MineSweeper, Inference-Informed Action" (2018), end with
//! what they would do next. Here it is done; the rounds and the stages are those of
//! [`cs520`](crate::players::cs520).
//!
//! | switch | what changes |
//! |---|---|
//! | `sound` | step-aside fills in a parent's cells in all ways instead of averaging |
//! | `shared` | averages below 0 or above 1 decide the cell that children share |
//! | `cascaded` | what a parent has left beside a child is a hint for others |
//! | `cache` | relations without result are left out until something changes; plays the same |
//! | `regions` | elixir counts all layouts, mine total included, instead of filling a window |
//! | `odds` | leaps go by exact odds, away from the hints too |
//! | `well-paid` | leaps by odds compare what the cell would show with its risk |
//! | `endgame` | once few layouts are left, leaps are searched to the end of the game |
//! | `opening` | starts in a corner, and combines hints from the first move on |

pub(crate) mod cascaded;
pub(crate) mod exact;
pub(crate) mod well_paid;

use deminer_game::{Entry, Kind, OptionEntry, Options, Values};

use crate::players::cs520::step::QueueOrder;
use crate::players::cs520::{Cs520Player, Habits, PAPER, STAGE_NAMES, Uses};

pub const ENTRY: Entry = Entry {
    name: "cs520x",
    about: "cs520 with the improvements its authors propose, and exact odds",
    kind: Kind::Odds,
    paper: Some(PAPER),
    options: &[
        OptionEntry {
            name: "with",
            values: Values::ListOf(SWITCHES),
            about: "these improvements and no others",
        },
        OptionEntry {
            name: "without",
            values: Values::ListOf(SWITCHES),
            about: "all improvements but these",
        },
        OptionEntry {
            name: "order",
            values: Values::OneOf(&["queue", "flags", "near"]),
            about: "what comes first: safe cells, flags, or what is near the last move",
        },
        OptionEntry {
            name: "margin",
            values: Values::Number(0.0, 0.5),
            about: "how near to 0 or 1 an estimate from uncertain clues counts as such (0)",
        },
    ],
    build: |options| Ok(Box::new(build(options))),
    ..Entry::PLAIN
};

const SWITCHES: &[&str] =
    &["sound", "shared", "cascaded", "cache", "regions", "odds", "well-paid", "endgame", "opening"];

fn build(options: &Options) -> Cs520Player {
    let lists = |option: &str, switch: &str| {
        options.list(option).map(|listed| listed.iter().any(|name| name == switch))
    };
    let is_on = |switch: &str| {
        lists("with", switch).unwrap_or(true) && !lists("without", switch).unwrap_or(false)
    };
    Cs520Player::new(Habits {
        uses: Uses::of(|name| STAGE_NAMES.contains(&name) || is_on(name)),
        know_mines: true,
        margin: options.number("margin", 0.0),
        order: match options.word("order", "queue") {
            "flags" => QueueOrder::FlagsFirst,
            "near" => QueueOrder::Near,
            _ => QueueOrder::Queue,
        },
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeSet;

    use deminer_game::{Action, Agent, FirstClick, GameSeed, Match, Rules, Turn, Value, Why};

    use super::*;

    /// The player with these lists and other options.
    pub(crate) fn spec(
        lists: Vec<(&'static str, &[&str])>,
        others: Vec<(&'static str, Value)>,
    ) -> Box<dyn Agent> {
        let words = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect();
        let lists = lists.into_iter().map(|(name, list)| (name, Value::List(words(list))));
        (ENTRY.build)(&Options::new(lists.chain(others).collect())).unwrap()
    }

    /// Whether the move just made opened no mine, or flagged one.
    pub(crate) fn is_right(turn: &Turn, game: &Match) -> bool {
        let layout = game.board().layout().expect("the first move opens");
        match turn.decision.action {
            Action::Open(cell) => !layout.is_mine(cell),
            Action::Flag(cell) => layout.is_mine(cell),
            _ => true,
        }
    }

    /// Plays some games and checks that everything but leaps is right.
    fn check_sound(agent: &mut dyn Agent, rules: &Rules) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for game in 0..80 {
            let mut game = Match::new(rules.clone(), FirstClick::Agent, GameSeed { seed: 6, game });
            while let Some(turn) = game.turn(agent) {
                let Why::Rule { name, premises } = &turn.decision.why else { continue };
                let sound = is_right(&turn, &game) && !premises.is_empty();
                assert!(sound, "{turn:?}\n{}", game.board().view());
                names.insert(name.to_string());
            }
        }
        names
    }

    #[test]
    fn nothing_but_leaps_can_go_wrong() {
        let size = |text: &str| Rules::of(text.parse().unwrap()).unwrap();
        let names = check_sound(spec(vec![], vec![]).as_mut(), &size("24x20x95"));
        for stage in ["step-by-step", "step-aside", "cascaded override", "all layouts"] {
            assert!(names.contains(stage), "{stage} in {names:?}");
        }
        for clues in ["blind:0.2", "optimistic", "cautious", "cautious:degree"] {
            let rules = size("9x7x10").with_clues(clues.parse().unwrap());
            check_sound(spec(vec![], vec![]).as_mut(), &rules);
        }
    }

    #[test]
    fn orders_change_nothing_but_the_order() {
        let rules = Rules::of("20x16x50".parse().unwrap()).unwrap();
        let outcome = |order: &str, game| {
            let others = vec![("order", Value::Word(order.to_owned()))];
            let mut game = Match::new(rules.clone(), FirstClick::Agent, GameSeed { seed: 9, game });
            (game.play(spec(vec![("without", &["odds"])], others).as_mut()), game.actions())
        };
        // Where no leap is needed, the same cells are opened and flagged.
        let queue: Vec<_> = (0..30).map(|game| outcome("queue", game)).collect();
        for order in ["flags", "near"] {
            let other: Vec<_> = (0..30).map(|game| outcome(order, game)).collect();
            let same = queue.iter().zip(&other).filter(|(one, other)| one.0 == other.0).count();
            assert!(same >= 24, "{order}: {same} of 30");
        }
    }
}
