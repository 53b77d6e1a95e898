//! Rules learned by induction: the Mio learner.
//!
//! L. Peña Castillo and S. Wrobel, "Learning Minesweeper with Multirelational Learning" (2003).

mod active;
mod agent;
pub mod aleph;
pub mod background;
mod beyond;
mod bottom;
mod clause;
mod example;
mod foil;
mod learn;
mod logical_tree;
mod macros;
#[cfg(test)]
mod oracle;
pub mod paper;
mod play;
mod pool;
mod program;
mod search;
mod setting;
mod situation;
mod theory;
mod words;

pub use active::{Event, ExampleServer, Judgment, Record, Server, Session, Terms};
pub use agent::{ENTRY, Guess, MioPlayer, Rulebook, build};
pub use beyond::{BeyondPlan, BeyondProgress, News};
pub use bottom::{Bottom, Saturation};
pub use clause::{Clause, ClauseError, Literal, Target, Term, Type, Variable};
pub use example::{Example, Labels, Sampler};
pub use foil::{FoilMethod, foil};
pub use learn::{Effort, Learned, Method, Task, learn};
pub use logical_tree::{LogicalGrowth, LogicalTree};
pub use play::{Watched, watch};
pub use pool::{Bits, Case, Pool};
pub use program::Program;
pub use search::{Bounds, Gain, Strategy};
pub use setting::Setting;
pub use situation::{Situation, Surveyor, trusted};
pub use theory::Theory;
pub use words::{Sighting, on_boards, plainly};

#[cfg(test)]
mod tests;
