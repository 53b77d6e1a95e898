//! Players that need no training.
//!
//! [`players`] has one file per player and lists them in [`ROSTER`]; [`search`] is what the
//! strongest player is made of; `parts` is what several players share.
//!
//! ```
//! use deminer_agents::ROSTER;
//! use deminer_game::{FirstClick, GameSeed, Match, Options, Outcome, Rules};
//!
//! let entry = ROSTER.iter().find(|entry| entry.name == "best").expect("in the roster");
//! let mut agent = (entry.build)(&Options::default())?;
//! let rules = Rules::of("expert".parse()?)?;
//! let mut game = Match::new(rules, FirstClick::Corner, GameSeed { seed: 4, game: 0 });
//! assert_eq!(game.play(agent.as_mut()), Outcome::Won);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod parts;
pub mod players;
pub mod search;

pub use players::ROSTER;
