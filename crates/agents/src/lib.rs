//! Players that need no training, one file each.

pub mod filter;
mod gauss_csp;
mod gauss_csp_plus;
mod lowest_risk;
mod mio_rules;
mod mio_rules_prob;
mod msla_teacher;
mod pgms;
#[cfg(test)]
mod pictures;
mod random;
mod single_point;
mod weighing;

use deminer_game::Entry;

/// The agents of this crate.
pub const ROSTER: &[Entry] = &[
    filter::ENTRY,
    gauss_csp::ENTRY,
    gauss_csp_plus::ENTRY,
    lowest_risk::ENTRY,
    mio_rules::ENTRY,
    mio_rules_prob::ENTRY,
    msla_teacher::ENTRY,
    pgms::ENTRY,
    random::ENTRY,
    single_point::ENTRY,
];
