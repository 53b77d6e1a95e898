//! The cell is not one of a set. Ours: only so a rule can speak of the sea.

use super::{Argument, Meaning, Predicate};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "outOfSet",
    arguments: &[Argument::In(Type::Covered), Argument::In(Type::Set)],
    meaning: Meaning::Holds(|set| !set.holds_center()),
    words: "the cell is not in {1}",
};
