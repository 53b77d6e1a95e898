//! Players, one file each.

mod best;
mod cs520;
mod cs520x;
pub mod filter;
mod gauss_csp;
mod gauss_csp_plus;
mod lowest_risk;
mod mcmc;
mod mio_rules;
mod mio_rules_prob;
mod msla_teacher;
mod optimal;
mod pedersen;
mod pgms;
mod pseq;
mod random;
mod sampled;
mod single_point;
mod tang;

use deminer_game::Entry;

pub use mio_rules_prob::guess as guess_by_greatest_ratio;

/// The agents of this crate.
pub const ROSTER: &[Entry] = &[
    best::ENTRY,
    cs520::ENTRY,
    cs520x::ENTRY,
    filter::ENTRY,
    gauss_csp::ENTRY,
    gauss_csp_plus::ENTRY,
    lowest_risk::ENTRY,
    mcmc::ENTRY,
    mio_rules::ENTRY,
    mio_rules_prob::ENTRY,
    msla_teacher::ENTRY,
    optimal::ENTRY,
    pedersen::ENTRY,
    pgms::ENTRY,
    pseq::ENTRY,
    random::ENTRY,
    sampled::ENTRY,
    single_point::ENTRY,
    tang::ENTRY,
];
