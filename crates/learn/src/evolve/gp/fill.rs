//! Evaluating trees: flat instructions run at every unknown cell of a field.

use std::hash::{Hash, Hasher};

use super::check::{Check, Node, Offset};
use super::field::{Around, Code, EMPTY, Field, MINE, TOUCHING, UNKNOWN, is_number};
use crate::evolve::tree::{Symbol, Tree};

/// A tree as instructions, arguments before their check: a stack of offsets is all that running
/// it needs.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    steps: Vec<Node>,
    /// Where the coin's stream begins.
    pub(super) coin: u64,
}

impl Program {
    /// The instructions of a tree.
    pub fn of(tree: &Tree<Node>) -> Self {
        let nodes = tree.nodes();
        let mut steps = Vec::with_capacity(nodes.len());
        // Checks whose arguments are not all there yet, and how many have come.
        let mut open: Vec<(Node, usize)> = Vec::new();
        for &node in nodes {
            if node.arity() > 0 {
                open.push((node, 0));
                continue;
            }
            steps.push(node);
            while let Some((check, arguments)) = open.last_mut() {
                *arguments += 1;
                if *arguments < check.arity() {
                    break;
                }
                steps.push(*check);
                open.pop();
            }
        }
        let mut hasher = CoinHasher::default();
        nodes.hash(&mut hasher);
        Self { steps, coin: hasher.finish() }
    }
}

/// Hashes a tree to the same number on every machine, also where addresses have 32 bits:
/// the multiplicative hash of `rustc-hash` as it is with 64 bits.
#[derive(Default)]
struct CoinHasher(u64);

impl Hasher for CoinHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u8(byte));
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = self.0.wrapping_add(value).wrapping_mul(0xf135_7aea_2e62_a9c5);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

/// Runs programs on fields. Keeps its buffers.
#[derive(Clone, Debug, Default)]
pub struct Filler {
    /// What each place is taken for.
    pub(super) codes: Vec<Code>,
    /// Cells that are not to be edited: those seen and, with memory, those proved.
    pub(super) fixed: Vec<bool>,
    /// What is around each place now.
    around: Vec<Around>,
    stack: Vec<Offset>,
    coin: u64,
    /// Whether proved cells are remembered.
    memory: bool,
}

impl Filler {
    /// Fills a field in. With `memory`, a cell keeps what a full or saturated number proves.
    pub fn fill(&mut self, program: &Program, field: &Field, memory: bool) -> &[Code] {
        self.codes.clone_from(&field.seen);
        self.around.clone_from(&field.around);
        self.fixed.clear();
        self.fixed.extend(field.seen.iter().map(|&code| code != UNKNOWN));
        self.memory = memory;
        // Xorshift never leaves zero.
        self.coin = program.coin | 1;
        for &input in &field.inputs {
            self.stack.clear();
            for &step in &program.steps {
                match step {
                    Node::Offset(offset) => self.stack.push(offset),
                    Node::Check(check) => {
                        let second = self.stack.pop().expect("a check has two arguments");
                        let first = self.stack.pop().expect("a check has two arguments");
                        let passed = [first, second].map(|at| self.check(field, input, check, at));
                        let chosen = match passed {
                            [true, false] => first,
                            [false, true] => second,
                            _ if self.toss() => first,
                            _ => second,
                        };
                        self.stack.push(chosen);
                    }
                }
            }
        }
        &self.codes
    }

    fn toss(&mut self) -> bool {
        self.coin ^= self.coin << 13;
        self.coin ^= self.coin >> 7;
        self.coin ^= self.coin << 17;
        self.coin >> 63 == 1
    }

    /// Edits a cell that may be edited, and counts anew what is around its neighbors.
    #[inline]
    fn set(&mut self, field: &Field, place: usize, code: Code) {
        let old = self.codes[place];
        if self.fixed[place] || old == code {
            return;
        }
        self.codes[place] = code;
        let negative = i8::from(code < 0) - i8::from(old < 0);
        let mines = i8::from(code == MINE) - i8::from(old == MINE);
        if (negative, mines) != (0, 0) {
            for near in field.around(place) {
                let around = &mut self.around[near];
                around.negative = around.negative.wrapping_add_signed(negative);
                around.mines = around.mines.wrapping_add_signed(mines);
            }
        }
    }

    /// Whether the cell at an offset passes, with the edits that follow.
    fn check(&mut self, field: &Field, input: (i16, i16), check: Check, at: Offset) -> bool {
        let (mut row, mut column) = (input.0 + i16::from(at.down), input.1 + i16::from(at.right));
        let (height, width) = (field.height as i16, field.width as i16);
        if field.wraps {
            row += if row < 0 { height } else { 0 };
            column += if column < 0 { width } else { 0 };
        }
        if !(0..height).contains(&row) || !(0..width).contains(&column) {
            return false;
        }
        let place = field.input((row, column));
        let here = || field.input(input);
        let code = self.codes[place];
        let empty = code == EMPTY || code == TOUCHING;
        match check {
            Check::Neighbor => at.distance() == 1,
            Check::OuterNeighbor => at.distance() == 2,
            Check::Unknown => code == UNKNOWN,
            Check::Edge => row == 0 || column == 0 || row == height - 1 || column == width - 1,
            Check::Empty => {
                if empty && at.distance() == 1 {
                    self.set(field, here(), EMPTY);
                }
                empty
            }
            Check::Number => {
                if is_number(code) && at.distance() == 1 {
                    self.set(field, here(), TOUCHING);
                }
                is_number(code)
            }
            Check::OuterCompare => {
                let outer = at.distance() == 2;
                if outer && self.codes[here()] != EMPTY {
                    self.set(field, here(), MINE);
                }
                outer
            }
            Check::EmptyTouch => {
                if empty {
                    let touching = field.around[place].number;
                    self.set(field, place, if touching { TOUCHING } else { EMPTY });
                }
                empty
            }
            Check::Filled => {
                if code == MINE && self.around[place].others > self.around[place].mines {
                    self.set(field, place, TOUCHING);
                }
                code == MINE
            }
            Check::Full | Check::Saturated => {
                if is_number(code) {
                    let filled_in = if check == Check::Full { MINE } else { TOUCHING };
                    self.fill_around(field, place, code, filled_in);
                }
                is_number(code)
            }
        }
    }

    /// Fills in what is around a full number, with mines, or around a saturated one. With memory,
    /// cells are proved: to be mines where only as many cells are left as the number says, and to
    /// be free where all its mines are proved.
    fn fill_around(&mut self, field: &Field, place: usize, number: Code, filled_in: Code) {
        let (around, number) = (field.around(place), number as u8);
        let Around { negative, mines, .. } = self.around[place];
        let counted = if filled_in == MINE { negative } else { mines };
        if counted == number && mines < negative {
            for near in around {
                if self.codes[near] < 0 && self.codes[near] != MINE {
                    self.set(field, near, filled_in);
                }
            }
        }
        if !self.memory {
            return;
        }
        let is_open = |filler: &Self, near: usize| filler.codes[near] <= 0 && !filler.fixed[near];
        let (mut mines, mut open) = (0, 0);
        for near in around {
            mines += u8::from(self.codes[near] == MINE && self.fixed[near]);
            open += u8::from(is_open(self, near));
        }
        if mines + if filled_in == MINE { open } else { 0 } == number {
            for near in around {
                if is_open(self, near) {
                    self.set(field, near, filled_in);
                    self.fixed[near] = true;
                }
            }
        }
    }
}
