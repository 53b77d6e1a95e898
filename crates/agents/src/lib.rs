//! Players that need no training, one file each.

mod cs520;
mod cs520x;
mod lowest_risk;
mod random;
mod single_point;

use deminer_game::Entry;

/// The agents of this crate.
pub const ROSTER: &[Entry] =
    &[cs520::ENTRY, cs520x::ENTRY, lowest_risk::ENTRY, random::ENTRY, single_point::ENTRY];
