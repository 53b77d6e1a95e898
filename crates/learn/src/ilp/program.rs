//! Clauses compiled for speed.
//!
//! Only sets vary: a zone, a board and the number of mines left are what they are. So a clause
//! becomes a forest of set variables, each with the tests that ask about it alone:
//!
//! ```text
//! diffSetHasXMines(SET1, SET0, SET3), diffSetHasXMines(SET2, SET3, SET4),
//! inSet(TILEUK, SET4), minesInSet(SET4, 0)
//!
//!        SET4  holds the cell, 0 mines
//!        /  \
//!     SET2  SET3        the values of SET4 are the differences of those of SET2 and SET3
//!           /  \
//!        SET1  SET0     every set of a zone
//! ```
//!
//! The values of a variable follow from those of the variables it is made of; a clause holds
//! when every root has a value that passes its tests. Variables that are used twice, or stand
//! together in a test, are *pinned*: their values are tried one after another, the rest as
//! before. The values of chains without tests are kept with the situation, so that a clause
//! costs little more than its tests; without that, a clause of `n` sets costs the number of
//! clues to the power of `n`.

use std::sync::{Arc, MutexGuard};

use deminer_game::Cell;
use deminer_inference::relations::MineSet;

use super::background::{Meaning, Predicate, Reach, Supposed};
use super::clause::{Clause, Literal, Term};
use super::situation::{Memo, Situation, distinct};

/// A clause, ready to be tried on situations.
#[derive(Clone, Debug, Default)]
pub struct Program {
    nodes: Vec<Node>,
    /// The nodes whose values are tried one by one.
    pins: Vec<usize>,
    /// Tests about two pinned nodes, each with the place of the later among the pins.
    checks: Vec<(usize, Test)>,
    /// Tests about the situation alone.
    conditions: Vec<Test>,
    /// A supposition about a supposed board never holds.
    impossible: bool,
    /// How far its zones reach.
    pub(super) reach: Reach,
    /// Whether it asks about the whole board.
    pub(super) asks_for_left: bool,
}

#[derive(Clone, Debug)]
struct Node {
    source: Source,
    tests: Vec<Test>,
    /// The name of the values before the tests, where they depend on nothing but the situation.
    chain: Option<u128>,
    pinned: bool,
    /// Part of another node.
    used: bool,
}

impl Node {
    /// Whether a value passes the tests.
    fn admits(&self, situation: &Situation, set: MineSet) -> bool {
        self.tests.iter().all(|test| test.holds(situation, |_| set))
    }
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Any(fn(&Situation, Supposed, Reach) -> Vec<MineSet>, Supposed, Reach),
    Whole(fn(&Situation, Supposed) -> Option<MineSet>, Supposed),
    Join(fn(MineSet, MineSet) -> Option<MineSet>, usize, usize),
}

/// A number that a situation has, or the set of a node.
#[derive(Clone, Copy, Debug)]
enum Numeral {
    Constant(i32),
    Left(fn(&Situation, Supposed) -> i32, Supposed),
    Count(fn(MineSet) -> i32, usize),
}

/// Something about the sets of up to two nodes.
#[derive(Clone, Copy, Debug)]
enum Test {
    Holds(fn(MineSet) -> bool, usize),
    Equal(Numeral, Numeral),
    Measures(fn(MineSet, i32) -> bool, usize, Numeral),
    Relates(fn(MineSet, MineSet) -> bool, usize, usize),
}

impl Test {
    /// The nodes it is about.
    fn nodes(self) -> [Option<usize>; 2] {
        let node = |numeral| match numeral {
            Numeral::Constant(_) | Numeral::Left(..) => None,
            Numeral::Count(_, node) => Some(node),
        };
        match self {
            Test::Holds(_, one) => [Some(one), None],
            Test::Equal(one, other) => [node(one), node(other)],
            Test::Measures(_, one, other) => [Some(one), node(other)],
            Test::Relates(_, one, other) => [Some(one), Some(other)],
        }
    }

    #[inline]
    fn holds(self, situation: &Situation, set: impl Fn(usize) -> MineSet) -> bool {
        let number = |numeral| match numeral {
            Numeral::Constant(number) => number,
            Numeral::Left(left, supposed) => left(situation, supposed),
            Numeral::Count(count, node) => count(set(node)),
        };
        match self {
            Test::Holds(holds, one) => holds(set(one)),
            Test::Equal(one, other) => number(one) == number(other),
            Test::Measures(measures, one, other) => measures(set(one), number(other)),
            Test::Relates(relates, one, other) => relates(set(one), set(other)),
        }
    }
}

/// The values of a node.
enum Values {
    Kept(Arc<[MineSet]>),
    Some(Vec<MineSet>),
    One(MineSet),
}

impl Values {
    fn as_slice(&self) -> &[MineSet] {
        match self {
            Values::Kept(sets) => sets,
            Values::Some(sets) => sets,
            Values::One(set) => std::slice::from_ref(set),
        }
    }
}

impl Program {
    /// Compiles a clause.
    pub fn new(clause: &Clause) -> Self {
        let mut compiler = Compiler::new(clause);
        clause.body().iter().for_each(|literal| compiler.literal(literal));
        compiler.pin();
        compiler.program
    }

    /// Whether the clause holds of a situation's cell.
    pub fn covers(&self, situation: &Situation) -> bool {
        self.satisfied(situation).is_some()
    }

    /// The clues by which the clause holds of a situation's cell, in the order of the literals
    /// that choose them.
    pub fn witness(&self, situation: &Situation) -> Option<Vec<Cell>> {
        let mut trial = self.satisfied(situation)?;
        let roots = (0..self.nodes.len()).filter(|&node| !self.nodes[node].used);
        // What pinned nodes are made of is chosen too.
        roots.chain(self.pins.iter().copied()).for_each(|node| trial.choose(node));
        let clue = |(node, set): (&Node, Option<MineSet>)| match node.source {
            Source::Any(sets, supposed, reach) => {
                let set = set.expect("every node has a value");
                let place = sets(situation, supposed, reach).iter().position(|&other| other == set);
                Some(situation.zone().clues()[place.expect("it is one of them")])
            }
            Source::Whole(..) | Source::Join(..) => None,
        };
        Some(self.nodes.iter().zip(trial.values).filter_map(clue).collect())
    }

    /// Values of the pinned nodes with which the clause holds of a situation's cell.
    fn satisfied<'a>(&'a self, situation: &'a Situation) -> Option<Trial<'a>> {
        let no_set = |_| unreachable!("conditions ask for no set");
        if self.impossible || !self.conditions.iter().all(|test| test.holds(situation, no_set)) {
            return None;
        }
        let values = vec![None; self.nodes.len()];
        let mut trial = Trial { program: self, situation, memo: situation.memo(), values };
        trial.satisfy(0).then_some(trial)
    }
}

/// A program tried on a situation.
struct Trial<'a> {
    program: &'a Program,
    situation: &'a Situation,
    memo: MutexGuard<'a, Memo>,
    /// The values of the nodes that have been given one.
    values: Vec<Option<MineSet>>,
}

impl Trial<'_> {
    /// Whether the pins from this one on have values with which the rest holds; if so, they are
    /// left in place.
    fn satisfy(&mut self, pin: usize) -> bool {
        let Program { nodes, pins, checks, .. } = self.program;
        let Some(&node) = pins.get(pin) else {
            let free = |node: &usize| !nodes[*node].used && !nodes[*node].pinned;
            return (0..nodes.len()).filter(free).all(|node| self.exists(node));
        };
        let possible = self.possible(node);
        for &set in possible.as_slice() {
            self.values[node] = Some(set);
            let mut ready = checks.iter().filter(|(last, _)| *last == pin);
            let fits = |(_, check): &(usize, Test)| {
                let value = |node: usize| self.values[node].expect("checks wait for their pins");
                check.holds(self.situation, value)
            };
            if ready.all(fits) && self.satisfy(pin + 1) {
                return true;
            }
        }
        self.values[node] = None;
        false
    }

    /// Whether the node has a value that passes its tests.
    fn exists(&mut self, node: usize) -> bool {
        let untested = self.untested(node);
        let node = &self.program.nodes[node];
        untested.as_slice().iter().any(|&set| node.admits(self.situation, set))
    }

    /// The values of a node that pass its tests.
    fn possible(&mut self, at: usize) -> Values {
        if let Some(set) = self.values[at] {
            return Values::One(set);
        }
        let untested = self.untested(at);
        let node = &self.program.nodes[at];
        if node.tests.is_empty() {
            return untested;
        }
        let passes = |set: &&MineSet| node.admits(self.situation, **set);
        Values::Some(untested.as_slice().iter().filter(passes).copied().collect())
    }

    /// The values of a node before its tests.
    fn untested(&mut self, node: usize) -> Values {
        let &Node { source, chain, .. } = &self.program.nodes[node];
        if let Some(kept) = chain.and_then(|chain| self.memo.get(&chain)) {
            return Values::Kept(Arc::clone(kept));
        }
        let sets = match source {
            Source::Any(sets, supposed, reach) => {
                distinct(sets(self.situation, supposed, reach).into_iter())
            }
            Source::Whole(set, supposed) => distinct(set(self.situation, supposed).into_iter()),
            Source::Join(join, one, other) => {
                let (ones, others) = (self.possible(one), self.possible(other));
                let others = others.as_slice();
                let pairs = ones.as_slice().iter().flat_map(|&one| {
                    // Most sets have no cell in common with this one; those tell nothing of
                    // it, and leave it as it is.
                    let apart = others.iter().filter(move |set| !one.meets(**set));
                    let meeting = others.iter().filter(move |set| one.meets(**set));
                    let left = apart.filter_map(move |&set| join(one, set)).take(1);
                    left.chain(meeting.filter_map(move |&set| join(one, set)))
                });
                distinct(pairs)
            }
        };
        if let Some(chain) = chain {
            self.memo.insert(chain, Arc::clone(&sets));
        }
        Values::Kept(sets)
    }

    /// Chooses a value for a node, unless it has one, and for all it is made of.
    fn choose(&mut self, node: usize) {
        let set = *self.possible(node).as_slice().first().expect("the clause holds");
        self.values[node] = Some(set);
        let Source::Join(join, one, other) = self.program.nodes[node].source else { return };
        let (ones, others) = (self.possible(one), self.possible(other));
        for &first in ones.as_slice() {
            let second = others.as_slice().iter().find(|&&second| join(first, second) == Some(set));
            if let Some(&second) = second {
                (self.values[one], self.values[other]) = (Some(first), Some(second));
                self.choose(one);
                self.choose(other);
                return;
            }
        }
        panic!("a value of two sets comes from two of theirs");
    }
}

struct Compiler {
    program: Program,
    /// The node of each set variable.
    nodes: Vec<Option<usize>>,
    boards: Vec<Supposed>,
    zones: Vec<Reach>,
    numbers: Vec<Option<Numeral>>,
    checks: Vec<Test>,
}

impl Compiler {
    fn new(clause: &Clause) -> Self {
        let variables = clause.types().len();
        Self {
            program: Program::default(),
            nodes: vec![None; variables],
            boards: vec![Supposed::Nothing; variables],
            zones: vec![Reach::Near; variables],
            numbers: vec![None; variables],
            checks: Vec::new(),
        }
    }

    fn literal(&mut self, literal: &Literal) {
        let variable = |place: usize| literal.variable(place).index();
        match literal.predicate.meaning {
            Meaning::Zone(reach) => {
                self.zones[variable(2)] = reach;
                self.program.reach = self.program.reach.max(reach);
            }
            Meaning::Board(supposed) => {
                self.program.impossible |= self.boards[variable(1)] != Supposed::Nothing;
                self.boards[variable(2)] = supposed;
            }
            Meaning::Any(sets) => {
                let (supposed, reach) = (self.boards[variable(1)], self.zones[variable(2)]);
                let mark = symbol(literal.predicate, supposed, reach);
                self.node(variable(3), Source::Any(sets, supposed, reach), Some(mark));
            }
            Meaning::Whole(set) => {
                self.program.asks_for_left = true;
                let supposed = self.boards[variable(0)];
                let mark = symbol(literal.predicate, supposed, Reach::Near);
                self.node(variable(1), Source::Whole(set, supposed), Some(mark));
            }
            Meaning::Left(left) => {
                self.program.asks_for_left = true;
                self.number(literal.terms[1], Numeral::Left(left, self.boards[variable(0)]));
            }
            Meaning::Join(join) => {
                let [one, other] = [0, 1].map(|place| self.set(variable(place)));
                let chains = [one, other].map(|node| self.program.nodes[node].chain);
                let mark = symbol(literal.predicate, Supposed::Nothing, Reach::Near);
                let chain = match chains {
                    [Some(one), Some(other)] => joined(mark, one, other),
                    _ => None,
                };
                for node in [one, other] {
                    let node = &mut self.program.nodes[node];
                    node.pinned |= node.used;
                    node.used = true;
                }
                self.program.nodes[one].pinned |= one == other;
                self.node(variable(2), Source::Join(join, one, other), chain);
            }
            Meaning::Count(count) => {
                let numeral = Numeral::Count(count, self.set(variable(0)));
                self.number(literal.terms[1], numeral);
            }
            Meaning::Holds(holds) => self.test(Test::Holds(holds, self.set(variable(1)))),
            Meaning::Measures(measures) => {
                let number = match literal.terms[1] {
                    Term::Number(number) => Numeral::Constant(number),
                    Term::Variable(number) => {
                        self.numbers[number.index()].expect("a number is given before it is used")
                    }
                };
                self.test(Test::Measures(measures, self.set(variable(0)), number));
            }
            Meaning::Relates(relates) => {
                let [one, other] = [0, 1].map(|place| self.set(variable(place)));
                self.checks.push(Test::Relates(relates, one, other));
            }
        }
    }

    fn node(&mut self, variable: usize, source: Source, chain: Option<u128>) {
        self.nodes[variable] = Some(self.program.nodes.len());
        let node = Node { source, tests: Vec::new(), chain, pinned: false, used: false };
        self.program.nodes.push(node);
    }

    fn set(&self, variable: usize) -> usize {
        self.nodes[variable].expect("a set is given before it is used")
    }

    /// Puts a test where it can be made.
    fn test(&mut self, test: Test) {
        match test.nodes() {
            [None, None] => self.program.conditions.push(test),
            [Some(one), Some(other)] if one != other => self.checks.push(test),
            [Some(node), _] | [None, Some(node)] => self.program.nodes[node].tests.push(test),
        }
    }

    /// A number is this, and what stands for it.
    fn number(&mut self, term: Term, number: Numeral) {
        let known = match term {
            Term::Number(known) => Numeral::Constant(known),
            Term::Variable(variable) => match self.numbers[variable.index()] {
                Some(known) => known,
                None => {
                    self.numbers[variable.index()] = Some(number);
                    return;
                }
            },
        };
        self.test(Test::Equal(known, number));
    }

    /// Pins what stands in checks, forgets the chains that tests and pins spoil, and puts the
    /// checks where they can be made.
    fn pin(&mut self) {
        for node in self.checks.iter().flat_map(|check| check.nodes()).flatten() {
            self.program.nodes[node].pinned = true;
        }
        let nodes = &mut self.program.nodes;
        for node in 0..nodes.len() {
            if let Source::Join(_, one, other) = nodes[node].source {
                let plain =
                    |part: &Node| part.chain.is_some() && part.tests.is_empty() && !part.pinned;
                if !plain(&nodes[one]) || !plain(&nodes[other]) {
                    nodes[node].chain = None;
                }
            }
        }
        self.program.pins = (0..nodes.len()).filter(|&node| nodes[node].pinned).collect();
        let place =
            |node: Option<usize>| self.program.pins.iter().position(|&pin| Some(pin) == node);
        let placed = |&check: &Test| {
            let places = check.nodes().map(|node| place(node).expect("pinned above"));
            (places[0].max(places[1]), check)
        };
        self.program.checks = self.checks.iter().map(placed).collect();
    }
}

/// Bits of a symbol in the name of a chain.
const SYMBOL: u32 = 7;

/// What a literal does, as a symbol of its own.
fn symbol(predicate: &Predicate, supposed: Supposed, reach: Reach) -> u128 {
    (predicate.place() * 6 + supposed as usize * 2 + reach as usize + 1) as u128
}

/// The name of a chain made of two: prefix notation, if it is not too long.
fn joined(mark: u128, one: u128, other: u128) -> Option<u128> {
    let symbols = |chain: u128| (u128::BITS - chain.leading_zeros()).div_ceil(SYMBOL);
    let length = 1 + symbols(one) + symbols(other);
    if length * SYMBOL > u128::BITS {
        return None;
    }
    let behind = |front: u128, back: u128| front << (SYMBOL * symbols(back)) | back;
    Some(behind(behind(mark, one), other))
}
