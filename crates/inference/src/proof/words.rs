//! Explanations in plain words.

use deminer_game::{Cell, Face, Premise, Shown, View};

use super::{Explanation, only};
use crate::deduce::{
    Conclusion, Fact, Facts, ProofStep, Question, Rung, blocked, chain, clues_of, prove,
};

/// Of longer chains, only the last steps are described.
const MOST_STEPS: usize = 3;

/// Lists of more clues than these are only counted.
const MOST_NAMED: usize = 4;

/// Explains how the premises alone lead to the fact: step by step as the ladder finds it from
/// them, or by supposing the opposite.
pub(super) fn sentence(explanation: &Explanation, view: &View) -> String {
    // The ladder would find this step alone; most cells are proved so.
    if let [Premise::Clue(_)] = explanation.premises[..] {
        let &Explanation { cell, fact, ref premises, .. } = explanation;
        return Words { view }.tell(&Conclusion { cell, fact, premises: premises.clone() });
    }
    by_ladder(explanation, view)
}

/// The same by the ladder, for any premises.
pub(super) fn by_ladder(explanation: &Explanation, view: &View) -> String {
    let clues = clues_of(&explanation.premises);
    let total = explanation.premises.contains(&Premise::MineTotal);
    let seen = only(view, &clues);
    let steps = prove(&seen, if total { Rung::MineTotal } else { Rung::Several });
    let steps = chain(&steps, explanation.cell);
    let words = Words { view: &seen };
    match steps.len() {
        0 => words.contradiction(explanation, &clues, total),
        1..=MOST_STEPS => steps.iter().map(|step| words.step(step)).collect::<Vec<_>>().join("; "),
        _ => {
            let last = steps.last().expect("there are steps");
            format!("after {} earlier conclusions, {}", steps.len() - 1, words.step(last))
        }
    }
}

struct Words<'a> {
    view: &'a View,
}

impl Words<'_> {
    /// One step of the ladder.
    fn step(&self, step: &ProofStep) -> String {
        self.tell(&step.conclusion)
    }

    /// A conclusion and what it follows from.
    fn tell(&self, conclusion: &Conclusion) -> String {
        let clues = clues_of(&conclusion.premises);
        let total = conclusion.premises.contains(&Premise::MineTotal);
        let outcome = self.outcome(conclusion.cell, conclusion.fact);
        match clues[..] {
            _ if total => self.total(&clues, conclusion),
            [clue] => format!("{}, so {outcome}", self.single(clue, conclusion)),
            [one, other] => format!("{}, so {outcome}", self.pair(one, other, conclusion)),
            _ => format!("{} fit together only if {outcome}", self.list(&clues)),
        }
    }

    /// What a clue by itself says of its unknown cells.
    fn single(&self, clue: Cell, conclusion: &Conclusion) -> String {
        let (mines, unknown, covered) = self.around(clue, &conclusion.premises);
        let name = self.clue(clue);
        let exact = self.view.face(clue).clue().is_some_and(|clue| clue.exact().is_some());
        match conclusion.fact {
            Fact::Safe if !exact => format!(
                "{name} admits no more than {}, which it touches already",
                many(mines, "mine")
            ),
            Fact::Safe => match mines {
                0 => format!("{name} touches no mine"),
                1 => format!("{name} already touches its mine"),
                _ => format!("{name} already touches its {}", many(mines, "mine")),
            },
            Fact::Mine => {
                let all =
                    if unknown == covered { "of its covered cells" } else { "cells left to it" };
                match (unknown, unknown == covered) {
                    (1, true) => format!("{name} needs its only covered cell"),
                    (1, false) => format!("{name} needs the only cell left to it"),
                    (2, true) => format!("{name} needs both of its covered cells"),
                    (2, false) => format!("{name} needs both cells left to it"),
                    _ => format!("{name} needs all {} {all}", word(unknown)),
                }
            }
        }
    }

    /// Known mines, unknown cells and covered cells around a clue.
    fn around(&self, clue: Cell, premises: &[Premise]) -> (usize, usize, usize) {
        let near = self.view.shape().neighbors(clue);
        let mine = |cell: &&Cell| {
            self.view.face(**cell) == Face::Mine || premises.contains(&Premise::Mine(**cell))
        };
        let covered = near.iter().filter(|&&cell| self.view.face(cell).is_covered()).count();
        let known = near.iter().filter(|&&cell| {
            premises.contains(&Premise::Mine(cell)) || premises.contains(&Premise::Safe(cell))
        });
        (near.iter().filter(mine).count(), covered - known.count(), covered)
    }

    /// What two clues say of the cells that one or both of them see.
    fn pair(&self, one: Cell, other: Cell, conclusion: &Conclusion) -> String {
        let sees = |clue| self.view.shape().neighbors(clue).contains(&conclusion.cell);
        let (one, other) = if sees(one) { (one, other) } else { (other, one) };
        let (first, second) = (self.clue(one), self.clue(other));
        match (conclusion.fact, sees(other)) {
            (Fact::Safe, true) => {
                format!("{first} and {second} together leave the cells both see no room for a mine")
            }
            (Fact::Mine, true) => {
                format!("{first} and {second} together need every cell both see")
            }
            (Fact::Safe, false) => {
                format!("{second} gives the cells both see all the mines that {first} admits")
            }
            (Fact::Mine, false) => {
                format!("{second} leaves the cells both see too few mines for {first}")
            }
        }
    }

    /// What the mine total says, alone or with clues.
    fn total(&self, clues: &[Cell], conclusion: &Conclusion) -> String {
        let outcome = self.outcome(conclusion.cell, conclusion.fact);
        let mines = self.view.rules().mines();
        if clues.is_empty() {
            return match (conclusion.fact, mines) {
                (Fact::Safe, 0) => format!("there are no mines at all, so {outcome}"),
                (Fact::Safe, 1) => format!("the only mine is known, so {outcome}"),
                (Fact::Safe, _) => format!("all {} are known, so {outcome}", many(mines, "mine")),
                (Fact::Mine, _) => format!("as many mines as cells are left, so {outcome}"),
            };
        }
        let apart =
            clues.iter().all(|&clue| !self.view.shape().neighbors(clue).contains(&conclusion.cell));
        let list = self.list(clues);
        if apart && conclusion.fact == Fact::Safe {
            let takes = if clues.len() == 1 { "takes" } else { "take" };
            return format!("{list} {takes} all the mines that are left, so {outcome}");
        }
        let fit = if clues.len() == 1 { "fits" } else { "fit together" };
        format!("{}, {list} {fit} only if {outcome}", self.mines())
    }

    /// What goes wrong when the opposite is supposed.
    fn contradiction(&self, explanation: &Explanation, clues: &[Cell], total: bool) -> String {
        let suppose = Some((explanation.cell, explanation.fact.opposite()));
        let question = Question { view: self.view, facts: &Facts::of(self.view), suppose };
        let place = self.place(explanation.cell);
        let supposed = match explanation.fact {
            Fact::Safe => format!("if {place} were a mine"),
            Fact::Mine => format!("if {place} were safe"),
        };
        let with = if total { format!(" {}", self.mines()) } else { String::new() };
        match blocked(&question, clues) {
            Some(clue) if !total => {
                let mut others = clues.to_vec();
                others.retain(|&other| other != clue);
                let beside = match others.is_empty() {
                    true => String::new(),
                    false => format!(" beside {}", self.list(&others)),
                };
                format!("{supposed}, {} could not be satisfied{beside}", self.clue(clue))
            }
            _ => {
                let all = if clues.len() > 1 { " all" } else { "" };
                format!("{supposed}, {} could not{all} be satisfied{with}", self.list(clues))
            }
        }
    }

    fn mines(&self) -> String {
        format!("with {} on the whole board", many(self.view.rules().mines(), "mine"))
    }

    fn outcome(&self, cell: Cell, fact: Fact) -> String {
        let what = match fact {
            Fact::Safe => "safe",
            Fact::Mine => "a mine",
        };
        format!("{} is {what}", self.place(cell))
    }

    fn place(&self, cell: Cell) -> String {
        self.view.shape().place(cell)
    }

    fn clue(&self, cell: Cell) -> String {
        let symbol = match self.view.face(cell) {
            Face::Open { shown: Shown::Number(number), .. } => number.to_string(),
            face => face.to_string(),
        };
        format!("the {symbol} at {}", self.place(cell))
    }

    fn list(&self, clues: &[Cell]) -> String {
        let names: Vec<String> = clues.iter().map(|&clue| self.clue(clue)).collect();
        match &names[..] {
            [] => "the clues".to_owned(),
            [name] => name.clone(),
            names if names.len() > MOST_NAMED => many(names.len(), "clue"),
            [names @ .., last] => format!("{} and {last}", names.join(", ")),
        }
    }
}

/// A number of things in words.
fn many(number: usize, thing: &str) -> String {
    format!("{} {thing}{}", word(number), if number == 1 { "" } else { "s" })
}

/// A number as readers expect it: small ones spelled out.
fn word(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |&word| word.to_owned())
}
