//! Clauses as typed data: what a rule concludes, and the literals it rests on.
//!
//! ```text
//! safe(TILEUK, BOARD) :- zoneOfInterest(TILEUK, BOARD, ZONE),
//!     setHasXMines(TILEK0, BOARD, ZONE, SET0), inSet(TILEUK, SET0), minesInSet(SET0, 0).
//! ```
//!
//! A [`Clause`] is well-typed by construction: every input is a variable that the head or an
//! earlier literal gives, of the type that the predicate asks for.

use std::fmt;

use deminer_inference::deduce::Fact;
use serde::{Deserialize, Serialize};

use super::background::{Argument, Predicate};
use super::theory::Theory;

/// What a variable stands for. The names are the paper's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A covered cell: `TU`.
    Covered,
    /// What is seen.
    Board,
    /// An open cell that shows a number: `TD`.
    Clue,
    /// Clues around a covered cell.
    Zone,
    /// Covered cells and the mines among them.
    Set,
    /// A number: `Int`.
    Number,
}

impl Type {
    /// The paper's name, and how variables of this type begin.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Type::Covered => ("TU", "TILEUK"),
            Type::Board => ("Board", "BOARD"),
            Type::Clue => ("TD", "TILEK"),
            Type::Zone => ("Zone", "ZONE"),
            Type::Set => ("Set", "SET"),
            Type::Number => ("Int", "INT"),
        }
    }

    /// The paper's name.
    pub const fn name(self) -> &'static str {
        self.words().0
    }
}

/// What a clause concludes of the covered cell in its head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// It is safe.
    Safe,
    /// It is a mine.
    Mine,
}
deminer_game::words!(Target, "a target": Safe = "safe", Mine = "mine");

impl Target {
    /// The fact it states.
    pub const fn fact(self) -> Fact {
        match self {
            Target::Safe => Fact::Safe,
            Target::Mine => Fact::Mine,
        }
    }
}

/// A variable of a clause, by the place of its type in [`Clause::types`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(pub(super) u16);

impl Variable {
    /// The covered cell of the head.
    pub const CELL: Variable = Variable(0);
    /// The board of the head.
    pub const BOARD: Variable = Variable(1);

    /// Its place among the clause's variables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An argument of a literal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Term {
    /// A variable.
    Variable(Variable),
    /// A number.
    Number(i32),
}

/// A predicate and its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Literal {
    /// The predicate.
    pub predicate: &'static Predicate,
    /// Its arguments.
    pub terms: Vec<Term>,
}

impl Literal {
    /// The arguments with what the predicate says of them.
    pub fn arguments(&self) -> impl Iterator<Item = (Argument, Term)> + '_ {
        self.predicate.arguments().iter().copied().zip(self.terms.iter().copied())
    }

    /// The variable in this place.
    ///
    /// # Panics
    /// If there is a number, or nothing.
    pub fn variable(&self, place: usize) -> Variable {
        match self.terms[place] {
            Term::Variable(variable) => variable,
            Term::Number(number) => panic!("{number} stands where a variable should"),
        }
    }
}

/// A rule. In documents it is its text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Clause {
    target: Target,
    body: Vec<Literal>,
    types: Vec<Type>,
}

/// A literal does not fit into its clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClauseError {
    /// The literal, counted from 0.
    pub literal: usize,
    /// The argument, counted from 0; none where the literal as a whole is wrong.
    pub argument: Option<usize>,
    /// What is wrong.
    pub fault: String,
}

impl Clause {
    /// The clause with this body.
    ///
    /// Variables may be numbered as one likes, but for the two of the head; they are numbered
    /// anew in the order in which the literals give them.
    ///
    /// # Errors
    /// If a literal asks for what nothing before it gives, or for another type.
    pub fn new(target: Target, body: Vec<Literal>) -> Result<Self, ClauseError> {
        Self::named(target, body, |variable| format!("variable {}", variable.0))
    }

    /// The same, with names for messages.
    pub(super) fn named(
        target: Target,
        mut body: Vec<Literal>,
        name: impl Fn(Variable) -> String,
    ) -> Result<Self, ClauseError> {
        let mut types = vec![Type::Covered, Type::Board];
        // What each variable as given is called here.
        let mut known = vec![(Variable::CELL, Variable::CELL), (Variable::BOARD, Variable::BOARD)];
        for (place, literal) in body.iter_mut().enumerate() {
            let predicate = literal.predicate.name;
            let (expected, found) = (literal.predicate.arguments().len(), literal.terms.len());
            if expected != found {
                let fault = format!("{predicate} takes {expected} arguments, {found} are given");
                return Err(ClauseError { literal: place, argument: None, fault });
            }
            let known_before = known.len();
            for (at, term) in literal.terms.iter_mut().enumerate() {
                let argument = literal.predicate.arguments()[at];
                let expected = argument.kind();
                let a = |kind: Type| match kind {
                    Type::Number => format!("an {}", kind.name()),
                    _ => format!("a {}", kind.name()),
                };
                let wrong = |what: String| ClauseError {
                    literal: place,
                    argument: Some(at),
                    fault: format!("{predicate} {what}"),
                };
                let asks = |but: String| wrong(format!("asks for {} here, {but}", a(expected)));
                let variable = match (*term, argument) {
                    (Term::Number(_), Argument::Constant | Argument::In(Type::Number)) => continue,
                    (Term::Number(number), _) => {
                        return Err(asks(format!("not for the number {number}")));
                    }
                    (Term::Variable(variable), _) => variable,
                };
                let name = || name(variable);
                let bound = known.iter().position(|&(given, _)| given == variable);
                *term = Term::Variable(match bound {
                    Some(at) => {
                        let ours = known[at].1;
                        let found = types[ours.index()];
                        if found != expected {
                            return Err(asks(format!("and {} is {}", name(), a(found))));
                        }
                        // A number may be met again; then the two must be equal.
                        let again = expected == Type::Number && at < known_before;
                        if argument.is_output() && !again {
                            let gives = format!("gives a new {} here", expected.name());
                            return Err(wrong(format!("{gives}, and {} is known already", name())));
                        }
                        ours
                    }
                    None if argument.is_output() => {
                        let ours = Variable(types.len() as u16);
                        types.push(expected);
                        known.push((variable, ours));
                        ours
                    }
                    None => return Err(asks(format!("and nothing before gives {}", name()))),
                });
            }
        }
        Ok(Self { target, body, types })
    }

    /// What it concludes.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Its literals.
    pub fn body(&self) -> &[Literal] {
        &self.body
    }

    /// The types of its variables.
    pub fn types(&self) -> &[Type] {
        &self.types
    }

    /// The names of its variables: those of a type are counted, but for the first cell, board and
    /// zone.
    pub fn names(&self) -> Vec<String> {
        let name = |(place, &kind): (usize, &Type)| {
            let before = self.types[..place].iter().filter(|&&other| other == kind).count();
            let stem = kind.words().1;
            match (before, kind) {
                (0, Type::Covered | Type::Board | Type::Zone) => stem.to_owned(),
                _ => format!("{stem}{before}"),
            }
        };
        self.types.iter().enumerate().map(name).collect()
    }
}

impl From<Clause> for String {
    fn from(clause: Clause) -> Self {
        clause.to_string()
    }
}

impl TryFrom<String> for Clause {
    type Error = String;

    /// Reads the text of one rule.
    fn try_from(text: String) -> Result<Self, String> {
        let theory = Theory::read(&text).map_err(|error| format!("a rule: {error}"))?;
        let [clause] = <[Clause; 1]>::try_from(theory.rules)
            .map_err(|rules| format!("{} rules where one should be", rules.len()))?;
        Ok(clause)
    }
}

impl fmt::Display for Clause {
    /// Prolog, four literals to a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names();
        write!(f, "{}({}, {})", self.target.name(), names[0], names[1])?;
        for (place, literal) in self.body.iter().enumerate() {
            f.write_str(if place == 0 { " :-\n    " } else { ",\n    " })?;
            let terms: Vec<String> = literal
                .terms
                .iter()
                .map(|term| match term {
                    Term::Variable(variable) => names[variable.index()].clone(),
                    Term::Number(number) => number.to_string(),
                })
                .collect();
            write!(f, "{}({})", literal.predicate.name, terms.join(", "))?;
        }
        f.write_str(".")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ilp::background::find;

    fn literal(name: &str, terms: &[u16]) -> Literal {
        let terms = terms.iter().map(|&variable| Term::Variable(Variable(variable))).collect();
        Literal { predicate: find(name).unwrap(), terms }
    }

    #[test]
    fn variables_are_numbered_as_they_are_given() {
        let mut mines = literal("minesInSet", &[9, 0]);
        mines.terms[1] = Term::Number(0);
        let body = vec![
            literal("zoneOfInterest", &[0, 1, 7]),
            literal("setHasXMines", &[8, 1, 7, 9]),
            literal("inSet", &[0, 9]),
            mines,
        ];
        let clause = Clause::new(Target::Safe, body).unwrap();
        let expected = "safe(TILEUK, BOARD) :-
    zoneOfInterest(TILEUK, BOARD, ZONE),
    setHasXMines(TILEK0, BOARD, ZONE, SET0),
    inSet(TILEUK, SET0),
    minesInSet(SET0, 0).";
        assert_eq!(clause.to_string(), expected);
    }

    #[test]
    fn literals_must_fit() {
        let zone = || literal("zoneOfInterest", &[0, 1, 2]);
        let mut number = zone();
        number.terms[0] = Term::Number(3);
        for (body, place, argument, fault) in [
            (
                vec![literal("inSet", &[0, 1])],
                0,
                Some(1),
                "inSet asks for a Set here, and variable 1 is a Board",
            ),
            (
                vec![literal("inSet", &[0, 5])],
                0,
                Some(1),
                "inSet asks for a Set here, and nothing before gives variable 5",
            ),
            (
                vec![zone(), zone()],
                1,
                Some(2),
                "zoneOfInterest gives a new Zone here, and variable 2 is known already",
            ),
            (vec![literal("inSet", &[0])], 0, None, "inSet takes 2 arguments, 1 are given"),
            (vec![number], 0, Some(0), "zoneOfInterest asks for a TU here, not for the number 3"),
        ] {
            let expected = ClauseError { literal: place, argument, fault: fault.into() };
            assert_eq!(Clause::new(Target::Safe, body), Err(expected));
        }
    }
}
