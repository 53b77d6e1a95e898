//! Running a program: flat code, and a machine that stops at every action.

use super::operation::Operation;
use crate::evolve::tree::{Symbol, Tree};

/// One instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Push(u8),
    /// What an operation does that is neither a direction nor made of other steps.
    Do(Operation),
    Drop,
    /// Takes a direction, and goes there unless its cell is covered.
    UnlessCovered(u16),
    Jump(u16),
    Call(u16),
    Return,
    End,
}

/// A program as flat code: its own functions first, then the main program.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Code {
    steps: Vec<Step>,
    main: u16,
}

impl Code {
    /// The code of a main program and its two functions.
    pub fn of(branches: &[Tree<Operation>; 3]) -> Self {
        let mut code = Self::default();
        code.read(branches);
        code
    }

    /// The same in place.
    pub fn read(&mut self, [main, first, second]: &[Tree<Operation>; 3]) {
        self.steps.clear();
        let mut entries = [0; 2];
        for (number, branch) in [first, second].into_iter().enumerate() {
            entries[number] = self.steps.len() as u16;
            self.compile(branch, 0, entries);
            self.steps.push(Step::Return);
        }
        self.main = self.steps.len() as u16;
        self.compile(main, 0, entries);
        self.steps.push(Step::End);
    }

    /// Compiles a subtree and returns where it ends. No tree is deep enough to exhaust the stack.
    fn compile(&mut self, tree: &Tree<Operation>, at: usize, entries: [u16; 2]) -> usize {
        let operation = tree.nodes()[at];
        let mut next = at + 1;
        match operation {
            Operation::Direction(direction) => self.steps.push(Step::Push(direction)),
            Operation::Argument => self.steps.push(Step::Do(operation)),
            Operation::Then => {
                next = self.compile(tree, next, entries);
                self.steps.push(Step::Drop);
                next = self.compile(tree, next, entries);
            }
            Operation::IfCovered => {
                next = self.compile(tree, next, entries);
                let branch = self.steps.len();
                self.steps.push(Step::UnlessCovered(0));
                next = self.compile(tree, next, entries);
                let jump = self.steps.len();
                self.steps.push(Step::Jump(0));
                self.steps[branch] = Step::UnlessCovered(self.steps.len() as u16);
                next = self.compile(tree, next, entries);
                self.steps[jump] = Step::Jump(self.steps.len() as u16);
            }
            _ => {
                debug_assert_eq!(operation.arity(), 1);
                next = self.compile(tree, next, entries);
                self.steps.push(match operation {
                    Operation::First => Step::Call(entries[0]),
                    Operation::Second => Step::Call(entries[1]),
                    _ => Step::Do(operation),
                });
            }
        }
        next
    }
}

/// What a machine sees of a board: cells by their numbers.
pub(super) trait Ground {
    /// The cell one step away, if it is on the board.
    fn step(&self, from: usize, direction: u8) -> Option<usize>;
    /// Whether a cell is covered.
    fn covered(&self, cell: usize) -> bool;
    /// The mines around a cell, if they are seen.
    fn count(&self, cell: usize) -> Option<u8>;
}

/// What a machine wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    Mark(usize),
    Uncover(usize),
    /// The program has come to its end and would begin anew.
    Again,
    /// All actions are spent.
    Nothing,
}

/// A program in the midst of running.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Machine {
    at: usize,
    values: Vec<u8>,
    /// Where to go on after a function, and what it was called with.
    calls: Vec<(usize, u8)>,
    pub(super) position: usize,
    pub(super) actions: u32,
}

impl Machine {
    /// Begins at a cell, with this many actions.
    pub fn begin(&mut self, code: &Code, position: usize, actions: u32) {
        self.at = usize::from(code.main);
        self.values.clear();
        self.calls.clear();
        (self.position, self.actions) = (position, actions);
    }

    /// Runs to the next mark or uncovering, or to the program's end.
    pub(super) fn run(&mut self, code: &Code, ground: &impl Ground) -> Wish {
        loop {
            let step = code.steps[self.at];
            self.at += 1;
            match step {
                Step::Push(value) => self.values.push(value),
                Step::Do(Operation::Argument) => {
                    self.values.push(self.calls.last().map_or(8, |(_, argument)| *argument));
                }
                Step::Drop => {
                    self.values.pop();
                }
                Step::Jump(to) => self.at = usize::from(to),
                Step::UnlessCovered(to) => {
                    let direction = self.values.pop().expect("a question has a direction");
                    let cell = ground.step(self.position, direction);
                    if !cell.is_some_and(|cell| ground.covered(cell)) {
                        self.at = usize::from(to);
                    }
                }
                Step::Call(to) => {
                    let argument = self.values.pop().expect("a call has an argument");
                    self.calls.push((self.at, argument));
                    self.at = usize::from(to);
                }
                Step::Return => {
                    (self.at, _) = self.calls.pop().expect("only functions return");
                }
                Step::Do(Operation::Count) => {
                    let direction = self.values.last_mut().expect("a count has a direction");
                    let cell = ground.step(self.position, *direction);
                    *direction = cell.and_then(|cell| ground.count(cell)).unwrap_or(8);
                }
                Step::End => {
                    self.at = usize::from(code.main);
                    self.values.clear();
                    return Wish::Again;
                }
                Step::Do(action) => {
                    if self.actions == 0 {
                        return Wish::Nothing;
                    }
                    self.actions -= 1;
                    let direction = *self.values.last().expect("an action has a direction");
                    let Some(cell) = ground.step(self.position, direction) else { continue };
                    match action {
                        Operation::Move => self.position = cell,
                        Operation::Mark => return Wish::Mark(cell),
                        _ => return Wish::Uncover(cell),
                    }
                }
            }
        }
    }
}
