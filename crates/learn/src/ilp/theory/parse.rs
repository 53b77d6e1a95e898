//! Reading theories.

use super::Theory;
use crate::cursor::{Cursor, run};
use crate::header::ReadArtifactError;
use crate::ilp::background::{self, BACKGROUND};
use crate::ilp::clause::{Clause, Literal, Term, Variable};

/// Reads a theory.
pub fn theory(text: &str) -> Result<Theory, ReadArtifactError> {
    let origin =
        text.lines().map(str::trim_end).take_while(|line| line.is_empty() || line.starts_with('%'));
    let origin = origin.filter(|line| line.starts_with('%') && !line.starts_with("%%"));
    let origin = origin.map(|line| line[1..].trim_start().to_owned()).collect();
    let mut reader = Reader(Cursor::new(text, 1));
    let mut rules = Vec::new();
    while !reader.peek().is_empty() {
        rules.push(reader.clause()?);
    }
    match rules.is_empty() {
        true => Err(reader.0.wrong("a theory has at least one rule")),
        false => Ok(Theory { origin, rules }),
    }
}

/// A literal, where it stands and where each of its arguments does.
type Placed<'a> = (Literal, Cursor<'a>, Vec<Cursor<'a>>);

struct Reader<'a>(Cursor<'a>);

impl<'a> Reader<'a> {
    fn clause(&mut self) -> Result<Clause, ReadArtifactError> {
        let (at, name) = self.take(|first| first.is_ascii_lowercase(), "`safe` or `mine`")?;
        let target = name.parse().map_err(|_| {
            at.wrong(format!(
                "a rule concludes safe(TILEUK, BOARD) or mine(TILEUK, BOARD), not `{name}`"
            ))
        })?;
        let mut names = Vec::new();
        self.expect("(", "`(`")?;
        for (end, words) in [(",", "`,`"), (")", "`)`")] {
            let (at, name) = self.take(begins_variable, "a variable")?;
            if names.contains(&name) {
                let fault = format!("the head has two variables, and both are {name}");
                return Err(at.wrong(fault));
            }
            names.push(name);
            self.expect(end, words)?;
        }
        let mut placed: Vec<Placed> = Vec::new();
        if self.next_if(":-") {
            placed.push(self.literal(&mut names)?);
            while self.next_if(",") {
                placed.push(self.literal(&mut names)?);
            }
        }
        self.expect(".", "`,` or `.`")?;
        let body = placed.iter().map(|(literal, ..)| literal.clone()).collect();
        Clause::named(target, body, |variable| names[variable.index()].to_owned()).map_err(
            |error| {
                let (_, literal, terms) = &placed[error.literal];
                error.argument.map_or(literal, |argument| &terms[argument]).wrong(error.fault)
            },
        )
    }

    fn literal(&mut self, names: &mut Vec<&'a str>) -> Result<Placed<'a>, ReadArtifactError> {
        let (at, name) = self.take(|first| first.is_ascii_lowercase(), "a predicate")?;
        let predicate = background::find(name).ok_or_else(|| {
            let list = BACKGROUND.each_ref().map(|predicate| predicate.name).join(", ");
            at.wrong(format!("there is no predicate `{name}`; there are {list}"))
        })?;
        self.expect("(", "`(`")?;
        let (mut terms, mut places) = (Vec::new(), Vec::new());
        loop {
            let (at, word) = self.take(
                |first| begins_variable(first) || begins_number(first),
                "a variable or a number",
            )?;
            places.push(at);
            terms.push(match word.starts_with(begins_number) {
                true => Term::Number(word.parse().map_err(|_| unexpected(at, "a number", word))?),
                false => {
                    // Nothing else is called `_`.
                    let known = names.iter().position(|known| *known == word && word != "_");
                    let index = known.unwrap_or_else(|| {
                        names.push(word);
                        names.len() - 1
                    });
                    Term::Variable(Variable(index as u16))
                }
            });
            if !self.next_if(",") {
                break;
            }
        }
        self.expect(")", "`,` or `)`")?;
        Ok((Literal { predicate, terms }, at, places))
    }

    /// The next token, which begins where the cursor then stands: a name, a number, `:-` or a
    /// single symbol. It is empty at the end of the text.
    fn peek(&mut self) -> &'a str {
        self.0.skip_while(char::is_whitespace);
        while self.0.rest.starts_with('%') {
            self.0.skip_while(|symbol| symbol != '\n');
            self.0.skip_while(char::is_whitespace);
        }
        let rest = self.0.rest;
        let length = match rest.chars().next() {
            None => 0,
            Some(':') if rest.starts_with(":-") => 2,
            Some(first) if begins_number(first) => {
                1 + run(&rest[1..], |symbol| symbol.is_ascii_digit()).len()
            }
            Some('_' | 'a'..='z' | 'A'..='Z') => {
                run(rest, |symbol| symbol == '_' || symbol.is_ascii_alphanumeric()).len()
            }
            Some(other) => other.len_utf8(),
        };
        &rest[..length]
    }

    /// The next token and where it stands, if it begins so.
    fn take(
        &mut self,
        begins: impl Fn(char) -> bool,
        words: &str,
    ) -> Result<(Cursor<'a>, &'a str), ReadArtifactError> {
        let (token, at) = (self.peek(), self.0);
        match token.starts_with(begins) {
            true => self.0.skip(token.len()),
            false => return Err(unexpected(at, words, token)),
        }
        Ok((at, token))
    }

    fn next_if(&mut self, token: &str) -> bool {
        let there = self.peek() == token;
        if there {
            self.0.skip(token.len());
        }
        there
    }

    fn expect(&mut self, token: &str, words: &str) -> Result<(), ReadArtifactError> {
        match self.next_if(token) {
            true => Ok(()),
            false => Err(unexpected(self.0, words, self.peek())),
        }
    }
}

fn unexpected(at: Cursor<'_>, expected: &str, found: &str) -> ReadArtifactError {
    let found = match found {
        "" => "the end of the file".to_owned(),
        token => format!("`{token}`"),
    };
    at.wrong(format!("{expected} should stand here, not {found}"))
}

fn begins_variable(symbol: char) -> bool {
    symbol == '_' || symbol.is_ascii_uppercase()
}

fn begins_number(symbol: char) -> bool {
    symbol == '-' || symbol.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Theory::read(text).unwrap_err().to_string()
    }

    #[test]
    fn faults_are_told_with_line_and_column() {
        for (text, told) in [
            ("% nothing\n", "2, column 1: a theory has at least one rule"),
            (
                "safe(T, B) :- zoneOfInterest(T, B, Z)",
                "1, column 38: `,` or `.` should stand here, not the end of the file",
            ),
            (
                "safe(T, B) :-\n  zoneOfInterest(T, B Z).",
                "2, column 23: `,` or `)` should stand here, not `Z`",
            ),
            ("safe(T, B) ;", "1, column 12: `,` or `.` should stand here, not `;`"),
            ("safe(T, T).", "1, column 9: the head has two variables, and both are T"),
            (
                "likely(T, B).",
                "1, column 1: a rule concludes safe(TILEUK, BOARD) or mine(TILEUK, BOARD), \
                 not `likely`",
            ),
            (
                "safe(T, B) :- totalMinesLeft(B, 99999999999).",
                "1, column 33: a number should stand here, not `99999999999`",
            ),
            // Types are checked with the names of the file.
            (
                "safe(T, B) :- zoneOfInterest(T, B, Z),\n  inSet(T, Z).",
                "2, column 12: inSet asks for a Set here, and Z is a Zone",
            ),
            (
                "safe(T, B) :- minesInSet(SET, 0).",
                "1, column 26: minesInSet asks for a Set here, and nothing before gives SET",
            ),
            ("safe(T, B) :- inSet(T).", "1, column 15: inSet takes 2 arguments, 1 are given"),
        ] {
            assert_eq!(error(text), format!("line {told}"));
        }
        let unknown = error("safe(T, B) :-\n  zone(T, B, Z).");
        let start = "line 2, column 3: there is no predicate `zone`; there are zoneOfInterest, ";
        assert!(unknown.starts_with(start), "{unknown}");
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
