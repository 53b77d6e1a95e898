//! Sound rules: each proves cells safe or mined from what is seen, and can say why.

mod single_point;

pub use single_point::SinglePoint;

/// What is proved of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    /// No layout that fits the view has a mine here.
    Safe,
    /// Every layout that fits the view has a mine here.
    Mine,
}
