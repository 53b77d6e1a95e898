//! Reading theories.

use thiserror::Error;

use super::Theory;
use crate::ilp::background::{self, BACKGROUND};
use crate::ilp::clause::{Clause, Fault, Literal, Term, Variable};

/// A theory cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct TheoryError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: TheoryFault,
}

/// What is wrong with a theory.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TheoryFault {
    /// Something else should stand there.
    #[error("{expected} should stand here, not {found}")]
    Syntax {
        /// What should.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// No such predicate in a body.
    #[error("there is no predicate `{0}`; there are {list}", list = BACKGROUND.each_ref().map(|predicate| predicate.name).join(", "))]
    Predicate(String),
    /// No such predicate in a head.
    #[error("a rule concludes safe(TILEUK, BOARD) or mine(TILEUK, BOARD), not `{0}`")]
    Target(String),
    /// The head's variables are one and the same.
    #[error("the head has two variables, and both are {0}")]
    Head(String),
    /// A literal does not fit into its clause.
    #[error(transparent)]
    Literal(Fault),
    /// No rule at all.
    #[error("a theory has at least one rule")]
    Empty,
}

/// Reads a theory.
pub fn theory(text: &str) -> Result<Theory, TheoryError> {
    let mut reader = Reader::new(text);
    let mut theory = Theory::default();
    let origin =
        text.lines().map(str::trim_end).take_while(|line| line.is_empty() || line.starts_with('%'));
    let origin = origin.filter(|line| line.starts_with('%') && !line.starts_with("%%"));
    theory.origin = origin.map(|line| line[1..].trim_start().to_owned()).collect();
    while reader.peek()?.token != Token::End {
        theory.rules.push(clause(&mut reader)?);
    }
    match theory.rules.is_empty() {
        true => Err(reader.wrong(TheoryFault::Empty)),
        false => Ok(theory),
    }
}

fn clause(reader: &mut Reader) -> Result<Clause, TheoryError> {
    let (name, at) = reader.word("`safe` or `mine`")?;
    let target = name.parse().map_err(|_| at.wrong(TheoryFault::Target(name)))?;
    let mut names = Vec::new();
    reader.expect(Token::Open, "`(`")?;
    for (end, words) in [(Token::Comma, "`,`"), (Token::Close, "`)`")] {
        let (name, at) = reader.variable("a variable")?;
        if names.contains(&name) {
            return Err(at.wrong(TheoryFault::Head(name)));
        }
        names.push(name);
        reader.expect(end, words)?;
    }
    let mut body = Vec::new();
    let mut places: Vec<(Place, Vec<Place>)> = Vec::new();
    if reader.next_if(Token::If)? {
        loop {
            let (literal, place, terms) = literal(reader, &mut names)?;
            body.push(literal);
            places.push((place, terms));
            if !reader.next_if(Token::Comma)? {
                break;
            }
        }
    }
    reader.expect(Token::Stop, "`,` or `.`")?;
    Clause::named(target, body, |variable| names[variable.index()].clone()).map_err(|error| {
        let (literal, terms) = &places[error.literal];
        let at = error.argument.map_or(*literal, |argument| terms[argument]);
        at.wrong(TheoryFault::Literal(error.fault))
    })
}

fn literal(
    reader: &mut Reader,
    names: &mut Vec<String>,
) -> Result<(Literal, Place, Vec<Place>), TheoryError> {
    let (name, place) = reader.word("a predicate")?;
    let predicate = background::find(&name);
    let predicate = predicate.ok_or_else(|| place.wrong(TheoryFault::Predicate(name)))?;
    reader.expect(Token::Open, "`(`")?;
    let (mut terms, mut places) = (Vec::new(), Vec::new());
    loop {
        let next = reader.next()?;
        places.push(next.place);
        terms.push(match next.token {
            Token::Number(number) => Term::Number(number),
            Token::Variable(name) => {
                // Nothing else is called `_`.
                let known = names.iter().position(|known| *known == name && name != "_");
                let index = known.unwrap_or_else(|| {
                    names.push(name);
                    names.len() - 1
                });
                Term::Variable(Variable(index as u16))
            }
            token => return Err(next.place.expected("a variable or a number", &token)),
        });
        if !reader.next_if(Token::Comma)? {
            break;
        }
    }
    reader.expect(Token::Close, "`,` or `)`")?;
    Ok((Literal { predicate, terms }, place, places))
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(String),
    Variable(String),
    Number(i32),
    Open,
    Close,
    Comma,
    Stop,
    If,
    End,
    Other(char),
}

impl Token {
    fn words(&self) -> String {
        match self {
            Token::Word(text) | Token::Variable(text) => format!("`{text}`"),
            Token::Number(number) => format!("`{number}`"),
            Token::Open => "`(`".into(),
            Token::Close => "`)`".into(),
            Token::Comma => "`,`".into(),
            Token::Stop => "`.`".into(),
            Token::If => "`:-`".into(),
            Token::End => "the end of the file".into(),
            Token::Other(symbol) => format!("`{symbol}`"),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    fn wrong(self, fault: TheoryFault) -> TheoryError {
        TheoryError { line: self.line, column: self.column, fault }
    }

    fn expected(self, expected: &'static str, found: &Token) -> TheoryError {
        self.wrong(TheoryFault::Syntax { expected, found: found.words() })
    }
}

#[derive(Clone, Debug)]
struct Placed {
    token: Token,
    place: Place,
}

struct Reader<'a> {
    symbols: std::iter::Peekable<std::str::Chars<'a>>,
    place: Place,
    next: Option<Placed>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        let place = Place { line: 1, column: 1 };
        Self { symbols: text.chars().peekable(), place, next: None }
    }

    fn wrong(&self, fault: TheoryFault) -> TheoryError {
        self.next.as_ref().map_or(self.place, |next| next.place).wrong(fault)
    }

    fn peek(&mut self) -> Result<&Placed, TheoryError> {
        if self.next.is_none() {
            self.next = Some(self.read()?);
        }
        Ok(self.next.as_ref().expect("read above"))
    }

    fn next(&mut self) -> Result<Placed, TheoryError> {
        self.peek()?;
        Ok(self.next.take().expect("peeked"))
    }

    fn next_if(&mut self, token: Token) -> Result<bool, TheoryError> {
        let there = self.peek()?.token == token;
        if there {
            self.next = None;
        }
        Ok(there)
    }

    fn expect(&mut self, token: Token, words: &'static str) -> Result<(), TheoryError> {
        let next = self.next()?;
        if next.token == token { Ok(()) } else { Err(next.place.expected(words, &next.token)) }
    }

    fn word(&mut self, words: &'static str) -> Result<(String, Place), TheoryError> {
        let next = self.next()?;
        match next.token {
            Token::Word(text) => Ok((text, next.place)),
            token => Err(next.place.expected(words, &token)),
        }
    }

    fn variable(&mut self, words: &'static str) -> Result<(String, Place), TheoryError> {
        let next = self.next()?;
        match next.token {
            Token::Variable(text) => Ok((text, next.place)),
            token => Err(next.place.expected(words, &token)),
        }
    }

    fn symbol(&mut self) -> Option<char> {
        let symbol = self.symbols.next()?;
        if symbol == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(symbol)
    }

    fn read(&mut self) -> Result<Placed, TheoryError> {
        while let Some(&symbol) = self.symbols.peek() {
            if symbol == '%' {
                while self.symbols.peek().is_some_and(|&symbol| symbol != '\n') {
                    self.symbol();
                }
            } else if symbol.is_whitespace() {
                self.symbol();
            } else {
                break;
            }
        }
        let place = self.place;
        let Some(first) = self.symbol() else { return Ok(Placed { token: Token::End, place }) };
        let token = match first {
            '(' => Token::Open,
            ')' => Token::Close,
            ',' => Token::Comma,
            '.' => Token::Stop,
            ':' if self.symbols.peek() == Some(&'-') => {
                self.symbol();
                Token::If
            }
            '-' | '0'..='9' => {
                let text = self.rest(first, |symbol| symbol.is_ascii_digit());
                match text.parse() {
                    Ok(number) => Token::Number(number),
                    Err(_) => {
                        let found = format!("`{text}`");
                        let expected = "a number";
                        return Err(place.wrong(TheoryFault::Syntax { expected, found }));
                    }
                }
            }
            '_' | 'A'..='Z' => Token::Variable(self.rest(first, is_name)),
            'a'..='z' => Token::Word(self.rest(first, is_name)),
            other => Token::Other(other),
        };
        Ok(Placed { token, place })
    }

    fn rest(&mut self, first: char, belongs: impl Fn(char) -> bool) -> String {
        let mut text = String::from(first);
        while let Some(&symbol) = self.symbols.peek().filter(|symbol| belongs(**symbol)) {
            text.push(symbol);
            self.symbol();
        }
        text
    }
}

fn is_name(symbol: char) -> bool {
    symbol == '_' || symbol.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Theory::read(text).unwrap_err().to_string()
    }

    #[test]
    fn faults_are_told_with_line_and_column() {
        assert_eq!(error("% nothing\n"), "line 2, column 1: a theory has at least one rule");
        assert_eq!(
            error("safe(T, B) :- zoneOfInterest(T, B, Z)"),
            "line 1, column 38: `,` or `.` should stand here, not the end of the file"
        );
        assert_eq!(
            error("safe(T, B) :-\n  zoneOfInterest(T, B Z)."),
            "line 2, column 23: `,` or `)` should stand here, not `Z`"
        );
        assert_eq!(
            error("safe(T, B) ;"),
            "line 1, column 12: `,` or `.` should stand here, not `;`"
        );
        assert_eq!(
            error("safe(T, T)."),
            "line 1, column 9: the head has two variables, and both are T"
        );
        assert_eq!(
            error("likely(T, B)."),
            "line 1, column 1: a rule concludes safe(TILEUK, BOARD) or mine(TILEUK, BOARD), not `likely`"
        );
        assert_eq!(
            error("safe(T, B) :- totalMinesLeft(B, 99999999999)."),
            "line 1, column 33: a number should stand here, not `99999999999`"
        );
        let unknown = error("safe(T, B) :-\n  zone(T, B, Z).");
        let start = "line 2, column 3: there is no predicate `zone`; there are zoneOfInterest, ";
        assert!(unknown.starts_with(start), "{unknown}");
    }

    #[test]
    fn types_are_checked_with_the_names_of_the_file() {
        assert_eq!(
            error("safe(T, B) :- zoneOfInterest(T, B, Z),\n  inSet(T, Z)."),
            "line 2, column 12: inSet asks for a Set here, and Z is a Zone"
        );
        assert_eq!(
            error("safe(T, B) :- minesInSet(SET, 0)."),
            "line 1, column 26: minesInSet asks for a Set here, and nothing before gives SET"
        );
        assert_eq!(
            error("safe(T, B) :- inSet(T)."),
            "line 1, column 15: inSet takes 2 arguments, 1 are given"
        );
    }

    #[test]
    fn underscores_are_always_new() {
        let text = "safe(T, B) :- zoneOfInterest(T, B, Z), setHasXMines(_, B, Z, S),
                    setHasXMines(_, B, Z, S1), inSet(T, S), minesInSet(S1, 0).";
        assert_eq!(Theory::read(text).unwrap().rules[0].body().len(), 5);
    }

    proptest::proptest! {
        #[test]
        fn no_text_crashes_the_reader(text in "(safe|mine|zoneOfInterest|inSet|[A-Z(),.:% \n-]|:-|[0-9]){0,40}") {
            let _ = Theory::read(&text);
        }
    }
}
