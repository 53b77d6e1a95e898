//! Two sets that cannot both be right: no number of mines in the cells they share fits both. Ours.

use super::{Argument, Meaning, Predicate};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "clash",
    arguments: &[Argument::In(Type::Set), Argument::In(Type::Set)],
    meaning: Meaning::Relates(|set, other| set.clashes(other)),
    words: "{0} and {1} cannot both be right",
};
