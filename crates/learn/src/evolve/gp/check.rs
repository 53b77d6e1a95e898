//! The checks of a tree, and the offsets they read.

use crate::evolve::tree::Symbol;

/// How far another cell lies: rows down and columns to the right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Offset {
    /// Rows down.
    pub down: i8,
    /// Columns to the right.
    pub right: i8,
}

impl Offset {
    /// The distance in steps of a king.
    #[inline]
    pub fn distance(self) -> u8 {
        self.down.unsigned_abs().max(self.right.unsigned_abs())
    }
}

/// What a node asks of the cell at each of its two offsets, and does where the answer is yes.
/// The cell that the tree is evaluated at is called the input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Check {
    /// Is it taken for empty? If it also touches the input, the input is empty.
    Empty,
    /// Does it touch the input?
    Neighbor,
    /// Is it two steps away?
    OuterNeighbor,
    /// Is it a number? If it also touches the input, the input is empty and touches a number.
    Number,
    /// Is it unknown?
    Unknown,
    /// Is it a number? If it has just as many neighbors that are not known to be free, those are
    /// mines.
    Full,
    /// Is it taken for a mine? If a neighbor is neither a number nor taken for one, it is empty.
    Filled,
    /// Is it marked as empty? Then the kind of empty is known too.
    EmptyTouch,
    /// Is it two steps away? Then the input, unless taken for far from numbers, is a mine.
    OuterCompare,
    /// Is it on the border?
    Edge,
    /// Is it a number? If just as many of its neighbors are taken for mines, its other unknown
    /// neighbors are empty. Not in the paper, but in its authors' program under another name.
    Saturated,
}
deminer_game::words!(
    Check, "a check":
    Empty = "emptyCheck",
    Neighbor = "neighborCheck",
    OuterNeighbor = "outerNeighborCheck",
    Number = "numCheck",
    Unknown = "unknownCheck",
    Full = "fullCheck",
    Filled = "filledCheck",
    EmptyTouch = "emptyTouchCheck",
    OuterCompare = "outerCompare",
    Edge = "edgeCheck",
    Saturated = "saturatedCheck",
);

impl Check {
    /// The ten of the paper.
    pub const PAPER: &[Check] = Check::ALL.split_at(10).0;
}

/// A node of a tree: a check of two arguments, or an offset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A check of the offsets that its arguments return. It returns the one that passes, or one
    /// of them at random if both do or none.
    Check(Check),
    /// An offset.
    Offset(Offset),
}

impl Symbol for Node {
    fn arity(&self) -> usize {
        match self {
            Node::Check(_) => 2,
            Node::Offset(_) => 0,
        }
    }

    fn name(&self) -> String {
        match self {
            Node::Check(check) => check.name().to_owned(),
            Node::Offset(Offset { down, right }) => format!("({down},{right})"),
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        if let Ok(check) = name.parse() {
            return Some(Node::Check(check));
        }
        let (down, right) = name.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
        let (down, right) = (down.parse().ok()?, right.parse().ok()?);
        Some(Node::Offset(Offset { down, right }))
    }

    fn expected() -> String {
        let names: Vec<&str> = Check::ALL.iter().map(|check| check.name()).collect();
        format!("an offset such as (0,-1) or a check ({})", names.join(", "))
    }
}
