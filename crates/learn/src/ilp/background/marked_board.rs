//! The board with the cell marked as a mine. Ours: whoever finds two sets that clash on it has shown that the cell is safe.

use super::{Argument, Meaning, Predicate, Supposed};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "markedBoard",
    arguments: &[
        Argument::In(Type::Covered),
        Argument::In(Type::Board),
        Argument::Out(Type::Board),
    ],
    meaning: Meaning::Board(Supposed::Mine),
    words: "suppose the cell is a mine, which gives {2}",
};
