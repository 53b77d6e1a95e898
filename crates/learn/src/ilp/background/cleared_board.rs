//! The board with the cell taken for safe. Ours: whoever finds two sets that clash on it has shown that the cell is a mine.

use super::{Argument, Meaning, Predicate, Supposed};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "clearedBoard",
    arguments: &[
        Argument::In(Type::Covered),
        Argument::In(Type::Board),
        Argument::Out(Type::Board),
    ],
    meaning: Meaning::Board(Supposed::Safe),
    words: "suppose the cell is safe, which gives {2}",
};
