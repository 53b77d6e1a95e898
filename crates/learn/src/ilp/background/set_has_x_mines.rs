//! The covered cells around a clue of a zone, and the mines that the clue still needs.

use super::{Argument, Meaning, Predicate};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "setHasXMines",
    arguments: &[
        Argument::Out(Type::Clue),
        Argument::In(Type::Board),
        Argument::In(Type::Zone),
        Argument::Out(Type::Set),
    ],
    meaning: Meaning::Any(|situation, supposed, reach| situation.sets(supposed, reach)),
    words: "{3} is the covered cells around a clue {0} of {2} on {1}",
};
