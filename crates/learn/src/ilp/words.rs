//! Rules explained: in plain language, and on a board.

use std::fmt;
use std::num::NonZero;
use std::sync::Arc;

use deminer_game::{Cell, Face, View};

use super::background::Reach;
use super::clause::{Clause, Target, Term};
use super::example::{Labels, Sampler};
use super::pool::Pool;
use super::program::Program;
use super::situation::Surveyor;

/// A rule in plain language, a line for each thing it asks.
pub fn plainly(clause: &Clause) -> String {
    let names = clause.names();
    let mut text = match clause.target() {
        Target::Safe => "A covered cell is safe".to_owned(),
        Target::Mine => "A covered cell is a mine".to_owned(),
    };
    for (place, literal) in clause.body().iter().enumerate() {
        let mut words = literal.predicate.words.to_owned();
        for (at, term) in literal.terms.iter().enumerate() {
            let value = match term {
                Term::Variable(variable) => names[variable.index()].clone(),
                Term::Number(0) => "no".to_owned(),
                Term::Number(number) => number.to_string(),
            };
            words = words.replace(&format!("{{{at}}}"), &value);
        }
        text += if place == 0 { " if\n  " } else { ", and\n  " };
        text += &words.replace(" 1 mines", " 1 mine").replace(" 1 cells", " 1 cell");
    }
    text + "."
}

/// A position where a rule applies.
///
/// As text: `o` the cell, letters the clues it rests on, in the order of its literals, and the
/// numbers they show.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// The position.
    pub view: Arc<View>,
    /// The cell concluded about.
    pub cell: Cell,
    /// The clues it rests on.
    pub clues: Vec<Cell>,
}

/// For each rule the position that shows it best, among random ones.
pub fn on_boards<'a>(
    clauses: impl IntoIterator<Item = &'a Clause>,
    sampler: &Sampler,
    threads: NonZero<usize>,
) -> Vec<Option<Sighting>> {
    /// Random states looked through; a rule that applies in none of them is rare indeed.
    const STATES: u64 = 400;
    let programs: Vec<Program> = clauses.into_iter().map(Program::new).collect();
    let mut surveyor = Surveyor::default();
    let mut best: Vec<Option<(usize, Sighting)>> = vec![None; programs.len()];
    let sampler = Sampler {
        labels: Labels::Content,
        sea: true,
        // People look at positions that games lead to.
        scattered: false,
        ..sampler.clone()
    };
    for state in 0..STATES {
        let examples = sampler.examples(state, &mut surveyor);
        let pool = Pool::new(examples, Reach::Wide, &mut surveyor);
        let covers = pool.cover(&programs, threads);
        for ((program, cover), best) in programs.iter().zip(covers).zip(&mut best) {
            for place in cover.iter() {
                let case = &pool.cases()[place];
                let clues = program.witness(&case.situation).expect("it is covered");
                let mut different = clues.clone();
                different.sort_unstable();
                different.dedup();
                // The picture with most different clues shows most; of equals, the simplest board.
                let open = case.example.view.opened().len();
                let rank = different.len() * 1000 + 999 - open.min(999);
                if best.as_ref().is_none_or(|(most, _)| rank > *most) {
                    let (view, cell) = (case.example.view.clone(), case.example.cell);
                    *best = Some((rank, Sighting { view, cell, clues }));
                }
            }
        }
    }
    best.into_iter().map(|best| best.map(|(_, sighting)| sighting)).collect()
}

impl fmt::Display for Sighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { view, cell, clues } = self;
        let letter = |clue: Cell| {
            let place = clues.iter().position(|&other| other == clue)?;
            char::from_u32('A' as u32 + place as u32)
        };
        for near in view.shape().cells() {
            let symbol = match letter(near) {
                _ if near == *cell => "o".to_owned(),
                Some(letter) => letter.to_string(),
                None => view.face(near).to_string(),
            };
            let (_, column) = view.shape().position(near);
            let end = if column + 1 == view.shape().width() { "\n" } else { " " };
            write!(f, "{symbol}{end}")?;
        }
        let mut legend: Vec<String> = Vec::new();
        for &clue in clues {
            if let (Some(letter), Face::Open { .. }) = (letter(clue), view.face(clue)) {
                let line = format!("{letter} is a {}", view.face(clue));
                if !legend.contains(&line) {
                    legend.push(line);
                }
            }
        }
        match legend.is_empty() {
            true => Ok(()),
            false => writeln!(f, "{}", legend.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ilp::Theory;

    #[test]
    fn rules_are_told_in_plain_language() {
        let theory = Theory::read(Theory::PUBLISHED).unwrap();
        let expected = "A covered cell is safe if
  ZONE is the clues around the cell and those that share a covered cell with one of them, and
  SET0 is the covered cells around a clue TILEK0 of ZONE on BOARD, and
  the cell is in SET0, and
  SET0 has no mines.";
        assert_eq!(plainly(&theory.rules[0]), expected);
    }

    #[test]
    fn a_picture_shows_the_clues() {
        let view: View = "mines 2\n# # #\n1 2 1".parse().unwrap();
        let cell = |column| view.shape().cell(1, column).unwrap();
        let center = view.shape().cell(0, 1).unwrap();
        let clues = vec![cell(2), cell(1), cell(0)];
        let drawn = Sighting { view: Arc::new(view), cell: center, clues };
        assert_eq!(drawn.to_string(), "# o #\nC B A\nA is a 1, B is a 2, C is a 1\n");
    }
}
