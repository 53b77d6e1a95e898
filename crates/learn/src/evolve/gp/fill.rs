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
    coin: u64,
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

    /// The same with other coins.
    pub fn tossing(self, coin: u64) -> Self {
        Self { coin, ..self }
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
    codes: Vec<Code>,
    /// Cells that are not to be edited: those seen and, with memory, those proved.
    fixed: Vec<bool>,
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

    /// What a cell was taken for by the last filling.
    pub fn code(&self, place: usize) -> Code {
        self.codes[place]
    }

    /// Which cells are proved after filling with memory.
    pub fn proved(&self, place: usize) -> bool {
        self.fixed[place]
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
        let place = field.place(row as usize, column as usize);
        let here = || field.place(input.0 as usize, input.1 as usize);
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
            Check::Full => {
                if is_number(code) {
                    self.full(field, place, code);
                }
                is_number(code)
            }
            Check::Saturated => {
                if is_number(code) {
                    self.saturated(field, place, code);
                }
                is_number(code)
            }
        }
    }

    fn full(&mut self, field: &Field, place: usize, number: Code) {
        let Around { negative, mines, .. } = self.around[place];
        if negative == number as u8 && mines < negative {
            for near in field.around(place) {
                if self.codes[near] < 0 {
                    self.set(field, near, MINE);
                }
            }
        }
        if self.memory {
            self.prove_mines(field, place, number);
        }
    }

    fn saturated(&mut self, field: &Field, place: usize, number: Code) {
        let Around { negative, mines, .. } = self.around[place];
        if mines == number as u8 && mines < negative {
            for near in field.around(place) {
                if self.codes[near] < 0 && self.codes[near] != MINE {
                    self.set(field, near, TOUCHING);
                }
            }
        }
        if self.memory {
            self.prove_free(field, place, number);
        }
    }

    /// A number with just as many neighbors that may be mines as it says has mines there: its
    /// mines can only be where nothing is proved free.
    fn prove_mines(&mut self, field: &Field, place: usize, number: Code) {
        let around = field.around(place);
        let may = |filler: &Self, near: usize| {
            let code = filler.codes[near];
            code <= 0 && (code == MINE || !filler.fixed[near])
        };
        let room = around.iter().filter(|&&near| may(self, near)).count();
        if room == number as usize {
            for near in around {
                if may(self, near) {
                    self.set(field, near, MINE);
                    self.fixed[near] = true;
                }
            }
        }
    }

    /// A number with all its mines proved has no others.
    fn prove_free(&mut self, field: &Field, place: usize, number: Code) {
        let around = field.around(place);
        let sure = |near: &&usize| self.codes[**near] == MINE && self.fixed[**near];
        if around.iter().filter(sure).count() == number as usize {
            for near in around {
                if self.codes[near] <= 0 && !self.fixed[near] {
                    self.set(field, near, TOUCHING);
                    self.fixed[near] = true;
                }
            }
        }
    }
}
