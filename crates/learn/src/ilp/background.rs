//! Background knowledge: the predicates that rules are made of, one file each.
//!
//! The first eight are those of L. Peña Castillo and S. Wrobel, "Learning Minesweeper with
//! Multirelational Learning" (2003); the others are ours. A [`Predicate`] says what its arguments
//! are and what it means; everything else (evaluation, saturation, words, other systems' syntax)
//! follows from that.

mod all_mines_in_fringe;
mod clash;
mod cleared_board;
mod diff_set_has_x_mines;
mod in_set;
mod length_set;
mod marked_board;
mod mines_in_set;
mod out_of_set;
mod set_has_x_mines;
mod total_mines_left;
mod wider_zone;
mod zone_of_interest;

use deminer_inference::relations::MineSet;

use super::clause::Type;
use super::situation::Situation;

/// Every predicate there is.
pub static BACKGROUND: [Predicate; 13] = [
    zone_of_interest::PREDICATE,
    total_mines_left::PREDICATE,
    all_mines_in_fringe::PREDICATE,
    set_has_x_mines::PREDICATE,
    diff_set_has_x_mines::PREDICATE,
    in_set::PREDICATE,
    length_set::PREDICATE,
    mines_in_set::PREDICATE,
    wider_zone::PREDICATE,
    marked_board::PREDICATE,
    cleared_board::PREDICATE,
    clash::PREDICATE,
    out_of_set::PREDICATE,
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
    /// Its arguments.
    pub arguments: &'static [Argument],
    /// What it says.
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
    /// Whether it only tests: nothing it says gives a variable.
    pub fn is_test(&self) -> bool {
        !self.arguments.iter().any(|argument| argument.is_output())
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

    /// Whether a number may stand for it.
    pub const fn admits_number(self) -> bool {
        matches!(self, Argument::Constant | Argument::In(Type::Number))
    }

    /// As the paper writes it.
    pub fn mode(self) -> String {
        match self {
            Argument::In(kind) => format!("+{}", kind.name()),
            Argument::Out(kind) => format!("-{}", kind.name()),
            Argument::Constant => "-#Int".to_owned(),
        }
    }
}

/// How far a zone reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reach {
    /// The clues around a cell, and those that share a covered cell with one of them.
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
                let arguments: Vec<String> =
                    predicate.arguments.iter().map(|argument| argument.mode()).collect();
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
    }

    #[test]
    fn arguments_are_those_of_the_meaning() {
        use Argument::{In, Out};
        use Type::{Board, Clue, Covered, Number, Set, Zone};
        for predicate in &BACKGROUND {
            let expected: &[Argument] = match predicate.meaning {
                Meaning::Zone(_) => &[In(Covered), In(Board), Out(Zone)],
                Meaning::Board(_) => &[In(Covered), In(Board), Out(Board)],
                Meaning::Any(_) => &[Out(Clue), In(Board), In(Zone), Out(Set)],
                Meaning::Whole(_) => &[In(Board), Out(Set)],
                Meaning::Left(_) => &[In(Board), Out(Number)],
                Meaning::Join(_) => &[In(Set), In(Set), Out(Set)],
                Meaning::Count(_) => &[In(Set), Argument::Constant],
                Meaning::Holds(_) => &[In(Covered), In(Set)],
                Meaning::Measures(_) => &[In(Set), In(Number)],
                Meaning::Relates(_) => &[In(Set), In(Set)],
            };
            assert_eq!(predicate.arguments, expected, "{}", predicate.name);
            assert!(BACKGROUND.iter().filter(|other| *other == predicate).count() == 1);
        }
    }
}
