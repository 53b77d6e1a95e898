//! Theories: rules in the order in which they are tried, as files in Prolog's syntax.
//!
//! ```text
//! % deminer theory 1
//! % seed: 1
//!
//! %% RULE S-1 %%
//! safe(TILEUK, BOARD) :-
//!     zoneOfInterest(TILEUK, BOARD, ZONE),
//!     setHasXMines(TILEK0, BOARD, ZONE, SET0),
//!     inSet(TILEUK, SET0),
//!     minesInSet(SET0, 0).
//! ```
//!
//! Lines that begin with one `%` before the first rule are its origin and are kept; other
//! comments are not. Rules are named by what they conclude and their place.

mod parse;

use std::fmt;

use super::clause::{Clause, Target};
use crate::header::ReadArtifactError;

/// Rules in the order in which they are tried, and where they come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Theory {
    /// Where it comes from, line by line.
    pub origin: Vec<String>,
    /// The rules.
    pub rules: Vec<Clause>,
}

impl Theory {
    /// The rules that the paper prints, as text.
    pub const PUBLISHED: &str = include_str!("published.pl");

    /// The rules that conclude this.
    pub fn of(&self, target: Target) -> impl Iterator<Item = &Clause> {
        self.rules.iter().filter(move |clause| clause.target() == target)
    }

    /// The rules with their names: `S-1` is the first about safe cells, `M-1` about mines.
    pub fn named(&self) -> impl Iterator<Item = (String, &Clause)> {
        self.rules.iter().enumerate().map(|(place, clause)| {
            let target = clause.target();
            let before = &self.rules[..place];
            let number = 1 + before.iter().filter(|other| other.target() == target).count();
            let letter = match target {
                Target::Safe => 'S',
                Target::Mine => 'M',
            };
            (format!("{letter}-{number}"), clause)
        })
    }

    /// Reads a theory.
    pub fn read(text: &str) -> Result<Self, ReadArtifactError> {
        parse::theory(text)
    }
}

impl fmt::Display for Theory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.origin.iter().try_for_each(|line| writeln!(f, "% {line}"))?;
        for (at, (name, clause)) in self.named().enumerate() {
            let gap = if at == 0 && self.origin.is_empty() { "" } else { "\n" };
            writeln!(f, "{gap}%% RULE {name} %%\n{clause}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let theory = Theory::read(Theory::PUBLISHED).unwrap();
        let names: Vec<String> = theory.named().map(|(name, _)| name).collect();
        assert_eq!(names, ["S-1", "S-2", "S-3", "M-1"]);
        assert_eq!(theory.origin.len(), 2);
        let text = theory.to_string();
        assert_eq!(Theory::read(&text).unwrap(), theory);
        assert_eq!(Theory::read(&text).unwrap().to_string(), text);
        assert!(text.contains("\n    minesInSet(SET0, INT0),\n    lengthSet(SET0, INT0).\n"));
    }
}
