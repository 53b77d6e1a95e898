//! Players that need no training, one file each.

mod certain;
mod lowest_risk;
mod pseq;
mod random;
pub mod search;
mod single_point;

use deminer_game::Entry;

/// The agents of this crate.
pub const ROSTER: &[Entry] = &[lowest_risk::ENTRY, pseq::ENTRY, random::ENTRY, single_point::ENTRY];
