//! The most specific clause that covers an example: everything the background knowledge says of
//! it, as far as modes, depth and recall allow.
//!
//! Variables stand for values: what has been given once gets no second variable, so a literal
//! that gives nothing new is left out. Clauses are sought among the subsets of this one.

use deminer_inference::relations::MineSet;
use rustc_hash::FxHashMap;

use super::background::{Meaning, Predicate, Reach, Supposed};
use super::clause::{Clause, Literal, Target, Term, Variable};
use super::situation::Situation;

/// How far an example is looked into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Saturation {
    /// How many literals may stand between a variable and the head.
    pub depth: usize,
    /// How many sets are chosen from zones.
    pub sets: usize,
    /// How many sets are made of others.
    pub joins: usize,
    /// How many tests of two sets there may be.
    pub relations: usize,
}

impl Saturation {
    /// As the paper's settings are run. It does not say; these are ours.
    pub const PAPER: Self = Self { depth: 4, sets: 12, joins: 60, relations: 60 };
}

/// Everything that is said of an example.
#[derive(Clone, Debug)]
pub struct Bottom {
    literals: Vec<Literal>,
    /// Which literals give each variable; only numbers are given more than once.
    givers: Vec<Vec<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Value {
    Cell,
    Board(Supposed),
    Zone(Reach),
    Set(MineSet),
    Number(i32),
}

impl Bottom {
    /// Looks into a situation with these predicates.
    pub fn saturate(
        situation: &Situation,
        predicates: &[&'static Predicate],
        limits: Saturation,
    ) -> Self {
        let mut saturator = Saturator {
            situation,
            limits,
            literals: Vec::new(),
            givers: vec![Vec::new(); 2],
            variables: FxHashMap::default(),
            values: Vec::new(),
            depth: 0,
        };
        saturator.enter(Value::Cell, Variable::CELL);
        saturator.enter(Value::Board(Supposed::Nothing), Variable::BOARD);
        for depth in 1..=limits.depth {
            saturator.depth = depth;
            predicates.iter().for_each(|predicate| saturator.provide(predicate));
        }
        predicates.iter().for_each(|predicate| saturator.number(predicate));
        predicates.iter().for_each(|predicate| saturator.test(predicate));
        Self { literals: saturator.literals, givers: saturator.givers }
    }

    /// The literals, those that give a variable before those that ask for it.
    pub fn literals(&self) -> &[Literal] {
        &self.literals
    }

    /// The clause of some of the literals, which must give all that they ask for.
    pub(super) fn clause(&self, target: Target, chain: &[u16]) -> Clause {
        let literal = |&literal: &u16| self.literals[usize::from(literal)].clone();
        Clause::new(target, chain.iter().map(literal).collect())
            .expect("chains that are closed under providers are well-typed")
    }

    /// The literals that give a variable.
    pub(super) fn givers(&self, variable: Variable) -> &[usize] {
        &self.givers[variable.index()]
    }

    /// The variables that a literal asks for, but for those of the head.
    pub(super) fn inputs(&self, literal: usize) -> impl Iterator<Item = Variable> + '_ {
        self.literals[literal].arguments().filter_map(|(argument, term)| match term {
            Term::Variable(variable) if !argument.is_output() && variable > Variable::BOARD => {
                Some(variable)
            }
            _ => None,
        })
    }
}

struct Saturator<'a> {
    situation: &'a Situation,
    limits: Saturation,
    literals: Vec<Literal>,
    givers: Vec<Vec<usize>>,
    variables: FxHashMap<Value, Variable>,
    /// The values in the order in which they were given, with their depth.
    values: Vec<(Value, Variable, usize)>,
    depth: usize,
}

impl Saturator<'_> {
    fn enter(&mut self, value: Value, variable: Variable) {
        self.variables.insert(value, variable);
        self.values.push((value, variable, self.depth));
    }

    fn fresh(&mut self) -> Variable {
        self.givers.push(Vec::new());
        Variable(self.givers.len() as u16 - 1)
    }

    /// Adds a literal that gives the last of its arguments.
    fn give(&mut self, predicate: &'static Predicate, inputs: &[Variable], value: Value) {
        let known = self.variables.get(&value).copied();
        // A number may be given again: that two of them are equal says something.
        if known.is_some() && !matches!(value, Value::Number(_)) {
            return;
        }
        let given = known.unwrap_or_else(|| {
            let variable = self.fresh();
            self.enter(value, variable);
            variable
        });
        let mut terms: Vec<Term> = Vec::new();
        if let Meaning::Any(_) = predicate.meaning {
            terms.push(Term::Variable(self.fresh()));
        }
        terms.extend(inputs.iter().copied().map(Term::Variable));
        terms.push(Term::Variable(given));
        self.givers[given.index()].push(self.literals.len());
        self.literals.push(Literal { predicate, terms });
    }

    fn boards(&self) -> Vec<(Supposed, Variable, usize)> {
        self.collect(|value| match value {
            Value::Board(supposed) => Some(supposed),
            _ => None,
        })
    }

    fn sets(&self) -> Vec<(MineSet, Variable, usize)> {
        self.collect(|value| match value {
            Value::Set(set) => Some(set),
            _ => None,
        })
    }

    /// The values of a kind that are no deeper than the last layer.
    fn collect<T>(&self, kind: impl Fn(Value) -> Option<T>) -> Vec<(T, Variable, usize)> {
        let before = self.values.iter().filter(|(_, _, depth)| *depth < self.depth);
        before
            .filter_map(|&(value, variable, depth)| Some((kind(value)?, variable, depth)))
            .collect()
    }

    fn count(&self, is: impl Fn(&Meaning) -> bool) -> usize {
        self.literals.iter().filter(|literal| is(&literal.predicate.meaning)).count()
    }

    /// One more layer of what a predicate gives; numbers come later.
    fn provide(&mut self, predicate: &'static Predicate) {
        let last = self.depth - 1;
        let boards = self.boards();
        let newest = boards.iter().filter(|(_, _, depth)| *depth == last);
        match predicate.meaning {
            Meaning::Zone(reach) => {
                for &(_, board, _) in newest {
                    self.give(predicate, &[Variable::CELL, board], Value::Zone(reach));
                }
            }
            Meaning::Board(supposed) => {
                for &(_, board, _) in newest.filter(|(known, ..)| *known == Supposed::Nothing) {
                    self.give(predicate, &[Variable::CELL, board], Value::Board(supposed));
                }
            }
            Meaning::Any(sets) => {
                let zones = self.collect(|value| match value {
                    Value::Zone(reach) => Some(reach),
                    _ => None,
                });
                for &(supposed, board, board_depth) in &boards {
                    for &(reach, zone, _) in
                        zones.iter().filter(|(_, _, depth)| board_depth.max(*depth) == last)
                    {
                        for set in sets(self.situation, supposed, reach) {
                            let any = |meaning: &Meaning| matches!(meaning, Meaning::Any(_));
                            if self.count(any) < self.limits.sets && set.size() > 0 {
                                self.give(predicate, &[board, zone], Value::Set(set));
                            }
                        }
                    }
                }
            }
            Meaning::Whole(set) => {
                for &(supposed, board, _) in newest {
                    if let Some(set) = set(self.situation, supposed) {
                        self.give(predicate, &[board], Value::Set(set));
                    }
                }
            }
            Meaning::Join(join) => {
                let sets = self.sets();
                let mut left =
                    self.limits.joins - self.count(|meaning| matches!(meaning, Meaning::Join(_)));
                for &(one, first, depth) in &sets {
                    for &(other, second, other_depth) in &sets {
                        if left == 0 || depth.max(other_depth) != last || first == second {
                            continue;
                        }
                        let Some(set) = join(one, other) else { continue };
                        if set.size() > 0 && !self.variables.contains_key(&Value::Set(set)) {
                            self.give(predicate, &[first, second], Value::Set(set));
                            left -= 1;
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// The numbers that a predicate gives.
    fn number(&mut self, predicate: &'static Predicate) {
        self.depth = usize::MAX;
        match predicate.meaning {
            Meaning::Left(left) => {
                for (supposed, board, _) in self.boards() {
                    let number = left(self.situation, supposed);
                    self.give(predicate, &[board], Value::Number(number));
                }
            }
            Meaning::Count(count) => {
                for (set, variable, _) in self.sets() {
                    self.give(predicate, &[variable], Value::Number(count(set)));
                }
            }
            _ => {}
        }
    }

    /// What a predicate says without giving anything.
    fn test(&mut self, predicate: &'static Predicate) {
        let sets = self.sets();
        let variable = |&(_, variable, _): &(MineSet, Variable, usize)| Term::Variable(variable);
        let tests: Vec<[Term; 2]> = match predicate.meaning {
            Meaning::Holds(holds) => {
                let held = sets.iter().filter(|(set, ..)| holds(*set));
                held.map(|set| [Term::Variable(Variable::CELL), variable(set)]).collect()
            }
            Meaning::Count(count) => {
                sets.iter().map(|set| [variable(set), Term::Number(count(set.0))]).collect()
            }
            Meaning::Measures(measures) => {
                let number = |&(value, variable, _): &(Value, Variable, usize)| match value {
                    Value::Number(number) => Some((number, Term::Variable(variable))),
                    _ => None,
                };
                let numbers: Vec<(i32, Term)> = self.values.iter().filter_map(number).collect();
                let measured =
                    |set| numbers.iter().filter(move |(number, _)| measures(set, *number));
                let pairs = sets.iter().flat_map(|set| {
                    measured(set.0).map(move |&(_, number)| [variable(set), number])
                });
                pairs.collect()
            }
            Meaning::Relates(relates) => {
                let related = |place: usize| {
                    let (earlier, set) = (&sets[..=place], &sets[place]);
                    let others = earlier.iter().filter(move |other| relates(set.0, other.0));
                    others.map(move |other| [variable(set), variable(other)])
                };
                (0..sets.len()).flat_map(related).take(self.limits.relations).collect()
            }
            _ => Vec::new(),
        };
        let literal = |terms: [Term; 2]| Literal { predicate, terms: terms.to_vec() };
        self.literals.extend(tests.into_iter().map(literal));
    }
}
