//! A set has so many cells.

use super::{Argument, Meaning, Predicate};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "lengthSet",
    arguments: &[Argument::In(Type::Set), Argument::In(Type::Number)],
    meaning: Meaning::Measures(|set, number| set.size() as i32 == number),
    words: "{0} has {1} cells",
};
