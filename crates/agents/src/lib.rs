//! Players that need no training, one file each.

mod lowest_risk;
mod random;
mod single_point;

use deminer_game::Entry;

/// The agents of this crate.
pub const ROSTER: &[Entry] = &[lowest_risk::ENTRY, random::ENTRY, single_point::ENTRY];
