//! A run that ends: iterations, rows to plot, a champion by fields held out, checkpoints.

use std::num::NonZero;

use super::breeding::Breeding;
use super::check::Node;
use super::field::Field;
use crate::evolve::checkpoint::CheckpointError;
use crate::evolve::engine::{Evolution, Row, Settings};
use crate::evolve::tree::Tree;

/// How long a run goes on.
#[derive(Clone, PartialEq, Debug)]
pub struct Lessons {
    /// The most iterations.
    pub iterations: u64,
    /// Iterations from row to row, and from one look at the fields held out to the next.
    pub every: u64,
    /// Fields held out; without any the fittest tree is the champion.
    pub held_out: Vec<Field>,
    /// Looks without a better champion after which a run ends.
    pub patience: u64,
}

/// A run of genetic programming.
#[derive(Clone, Debug)]
pub struct Training {
    evolution: Evolution<Breeding>,
    lessons: Lessons,
    rows: Vec<Row>,
    champion: Tree<Node>,
    /// The champion's mean score on the fields held out.
    held_out: Option<f64>,
    /// Looks since the champion changed.
    waited: u64,
}

impl Training {
    /// A run at its beginning.
    pub fn new(
        breeding: Breeding,
        settings: Settings,
        lessons: Lessons,
        threads: NonZero<usize>,
    ) -> Self {
        let evolution = Evolution::new(breeding, settings, threads);
        let champion = evolution.best().genome.clone();
        let mut run =
            Self { evolution, lessons, rows: Vec::new(), champion, held_out: None, waited: 0 };
        run.look();
        run
    }

    /// The population.
    pub fn evolution(&self) -> &Evolution<Breeding> {
        &self.evolution
    }

    /// Rows to plot, the first before any iteration.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The best tree: on the fields held out, or else on its own.
    pub fn champion(&self) -> &Tree<Node> {
        &self.champion
    }

    /// The champion's mean score on the fields held out.
    pub fn held_out(&self) -> Option<f64> {
        self.held_out
    }

    /// Whether the run is over.
    pub fn done(&self) -> bool {
        let alone = self.lessons.held_out.is_empty();
        self.evolution.iteration() >= self.lessons.iterations
            || self.evolution.perfect()
            || !alone && self.waited >= self.lessons.patience
    }

    /// One iteration; true if it made a row.
    pub fn step(&mut self, threads: NonZero<usize>) -> bool {
        self.evolution.step(threads);
        let due = self.evolution.iteration().is_multiple_of(self.lessons.every) || self.done();
        if due {
            self.look();
        }
        due
    }

    /// Makes a row, and judges the best tree on the fields held out.
    fn look(&mut self) {
        self.rows.push(self.evolution.row());
        let best = &self.evolution.best().genome;
        if self.lessons.held_out.is_empty() {
            self.champion.clone_from(best);
            return;
        }
        let breeding = self.evolution.problem();
        let (score, _) = breeding.scores(best, &self.lessons.held_out, None);
        if self.held_out.is_none_or(|champion| score > champion) {
            self.champion.clone_from(best);
            self.held_out = Some(score);
            self.waited = 0;
        } else {
            self.waited += 1;
        }
    }

    /// The run as text; see [`Evolution::checkpoint`].
    pub fn checkpoint(&self, run: &str) -> String {
        let held_out = self.held_out.map_or("none".into(), |score| format!("{score:?}"));
        let mut notes = vec![format!("{held_out} {} {}", self.waited, self.champion)];
        notes.extend(self.rows.iter().map(Row::text));
        self.evolution.checkpoint(run, &notes)
    }

    /// Takes a run up again: it goes on as if it had never stopped.
    pub fn resume(
        breeding: Breeding,
        settings: Settings,
        lessons: Lessons,
        run: &str,
        text: &str,
    ) -> Result<Self, CheckpointError> {
        let (evolution, notes) = Evolution::resume(breeding, settings, run, text)?;
        // The notes follow the seventh line.
        let fault = |note: usize, column, words: &str| CheckpointError::Line {
            line: 8 + note,
            column,
            fault: words.into(),
        };
        let first = notes.first().map_or("", String::as_str);
        let mut words = first.splitn(3, ' ');
        let mut word = || words.next().ok_or_else(|| fault(0, 1, "expected the champion"));
        let (score, waited, champion) = (word()?, word()?, word()?);
        let held_out = match score {
            "none" => None,
            score => Some(score.parse().map_err(|_| fault(0, 1, "expected a score or none"))?),
        };
        let waited = waited.parse().map_err(|_| fault(0, score.len() + 2, "expected a number"))?;
        let start = first.len() - champion.len();
        let champion =
            Tree::read(champion).map_err(|error| fault(0, start + error.column, &error.fault))?;
        let rows = notes.iter().enumerate().skip(1).map(|(at, note)| {
            Row::read(note).ok_or_else(|| fault(at, 1, "expected the eight numbers of a row"))
        });
        let rows = rows.collect::<Result<Vec<Row>, CheckpointError>>()?;
        Ok(Self { evolution, lessons, rows, champion, held_out, waited })
    }
}
