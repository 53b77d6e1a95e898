//! The clues around a covered cell, and those that share a covered cell with one of them.

use super::{Argument, Meaning, Predicate, Reach};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "zoneOfInterest",
    arguments: &[Argument::In(Type::Covered), Argument::In(Type::Board), Argument::Out(Type::Zone)],
    meaning: Meaning::Zone(Reach::Near),
    words: "{2} is the clues around the cell and those that share a covered cell with one of them",
};
