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

use std::sync::Arc;

use deminer_game::Cell;
use deminer_inference::relations::MineSet;

use super::background::{Meaning, Predicate, Reach, Supposed};
use super::clause::{Clause, Literal, Term, Variable};
use super::situation::{Memo, Situation, distinct};

/// A clause, ready to be tried on situations.
#[derive(Clone, Debug)]
pub struct Program {
    nodes: Vec<Node>,
    /// The nodes whose values are tried one by one.
    pins: Vec<usize>,
    /// Tests about two pinned nodes, each with the place of the later among the pins.
    checks: Vec<(usize, Check)>,
    /// Tests about the situation alone.
    conditions: Vec<(Numeral, Numeral)>,
    /// A supposition about a supposed board never holds.
    impossible: bool,
    reach: Reach,
    asks_for_left: bool,
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

#[derive(Clone, Copy, Debug)]
enum Source {
    Any(fn(&Situation, Supposed, Reach) -> Vec<MineSet>, Supposed, Reach),
    Whole(fn(&Situation, Supposed) -> Option<MineSet>, Supposed),
    Join(fn(MineSet, MineSet) -> Option<MineSet>, usize, usize),
}

/// A number that a situation, or one node's set, has.
#[derive(Clone, Copy, Debug)]
enum Numeral {
    Constant(i32),
    Left(fn(&Situation, Supposed) -> i32, Supposed),
    /// Of the set that is tested.
    Own(fn(MineSet) -> i32),
}

impl Numeral {
    fn of_situation(self, situation: &Situation) -> Option<i32> {
        match self {
            Numeral::Constant(number) => Some(number),
            Numeral::Left(left, supposed) => Some(left(situation, supposed)),
            Numeral::Own(_) => None,
        }
    }

    fn of(self, situation: &Situation, set: MineSet) -> i32 {
        match self {
            Numeral::Own(count) => count(set),
            other => other.of_situation(situation).expect("the others need no set"),
        }
    }
}

/// A test of one set.
#[derive(Clone, Copy, Debug)]
enum Test {
    Holds(fn(MineSet) -> bool),
    Count(fn(MineSet) -> i32, Numeral),
    Measures(fn(MineSet, i32) -> bool, Numeral),
}

impl Test {
    fn admits(self, situation: &Situation, set: MineSet) -> bool {
        match self {
            Test::Holds(holds) => holds(set),
            Test::Count(count, number) => count(set) == number.of(situation, set),
            Test::Measures(measures, number) => measures(set, number.of(situation, set)),
        }
    }
}

/// A test of two sets.
#[derive(Clone, Copy, Debug)]
enum Check {
    Relates(fn(MineSet, MineSet) -> bool, usize, usize),
    Count(fn(MineSet) -> i32, usize, fn(MineSet) -> i32, usize),
    Measures(fn(MineSet, i32) -> bool, usize, fn(MineSet) -> i32, usize),
}

impl Check {
    const fn nodes(self) -> [usize; 2] {
        match self {
            Check::Relates(_, one, other)
            | Check::Count(_, one, _, other)
            | Check::Measures(_, one, _, other) => [one, other],
        }
    }

    fn holds(self, set: impl Fn(usize) -> MineSet) -> bool {
        match self {
            Check::Relates(relates, one, other) => relates(set(one), set(other)),
            Check::Count(count, one, other_count, other) => {
                count(set(one)) == other_count(set(other))
            }
            Check::Measures(measures, one, count, other) => measures(set(one), count(set(other))),
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

/// Values of pinned nodes.
type Pinned = Vec<Option<MineSet>>;

impl Program {
    /// Compiles a clause.
    pub fn new(clause: &Clause) -> Self {
        Compiler::new(clause).compile(clause)
    }

    /// How far its zones reach.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Whether it asks about the whole board.
    pub fn asks_for_left(&self) -> bool {
        self.asks_for_left
    }

    /// Whether the clause holds of a situation's cell.
    pub fn covers(&self, situation: &Situation) -> bool {
        if !self.starts(situation) {
            return false;
        }
        let mut memo = situation.memo();
        self.satisfy(0, situation, &mut vec![None; self.nodes.len()], &mut memo)
    }

    /// The clues by which the clause holds of a situation's cell, in the order of the literals
    /// that choose them.
    pub fn witness(&self, situation: &Situation) -> Option<Vec<Cell>> {
        if !self.starts(situation) {
            return None;
        }
        let mut memo = situation.memo();
        let mut chosen: Pinned = vec![None; self.nodes.len()];
        if !self.satisfy(0, situation, &mut chosen, &mut memo) {
            return None;
        }
        for root in (0..self.nodes.len()).filter(|&node| !self.nodes[node].used) {
            self.choose(root, situation, &mut chosen, &mut memo);
        }
        // What pinned nodes are made of is chosen too.
        for &pin in &self.pins {
            self.choose(pin, situation, &mut chosen, &mut memo);
        }
        let clue = |(node, set): (&Node, Option<MineSet>)| match node.source {
            Source::Any(sets, supposed, reach) => {
                let set = set.expect("every node has a value");
                let place = sets(situation, supposed, reach).iter().position(|&other| other == set);
                Some(situation.zone().clues()[place.expect("it is one of them")])
            }
            Source::Whole(..) | Source::Join(..) => None,
        };
        Some(self.nodes.iter().zip(chosen).filter_map(clue).collect())
    }

    /// Whether what asks for no set holds.
    fn starts(&self, situation: &Situation) -> bool {
        let equal = |&(one, other): &(Numeral, Numeral)| {
            one.of_situation(situation) == other.of_situation(situation)
        };
        !self.impossible && self.conditions.iter().all(equal)
    }

    /// Whether the pins from this one on have values with which the rest holds; if so, they are
    /// left in place.
    fn satisfy(
        &self,
        pin: usize,
        situation: &Situation,
        pinned: &mut Pinned,
        memo: &mut Memo,
    ) -> bool {
        let Some(&node) = self.pins.get(pin) else {
            let free = (0..self.nodes.len())
                .filter(|&node| !self.nodes[node].used && !self.nodes[node].pinned);
            return free.into_iter().all(|node| self.exists(node, situation, pinned, memo));
        };
        let values = self.values(node, situation, pinned, memo);
        for &set in values.as_slice() {
            pinned[node] = Some(set);
            let ready = self.checks.iter().filter(|(last, _)| *last == pin);
            let fits = |(_, check): &(usize, Check)| {
                check.holds(|node| pinned[node].expect("checks wait for their pins"))
            };
            if ready.clone().all(fits) && self.satisfy(pin + 1, situation, pinned, memo) {
                return true;
            }
        }
        pinned[node] = None;
        false
    }

    /// Whether the node has a value that passes its tests.
    fn exists(&self, node: usize, situation: &Situation, pinned: &Pinned, memo: &mut Memo) -> bool {
        let tests = &self.nodes[node].tests;
        let raw = self.raw(node, situation, pinned, memo);
        raw.as_slice().iter().any(|&set| tests.iter().all(|test| test.admits(situation, set)))
    }

    /// The values of a node that pass its tests.
    fn values(
        &self,
        node: usize,
        situation: &Situation,
        pinned: &Pinned,
        memo: &mut Memo,
    ) -> Values {
        if let Some(set) = pinned[node] {
            return Values::One(set);
        }
        let tests = &self.nodes[node].tests;
        let raw = self.raw(node, situation, pinned, memo);
        if tests.is_empty() {
            return raw;
        }
        let passes = |set: &&MineSet| tests.iter().all(|test| test.admits(situation, **set));
        Values::Some(raw.as_slice().iter().filter(passes).copied().collect())
    }

    /// The values of a node before its tests.
    fn raw(&self, node: usize, situation: &Situation, pinned: &Pinned, memo: &mut Memo) -> Values {
        let chain = self.nodes[node].chain;
        if let Some(kept) = chain.and_then(|chain| memo.get(&chain)) {
            return Values::Kept(Arc::clone(kept));
        }
        let sets = match self.nodes[node].source {
            Source::Any(sets, supposed, reach) => {
                distinct(sets(situation, supposed, reach).into_iter())
            }
            Source::Whole(set, supposed) => distinct(set(situation, supposed).into_iter()),
            Source::Join(join, one, other) => {
                let ones = self.values(one, situation, pinned, memo);
                let others = self.values(other, situation, pinned, memo);
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
            memo.insert(chain, Arc::clone(&sets));
        }
        Values::Kept(sets)
    }

    /// Chooses a value for a node, unless it has one, and for all it is made of.
    fn choose(&self, node: usize, situation: &Situation, chosen: &mut Pinned, memo: &mut Memo) {
        let values = self.values(node, situation, chosen, memo);
        let set = *values.as_slice().first().expect("the clause holds");
        chosen[node] = Some(set);
        let Source::Join(join, one, other) = self.nodes[node].source else { return };
        let ones = self.values(one, situation, chosen, memo);
        let others = self.values(other, situation, chosen, memo);
        for &first in ones.as_slice() {
            let second = others.as_slice().iter().find(|&&second| join(first, second) == Some(set));
            if let Some(&second) = second {
                (chosen[one], chosen[other]) = (Some(first), Some(second));
                self.choose(one, situation, chosen, memo);
                self.choose(other, situation, chosen, memo);
                return;
            }
        }
        panic!("a value of two sets comes from two of theirs");
    }
}

/// Whence a number variable has its value.
#[derive(Clone, Copy)]
enum Origin {
    Left(fn(&Situation, Supposed) -> i32, Supposed),
    Count(usize, fn(MineSet) -> i32),
}

struct Compiler {
    program: Program,
    /// The node of each set variable.
    nodes: Vec<Option<usize>>,
    boards: Vec<Supposed>,
    zones: Vec<Reach>,
    numbers: Vec<Option<Origin>>,
    checks: Vec<Check>,
}

impl Compiler {
    fn new(clause: &Clause) -> Self {
        let variables = clause.types().len();
        let program = Program {
            nodes: Vec::new(),
            pins: Vec::new(),
            checks: Vec::new(),
            conditions: Vec::new(),
            impossible: false,
            reach: Reach::Near,
            asks_for_left: false,
        };
        Self {
            program,
            nodes: vec![None; variables],
            boards: vec![Supposed::Nothing; variables],
            zones: vec![Reach::Near; variables],
            numbers: vec![None; variables],
            checks: Vec::new(),
        }
    }

    fn compile(mut self, clause: &Clause) -> Program {
        clause.body().iter().for_each(|literal| self.literal(literal));
        self.pin();
        self.program
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
                let origin = Origin::Left(left, self.boards[variable(0)]);
                self.number(literal.terms[1], origin);
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
                let origin = Origin::Count(self.set(variable(0)), count);
                self.number(literal.terms[1], origin);
            }
            Meaning::Holds(holds) => self.test(variable(1), Test::Holds(holds)),
            Meaning::Measures(measures) => {
                let node = self.set(variable(0));
                match literal.terms[1] {
                    Term::Number(number) => {
                        let test = Test::Measures(measures, Numeral::Constant(number));
                        self.test(variable(0), test);
                    }
                    Term::Variable(number) => match self.origin(number) {
                        Origin::Left(left, supposed) => {
                            let number = Numeral::Left(left, supposed);
                            self.test(variable(0), Test::Measures(measures, number));
                        }
                        Origin::Count(other, count) if other == node => {
                            let test = Test::Measures(measures, Numeral::Own(count));
                            self.test(variable(0), test);
                        }
                        Origin::Count(other, count) => {
                            self.checks.push(Check::Measures(measures, node, count, other));
                        }
                    },
                }
            }
            Meaning::Relates(relates) => {
                let [one, other] = [0, 1].map(|place| self.set(variable(place)));
                self.checks.push(Check::Relates(relates, one, other));
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

    fn origin(&self, number: Variable) -> Origin {
        self.numbers[number.index()].expect("a number is given before it is used")
    }

    fn test(&mut self, variable: usize, test: Test) {
        let node = self.set(variable);
        self.program.nodes[node].tests.push(test);
    }

    /// A number is this, and what stands for it.
    fn number(&mut self, term: Term, origin: Origin) {
        let known = match term {
            Term::Number(number) => Numeral::Constant(number),
            Term::Variable(variable) => match self.numbers[variable.index()] {
                None => {
                    self.numbers[variable.index()] = Some(origin);
                    return;
                }
                Some(Origin::Left(left, supposed)) => Numeral::Left(left, supposed),
                Some(Origin::Count(node, count)) => {
                    match origin {
                        Origin::Left(left, supposed) => {
                            let test = Test::Count(count, Numeral::Left(left, supposed));
                            self.program.nodes[node].tests.push(test);
                        }
                        Origin::Count(other, own) if other == node => {
                            let test = Test::Count(own, Numeral::Own(count));
                            self.program.nodes[node].tests.push(test);
                        }
                        Origin::Count(other, own) => {
                            self.checks.push(Check::Count(count, node, own, other));
                        }
                    }
                    return;
                }
            },
        };
        match origin {
            Origin::Left(left, supposed) => {
                self.program.conditions.push((Numeral::Left(left, supposed), known));
            }
            Origin::Count(node, count) => {
                self.program.nodes[node].tests.push(Test::Count(count, known));
            }
        }
    }

    /// Pins what stands in checks, forgets the chains that tests and pins spoil, and puts the
    /// checks where they can be made.
    fn pin(&mut self) {
        for node in self.checks.iter().flat_map(|check| check.nodes()) {
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
        let place = |node: usize| self.program.pins.iter().position(|&pin| pin == node);
        self.program.checks = self
            .checks
            .iter()
            .map(|&check| {
                let places = check.nodes().map(|node| place(node).expect("pinned above"));
                (places[0].max(places[1]), check)
            })
            .collect();
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
