//! Plays by the four rules that Mio learned, and guesses blindly when none applies.
//!
//! L. Peña Castillo and S. Wrobel, "Learning Minesweeper with Multirelational Learning" (2003).
//! A set is the unmarked covered cells around a clue, with the mines that the clue still needs;
//! sets are subtracted where that leaves a certain number of mines.
//!
//! ```text
//! S-1   a cell of a set without mines is safe
//! S-2   so is a cell of a difference of two sets, if the difference is without mines
//! S-3   or of a set less such a difference
//! M-1   a cell of a set with as many mines as cells is a mine
//! ```
//!
//! A turn opens the first cell, row by row, that S-1 finds, else S-2, else S-3; only when none
//! is found M-1 marks one cell; else any unmarked cell is opened.

use deminer_game::{
    Action, Agent, Cell, CellSet, Decision, Entry, Face, Kind, Premise, Rng, Rules, Supports, View,
    Why,
};
use deminer_inference::relations::{MineSet, Zone, Zones};

pub const ENTRY: Entry = Entry {
    name: "mio-rules",
    about: "four rules learned by induction, then a blind guess",
    kind: Kind::Induction,
    paper: Some(PAPER),
    supports: Supports::NUMBERS,
    build: |_| Ok(Box::new(MioRules::default())),
    ..Entry::PLAIN
};

pub(crate) const PAPER: &str =
    "L. Peña Castillo, S. Wrobel, Learning Minesweeper with Multirelational Learning, 2003";

#[derive(Default)]
struct MioRules {
    memory: Memory,
}

impl Agent for MioRules {
    fn begin(&mut self, _: &Rules) {
        self.memory.begin();
    }

    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        self.memory.apply(view).unwrap_or_else(|| Decision::anywhere(view, rng))
    }
}

/// A rule: the places of the clues in the zone that prove something of its center.
struct Rule {
    name: &'static str,
    action: fn(Cell) -> Action,
    find: fn(&Zone) -> Option<[usize; 3]>,
}

/// In the order in which they are tried.
const RULES: [Rule; 4] = [
    Rule { name: "S-1", action: Action::Open, find: no_mines },
    Rule { name: "S-2", action: Action::Open, find: no_mines_in_difference },
    Rule { name: "S-3", action: Action::Open, find: no_mines_less_a_difference },
    Rule { name: "M-1", action: Action::Flag, find: nothing_but_mines },
];

fn no_mines(zone: &Zone) -> Option<[usize; 3]> {
    let clue = zone.sets_around().iter().position(|set| set.mines() == 0)?;
    Some([clue; 3])
}

fn no_mines_in_difference(zone: &Zone) -> Option<[usize; 3]> {
    zone.sets_around().iter().enumerate().find_map(|(one, set)| {
        let other = zone.sets().iter().position(|&other| {
            set.without(other).is_some_and(|rest| rest.mines() == 0 && rest.holds_center())
        })?;
        Some([one, other, other])
    })
}

fn no_mines_less_a_difference(zone: &Zone) -> Option<[usize; 3]> {
    for (one, first) in zone.sets().iter().enumerate() {
        for (other, &second) in zone.sets().iter().enumerate() {
            // Sets apart leave each other whole: that is S-2.
            if !first.meets(second) {
                continue;
            }
            let Some(difference) = first.without(second) else { continue };
            let set = zone.sets_around().iter().position(|set| {
                set.without(difference).is_some_and(|rest| rest.mines() == 0 && rest.holds_center())
            });
            if let Some(set) = set {
                return Some([set, one, other]);
            }
        }
    }
    None
}

fn nothing_but_mines(zone: &Zone) -> Option<[usize; 3]> {
    let full = |set: &MineSet| set.mines() == set.size() as i32;
    let clue = zone.sets_around().iter().position(full)?;
    Some([clue; 3])
}

/// The rules, and what they found of each cell. Only cells near a face that changed are tried
/// again.
#[derive(Default)]
pub(crate) struct Memory {
    zones: Zones,
    /// The faces when the rules were last applied.
    faces: Vec<Face>,
    /// The case of each cell; none where it is not up to date.
    cases: Vec<Option<Case>>,
    near: Vec<Cell>,
}

/// A cell and the rules tried on it.
struct Case {
    zone: Zone,
    /// How many rules were tried.
    tried: usize,
    /// What the last of them found.
    found: Option<[usize; 3]>,
}

impl Case {
    /// What a rule finds, if no rule before it finds anything.
    fn find(&mut self, rule: usize) -> Option<[usize; 3]> {
        while self.tried <= rule && self.found.is_none() {
            self.found = (RULES[self.tried].find)(&self.zone);
            self.tried += 1;
        }
        self.found.filter(|_| self.tried == rule + 1)
    }
}

/// A clue of a zone, and the cells it sees, are this far from the center at most.
const REACH: usize = 4;

impl Memory {
    /// Forgets everything, for a new game.
    pub fn begin(&mut self) {
        self.faces.clear();
    }

    /// What the first rule that applies does to the first cell it applies to.
    pub fn apply(&mut self, view: &View) -> Option<Decision> {
        self.refresh(view);
        (0..RULES.len()).find_map(|rule| {
            view.openable().find_map(|cell| {
                let case = self.cases[cell.index()].get_or_insert_with(|| Case {
                    zone: self.zones.around(view, cell),
                    tried: 0,
                    found: None,
                });
                let clues = case.find(rule)?.map(|place| case.zone.clues()[place]);
                let why = Why::rule(RULES[rule].name, premises(view, &clues));
                Some(Decision::new((RULES[rule].action)(cell), why))
            })
        })
    }

    /// Drops the cases of cells near a face that changed.
    fn refresh(&mut self, view: &View) {
        let shape = view.shape();
        if self.faces.len() != shape.size() {
            self.cases.clear();
            self.cases.resize_with(shape.size(), || None);
        } else {
            let changed = |cell: &Cell| view.face(*cell) != self.faces[cell.index()];
            self.near.clear();
            self.near.extend(shape.cells().filter(changed));
            let mut reached = CellSet::new(shape.size());
            let mut from = 0;
            for _ in 0..REACH {
                let to = self.near.len();
                for place in from..to {
                    let around = shape.neighbors(self.near[place]).iter();
                    self.near.extend(around.copied().filter(|&cell| reached.insert(cell)));
                }
                from = to;
            }
            for cell in &self.near {
                self.cases[cell.index()] = None;
            }
        }
        self.faces.clear();
        self.faces.extend_from_slice(view.faces());
    }
}

/// The clues, each once, and the marks around them.
fn premises(view: &View, clues: &[Cell]) -> Vec<Premise> {
    let mut premises: Vec<Premise> = clues.iter().copied().map(Premise::Clue).collect();
    let near = clues.iter().flat_map(|&clue| view.shape().neighbors(clue));
    let marks = near.filter(|&&cell| view.face(cell) == Face::Flagged);
    premises.extend(marks.copied().map(Premise::Mine));
    let mut once = Vec::new();
    for premise in premises {
        if !once.contains(&premise) {
            once.push(premise);
        }
    }
    once
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use deminer_game::{FirstClick, Form, GameSeed, Match, Options, Shape, Start};

    use super::*;
    use crate::parts::pictures::{Decided, decide};

    /// Checks the action and the rule that it is due to.
    fn check(position: &str, expected: &str, rule: &str) -> Decided {
        let decided = decide(&ENTRY, &[], position);
        decided.does(expected);
        assert_eq!(decided.decision.why.rule_name().unwrap(), rule, "{position}");
        decided
    }

    fn check_premises(decided: &Decided, clues: &[usize], marks: &[usize]) {
        let cell = |&index: &usize| decided.view.shape().nth(index).unwrap();
        let clues = clues.iter().map(|index| Premise::Clue(cell(index)));
        let premises = clues.chain(marks.iter().map(|index| Premise::Mine(cell(index))));
        assert_eq!(decided.decision.why.premises(), premises.collect::<Vec<_>>());
    }

    #[test]
    fn each_rule_names_the_clues_it_is_applied_to() {
        // Marks satisfy a clue.
        let decided = check("mines 2\n# F # #\n? 1 ? ?", "o F # #\n? 1 ? ?", "S-1");
        check_premises(&decided, &[5], &[1]);
        // Two sets leave a cell without a mine.
        let decided = check("mines 2\n# # # #\n1 1 ? ?", "# # o #\n1 1 ? ?", "S-2");
        check_premises(&decided, &[5, 4], &[]);
        check("mines 3\n# # # #\n? 1 2 ?", "o # # #\n? 1 2 ?", "S-2");
        // The 2 less the 1 on the left leaves a mine in the corner; the 1 on the right less that
        // leaves none.
        let decided = check("mines 2\n# # #\n1 2 1", "# o #\n1 2 1", "S-3");
        check_premises(&decided, &[5, 4, 3], &[]);
    }

    #[test]
    fn m_1_marks_only_when_nothing_is_safe() {
        check("mines 3\n# # # # #\n2 ? ? ? #", "f # # # #\n2 ? ? ? #", "M-1");
        check("mines 3\n# # ? # # #\n2 ? ? 1 1 ?", "# # ? # # o\n2 ? ? 1 1 ?", "S-2");
        // Nothing certain is a blind guess.
        let decided = decide(&ENTRY, &[], "mines 2\n# # # #\n? 1 1 ?");
        assert_eq!(decided.decision.why, Why::Blind);
    }

    #[test]
    fn what_is_remembered_is_what_would_be_found_again() {
        for form in Form::ALL {
            let rules = Rules::new(Shape::new(form, 9, 7).unwrap(), 10).unwrap();
            let mut agent = MioRules::default();
            for game in 0..60 {
                let mut game =
                    Match::new(rules.clone(), FirstClick::Corner, GameSeed { seed: 2, game });
                loop {
                    let anew = Memory::default().apply(game.board().view());
                    let Some(turn) = game.turn(&mut agent) else { break };
                    let first = turn.by == deminer_game::MovedBy::Start;
                    assert!(first || anew.is_none_or(|anew| anew == turn.decision), "{form}");
                }
            }
        }
    }

    /// The paper's thousand games: 2762 guesses, 169 uses of S-1, 10 285 of S-2, 54 of S-3 and
    /// 2211 of M-1.
    #[test]
    fn rules_are_used_as_often_as_published() {
        const THOUSANDS: u64 = 2;
        let rules = Rules::of("8x8x10".parse().unwrap()).unwrap();
        let rules = rules.with_start(Start::Unsafe).unwrap();
        let mut agent = (ENTRY.build)(&Options::default()).unwrap();
        let mut used: BTreeMap<String, u64> = BTreeMap::new();
        for game in 0..1000 * THOUSANDS {
            let mut game =
                Match::new(rules.clone(), FirstClick::Random, GameSeed { seed: 1, game });
            while let Some(turn) = game.turn(agent.as_mut()) {
                let name = turn.decision.why.rule_name().map_or("guess", |name| name);
                *used.entry(name.to_owned()).or_default() += 1;
            }
        }
        let about = |number: u64| number * 85 / 100..=number * 115 / 100;
        for (name, expected) in [
            ("guess", about(2762)),
            ("S-1", about(169)),
            ("S-2", about(10_285)),
            ("S-3", 40..=90),
            ("M-1", about(2211)),
        ] {
            assert!(expected.contains(&(used[name] / THOUSANDS)), "{name} {used:?}");
        }
    }
}
