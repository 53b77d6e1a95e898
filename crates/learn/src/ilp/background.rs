//! Background knowledge: the predicates that rules consist of.
//!
//! The first eight are those of L. Peña Castillo and S. Wrobel, "Learning Minesweeper with
//! Multirelational Learning" (2003); the others are ours. A [`Predicate`] says what it means;
//! everything else (arguments, evaluation, saturation, other systems' syntax) follows from that.

use deminer_inference::relations::MineSet;

use super::clause::Type;
use super::situation::Situation;

/// Every predicate there is.
pub static BACKGROUND: [Predicate; 13] = [
    Predicate {
        name: "zoneOfInterest",
        meaning: Meaning::Zone(Reach::Near),
        words: "{2} is the clues around the cell and those that share a covered cell with one of them",
    },
    Predicate {
        name: "totalMinesLeft",
        meaning: Meaning::Left(|situation, supposed| situation.mines_left(supposed)),
        words: "{1} is the number of mines left to be marked on {0}",
    },
    Predicate {
        name: "allMinesInFringe",
        meaning: Meaning::Whole(|situation, supposed| situation.fringe(supposed)),
        words: "all mines left on {0} are in the fringe, which is {1}",
    },
    Predicate {
        name: "setHasXMines",
        meaning: Meaning::Any(|situation, supposed, reach| situation.sets(supposed, reach)),
        words: "{3} is the covered cells around a clue {0} of {2} on {1}",
    },
    Predicate {
        name: "diffSetHasXMines",
        meaning: Meaning::Join(|set, other| set.without(other)),
        words: "{2} is {0} without {1}, and its mines are certain",
    },
    Predicate {
        name: "inSet",
        meaning: Meaning::Holds(|set| set.holds_center()),
        words: "the cell is in {1}",
    },
    Predicate {
        name: "lengthSet",
        meaning: Meaning::Measures(|set, number| set.size() as i32 == number),
        words: "{0} has {1} cells",
    },
    Predicate {
        name: "minesInSet",
        meaning: Meaning::Count(|set| set.mines()),
        words: "{0} has {1} mines",
    },
    // A chain of sets may need one link more than the paper's zone has.
    Predicate {
        name: "widerZone",
        meaning: Meaning::Zone(Reach::Wide),
        words: "{2} is the clues up to two covered cells away from those around the cell",
    },
    // Two sets that clash on this board show that the cell is safe.
    Predicate {
        name: "markedBoard",
        meaning: Meaning::Board(Supposed::Mine),
        words: "suppose the cell is a mine, which gives {2}",
    },
    // Two sets that clash on this board show that the cell is a mine.
    Predicate {
        name: "clearedBoard",
        meaning: Meaning::Board(Supposed::Safe),
        words: "suppose the cell is safe, which gives {2}",
    },
    // No number of mines in the cells they share fits both.
    Predicate {
        name: "clash",
        meaning: Meaning::Relates(|set, other| set.clashes(other)),
        words: "{0} and {1} cannot both be right",
    },
    // Only so a rule can speak of the sea.
    Predicate {
        name: "outOfSet",
        meaning: Meaning::Holds(|set| !set.holds_center()),
        words: "the cell is not in {1}",
    },
];

/// The predicates of the paper.
pub fn of_the_paper() -> &'static [Predicate] {
    &BACKGROUND[..8]
}

/// The predicate of this name.
pub fn find(name: &str) -> Option<&'static Predicate> {
    BACKGROUND.iter().find(|predicate| predicate.name == name)
}

/// What rules may be made of.
#[derive(Clone, Copy, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: &'static str,
    /// What it says, which also decides its arguments.
    pub meaning: Meaning,
    /// The same in words; `{0}` and so on are the arguments, without an article.
    pub words: &'static str,
}

impl PartialEq for Predicate {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Predicate {}

impl Predicate {
    /// Its arguments.
    pub const fn arguments(&self) -> &'static [Argument] {
        use Argument::{Constant, In, Out};
        use Type::{Board, Clue, Covered, Number, Set, Zone};
        match self.meaning {
            Meaning::Zone(_) => &[In(Covered), In(Board), Out(Zone)],
            Meaning::Board(_) => &[In(Covered), In(Board), Out(Board)],
            Meaning::Any(_) => &[Out(Clue), In(Board), In(Zone), Out(Set)],
            Meaning::Whole(_) => &[In(Board), Out(Set)],
            Meaning::Left(_) => &[In(Board), Out(Number)],
            Meaning::Join(_) => &[In(Set), In(Set), Out(Set)],
            Meaning::Count(_) => &[In(Set), Constant],
            Meaning::Holds(_) => &[In(Covered), In(Set)],
            Meaning::Measures(_) => &[In(Set), In(Number)],
            Meaning::Relates(_) => &[In(Set), In(Set)],
        }
    }

    /// Its place in [`BACKGROUND`].
    pub(super) fn place(&self) -> usize {
        BACKGROUND.iter().position(|other| other == self).expect("it is registered")
    }
}

/// How an argument is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// `+`: it is known before.
    In(Type),
    /// `-`: it is given.
    Out(Type),
    /// `-#`: a number that is given; it may stand in a rule itself.
    Constant,
}

impl Argument {
    /// The type.
    pub const fn kind(self) -> Type {
        match self {
            Argument::In(kind) | Argument::Out(kind) => kind,
            Argument::Constant => Type::Number,
        }
    }

    /// Whether it is given.
    pub const fn is_output(self) -> bool {
        !matches!(self, Argument::In(_))
    }
}

/// How far a zone reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Reach {
    /// The clues around a cell, and those that share a covered cell with one of them.
    #[default]
    Near,
    /// And those that share one with these.
    Wide,
}

/// What is supposed of the cell in a clause's head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Supposed {
    /// Nothing: the board as it is seen.
    Nothing,
    /// It is a mine.
    Mine,
    /// It is safe.
    Safe,
}

impl Supposed {
    /// What a set says under this supposition.
    pub fn apply(self, set: MineSet) -> MineSet {
        match self {
            Supposed::Nothing => set,
            Supposed::Mine => set.knowing_center(true),
            Supposed::Safe => set.knowing_center(false),
        }
    }
}

/// What a predicate says, by the kind of its arguments. Sets are seen from the cell of the
/// clause's head: whether it is in a set, the set itself knows.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// `(+TU, +Board, -Zone)`: a zone around the cell.
    Zone(Reach),
    /// `(+TU, +Board, -Board)`: the board with a supposition, which no board has twice.
    Board(Supposed),
    /// `(-TD, +Board, +Zone, -Set)`: any of the sets of a zone's clues.
    Any(fn(&Situation, Supposed, Reach) -> Vec<MineSet>),
    /// `(+Board, -Set)`: a set of the whole board, if there is one.
    Whole(fn(&Situation, Supposed) -> Option<MineSet>),
    /// `(+Board, -Int)`: a number of the whole board.
    Left(fn(&Situation, Supposed) -> i32),
    /// `(+Set, +Set, -Set)`: a set made of two, if they allow it.
    Join(fn(MineSet, MineSet) -> Option<MineSet>),
    /// `(+Set, -#Int)`: a number of a set.
    Count(fn(MineSet) -> i32),
    /// `(+TU, +Set)`: something about the cell and a set.
    Holds(fn(MineSet) -> bool),
    /// `(+Set, +Int)`: something about a set and a number.
    Measures(fn(MineSet, i32) -> bool),
    /// `(+Set, +Set)`: something about two sets.
    Relates(fn(MineSet, MineSet) -> bool),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's Table 1.
    #[test]
    fn modes_and_types_are_those_of_the_paper() {
        let modes: Vec<String> = of_the_paper()
            .iter()
            .map(|predicate| {
                let mode = |argument: &Argument| match argument {
                    Argument::In(kind) => format!("+{}", kind.name()),
                    Argument::Out(kind) => format!("-{}", kind.name()),
                    Argument::Constant => "-#Int".to_owned(),
                };
                let arguments: Vec<String> = predicate.arguments().iter().map(mode).collect();
                format!("{}({})", predicate.name, arguments.join(", "))
            })
            .collect();
        let expected = [
            "zoneOfInterest(+TU, +Board, -Zone)",
            "totalMinesLeft(+Board, -Int)",
            "allMinesInFringe(+Board, -Set)",
            "setHasXMines(-TD, +Board, +Zone, -Set)",
            "diffSetHasXMines(+Set, +Set, -Set)",
            "inSet(+TU, +Set)",
            "lengthSet(+Set, +Int)",
            "minesInSet(+Set, -#Int)",
        ];
        assert_eq!(modes, expected);
        for predicate in &BACKGROUND {
            let same = BACKGROUND.iter().filter(|other| *other == predicate);
            assert_eq!(same.count(), 1, "{}", predicate.name);
        }
    }
}
