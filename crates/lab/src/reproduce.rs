//! Plays the runs of a table and does its studies; finished ones are read from disk.

use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::disk::{Claim, Disk};
use crate::durable::{PATIENCE, Progress, RunDir, RunDirError};
use crate::paper::{PaperReport, markdown_table};
use crate::provenance::{Build, CHANGES};
use crate::tables::{
    Changes, Findings, Found, MissingFinding, Plan, Played, Reading, Run, Study, TABLES, Table,
    Verdict, Work, file_name,
};
use crate::tournament::GameRow;
use deminer::roster::{Roster, SpecError};

/// How tables are played.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// The agents, with the artifacts they play with.
    pub roster: Roster,
    /// The folder of saved runs: a folder for each table, in it one for each of its runs.
    pub runs: PathBuf,
    /// What to do otherwise than the tables say.
    pub changes: Changes,
    /// Whether to delete finished runs and play them again.
    pub fresh: bool,
    /// Whether builds with local changes may write results.
    pub allow_changes: bool,
    /// How many threads play.
    pub threads: NonZero<usize>,
}

/// A table could not be played or written.
#[derive(Debug, Error)]
pub enum ReproduceError {
    /// A row names no agent.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// A run failed.
    #[error("run `{0}`")]
    Run(String, #[source] RunDirError),
    /// The program was built from sources with local changes, or the file of a study is damaged.
    #[error("{0}")]
    Refused(String),
    /// A finished study lacks a finding of the table.
    #[error(transparent)]
    Finding(#[from] MissingFinding),
    /// A file could not be written, or an old run not be removed.
    #[error("cannot {0}")]
    File(String, #[source] io::Error),
}

/// A table that was played.
#[derive(Clone, Debug)]
pub struct Reproduced {
    /// Its games.
    pub played: Played,
    /// What they show.
    pub reading: Reading,
    /// The builds that played, where it was not this program.
    pub earlier: Vec<Build>,
    /// The agents that could play.
    pub roster: Roster,
}

/// How far a table is.
#[derive(Clone, Copy, Debug)]
pub enum Stage<'a> {
    /// A run is being played.
    Games {
        /// The run.
        run: &'a Run,
        /// Runs before it.
        number: usize,
        /// How far it is.
        so_far: &'a Progress,
    },
    /// A study is being done.
    Study {
        /// The study.
        study: &'a Study,
        /// Studies before it.
        number: usize,
        /// The share done.
        done: f64,
        /// The current step.
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

impl Reproduction {
    /// The plan of a table.
    pub fn plan(&self, table: &Table) -> Result<Plan, ReproduceError> {
        Ok(Plan::of(table, &self.roster, self.changes.clone())?)
    }

    /// Plays the plan of a table and reads it; none if `stop` was raised before the end.
    pub fn play(
        &self,
        table: &Table,
        plan: &Plan,
        stop: &Arc<AtomicBool>,
        progress: impl Fn(Stage<'_>) + Sync,
    ) -> Result<Option<Reproduced>, ReproduceError> {
        let here = Build::here();
        self.check_build(&here, format!("table {}", table.id), "repeat the command")?;
        let mut earlier: Vec<Build> = Vec::new();
        let mut note = |build: Build, what: String| {
            self.check_build(&build, what, "repeat it with --fresh")?;
            if build.commit != here.commit && !earlier.contains(&build) {
                earlier.push(build);
            }
            Ok::<_, ReproduceError>(())
        };
        let mut played = Vec::new();
        for (number, run) in plan.runs.iter().enumerate() {
            let show = |so_far: &Progress| progress(Stage::Games { run, number, so_far });
            let Some((rows, builds)) = self.play_run(table, run, stop, show)? else {
                return Ok(None);
            };
            for build in builds {
                note(build, format!("run `{}`", run.name))?;
            }
            played.push((run.clone(), rows));
        }
        let mut studied = Vec::new();
        for (number, study) in plan.studies.iter().enumerate() {
            let show = |done: f64, message: &str| {
                progress(Stage::Study { study, number, done, message });
            };
            let Some(file) = self.study(table, study, stop, &show)? else { return Ok(None) };
            note(file.build, format!("study `{}`", study.name))?;
            studied.push(Found { study: study.clone(), findings: file.findings });
        }
        let played = Played::new(played, studied);
        let reading = plan.read(&played)?;
        Ok(Some(Reproduced { played, reading, earlier, roster: self.roster.clone() }))
    }

    /// Refuses a build with local changes, unless they are allowed.
    fn check_build(
        &self,
        build: &Build,
        what: String,
        repeat: &'static str,
    ) -> Result<(), ReproduceError> {
        match &build.commit {
            Some(commit) if commit.ends_with(CHANGES) && !self.allow_changes => {
                Err(ReproduceError::Refused(format!(
                    "{what} comes from a build with local changes ({commit}), so no commit can \
                     repeat its results; commit the changes, build and {repeat}, or pass \
                     --allow-changes"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Plays a run, or reads a finished one: each agent's games, and the builds that played.
    #[expect(clippy::type_complexity, reason = "games by agent, and builds")]
    fn play_run(
        &self,
        table: &Table,
        run: &Run,
        stop: &Arc<AtomicBool>,
        progress: impl Fn(&Progress),
    ) -> Result<Option<(Vec<Vec<GameRow>>, Vec<Build>)>, ReproduceError> {
        // Runs of other seeds, games or agents lie beside it.
        let folder = format!("{}-{}", file_name(&run.name), &run.spec.fingerprint()[..8]);
        let path = self.runs.join(table.id).join(folder);
        if self.fresh && path.exists() {
            fs::remove_dir_all(&path).map_err(file_error("remove", &path))?;
        }
        let failed = |source| ReproduceError::Run(run.name.clone(), source);
        let saved = RunDir::open(path, &run.spec).map_err(failed)?;
        if !saved.run(self.threads, stop, progress).map_err(failed)?.complete() {
            return Ok(None);
        }
        let builds = saved.seal().map_err(failed)?.builds;
        let mut rows = vec![Vec::new(); run.agents.len()];
        for shard in 0..run.spec.shards() {
            let part = saved.rows(shard).map_err(failed)?;
            rows.iter_mut().zip(part).for_each(|(all, more)| all.extend(more));
        }
        Ok(Some((rows, builds)))
    }

    /// Does a study, unless it is done.
    fn study(
        &self,
        table: &Table,
        study: &Study,
        stop: &Arc<AtomicBool>,
        progress: &(dyn Fn(f64, &str) + Sync),
    ) -> Result<Option<StudyFile>, ReproduceError> {
        let Study { name, seed, amount, .. } = study;
        let folder = self.runs.join(table.id);
        fs::create_dir_all(&folder).map_err(file_error("make", &folder))?;
        // Studies of other seeds and amounts lie beside it.
        let path = folder.join(format!("{}-{seed}-{amount}.json", file_name(name)));
        let claim = loop {
            match Claim::take(&Disk::default(), &path).map_err(file_error("claim", &path))? {
                Some(claim) => break claim,
                None if stop.load(Ordering::Relaxed) => return Ok(None),
                None => thread::sleep(PATIENCE),
            }
        };
        if path.exists() && !self.fresh {
            let text = fs::read_to_string(&path).map_err(file_error("read", &path))?;
            let file: Result<StudyFile, _> = serde_json::from_str(&text);
            return file.map(Some).map_err(|error| {
                let file = path.display();
                let hint = "--fresh repeats the study";
                ReproduceError::Refused(format!(
                    "{file} is not the file of a study: {error}; {hint}"
                ))
            });
        }
        let threads = self.threads;
        let (seed, amount, sketch) = (*seed, *amount, false);
        let work = Work { roster: &self.roster, seed, amount, sketch, threads, stop, progress };
        let Some(findings) = study.conduct(&work) else { return Ok(None) };
        let (study, build) = (name.clone(), Build::here());
        let file = StudyFile { study, seed, amount, build, findings };
        let mut text = serde_json::to_string_pretty(&file).expect("findings have no odd keys");
        text.push('\n');
        claim.publish(text.as_bytes()).map_err(file_error("write", &path))?;
        Ok(Some(file))
    }
}

impl Reproduced {
    /// Writes the report of a table and its pictures into the table's folder. A report of only
    /// some agents is `partial`: the numbers of the others in the folder are kept.
    pub fn write(
        &self,
        table: &Table,
        out: &Path,
        partial: bool,
    ) -> Result<PaperReport, ReproduceError> {
        let folder = out.join(table.id);
        fs::create_dir_all(&folder).map_err(file_error("make", &folder))?;
        let mut report = PaperReport::new(table, self);
        if partial {
            report = report.joined(read_report(&folder.join(JSON))?, table, &self.roster);
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

/// Said of results whose table has changed since.
pub const EARLIER: &str = "of an earlier version of the table";

/// Writes the list of all tables that have results in a folder.
pub fn write_index(out: &Path, roster: &Roster) -> Result<(), ReproduceError> {
    let mut rows = Vec::new();
    for table in TABLES {
        let Some(report) = report_in(out, table)? else { continue };
        let link = format!("[{0}]({0}/README.md)", table.id);
        let plan = Plan::of(table, roster, Changes::default());
        let earlier = plan.is_ok_and(|plan| report.is_earlier(&plan)).then_some(EARLIER);
        let doubts = report.doubt().into_iter().chain(earlier);
        let doubt: String = doubts.map(|doubt| format!(" (**{doubt}**)")).collect();
        let counts = Verdict::JUDGED.map(|verdict| report.count(verdict).to_string());
        rows.push([vec![link, format!("{}{doubt}", table.title)], counts.into()].concat());
    }
    let header = format!("table | what | {}", Verdict::JUDGED.map(Verdict::name).join(" | "));
    let text = format!(
        "# Results\n\nThe papers' numbers beside ours, as `deminer reproduce` found them; each \
         table states its seed, games, intervals and command. Columns count numbers by verdict: as \
         good as the paper's up to chance, or as we ask (match); better than the paper's own \
         number beyond chance, where that is at least 1 % (beat); the paper's own player up to \
         chance (faithful), or near it where the paper has fewer than 100 games; short of the \
         target, or a paper's own player that is too good (missed; [what was \
         tried](../docs/MISSES.md)). `deminer reproduce --list` prints the counts; every `deminer reproduce` writes this page.\n\n{}",
        markdown_table(&header, rows)
    );
    let path = out.join("README.md");
    fs::write(&path, text).map_err(file_error("write", &path))
}

/// The report for programs.
const JSON: &str = "table.json";

/// The report of a table in a folder of results, if there is one.
pub fn report_in(out: &Path, table: &Table) -> Result<Option<PaperReport>, ReproduceError> {
    let path = out.join(table.id).join(JSON);
    path.exists().then(|| read_report(&path)).transpose()
}

fn read_report(path: &Path) -> Result<PaperReport, ReproduceError> {
    let text = fs::read_to_string(path).map_err(file_error("read", path))?;
    serde_json::from_str(&text).map_err(|error| file_error("read", path)(error.into()))
}

fn file_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ReproduceError {
    let doing = format!("{action} {}", path.display());
    move |source| ReproduceError::File(doing, source)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::tables::Target;

    static DONE: AtomicUsize = AtomicUsize::new(0);

    /// A table of one study, which squares its seed `amount` times.
    const SQUARES: Table = Table {
        id: "squares",
        title: "Squares",
        plan: |plan| {
            let square = |work: &Work<'_>| {
                DONE.fetch_add(1, Ordering::Relaxed);
                let mut findings = Findings::default();
                (0..work.amount)
                    .for_each(|_| findings.push("square", (work.seed * work.seed) as f64));
                (!work.is_stopped()).then_some(findings)
            };
            let study = plan.study(Study::new("square", 3, square));
            let labels = ["square", "squarer", "square"];
            plan.found(study, labels, |found| found.mean("square"), Target::None);
        },
        ..Table::EMPTY
    };

    fn reproduction(runs: &Path) -> Reproduction {
        Reproduction {
            roster: Roster::default(),
            runs: runs.to_owned(),
            changes: Changes { seed: Some(3), ..Changes::default() },
            fresh: false,
            allow_changes: true,
            threads: NonZero::<usize>::MIN,
        }
    }

    #[test]
    fn a_study_is_done_once_and_again_when_asked_or_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let mut reproduction = reproduction(folder.path());
        let play = |reproduction: &Reproduction, stop: bool| {
            let plan = reproduction.plan(&SQUARES)?;
            let played =
                reproduction.play(&SQUARES, &plan, &Arc::new(AtomicBool::new(stop)), |_| ())?;
            Ok::<_, ReproduceError>(played.map(|played| played.reading.lines[0].ours))
        };
        assert_eq!(play(&reproduction, true).unwrap(), None);
        for _ in 0..2 {
            let square = play(&reproduction, false).unwrap().unwrap();
            assert_eq!((square.value, square.games), (9.0, 3));
        }
        assert_eq!(DONE.load(Ordering::Relaxed), 2, "stopped, done, read");
        reproduction.changes.amount = Some(5);
        assert_eq!(play(&reproduction, false).unwrap().unwrap().games, 5);

        let file = folder.path().join("squares/square-3-5.json");
        let text = fs::read_to_string(&file).unwrap();
        let refusal = |text: &str| {
            fs::write(&file, text).unwrap();
            play(&reproduction, false).unwrap_err().to_string()
        };
        let broken = refusal("{}");
        assert!(broken.contains("square-3-5.json is not the file of a study"), "{broken}");
        let missing = refusal(&text.replace("\"square\": [", "\"cube\": ["));
        assert_eq!(missing, "the study `square` found no `square`; --fresh repeats it");
        reproduction.fresh = true;
        assert_eq!(play(&reproduction, false).unwrap().unwrap().value, 9.0);
    }

    #[test]
    fn a_build_with_local_changes_writes_no_results_unless_allowed() {
        let mut reproduction = reproduction(Path::new("runs"));
        let build =
            |commit: Option<&str>| Build { commit: commit.map(str::to_owned), ..Build::here() };
        let check = |reproduction: &Reproduction, commit| {
            reproduction.check_build(&build(commit), "table x".into(), "repeat the command")
        };
        reproduction.allow_changes = false;
        assert!(check(&reproduction, Some("0123456789ab")).is_ok());
        assert!(check(&reproduction, None).is_ok(), "not built in a clone");
        let refusal = check(&reproduction, Some("0123456789ab+changes")).unwrap_err().to_string();
        assert_eq!(
            refusal,
            "table x comes from a build with local changes (0123456789ab+changes), so no commit \
             can repeat its results; commit the changes, build and repeat the command, or pass \
             --allow-changes"
        );
        reproduction.allow_changes = true;
        assert!(check(&reproduction, Some("0123456789ab+changes")).is_ok());
    }
}
