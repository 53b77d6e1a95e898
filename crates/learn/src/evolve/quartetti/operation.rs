//! The operations of programs.

use crate::evolve::tree::Symbol;

/// A node of a program. Every node has a value from 0 to 8: a direction, or a count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// A direction: 0 to 7 from north clockwise, 8 for here.
    Direction(u8),
    /// What a function was called with; in the main program here.
    Argument,
    /// Goes a step; its value is the direction.
    Move,
    /// Marks a covered cell, which is then never uncovered; its value is the direction.
    Mark,
    /// Uncovers a cell; its value is the direction.
    Uncover,
    /// How many mines are around a cell, or 8 if that is not seen.
    Count,
    /// One thing after another; the value of the second.
    Then,
    /// Is the cell in a direction covered? If so the second argument, or else the third.
    IfCovered,
    /// The first function of its own.
    First,
    /// The second one, which may use the first.
    Second,
}

/// Directions by name, in their order.
const DIRECTIONS: [&str; 9] =
    ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest", "here"];

impl Operation {
    /// The functions by name, with their arguments.
    pub(super) const FUNCTIONS: [(Operation, &'static str, usize); 8] = [
        (Operation::Move, "move", 1),
        (Operation::Mark, "mark", 1),
        (Operation::Uncover, "uncover", 1),
        (Operation::Count, "count", 1),
        (Operation::Then, "then", 2),
        (Operation::IfCovered, "if-covered", 3),
        (Operation::First, "first", 1),
        (Operation::Second, "second", 1),
    ];

    /// How far each direction goes: rows down and columns to the right.
    pub(super) const STEPS: [(isize, isize); 9] =
        [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (0, 0)];

    /// The name, and how many arguments it takes.
    fn words(self) -> (&'static str, usize) {
        match self {
            Operation::Direction(direction) => (DIRECTIONS[usize::from(direction)], 0),
            Operation::Argument => ("argument", 0),
            function => {
                let known = Self::FUNCTIONS.iter().find(|(other, ..)| *other == function);
                known.map(|&(_, name, arity)| (name, arity)).expect("all others are functions")
            }
        }
    }
}

impl Symbol for Operation {
    fn arity(&self) -> usize {
        self.words().1
    }

    fn name(&self) -> String {
        self.words().0.to_owned()
    }

    fn of_name(name: &str) -> Option<Self> {
        let directions = (0..DIRECTIONS.len() as u8).map(Operation::Direction);
        let functions = Self::FUNCTIONS.iter().map(|(function, ..)| *function);
        let mut all = directions.chain([Operation::Argument]).chain(functions);
        all.find(|operation| operation.words().0 == name)
    }

    fn expected() -> String {
        let functions = Self::FUNCTIONS.map(|(_, name, _)| name).join(", ");
        format!("a direction (north … northwest, here), argument or ({functions})")
    }
}
