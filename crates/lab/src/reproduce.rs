//! Playing the runs of a table and doing its studies, durably: what is finished is never done
//! again.

use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::durable::{Claim, PATIENCE, Progress, RunDir, RunDirError, RunSpec};
use crate::provenance::{Build, Provenance};
use crate::report::{PaperReport, markdown_table};
use crate::tables::{
    Findings, Played, Reading, Study, TABLES, Table, Trial, Verdict, Work, file_name,
};

/// How tables are played.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// Where runs are kept: a folder for each table, in it one for each of its runs.
    pub runs: PathBuf,
    /// Games of each run, and the amount of each study, where not those of the table.
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
    /// A finished study cannot be read back.
    #[error("{} is not what a study found: {source}; --fresh does it anew", path.display())]
    Study {
        /// Its file.
        path: PathBuf,
        /// Why not.
        source: serde_json::Error,
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

/// How far a table is.
#[derive(Clone, Copy, Debug)]
pub enum Stage<'a> {
    /// A run is in play.
    Games {
        /// The run.
        trial: &'a Trial,
        /// Runs before it.
        number: usize,
        /// How far it is.
        so_far: &'a Progress,
    },
    /// A study is at work.
    Study {
        /// The study.
        study: &'a Study,
        /// Studies before it.
        number: usize,
        /// The share that is done.
        done: f64,
        /// Where it stands.
        message: &'a str,
    },
}

/// A finished study on the disk.
#[derive(Serialize, Deserialize)]
struct StudyFile {
    study: String,
    seed: u64,
    amount: u64,
    #[serde(flatten)]
    build: Build,
    findings: Findings,
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

    /// The studies that a table needs, as they are to be done.
    pub fn studies(&self, table: &Table) -> Vec<Study> {
        let mut studies = (table.studies)();
        for study in &mut studies {
            study.seed = self.seed.unwrap_or(study.seed);
            study.amount = self.games.unwrap_or(study.amount);
        }
        studies
    }

    /// Plays a table and reads it; none if `stop` was raised before the end.
    pub fn play(
        &self,
        table: &Table,
        stop: &AtomicBool,
        progress: impl Fn(Stage<'_>) + Sync,
    ) -> Result<Option<Reproduced>, ReproduceError> {
        let here = Build::here();
        let mut earlier: Vec<Build> = Vec::new();
        let mut note = |build: Build| {
            if build.commit != here.commit && !earlier.contains(&build) {
                earlier.push(build);
            }
        };
        let mut played = Vec::new();
        for (number, trial) in self.trials(table).into_iter().enumerate() {
            let failed = |source| ReproduceError::Run { run: trial.name.clone(), source };
            let run = self.open(table, &trial)?;
            let show = |so_far: &Progress| progress(Stage::Games { trial: &trial, number, so_far });
            if !run.run(self.threads, stop, show).map_err(failed)?.complete() {
                return Ok(None);
            }
            run.seal().map_err(failed)?.builds.into_iter().for_each(&mut note);
            let mut rows = vec![Vec::new(); trial.tournament.agents.len()];
            for shard in 0..run.spec().shards() {
                let part = run.rows(shard).map_err(failed)?;
                rows.iter_mut().zip(part).for_each(|(all, more)| all.extend(more));
            }
            played.push((trial, rows));
        }
        let mut studied = Vec::new();
        for (number, study) in self.studies(table).into_iter().enumerate() {
            let show = |done: f64, message: &str| {
                progress(Stage::Study { study: &study, number, done, message });
            };
            let Some(file) = self.study(table, &study, stop, &show)? else { return Ok(None) };
            note(file.build);
            studied.push((study, file.findings));
        }
        let played = Played::new(played, studied);
        let reading = (table.read)(&played);
        Ok(Some(Reproduced { played, reading, earlier }))
    }

    /// Does a study, unless it is done.
    fn study(
        &self,
        table: &Table,
        study: &Study,
        stop: &AtomicBool,
        progress: &(dyn Fn(f64, &str) + Sync),
    ) -> Result<Option<StudyFile>, ReproduceError> {
        let Study { name, seed, amount, run } = study;
        let folder = self.runs.join(table.id);
        fs::create_dir_all(&folder).map_err(file_error("make", &folder))?;
        // Studies of other seeds and amounts lie beside it.
        let path = folder.join(format!("{}-{seed}-{amount}.json", file_name(name)));
        let claim = loop {
            match Claim::take(&path).map_err(file_error("claim", &path))? {
                Some(claim) => break claim,
                None if stop.load(Ordering::Relaxed) => return Ok(None),
                None => thread::sleep(PATIENCE),
            }
        };
        if path.exists() && !self.fresh {
            let text = fs::read_to_string(&path).map_err(file_error("read", &path))?;
            let file: Result<StudyFile, _> = serde_json::from_str(&text);
            return file.map(Some).map_err(|source| ReproduceError::Study { path, source });
        }
        let threads = self.threads;
        let (seed, amount, sketch) = (*seed, *amount, false);
        let work = Work { name, seed, amount, sketch, threads, stop, progress };
        let Some(findings) = run(&work) else { return Ok(None) };
        let (study, build) = (name.clone(), Build::here());
        let file = StudyFile { study, seed, amount, build, findings };
        let mut text = serde_json::to_string_pretty(&file).expect("findings have no odd keys");
        text.push('\n');
        claim.publish(text.as_bytes()).map_err(file_error("write", &path))?;
        Ok(Some(file))
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
        let folder = format!("{}-{}", file_name(&trial.name), &spec.fingerprint()[..8]);
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::tables::{Line, Target};

    static DONE: AtomicUsize = AtomicUsize::new(0);

    /// A table of one study, which squares its seed as often as it is told.
    const SQUARES: Table = Table {
        id: "squares",
        title: "Squares",
        paper: None,
        about: "",
        trials: Vec::new,
        studies: || {
            let square = |work: &Work<'_>| {
                DONE.fetch_add(1, Ordering::Relaxed);
                let mut findings = Findings::default();
                (0..work.amount)
                    .for_each(|_| findings.push("square", (work.seed * work.seed) as f64));
                (!work.is_stopped()).then_some(findings)
            };
            vec![Study::new("square", 3, square)]
        },
        read: |played| {
            let square = played.findings("square").mean("square");
            let lines = vec![Line::new("square", "nobody", "square", Target::None, square)];
            Reading { lines, ..Reading::default() }
        },
        digest: None,
    };

    #[test]
    fn a_study_is_done_once_and_again_when_asked_or_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let mut reproduction = Reproduction {
            runs: folder.path().to_owned(),
            games: None,
            seed: Some(3),
            agents: Vec::new(),
            fresh: false,
            threads: NonZero::<usize>::MIN,
        };
        let play = |reproduction: &Reproduction, stop: bool| {
            let played = reproduction.play(&SQUARES, &AtomicBool::new(stop), |_| ())?;
            Ok::<_, ReproduceError>(played.map(|played| played.reading.lines[0].ours))
        };
        assert_eq!(play(&reproduction, true).unwrap(), None);
        for _ in 0..2 {
            let square = play(&reproduction, false).unwrap().unwrap();
            assert_eq!((square.value, square.games), (9.0, 3));
        }
        assert_eq!(DONE.load(Ordering::Relaxed), 2, "stopped, done, read");
        reproduction.games = Some(5);
        assert_eq!(play(&reproduction, false).unwrap().unwrap().games, 5);

        let file = folder.path().join("squares/square-3-5.json");
        fs::write(&file, "{}").unwrap();
        let refusal = play(&reproduction, false).unwrap_err().to_string();
        assert!(refusal.contains("square-3-5.json is not what a study found"), "{refusal}");
        reproduction.fresh = true;
        assert_eq!(play(&reproduction, false).unwrap().unwrap().value, 9.0);
    }
}
