//! Players that need no training, one file each.

mod beliefs;
mod certain;
mod frontier;
mod lowest_risk;
mod pedersen;
mod pseq;
mod random;
mod risk;
pub mod search;
mod single_point;
mod tang;

use deminer_game::Entry;

/// The agents of this crate.
pub const ROSTER: &[Entry] = &[
    lowest_risk::ENTRY,
    pedersen::ENTRY,
    pseq::ENTRY,
    random::ENTRY,
    single_point::ENTRY,
    tang::ENTRY,
];
