//! The cells of one set that are not in another, where their mines are certain.

use super::{Argument, Meaning, Predicate};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "diffSetHasXMines",
    arguments: &[Argument::In(Type::Set), Argument::In(Type::Set), Argument::Out(Type::Set)],
    meaning: Meaning::Join(|set, other| set.without(other)),
    words: "{2} is {0} without {1}, and its mines are certain",
};
