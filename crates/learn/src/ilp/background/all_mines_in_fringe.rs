//! The whole fringe, where all mines left provably lie in it.

use super::{Argument, Meaning, Predicate};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "allMinesInFringe",
    arguments: &[Argument::In(Type::Board), Argument::Out(Type::Set)],
    meaning: Meaning::Whole(|situation, supposed| situation.fringe(supposed)),
    words: "all mines left on {0} are in the fringe, which is {1}",
};
