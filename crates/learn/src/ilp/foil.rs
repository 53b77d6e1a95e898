//! A learner after FOIL on the same examples and background, for comparison.
//!
//! After J. R. Quinlan and R. M. Cameron-Jones, "Induction of logic programs: FOIL and related
//! systems" (1995). A clause begins without literals; at each step the literal is added that gains
//! most information, until the clause covers no other examples:
//!
//! ```text
//! gain = positives after · (log2(share of positives after) − log2(share of positives before))
//! ```
//!
//! Literals come from the modes of the predicates, not from an example. As in FOIL, a literal that
//! only gives a variable gains nothing, so it is added where no test gains. With `chains` a step is
//! a test with all that it still lacks, which looks ahead where FOIL does not.
//!
//! Noise: no literal is added to a clause that would take more bits than naming the examples it
//! covers, and a clause is kept if nearly all that it covers is positive. In the end literals
//! without which a clause is no less accurate are removed, and so are clauses that cover nothing
//! that others do not.
//!
//! Unlike FOIL, gains count examples instead of bindings of variables, equality of variables is
//! left to `lengthSet`, and there is no backtracking.

use super::background::{Meaning, Predicate};
use super::clause::{Clause, Literal, Target, Term, Type, Variable};
use super::pool::{Bits, Pool};
use super::program::Program;

/// How FOIL learns.
#[derive(Clone, Debug)]
pub struct FoilMethod {
    /// What clauses are made of.
    pub predicates: Vec<&'static Predicate>,
    /// Whether a step is a test with the literals that it lacks.
    pub chains: bool,
    /// The most literals of a body.
    pub body: usize,
    /// The least share of positive examples that a clause may cover among all it covers.
    pub accuracy: f64,
}

/// The greatest number of mines in a set that is asked for.
const MOST_MINES: i32 = 8;

/// Learns clauses that together cover the positive examples, as far as noise allows. Draws nothing
/// at random.
pub fn foil(pool: &Pool, target: Target, method: &FoilMethod) -> Vec<Clause> {
    let foil = Foil { pool, target, method, negatives: pool.negatives(target) };
    let mut wanted = pool.positives(target);
    let mut clauses = Vec::new();
    while wanted.count() > 0 {
        let Some(draft) = foil.clause(&wanted) else { break };
        let draft = foil.prune(draft, &wanted);
        let clause = draft.clause(target).expect("pruned bodies stay well-typed");
        wanted.remove(&pool.covered(&Program::new(&clause), &wanted));
        clauses.push(clause);
    }
    foil.without_superfluous(clauses)
}

struct Foil<'a> {
    pool: &'a Pool,
    target: Target,
    method: &'a FoilMethod,
    negatives: Bits,
}

/// A body under construction.
#[derive(Clone, Debug, Default)]
struct Draft {
    body: Vec<Literal>,
    /// The types of its variables beyond those of the head.
    given: Vec<Type>,
}

/// What a draft covers: positive examples, others, and all of both.
#[derive(Clone, Debug)]
struct Coverage {
    bits: Bits,
    positives: usize,
    others: usize,
}

impl Coverage {
    /// The bits that say of a covered example that it is positive.
    fn information(&self) -> f64 {
        -(self.positives as f64 / (self.positives + self.others) as f64).log2()
    }

    fn accuracy(&self) -> f64 {
        self.positives as f64 / (self.positives + self.others).max(1) as f64
    }
}

impl Draft {
    /// The variables of a type.
    fn variables(&self, kind: Type) -> impl Iterator<Item = Variable> + '_ {
        let given = self.given.iter().enumerate().filter(move |(_, given)| **given == kind);
        given.map(|(place, _)| Variable(2 + place as u16))
    }

    /// The same with another literal, whose new variables follow the known ones.
    fn with(&self, predicate: &'static Predicate, inputs: &[Term]) -> Self {
        let mut draft = self.clone();
        let mut inputs = inputs.iter();
        let mut terms = Vec::new();
        for argument in predicate.arguments() {
            let is_given = argument.is_output();
            match inputs.as_slice().first() {
                Some(Term::Number(_)) => terms.extend(inputs.next()),
                Some(_) if !is_given => terms.extend(inputs.next()),
                _ => {
                    draft.given.push(argument.kind());
                    terms.push(Term::Variable(Variable(1 + draft.given.len() as u16)));
                }
            }
        }
        draft.body.push(Literal { predicate, terms });
        draft
    }

    fn clause(&self, target: Target) -> Option<Clause> {
        Clause::new(target, self.body.clone()).ok()
    }
}

/// What a literal does for a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// It gives a variable.
    Gives,
    /// It asks about what is known.
    Asks,
}

impl Foil<'_> {
    /// The next clause; none if no clause is accurate enough.
    fn clause(&self, wanted: &Bits) -> Option<Draft> {
        let mut all = wanted.clone();
        all.add(&self.negatives);
        let mut draft = Draft::default();
        let mut covered = self.coverage(all, wanted);
        let mut bits = 0.0;
        while covered.others > 0 {
            let steps = self.steps(&draft);
            let length = (steps.len().max(1) as f64).log2() + 1.0;
            let mut best: Option<(f64, Draft, Coverage)> = None;
            for step in steps.iter().filter(|(role, _)| *role == Role::Asks) {
                let next = &step.1;
                let Some(clause) = next.clause(self.target) else { continue };
                let after = self.pool.covered(&Program::new(&clause), &covered.bits);
                let after = self.coverage(after, wanted);
                if after.positives == 0 {
                    continue;
                }
                let gain = after.positives as f64 * (covered.information() - after.information());
                if gain > 1e-9 && best.as_ref().is_none_or(|(most, ..)| gain > *most) {
                    best = Some((gain, next.clone(), after));
                }
            }
            let next = match best {
                Some((_, next, after)) => {
                    if bits + length > self.bits_of(after.positives, wanted) {
                        break;
                    }
                    bits += length;
                    covered = after;
                    next
                }
                None => {
                    bits += length;
                    let next = self.provider(&draft, &covered, wanted)?;
                    let clause = next.clause(self.target).expect("it asks for what is given");
                    let after = self.pool.covered(&Program::new(&clause), &covered.bits);
                    covered = self.coverage(after, wanted);
                    next
                }
            };
            if next.body.len() > self.method.body {
                break;
            }
            draft = next;
        }
        (covered.positives > 0 && covered.accuracy() >= self.method.accuracy).then_some(draft)
    }

    /// A literal that gives a variable, where no test gains anything: the one that loses fewest
    /// positive examples, differences before further sets.
    fn provider(&self, draft: &Draft, covered: &Coverage, wanted: &Bits) -> Option<Draft> {
        let order = |meaning: &Meaning| match meaning {
            Meaning::Zone(_) => 0,
            Meaning::Join(_) => 1,
            Meaning::Any(_) => 2,
            _ => 3,
        };
        let gives = self.literals(draft).into_iter().filter(|(role, _)| *role == Role::Gives);
        let lost = |next: &Draft| {
            let clause = next.clause(self.target).expect("it asks for what is given");
            let after = self.pool.covered(&Program::new(&clause), &covered.bits);
            covered.positives - self.coverage(after, wanted).positives
        };
        let rank = |next: &Draft| {
            let newest = next.body.last().expect("a literal was added");
            (lost(next), order(&newest.predicate.meaning))
        };
        gives.map(|(_, next)| next).min_by_key(rank)
    }

    /// The bits that it takes to name this many of the examples.
    fn bits_of(&self, covered: usize, wanted: &Bits) -> f64 {
        let all = (wanted.count() + self.negatives.count()) as f64;
        let choices = (0..covered).map(|at| ((all - at as f64) / (at + 1) as f64).log2());
        all.log2() + choices.sum::<f64>()
    }

    fn coverage(&self, bits: Bits, wanted: &Bits) -> Coverage {
        let (positives, others) = (bits.common(wanted), bits.common(&self.negatives));
        Coverage { bits, positives, others }
    }

    /// All bodies with one step more.
    fn steps(&self, draft: &Draft) -> Vec<(Role, Draft)> {
        let mut steps = self.literals(draft);
        if self.method.chains {
            // What a test lacks: a zone, a set or two, their difference, its number.
            let mut open: Vec<Draft> = vec![draft.clone()];
            for _ in 0..LINKS {
                let given = open.iter().flat_map(|draft| self.literals(draft));
                let given = given.filter(|(role, _)| *role == Role::Gives).map(|(_, next)| next);
                open = given.filter(|next| self.leads_on(next)).take(CHAINS).collect();
                for longer in &open {
                    let newest = longer.given.len();
                    let asks = self.literals(longer).into_iter().filter(|(role, next)| {
                        *role == Role::Asks && next.asks_about(Variable(1 + newest as u16))
                    });
                    steps.extend(asks);
                }
            }
        }
        steps
    }

    /// Whether a chain may go on with the last literal of a body: it gives a set or what leads to
    /// one, or the number of a set.
    fn leads_on(&self, draft: &Draft) -> bool {
        let newest = draft.body.last().expect("a literal was added");
        draft.body.len() < self.method.body
            && !matches!(newest.predicate.meaning, Meaning::Whole(_) | Meaning::Left(_))
    }

    /// All bodies with one literal more.
    fn literals(&self, draft: &Draft) -> Vec<(Role, Draft)> {
        let variable = |variable: Variable| Term::Variable(variable);
        let (cell, board) = (variable(Variable::CELL), variable(Variable::BOARD));
        let sets: Vec<Term> = draft.variables(Type::Set).map(variable).collect();
        let numbers: Vec<Term> = draft.variables(Type::Number).map(variable).collect();
        let mut steps = Vec::new();
        for &predicate in &self.method.predicates {
            let mut add = |role, inputs: &[Term]| steps.push((role, draft.with(predicate, inputs)));
            match predicate.meaning {
                Meaning::Zone(_) => {
                    if draft.variables(Type::Zone).next().is_none() {
                        add(Role::Gives, &[cell, board]);
                    }
                }
                Meaning::Any(_) => {
                    for zone in draft.variables(Type::Zone) {
                        add(Role::Gives, &[board, variable(zone)]);
                    }
                }
                Meaning::Whole(_) | Meaning::Left(_) => {
                    let is_known = draft.body.iter().any(|literal| literal.predicate == predicate);
                    if !is_known {
                        add(Role::Gives, &[board]);
                    }
                }
                Meaning::Join(_) => {
                    for &one in &sets {
                        for &other in sets.iter().filter(|&&other| other != one) {
                            let is_known = draft.body.iter().any(|literal| {
                                literal.predicate == predicate && literal.terms[..2] == [one, other]
                            });
                            if !is_known {
                                add(Role::Gives, &[one, other]);
                            }
                        }
                    }
                }
                Meaning::Count(_) => {
                    for &set in &sets {
                        for mines in 0..=MOST_MINES {
                            add(Role::Asks, &[set, Term::Number(mines)]);
                        }
                        let is_known = draft.body.iter().any(|literal| {
                            literal.predicate == predicate
                                && literal.terms[0] == set
                                && matches!(literal.terms[1], Term::Variable(_))
                        });
                        if !is_known {
                            add(Role::Gives, &[set]);
                        }
                    }
                }
                Meaning::Holds(_) => sets.iter().for_each(|&set| add(Role::Asks, &[cell, set])),
                Meaning::Measures(_) => {
                    for &set in &sets {
                        numbers.iter().for_each(|&number| add(Role::Asks, &[set, number]));
                    }
                }
                // Suppositions are not the paper's; nothing here is learned with them.
                Meaning::Board(_) | Meaning::Relates(_) => {}
            }
        }
        let is_new = |(role, next): &(Role, Draft)| {
            let (newest, known) = next.body.split_last().expect("a literal was added");
            *role == Role::Gives || !known.contains(newest)
        };
        steps.retain(is_new);
        steps
    }

    /// Removes literals without which a clause is no less accurate.
    fn prune(&self, mut draft: Draft, wanted: &Bits) -> Draft {
        let mut all = wanted.clone();
        all.add(&self.negatives);
        let judge = |draft: &Draft| {
            let clause = draft.clause(self.target)?;
            let covered = self.pool.covered(&Program::new(&clause), &all);
            Some(self.coverage(covered, wanted))
        };
        let mut accuracy = judge(&draft).map_or(0.0, |covered| covered.accuracy());
        for place in (0..draft.body.len()).rev() {
            let mut shorter = draft.clone();
            shorter.body.remove(place);
            // A literal whose variables are asked for cannot be removed.
            if let Some(covered) = judge(&shorter)
                && covered.accuracy() >= accuracy
            {
                (draft, accuracy) = (shorter, covered.accuracy());
            }
        }
        draft
    }

    /// Removes clauses that cover no positive example beyond the others'.
    fn without_superfluous(&self, mut clauses: Vec<Clause>) -> Vec<Clause> {
        let positives = self.pool.positives(self.target);
        let mut covers: Vec<Bits> = clauses
            .iter()
            .map(|clause| self.pool.covered(&Program::new(clause), &positives))
            .collect();
        for place in (0..clauses.len()).rev() {
            let mut alone = covers[place].clone();
            for (other, bits) in covers.iter().enumerate() {
                if other != place {
                    alone.remove(bits);
                }
            }
            if alone.count() == 0 {
                clauses.remove(place);
                covers.remove(place);
            }
        }
        clauses
    }
}

/// The most literals of a chain before its test, and the most unfinished chains of each length.
const LINKS: usize = 5;
const CHAINS: usize = 12;

impl Draft {
    /// Whether the last literal asks about a variable.
    fn asks_about(&self, variable: Variable) -> bool {
        let last = self.body.last();
        last.is_some_and(|literal| literal.terms.contains(&Term::Variable(variable)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use deminer_game::View;
    use deminer_inference::deduce::Fact;

    use super::*;
    use crate::ilp::background::{self, Reach};
    use crate::ilp::{Example, Surveyor};

    fn method(chains: bool) -> FoilMethod {
        let predicates = background::of_the_paper().iter().collect();
        FoilMethod { predicates, chains, body: 9, accuracy: 0.99 }
    }

    /// Cells of positions, `s` safe and `*` a mine, many times over: few examples are noise.
    fn pool(positions: &[(&str, &str)]) -> Pool {
        let mut examples = Vec::new();
        for (position, labels) in positions {
            let view: Arc<View> = Arc::new(position.parse().unwrap());
            for (row, line) in labels.lines().enumerate() {
                for (column, symbol) in line.split(' ').enumerate() {
                    let label = match symbol {
                        "s" => Fact::Safe,
                        "*" => Fact::Mine,
                        _ => continue,
                    };
                    examples.push(Example::at(&view, (row, column), label));
                }
            }
        }
        let many = (0..20).flat_map(|_| examples.clone()).collect();
        Pool::new(many, Reach::Near, &mut Surveyor::default())
    }

    /// Rules are learned that cover all positive examples and no other; gives the predicates of the
    /// rules.
    fn check(chains: bool, positions: &[(&str, &str)]) -> Vec<Vec<&'static str>> {
        let pool = pool(positions);
        let clauses = foil(&pool, Target::Safe, &method(chains));
        let mut missed = pool.positives(Target::Safe);
        for clause in &clauses {
            let program = Program::new(clause);
            assert_eq!(
                pool.covered(&program, &pool.negatives(Target::Safe)).count(),
                0,
                "{clause}"
            );
            missed.remove(&pool.covered(&program, &pool.positives(Target::Safe)));
        }
        assert_eq!(missed.count(), 0, "{clauses:?}");
        let names = |literal: &Literal| literal.predicate.name;
        clauses.iter().map(|clause| clause.body().iter().map(names).collect()).collect()
    }

    #[test]
    fn a_set_without_mines_is_safe() {
        let position = ("mines 3\n# 1 F # 2 #", "s . . * . *");
        for chains in [false, true] {
            assert_eq!(
                check(chains, &[position]),
                [["zoneOfInterest", "setHasXMines", "minesInSet"]]
            );
        }
    }

    #[test]
    fn only_chains_look_ahead_to_differences() {
        // The first cell is safe since the 2 needs one mine more than the 1.
        let positions =
            [("mines 2\n# # # #\n? 1 2 ?", "s * . *"), ("mines 1\n# # #\n? 1 ?", "* * *")];
        assert_eq!(foil(&pool(&positions), Target::Safe, &method(false)), []);
        let rules = check(true, &positions);
        assert!(rules.iter().any(|rule| rule.contains(&"diffSetHasXMines")), "{rules:?}");
    }

    #[test]
    fn noise_teaches_nothing() {
        // The same cells with both labels.
        let view = "mines 1\n# 1 #";
        let positions = [(view, "s . *"), (view, "* . s")];
        for target in Target::ALL {
            assert_eq!(foil(&pool(&positions), target, &method(true)), []);
        }
    }
}
