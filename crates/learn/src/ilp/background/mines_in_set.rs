//! So many mines are among the cells of a set.

use super::{Argument, Meaning, Predicate};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "minesInSet",
    arguments: &[Argument::In(Type::Set), Argument::Constant],
    meaning: Meaning::Count(|set| set.mines()),
    words: "{0} has {1} mines",
};
