//! Players that need no training.
//!
//! [`players`] has one file per player and lists them in [`ROSTER`]; [`search`] is what the
//! strongest player is made of; `parts` is what several players share.

mod parts;
pub mod players;
pub mod search;

pub use players::ROSTER;
