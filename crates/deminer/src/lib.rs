//! Exact Minesweeper: odds, proofs, the best move, and forty ways to play.
//!
//! Paste a position and count it:
//!
//! ```
//! let position: deminer::View = "mines 3
//!     ## # # #
//!     ## 1 2 #
//!     ## # # #".parse()?;
//! let analysis = deminer::analyze(&position)?;
//! assert_eq!(analysis.safe.len(), 4);
//! let corner = position.shape().cell(0, 0).unwrap();
//! assert_eq!(analysis.mine_probability(corner), Some(1.0 / 3.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Ask for the best move and why:
//!
//! ```
//! let position: deminer::View = "mines 2
//!     ## # #
//!     1 2 #
//!     . 1 #".parse()?;
//! let best = deminer::analyze(&position)?.best.expect("a cell to open");
//! println!("open {:?}: {}", position.shape().position(best.cell), best.why());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Let an agent play a seeded game:
//!
//! ```
//! use deminer::{FirstClick, GameSeed, Match, Outcome, Rules};
//!
//! let rules = Rules::of("expert".parse()?)?;
//! let mut game = Match::new(rules, FirstClick::Corner, GameSeed { seed: 4, game: 0 });
//! let outcome = game.play(deminer::agent("best")?.build()?.as_mut());
//! println!("{outcome}\n{}", game.board().view());
//! # assert_eq!(outcome, Outcome::Won);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | read a position | [`View`] and its text notation, or `formats` for links and files |
//! | count it, prove it, find the best move | [`analyze`], [`AnalyzeOptions`] |
//! | count many positions fast | [`Engine`], which keeps what it has counted |
//! | compare moves as the strongest player does | [`Judge`] |
//! | explain one cell | [`explain`] |
//! | give a player a hint in steps | [`hint`](fn@hint) |
//! | teach a technique, with exercises | [`lesson`] |
//! | review a finished game | [`review`] of a [`Record`] |
//! | make a board that needs no guess | [`no_guess`](fn@no_guess) |
//! | get an agent by name | [`agent`], or [`roster`] for agents that play with learned files |
//! | play | [`Match`], or [`play`](fn@play) for a whole recorded game |
//! | let a person play, with undo and a record | [`Session`] |
//! | write an agent | [`Agent`] |
//!
//! Positions and games are values. Nothing here reads files or clocks, starts threads or draws:
//! bytes and seeds are passed in, so the crate also runs inside a browser.
//!
//! Features: `learn` (trees, rules, genomes and tables that were learned), `neural` (networks),
//! `serde` ([`documents`] and [`requests`] as JSON, file formats). Without them fewer than 25 crates are built.

pub mod analysis;
pub mod chains;
pub mod coach;
#[cfg(feature = "serde")]
pub mod documents;
pub mod equations;
pub mod hint;
pub mod lesson;
pub mod no_guess;
pub mod overrides;
pub mod play;
pub mod reasons;
#[cfg(feature = "serde")]
pub mod requests;
pub mod roster;
pub mod session;
pub mod stats;
pub mod tally;
pub mod words;

pub use analysis::{Analysis, AnalyzeOptions, Conflict, analyze};
pub use coach::{Review, review};
pub use deminer_agents::search::{Judge, Settings};
#[cfg(feature = "serde")]
pub use deminer_formats as formats;
pub use deminer_game::{
    Action, Agent, Board, Cell, ClueRule, Decision, Face, FirstClick, GameSeed, Layout, Match,
    Outcome, Record, Rng, Rules, Shape, Size, Start, View, Why, stop,
};
pub use deminer_inference::odds::Engine;
pub use deminer_inference::proof::{Explanation, explain};
pub use hint::{Hint, hint};
pub use no_guess::no_guess;
pub use overrides::Overrides;
pub use play::play;
pub use roster::agent;
pub use session::Session;
