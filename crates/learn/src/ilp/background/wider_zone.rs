//! The zone of interest, and the clues that share a covered cell with one of it. Ours: a chain of sets may need one link more than the paper's zone has.

use super::{Argument, Meaning, Predicate, Reach};
use crate::ilp::clause::Type;

pub const PREDICATE: Predicate = Predicate {
    name: "widerZone",
    arguments: &[Argument::In(Type::Covered), Argument::In(Type::Board), Argument::Out(Type::Zone)],
    meaning: Meaning::Zone(Reach::Wide),
    words: "{2} is the clues up to two covered cells away from those around the cell",
};
