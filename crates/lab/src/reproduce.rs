//! Playing the runs of a table, durably: what is finished is never played again.

use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use thiserror::Error;

use crate::durable::{Progress, RunDir, RunDirError, RunSpec};
use crate::provenance::{Build, Provenance};
use crate::report::{PaperReport, markdown_table};
use crate::tables::{Played, Reading, TABLES, Table, Trial, Verdict};

/// How tables are played.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// Where runs are kept: a folder for each table, in it one for each of its runs.
    pub runs: PathBuf,
    /// Games of each run, where not those of the table.
    pub games: Option<u64>,
    /// The seed of each run, where not that of the table.
    pub seed: Option<u64>,
    /// Only runs of these agents, where some are named.
    pub agents: Vec<String>,
    /// Whether finished runs are thrown away and played anew.
    pub fresh: bool,
    /// How many threads play.
    pub threads: NonZero<usize>,
}

/// A table could not be played or written.
#[derive(Debug, Error)]
pub enum ReproduceError {
    /// A run failed.
    #[error("run `{run}`")]
    Run {
        /// The run.
        run: String,
        /// Why.
        source: RunDirError,
    },
    /// A file could not be written, or an old run not be removed.
    #[error("cannot {action} {path}")]
    File {
        /// What was to be done.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// A table that was played.
#[derive(Clone, Debug)]
pub struct Reproduced {
    /// Its games.
    pub played: Played,
    /// What they show.
    pub reading: Reading,
    /// Those who played, if it was not this very program.
    pub earlier: Vec<Build>,
}

/// Games in a shard: few enough that little is lost, many enough that files stay few.
const SHARD: u64 = 500;

impl Reproduction {
    /// The runs that a table needs, as they are to be played.
    pub fn trials(&self, table: &Table) -> Vec<Trial> {
        let mut trials = (table.trials)();
        for trial in &mut trials {
            let tournament = &mut trial.tournament;
            tournament.seed = self.seed.unwrap_or(tournament.seed);
            tournament.games.end = self.games.unwrap_or(tournament.games.end);
        }
        let wanted = |trial: &Trial| {
            let named = |agent: &String| {
                trial.tournament.agents.iter().any(|spec| spec.to_string() == *agent)
            };
            self.agents.is_empty() || self.agents.iter().any(named)
        };
        trials.retain(wanted);
        trials
    }

    /// Plays a table and reads it; none if `stop` was raised before the end. `progress` sees
    /// the run in play, how many are finished, and how far it is.
    pub fn play(
        &self,
        table: &Table,
        stop: &AtomicBool,
        mut progress: impl FnMut(&Trial, usize, &Progress),
    ) -> Result<Option<Reproduced>, ReproduceError> {
        let here = Build::here();
        let mut earlier: Vec<Build> = Vec::new();
        let mut played = Vec::new();
        for (number, trial) in self.trials(table).into_iter().enumerate() {
            let failed = |source| ReproduceError::Run { run: trial.name.clone(), source };
            let run = self.open(table, &trial)?;
            let end = run
                .run(self.threads, stop, |so_far| progress(&trial, number, so_far))
                .map_err(failed)?;
            if !end.complete() {
                return Ok(None);
            }
            let sealed = run.seal().map_err(failed)?;
            for build in sealed.builds {
                if build.commit != here.commit && !earlier.contains(&build) {
                    earlier.push(build);
                }
            }
            let mut rows = vec![Vec::new(); trial.tournament.agents.len()];
            for shard in 0..run.spec().shards() {
                let part = run.rows(shard).map_err(failed)?;
                rows.iter_mut().zip(part).for_each(|(all, more)| all.extend(more));
            }
            played.push((trial, rows));
        }
        let played = Played::new(played);
        let reading = (table.read)(&played);
        Ok(Some(Reproduced { played, reading, earlier }))
    }

    fn open(&self, table: &Table, trial: &Trial) -> Result<RunDir, ReproduceError> {
        let tournament = &trial.tournament;
        let games = tournament.games.end;
        let spec = RunSpec {
            agents: tournament.agents.clone(),
            rules: tournament.rules.clone(),
            at: tournament.at,
            seed: tournament.seed,
            games,
            shard: NonZero::new(SHARD.min(games.max(1))).expect("at least one"),
            estimator: tournament.estimator,
            measures: tournament.measures.clone(),
        };
        // Runs of other seeds, games or agents lie beside it.
        let folder = format!("{}-{}", trial.folder(), &spec.fingerprint()[..8]);
        let path = self.runs.join(table.id).join(folder);
        if self.fresh && path.exists() {
            fs::remove_dir_all(&path).map_err(file_error("remove", &path))?;
        }
        let failed = |source| ReproduceError::Run { run: trial.name.clone(), source };
        RunDir::open(path, &spec).map_err(failed)
    }
}

impl Reproduced {
    /// Writes the report of a table and its pictures into a folder of the table's own. A report
    /// of some agents alone is `partial`: what the folder has of others is kept.
    pub fn write(
        &self,
        table: &Table,
        out: &Path,
        partial: bool,
    ) -> Result<PaperReport, ReproduceError> {
        let folder = out.join(table.id);
        fs::create_dir_all(&folder).map_err(file_error("make", &folder))?;
        let mut report = PaperReport::new(
            table,
            &self.played,
            &self.reading,
            self.earlier.clone(),
            Provenance::here(),
        );
        if partial {
            report = report.joined(read_report(&folder.join(JSON))?, table);
        }
        let charts = self.reading.charts.iter().map(|(name, chart)| (name, chart.svg()));
        let pictures = self.reading.pictures.iter().map(|(name, svg)| (name, svg.clone()));
        let pictures = charts.chain(pictures).map(|(name, svg)| (format!("{name}.svg"), svg));
        let documents =
            [("README.md", report.markdown()), ("table.csv", report.csv()), (JSON, report.json())]
                .map(|(name, text)| (name.to_owned(), text));
        for (name, text) in documents.into_iter().chain(pictures) {
            let path = folder.join(name);
            fs::write(&path, text).map_err(file_error("write", &path))?;
        }
        Ok(report)
    }
}

/// Writes the list of all tables that a folder has results of.
pub fn write_index(out: &Path) -> Result<(), ReproduceError> {
    let mut rows = Vec::new();
    for table in TABLES {
        let path = out.join(table.id).join(JSON);
        if !path.exists() {
            continue;
        }
        let report = read_report(&path)?;
        let link = format!("[{0}]({0}/README.md)", table.id);
        let counts = Verdict::JUDGED.map(|verdict| report.count(verdict).to_string());
        rows.push([vec![link, table.title.into()], counts.into()].concat());
    }
    let header: Vec<&str> =
        ["table", "what"].into_iter().chain(Verdict::JUDGED.map(Verdict::name)).collect();
    let text = format!(
        "# Results\n\nThe papers' numbers beside ours, as `deminer reproduce` found them; each \
         table tells its seed, games, intervals and command. Columns count numbers by verdict: as \
         good as the paper's up to chance, better beyond chance, the paper's own player up to \
         chance, or short of what was asked.\n\n{}",
        markdown_table(&header, rows)
    );
    let path = out.join("README.md");
    fs::write(&path, text).map_err(file_error("write", &path))
}

/// The report for programs.
const JSON: &str = "table.json";

fn read_report(path: &Path) -> Result<PaperReport, ReproduceError> {
    let text = fs::read_to_string(path).map_err(file_error("read", path))?;
    serde_json::from_str(&text).map_err(|error| file_error("read", path)(error.into()))
}

fn file_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ReproduceError {
    let path = path.to_owned();
    move |source| ReproduceError::File { action, path, source }
}
