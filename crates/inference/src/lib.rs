//! What a view proves, and the mine probabilities of the other cells. Agents decide what to do
//! with it.
//!
//! ```
//! use deminer_inference::odds::Engine;
//!
//! let view: deminer_game::View = "mines 3\n# # # #\n# 1 2 #\n# # # #".parse()?;
//! let mut engine = Engine::default();
//! let odds = engine.odds(&view)?;
//! let corner = view.shape().cell(0, 0).expect("on the board");
//! assert_eq!(odds.mine(corner), Some(1.0 / 3.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(test)]
mod boards;
mod class;

pub mod constraints;
pub mod deduce;
mod fringe;
pub mod odds;
pub mod oracle;
pub mod proof;
pub mod relations;
