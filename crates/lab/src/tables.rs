//! The papers' tables and figures, reproduced, with the papers' numbers inside.
//!
//! A [`Table`] makes a [`Plan`]: rows that name run, agent, measure and target. The runs
//! ([`Run`]) and other work ([`Study`]) follow from the rows. Once they are done, the plan reads
//! them: one [`Line`] for each row, with the paper's number, ours with its interval and a
//! [`Verdict`], and charts with both. [`reproduce`](crate::reproduce) plays and writes.

mod ablation;
mod arena;
mod calibration;
mod chart;
mod games;
mod line;
mod lubarski_curve;
mod lubarski_equations;
mod lubarski_figures;
mod lubarski_flaws;
mod lubarski_nets;
mod lubarski_tree;
mod mio_beyond;
mod mio_figures;
mod mio_learners;
mod mio_play;
mod mio_pool;
mod mio_t2;
mod missing;
mod optimal;
mod papers;
mod park_figures;
mod park_play;
mod park_t2;
mod park_trees;
mod plan;
mod published;
mod quartetti;
mod study;
mod tortay_learning;
mod tortay_nets;
mod tortay_solvers;
mod zhang_chains;
mod zhang_e4;
mod zhang_figures;
mod zhang_rates;

use deminer::roster::Roster;
use deminer_draw::Chart;

pub use arena::{Absent, absent};
use chart::{Figure, PAPER, curve, point};
pub(crate) use chart::{bare, series};
pub use games::{Games, Measured, Played};
use line::UNSTATED;
pub use line::{Line, Target, Unit, Verdict};
pub use missing::{Missing, note as note_missing};
pub use papers::Paper;
use papers::{GARDEA, LUBARSKI, QUARTETTI, TANG, TORTAY, TU, ZHANG};
pub(crate) use papers::{MIO, PARK};
pub use plan::{Changes, Plan, Row, Run};
use plan::{Goal, RunAgent, RunId, SEED, StudyId, obstacle, rules};
pub use study::{Findings, Found, MissingFinding, Study, Work};

/// Every table there is, in the order of the papers.
pub const TABLES: &[Table] = &[
    lubarski_equations::TABLE_1,
    lubarski_equations::TABLE_2,
    lubarski_nets::TABLE_5,
    lubarski_nets::TABLE_6,
    lubarski_nets::TABLE_7,
    lubarski_nets::TABLE_8,
    lubarski_nets::TABLE_9,
    lubarski_nets::TABLE_10,
    lubarski_curve::TABLE,
    lubarski_curve::SEARCH,
    lubarski_flaws::TABLE,
    lubarski_tree::TABLE,
    lubarski_figures::TABLE,
    zhang_rates::VICTORY,
    zhang_rates::OPEN_RATE,
    zhang_rates::HIDDEN,
    zhang_e4::TABLE,
    zhang_chains::TABLE,
    zhang_figures::TABLE,
    zhang_rates::UNCERTAIN,
    ablation::ZHANG_X,
    mio_t2::TABLE,
    mio_play::PLAY,
    mio_play::USAGE,
    mio_play::PGMS,
    mio_pool::TABLE,
    mio_learners::TABLE,
    mio_beyond::TABLE,
    mio_figures::TABLE,
    tortay_solvers::TEACHER,
    tortay_nets::TABLE,
    tortay_nets::CURVES,
    tortay_nets::GAP,
    tortay_learning::LOSS,
    tortay_learning::TRANSFER,
    tortay_learning::TEACHERS,
    tortay_solvers::BASELINES,
    tortay_solvers::PEDERSEN,
    park_t2::TABLE,
    park_figures::TABLE,
    ablation::PARK_X,
    park_trees::ONE_FIELD,
    park_trees::FRESH_FIELDS,
    park_trees::SMALL_FIELDS,
    park_play::TABLE,
    quartetti::TABLE,
    calibration::TABLE,
    published::PSEQ,
    published::TANG_TABLE,
    published::BEST,
    optimal::TABLE,
    arena::TABLE,
];

/// Orders lines and makes notes on them.
pub type Finish = fn(&Roster, &mut [Line]) -> Vec<String>;

/// A table or figure of a paper, or a study of our own.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name on the command line, such as `s000-t1`.
    pub id: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// The paper, unless it is a study of our own.
    pub paper: Option<&'static Paper>,
    /// Where the paper prints it, such as `table 1`; empty for what it does not print.
    pub place: &'static str,
    /// What was done and how it is judged, in a paragraph.
    pub about: &'static str,
    /// Adds its runs, studies and rows.
    pub plan: fn(&mut Plan),
    /// All numbers at a glance, as Markdown, where one line each is too much.
    pub digest: Option<fn(&[Line]) -> String>,
    /// Orders all lines and makes notes on them, where lines of an earlier report may be kept.
    pub finish: Option<Finish>,
}

impl Table {
    /// A table without anything.
    pub(crate) const EMPTY: Table = Table {
        id: "",
        title: "",
        paper: None,
        place: "",
        about: "",
        plan: |_| (),
        digest: None,
        finish: None,
    };

    /// A table of a paper without anything.
    const fn of(paper: &'static Paper) -> Table {
        Table { paper: Some(paper), ..Table::EMPTY }
    }

    /// Its title with paper and place, such as `Lubarski et al., table 1: Linear equations, no
    /// guess`.
    pub fn full_title(&self) -> String {
        match self.paper {
            None => self.title.to_owned(),
            Some(paper) if self.place.is_empty() => format!("{}: {}", paper.short, self.title),
            Some(paper) => format!("{}, {}: {}", paper.short, self.place, self.title),
        }
    }
}

/// The name of a run or a study as a file name.
pub fn file_name(name: &str) -> String {
    let fit = |symbol: char| match symbol {
        '%' => 'p',
        _ if symbol.is_ascii_alphanumeric() || ".+-".contains(symbol) => symbol,
        _ => '-',
    };
    name.replace(", ", "-").replace(' ', "-").chars().map(fit).collect()
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::num::NonZero;
    use std::sync::Arc;

    use deminer_game::{FirstClick, GameSeed, Match, Outcome, Rules, Start};

    use super::*;
    use crate::stats;
    use crate::tournament::{GameRow, RunError, batches};

    /// What studies found, by paper and name: tables of a paper share some.
    type Memory = HashMap<(&'static str, String), Findings>;

    fn shipped() -> Roster {
        Roster::new(deminer_artifacts::shipped())
    }

    /// Two games of every run, and little of every study.
    fn sketch(table: &Table) -> Plan {
        let changes = Changes { games: Some(2), amount: Some(1), ..Changes::default() };
        Plan::of(table, &shipped(), changes).unwrap_or_else(|error| panic!("{}: {error}", table.id))
    }

    fn play(table: &Table, plan: &Plan, memory: &mut Memory) -> Played {
        let play = |run: &Run| {
            let tournament = &run.spec.tournament;
            let mut rows = vec![Vec::new(); run.agents.len()];
            let (one, stop) = (NonZero::<usize>::MIN, Arc::default());
            let done = tournament.play(one, &stop, batches(tournament.games.clone()), |batch| {
                rows.iter_mut().zip(batch.rows).for_each(|(all, more)| all.extend(more));
                Ok::<(), RunError>(())
            });
            done.expect("the agents of a table play its rules");
            (run.clone(), rows)
        };
        let work = |study: &Study| {
            let work = Work {
                roster: &shipped(),
                seed: study.seed,
                amount: study.amount,
                sketch: true,
                threads: NonZero::<usize>::MIN,
                stop: &Arc::default(),
                progress: &|_, _| (),
            };
            let key = (table.paper.map_or("", |paper| paper.short), study.name.clone());
            let conduct = || study.conduct(&work).expect("it is not stopped");
            let findings = memory.entry(key).or_insert_with(conduct).clone();
            Found { study: study.clone(), findings }
        };
        Played::new(plan.runs.iter().map(play).collect(), plan.studies.iter().map(work).collect())
    }
    /// The lines of a table with this many games, and the games of each run and agent.
    fn lines(id: &str, games: u64) -> (Vec<Line>, Vec<Vec<GameRow>>) {
        let table = find(id).unwrap();
        let changes = Changes { games: Some(games), ..Changes::default() };
        let plan = Plan::of(table, &shipped(), changes).unwrap();
        let played = play(table, &plan, &mut Memory::new());
        let rows = played.all().map(|games| games.rows.to_vec()).collect();
        (plan.read(&played).unwrap().lines, rows)
    }

    /// Tables with lines that depend on findings, and how many.
    const LINES_BEYOND_ROWS: [(&str, usize); 1] = [("s000-curve", 21)];

    fn labels(line: &Line) -> [String; 3] {
        [line.setting.clone(), line.agent.clone(), line.measure.clone()]
    }

    #[test]
    fn every_table_shows_its_rows() {
        let mut memory = Memory::new();
        for table in TABLES {
            let plan = sketch(table);
            let reading = plan.read(&play(table, &plan, &mut memory)).unwrap();
            let mut shown: Vec<_> = reading.lines.iter().map(labels).collect();
            for row in &plan.rows {
                let label = [row.setting.clone(), row.agent.clone(), row.measure.clone()];
                match shown.iter().position(|shown| *shown == label) {
                    Some(place) => drop(shown.swap_remove(place)),
                    None => assert!(row.optional, "{}: no {label:?}", table.id),
                }
            }
            let known = LINES_BEYOND_ROWS.iter().find(|(id, _)| *id == table.id);
            assert_eq!(shown.len(), known.map_or(0, |(_, lines)| *lines), "{}", table.id);
            for line in &reading.lines {
                assert!(line.ours.value.is_finite(), "{}: {line:?}", table.id);
            }
        }
    }

    /// Players that are the papers' own, beside those with `:orig`.
    const PUBLISHED: &[&str] = &[
        "gauss-csp",
        "cs520",
        "mio-rules",
        "mio-rules+prob",
        "pgms",
        "msla-teacher",
        "ga",
        "ga:one-point",
        "ga:k-point",
        "ga:split",
        "pseq",
        "pseq:d=0",
        "quartetti",
        "quartetti:six-by-six",
    ];

    /// Every verdict that a target can give.
    fn possible(target: Target) -> Vec<Verdict> {
        let values = (0..=4000).map(|step| 0.001 * 1.004_f64.powi(step));
        let shares = (0..=1000).map(|share| f64::from(share) / 1000.0);
        let all = values.chain(shares).map(|value| target.judge(&Measured::exact(value, 1000)));
        all.fold(Vec::new(), |mut known, verdict| {
            if !known.contains(&verdict) {
                known.push(verdict);
            }
            known
        })
    }

    #[test]
    fn no_table_flatters() {
        for table in TABLES {
            let fixed = sketch(table).rows;
            let fixed = fixed.iter().filter_map(|row| Some((row, row.target()?)));
            for (row, target) in fixed {
                let verdicts = possible(target);
                let what = format!("{}: {} {}, {target:?}", table.id, row.setting, row.agent);
                let paper = target.paper();
                if verdicts.contains(&Verdict::Beat) {
                    assert!(paper.is_some_and(|paper| paper >= 0.01), "a trivial bar, {what}");
                    assert!(!["stuck", "lost"].contains(&&*row.measure), "a failure, {what}");
                }
                let is_own = row.agent.ends_with(":orig") || PUBLISHED.contains(&&*row.agent);
                let praise = [Verdict::Beat, Verdict::Match];
                if is_own && paper.is_some() {
                    assert!(!verdicts.iter().any(|verdict| praise.contains(verdict)), "{what}");
                }
            }
        }
    }

    #[test]
    fn numbers_of_ours_never_stand_in_the_papers_column() {
        let mut memory = Memory::new();
        for table in TABLES {
            let plan = sketch(table);
            if plan.rows.iter().all(|row| row.target().is_some()) {
                continue;
            }
            let reading = plan.read(&play(table, &plan, &mut memory)).unwrap();
            for row in plan.rows.iter().filter(|row| row.target().is_none()) {
                let label = [row.setting.clone(), row.agent.clone(), row.measure.clone()];
                let line = reading.lines.iter().find(|line| labels(line) == label);
                assert_eq!(line.and_then(|line| line.target.paper()), None, "{}", table.id);
            }
        }
    }

    #[test]
    fn tables_count_the_wins_of_their_own_games() {
        // Setting, agent and wins in 20 games, with the rules of the paper in other words.
        let (corner, random) = (FirstClick::Corner, FirstClick::Random);
        for (id, setting, agent, won, board, start, at) in [
            ("s000-t1", "7x7x7", "gauss-csp:rows=bounds", 13, "7x7x7", Start::Open, random),
            ("s003-teacher", "10x10x10", "msla-teacher", 5, "10x10x10", Start::Safe, corner),
            ("s003-pedersen", "9x9x10 unsafe", "pedersen", 13, "9x9x10", Start::Unsafe, corner),
            ("s003-baselines", "5x5x5", "lowest-risk", 13, "5x5x5", Start::Safe, corner),
            ("tang", "8x8x10 unsafe", "tang", 11, "8x8x10", Start::Unsafe, corner),
        ] {
            let rules = Rules::of(board.parse().unwrap()).unwrap().with_start(start).unwrap();
            let mut player = shipped().agent(agent).unwrap().build().unwrap();
            let one_by_one = (0..20).filter(|&game| {
                let mut game = Match::new(rules.clone(), at, GameSeed { seed: 1, game });
                game.play(player.as_mut()) == Outcome::Won
            });
            assert_eq!(one_by_one.count(), won, "{id}");
            let (lines, _) = lines(id, 20);
            let line = lines.iter().find(|line| labels(line) == [setting, agent, "won"]).unwrap();
            assert_eq!(line.ours.games, 20, "{id}");
            assert_eq!(line.ours.value, won as f64 / 20.0, "{id}");
        }
    }

    #[test]
    fn measures_are_those_of_their_names() {
        let (found, games) = lines("tang", 40);
        let survivors = games[1].iter().filter(|row| row.survived >= 1 || row.weight > 0.0);
        let won = games[1].iter().filter(|row| row.weight > 0.0).count();
        assert_eq!(labels(&found[3])[2], "won, if the first own move survives");
        assert_eq!(found[3].ours.games, survivors.clone().count() as u64);
        assert!((found[3].ours.value - won as f64 / survivors.count() as f64).abs() < 1e-12);

        let (found, games) = lines("s001-e2", 40);
        let rates: Vec<f64> =
            games[0].iter().map(|row| f64::from(row.opened) / f64::from(4096 - 819)).collect();
        let begun: Vec<f64> = rates.iter().copied().filter(|&rate| rate >= 0.05).collect();
        assert!(begun.len() < rates.len(), "some boards are lost at once");
        for (line, rates) in found.iter().zip([&begun, &rates]) {
            let mean = stats::mean(rates);
            assert_eq!(line.ours.games, rates.len() as u64, "{line:?}");
            assert!((line.ours.value - mean).abs() < 1e-12, "{line:?}");
        }
    }

    #[test]
    fn a_target_can_be_the_number_of_another_agent() {
        let (lines, _) = lines("s001-e1", 6);
        let dense = lines.iter().position(|line| line.setting == "20 %").unwrap();
        let [_, original, improved] = &lines[dense..dense + 3] else { panic!("three lines") };
        assert_eq!(improved.target, Target::Outdo { other: original.ours.value });
        assert_eq!(lines[2].target, Target::None, "below 10 % nothing is asked");
    }

    #[test]
    fn tables_and_their_runs_have_names_of_their_own() {
        for (at, table) in TABLES.iter().enumerate() {
            assert!(TABLES[..at].iter().all(|other| other.id != table.id), "{}", table.id);
            let plan = sketch(table);
            let runs = plan.runs.iter().map(|run| &run.name);
            let studies = plan.studies.iter().map(|study| &study.name);
            let folders: Vec<String> = runs.chain(studies).map(|name| file_name(name)).collect();
            for (at, folder) in folders.iter().enumerate() {
                assert!(!folders[..at].contains(folder), "{}: {folder} twice", table.id);
            }
        }
    }

    #[test]
    fn full_titles_name_the_paper() {
        let title = |id: &str| find(id).unwrap().full_title();
        assert_eq!(
            title("s000-t2"),
            "Lubarski et al., table 2: Linear equations and a local guess"
        );
        assert_eq!(title("s003-gap"), "Tortay and Yurchenko: A pupil and its teachers");
        assert_eq!(title("best"), "The strongest player");
    }
}
