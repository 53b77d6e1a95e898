//! The cell is one of a set.

use super::{Argument, Meaning, Predicate};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "inSet",
    arguments: &[Argument::In(Type::Covered), Argument::In(Type::Set)],
    meaning: Meaning::Holds(|set| set.holds_center()),
    words: "the cell is in {1}",
};
