//! Players that need no training, one file each.

mod random;
mod single_point;

use deminer_game::Entry;

/// The agents of this crate.
pub const ROSTER: &[Entry] = &[random::ENTRY, single_point::ENTRY];
