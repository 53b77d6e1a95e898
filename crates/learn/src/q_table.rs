//! Q-learning with a table: the value of opening each cell in each view.
//!
//! L. Gardea, G. Koontz and R. Silva, "Training a Minesweeper Solver" (Stanford University, 2015).
//! A view of the whole board is a state, a covered cell an action. A pupil plays, mostly what it
//! holds best and now and then anything; after the game every step is worth what it was paid for
//! and what the best step of the next view is worth.
//!
//! ```text
//! # # 1 .      The view, turned and mirrored to its standard position, is looked up. Its row has
//! # 2 1 .      a number for each covered cell; the highest is opened.
//! ```
//!
//! Views of 4x4 boards are few enough to meet them all. Those of 5x5 boards are not, which is why
//! tables come to nothing there; turning them helps by a factor of eight and no more.

mod agent;
mod artifact;
mod pupil;
mod table;

pub use agent::{ENTRY, Player};
pub use artifact::{Artifact, Origin};
pub use pupil::{Pupil, PupilState, QTablePlan, Rewards, Standing};
pub use table::{MOST_CELLS, Table};
