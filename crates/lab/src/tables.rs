//! The papers' tables and figures, reproduced: one file each, with the paper's numbers inside.
//!
//! A [`Table`] names the runs it needs; once they are played it reads them: one [`Line`] for
//! each number, the paper's beside ours with its interval and a [`Verdict`], and charts with
//! both in one picture. Everything here is about what to play and what it means; running is the
//! business of [`durable`](crate::durable), writing that of [`report`](crate::report).

mod games;
mod line;

use crate::report::Chart;
use crate::run::Tournament;

pub use games::{Games, Measured, Played};
pub use line::{Line, Target, Unit, Verdict};

/// Every table there is, in the order of the papers.
pub const TABLES: &[Table] = &[];

/// A table or figure of a paper, or a study of our own.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name on the command line, such as `s000-t1`.
    pub id: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// Author, title and year of the paper.
    pub paper: Option<&'static str>,
    /// What was done and how it is judged, in a paragraph.
    pub about: &'static str,
    /// The runs it needs.
    pub trials: fn() -> Vec<Trial>,
    /// What they show.
    pub read: fn(&Played) -> Reading,
}

/// One run of a table.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Its name within the table, fit for a folder.
    pub name: String,
    /// Who plays what.
    pub tournament: Tournament,
}

/// What a table shows.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The numbers.
    pub lines: Vec<Line>,
    /// Charts, by file name without its ending.
    pub charts: Vec<(String, Chart)>,
    /// Pictures, by file name without its ending, as SVG documents.
    pub pictures: Vec<(String, String)>,
    /// Paragraphs of Markdown: what the numbers mean, and why one was missed.
    pub notes: Vec<String>,
}

impl Reading {
    /// Whether no number misses its target.
    pub fn holds(&self) -> bool {
        self.lines.iter().all(|line| line.verdict != Verdict::Missed)
    }
}

/// The table of this name.
pub fn find(id: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.id == id)
}
