//! How many mines are not marked yet.

use super::{Argument, Meaning, Predicate};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "totalMinesLeft",
    arguments: &[Argument::In(Type::Board), Argument::Out(Type::Number)],
    meaning: Meaning::Left(|situation, supposed| situation.mines_left(supposed)),
    words: "{1} is the number of mines left to be marked on {0}",
};
