//! The papers' tables and figures, reproduced: one file each, with the paper's numbers inside.
//!
//! A [`Table`] names the runs it needs, tournaments ([`Trial`]) or other work ([`Study`]); once
//! they are done it reads them: one [`Line`] for
//! each number, the paper's beside ours with its interval and a [`Verdict`], and charts with
//! both in one picture. Everything here is about what to play and what it means; running is the
//! business of [`durable`](crate::durable), writing that of [`report`](crate::report).

mod arena;
mod best;
#[cfg(feature = "neural")]
mod calibration;
mod games;
#[cfg(feature = "neural")]
mod lesson;
mod line;
mod optimal;
mod pseq;
mod quartetti;
#[cfg(feature = "neural")]
mod s000_curve;
#[cfg(feature = "neural")]
mod s000_flaws;
#[cfg(feature = "neural")]
mod s000_nets;
mod s000_t1;
mod s000_t2;
#[cfg(feature = "neural")]
mod s000_tree;
mod s001_chains;
mod s001_e1;
mod s001_e2;
mod s001_e3;
mod s001_e4;
mod s001_uncertain;
mod s001_x;
mod s002_beyond;
mod s002_pgms;
mod s002_play;
mod s002_t2;
mod s002_usage;
#[cfg(feature = "neural")]
mod s003_baselines;
#[cfg(feature = "neural")]
mod s003_learning;
#[cfg(feature = "neural")]
mod s003_nets;
mod s003_pedersen;
mod s003_teacher;
mod s004_small;
mod s004_t2;
mod s004_t3;
mod s004_t4;
mod s004_x;
mod study;
mod tang;

use deminer_game::{At, ClueRule, Rules, Start};

use crate::measure::Measure;
use crate::report::Chart;
use crate::run::{Estimator, Tournament};

pub use arena::{Absent, absent};
pub use games::{Games, Measured, Played};
pub use line::{Line, Target, Unit, Verdict};
pub use study::{Findings, Study, Work};

/// Every table there is, in the order of the papers.
pub const TABLES: &[Table] = &[
    s000_t1::TABLE,
    s000_t2::TABLE,
    #[cfg(feature = "neural")]
    s000_nets::TABLE_5,
    #[cfg(feature = "neural")]
    s000_nets::TABLE_6,
    #[cfg(feature = "neural")]
    s000_nets::TABLE_7,
    #[cfg(feature = "neural")]
    s000_nets::TABLE_8,
    #[cfg(feature = "neural")]
    s000_nets::TABLE_9,
    #[cfg(feature = "neural")]
    s000_nets::TABLE_10,
    #[cfg(feature = "neural")]
    s000_curve::TABLE,
    #[cfg(feature = "neural")]
    s000_curve::SEARCH,
    #[cfg(feature = "neural")]
    s000_flaws::TABLE,
    #[cfg(feature = "neural")]
    s000_tree::TABLE,
    s001_e1::TABLE,
    s001_e2::TABLE,
    s001_e3::TABLE,
    s001_e4::TABLE,
    s001_chains::TABLE,
    s001_uncertain::TABLE,
    s001_x::TABLE,
    s002_t2::TABLE,
    s002_play::TABLE,
    s002_usage::TABLE,
    s002_pgms::TABLE,
    s002_beyond::TABLE,
    s003_teacher::TABLE,
    #[cfg(feature = "neural")]
    s003_nets::TABLE,
    #[cfg(feature = "neural")]
    s003_nets::CURVES,
    #[cfg(feature = "neural")]
    s003_nets::GAP,
    #[cfg(feature = "neural")]
    s003_learning::LOSS,
    #[cfg(feature = "neural")]
    s003_learning::TRANSFER,
    #[cfg(feature = "neural")]
    s003_learning::TEACHERS,
    #[cfg(feature = "neural")]
    s003_baselines::TABLE,
    s003_pedersen::TABLE,
    s004_t2::TABLE,
    s004_x::TABLE,
    s004_t3::TABLE,
    s004_t4::TABLE,
    s004_small::TABLE,
    quartetti::TABLE,
    #[cfg(feature = "neural")]
    calibration::TABLE,
    pseq::TABLE,
    tang::TABLE,
    best::TABLE,
    optimal::TABLE,
    arena::TABLE,
];

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
    /// What else must be done for it.
    pub studies: fn() -> Vec<Study>,
    /// What they show.
    pub read: fn(&Played) -> Reading,
    /// All numbers at a glance, as Markdown, where one line each is too much.
    pub digest: Option<fn(&[Line]) -> String>,
}

/// One run of a table.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Its name within the table.
    pub name: String,
    /// Who plays what.
    pub tournament: Tournament,
}

/// The seed of every table's runs, unless another is asked for.
pub const SEED: u64 = 1;

impl Trial {
    /// So many games of these agents on a board, with a safe start at the corner and unneeded
    /// guesses measured. Specs and boards are those of a table's file, so they must be right.
    fn new(name: impl Into<String>, agents: &[&str], board: &str, games: u64) -> Self {
        let size = board.parse().expect("a board of a table");
        let agent = |spec: &&str| spec.parse().unwrap_or_else(|error| panic!("{error}"));
        let tournament = Tournament {
            agents: agents.iter().map(agent).collect(),
            rules: Rules::of(size).expect("a board of a table"),
            at: At::Corner,
            seed: SEED,
            games: 0..games,
            estimator: Estimator::Plain,
            measures: vec![Measure::Unneeded],
        };
        Self { name: name.into(), tournament }
    }

    /// The same with another start and first click.
    fn start(mut self, start: Start, at: At) -> Self {
        let rules = self.tournament.rules.with_start(start);
        self.tournament.rules = rules.expect("a start that the board allows");
        self.tournament.at = at;
        self
    }

    /// The same without cascade.
    fn one_by_one(mut self) -> Self {
        self.tournament.rules = self.tournament.rules.with_cascade(false);
        self
    }

    /// The same with other clues.
    fn clues(mut self, clues: ClueRule) -> Self {
        self.tournament.rules = self.tournament.rules.with_clues(clues);
        self
    }

    /// The same, measuring just this.
    fn measuring(mut self, measures: &[Measure]) -> Self {
        self.tournament.measures = measures.to_vec();
        self
    }
}

/// The name of a run or a study, fit for a file.
pub fn file_name(name: &str) -> String {
    let fit = |symbol: char| match symbol {
        '%' => 'p',
        _ if symbol.is_ascii_alphanumeric() || ".+-".contains(symbol) => symbol,
        _ => '-',
    };
    name.replace(", ", "-").replace(' ', "-").chars().map(fit).collect()
}

/// For tables without studies.
fn no_studies() -> Vec<Study> {
    Vec::new()
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
    /// The numbers, with a chart of them by setting: the paper's and ours of each agent.
    fn of(title: &str, lines: Vec<Line>) -> Self {
        let chart = line::chart(title, &lines);
        Self { lines, charts: vec![("chart".into(), chart)], ..Self::default() }
    }

    /// Whether no number misses its target.
    pub fn holds(&self) -> bool {
        self.lines.iter().all(|line| line.verdict != Verdict::Missed)
    }
}

/// The table of this name.
pub fn find(id: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.id == id)
}
#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::num::NonZero;
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// What studies found, by their names and what they do: tables share some.
    type Found = HashMap<(String, usize), Findings>;

    /// Plays two games of every run, and does little of every study.
    fn play(table: &Table, found: &mut Found) -> Played {
        let play = |mut trial: Trial| {
            trial.tournament.games = 0..2;
            let rows = trial.tournament.rows(NonZero::<usize>::MIN, &AtomicBool::new(false));
            (trial, rows.expect("the agents of a table play its rules"))
        };
        let work = |mut study: Study| {
            study.amount = 1;
            let work = Work {
                name: &study.name,
                seed: study.seed,
                amount: study.amount,
                sketch: true,
                threads: NonZero::<usize>::MIN,
                stop: &AtomicBool::new(false),
                progress: &|_, _| (),
            };
            let key = (study.name.clone(), study.run as usize);
            let findings = found
                .entry(key)
                .or_insert_with(|| (study.run)(&work).expect("nobody stops it"))
                .clone();
            (study, findings)
        };
        Played::new(
            (table.trials)().into_iter().map(play).collect(),
            (table.studies)().into_iter().map(work).collect(),
        )
    }

    #[test]
    fn every_table_reads_what_it_plans() {
        let mut found = Found::new();
        for table in TABLES {
            let began = std::time::Instant::now();
            let reading = (table.read)(&play(table, &mut found));
            eprintln!("{} {:?}", table.id, began.elapsed());
            assert!(!reading.lines.is_empty(), "{}", table.id);
            assert!(reading.lines.iter().all(|line| line.ours.value.is_finite()), "{}", table.id);
        }
    }

    #[test]
    fn tables_and_their_runs_have_names_of_their_own() {
        for (at, table) in TABLES.iter().enumerate() {
            assert!(TABLES[..at].iter().all(|other| other.id != table.id), "{}", table.id);
            let trials = (table.trials)().into_iter().map(|trial| trial.name);
            let studies = (table.studies)().into_iter().map(|study| study.name);
            let folders: Vec<String> = trials.chain(studies).map(|name| file_name(&name)).collect();
            for (at, folder) in folders.iter().enumerate() {
                assert!(!folders[..at].contains(folder), "{}: {folder} twice", table.id);
            }
        }
    }
}
