//! A run as text, to be taken up again later.
//!
//! ```text
//! deminer evolution 1
//! problem: gp
//! run: 10x10 fields, 1, seed 3
//! iteration: 400
//! evaluations: 840
//! stalled: 12
//! notes: 1
//! 400 840 0.98 0.91 0.77 1 17.5 23
//! members: 2
//! 0.98 (numCheck (0,1) (1,1))
//! 0.91 (edgeCheck (2,0) (0,-1))
//! best: 0.98 (numCheck (0,1) (1,1))
//! ```
//!
//! Fitnesses are written so that they read back to the last bit. Notes are lines of the run's
//! owner: what it wants to remember beside the population.

use std::fmt::Write;

use thiserror::Error;

use super::engine::{Evolution, Member, Problem, Settings};

/// A text that is no checkpoint of this run. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CheckpointError {
    /// Something else.
    #[error("this is no checkpoint: it does not begin with `{MAGIC}`")]
    Foreign,
    /// That of another run.
    #[error("this is a checkpoint of another run: `{found}`, not `{expected}`")]
    Other {
        /// What the checkpoint says.
        found: String,
        /// What the run says.
        expected: String,
    },
    /// A line cannot be read.
    #[error("line {line}, column {column}: {fault}")]
    Line {
        /// Which line.
        line: usize,
        /// Where on it.
        column: usize,
        /// What is wrong and what would be right.
        fault: String,
    },
}

const MAGIC: &str = "deminer evolution 1";

impl<P: Problem> Evolution<P> {
    /// The run as text. `run` says all that it depends on: nothing else takes the text up again.
    pub fn checkpoint(&self, run: &str, notes: &[String]) -> String {
        let mut text = format!(
            "{MAGIC}\nproblem: {}\nrun: {run}\niteration: {}\nevaluations: {}\nstalled: {}\n\
             notes: {}\n",
            P::NAME,
            self.iteration,
            self.evaluations,
            self.stalled,
            notes.len()
        );
        for note in notes {
            text += note;
            text.push('\n');
        }
        let mut line = |head: &str, member: &Member<P::Genome>| {
            let genome = self.problem().write(&member.genome);
            writeln!(text, "{head}{:?} {genome}", member.fitness).expect("strings take everything");
        };
        line("best: ", &self.best);
        self.members.iter().for_each(|member| line("", member));
        text
    }

    /// Takes a run up again where it was kept, with the notes kept beside it.
    pub fn resume(
        problem: P,
        settings: Settings,
        run: &str,
        text: &str,
    ) -> Result<(Self, Vec<String>), CheckpointError> {
        let mut lines = Lines { rest: text.lines().enumerate() };
        if text.lines().next() != Some(MAGIC) {
            return Err(CheckpointError::Foreign);
        }
        lines.next("")?;
        for (key, expected) in [("problem: ", P::NAME), ("run: ", run)] {
            let (_, found) = lines.next(key)?;
            if found != expected {
                let (found, expected) = (found.to_owned(), expected.to_owned());
                return Err(CheckpointError::Other { found, expected });
            }
        }
        let mut number = |key: &str| {
            let (line, text) = lines.next(key)?;
            let fault = || fault(line, key.len() + 1, format!("`{text}` is no number"));
            text.parse::<u64>().map_err(|_| fault())
        };
        let counters = [number("iteration: ")?, number("evaluations: ")?, number("stalled: ")?];
        let count = number("notes: ")?;
        let notes = (0..count).map(|_| Ok(lines.next("")?.1.to_owned()));
        let notes = notes.collect::<Result<Vec<String>, CheckpointError>>()?;
        let mut member = |key: &str| {
            let (line, text) = lines.next(key)?;
            let start = key.len() + 1;
            let (fitness, genome) = text
                .split_once(' ')
                .and_then(|(fitness, genome)| Some((fitness.parse().ok()?, genome)))
                .ok_or_else(|| fault(line, start, "expected a fitness and a genome".into()))?;
            let at = start + text.len() - genome.len();
            let genome = problem
                .read(genome)
                .map_err(|(column, words)| fault(line, at + column - 1, words))?;
            Ok(Member { genome, fitness })
        };
        let best = member("best: ")?;
        let members = (0..settings.population).map(|_| member(""));
        let members = members.collect::<Result<Vec<_>, CheckpointError>>()?;
        if let Some((line, _)) = lines.rest.next() {
            return Err(fault(line + 1, 1, "the population ends before this".into()));
        }
        Ok((Self::of(problem, settings, members, Some(best), counters), notes))
    }
}

struct Lines<'a> {
    rest: std::iter::Enumerate<std::str::Lines<'a>>,
}

impl<'a> Lines<'a> {
    /// The next line without its key, and its number.
    fn next(&mut self, key: &str) -> Result<(usize, &'a str), CheckpointError> {
        let (at, text) =
            self.rest.next().ok_or_else(|| fault(0, 1, "the text ends too early".into()))?;
        let value = text.strip_prefix(key);
        let value = value.ok_or_else(|| fault(at + 1, 1, format!("expected `{}`", key.trim())))?;
        Ok((at + 1, value))
    }
}

fn fault(line: usize, column: usize, fault: String) -> CheckpointError {
    CheckpointError::Line { line, column, fault }
}
