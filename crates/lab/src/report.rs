//! Reports of sealed runs: the totals as Markdown, CSV and SVG.

mod csv;
mod markdown;
mod pairs;
mod svg;
mod table;

pub use self::table::TextTable;
use crate::durable::{RunDir, RunDirError, RunSpec, Seal};
use crate::tournament::{Estimator, Tournament};

/// What a report is made of.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was played.
    pub spec: RunSpec,
    /// What was found, and by which builds.
    pub seal: Seal,
    /// Whether the Markdown shows the chart, which then lies beside it.
    pub with_chart: bool,
}

/// A format of reports.
#[derive(Clone, Copy, Debug)]
pub struct ReportFormat {
    /// Its name.
    pub name: &'static str,
    /// The file name of the report.
    pub file: &'static str,
    /// What it contains.
    pub about: &'static str,
    /// Writes the report.
    pub write: fn(&Report) -> String,
}

/// Every format, the default first.
pub const REPORTS: [ReportFormat; 4] = [markdown::ENTRY, csv::ENTRY, pairs::ENTRY, svg::ENTRY];

/// The format of this name.
pub fn find(name: &str) -> Option<&'static ReportFormat> {
    REPORTS.iter().find(|format| format.name == name)
}

impl Report {
    /// The report of a sealed run. Reads its totals, not its parts.
    pub fn of(run: &RunDir) -> Result<Self, RunDirError> {
        Ok(Self { spec: run.spec().clone(), seal: run.sealed()?, with_chart: false })
    }

    /// All files of a report by name; the Markdown shows the chart.
    pub fn files(mut self) -> impl Iterator<Item = (&'static str, String)> {
        self.with_chart = true;
        REPORTS.iter().map(move |format| (format.file, (format.write)(&self)))
    }

    fn title(&self) -> String {
        title(&self.spec.tournament, self.spec.games())
    }
}

/// The rules and the number of games: `9x9x10, start safe, seed 1, 2000 games`.
pub fn title(tournament: &Tournament, games: u64) -> String {
    let weighted = match tournament.estimator {
        Estimator::Plain => "",
        Estimator::Weighted => "weighted ",
    };
    format!("{}, seed {}, {games} {weighted}games", tournament.rules, tournament.seed)
}

/// A number of a CSV file; empty if it was not measured.
fn field(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;
    use std::sync::Arc;

    use deminer::roster::Roster;

    use super::*;

    fn sealed(spec: &str) -> (tempfile::TempDir, RunDir) {
        let folder = tempfile::tempdir().unwrap();
        let spec = RunSpec::parse(spec, &Roster::default()).unwrap();
        let run = RunDir::open(folder.path().join("run"), &spec).unwrap();
        run.run(NonZero::<usize>::MIN, &Arc::default(), |_| {}).unwrap();
        assert!(matches!(Report::of(&run), Err(RunDirError::Files(_))));
        run.seal().unwrap();
        (folder, run)
    }

    const SPEC: &str = "agents = [\"random\", \"single-point\"]\nboard = \"6x5x5\"\ngames = 200\n";

    #[test]
    fn a_report_has_the_numbers_of_the_totals() {
        let (_folder, run) = sealed(SPEC);
        let agents = run.sealed().unwrap().totals.agents;
        let files: Vec<_> = Report::of(&run).unwrap().files().collect();
        let [(_, markdown), (_, csv), (_, pairs), (_, svg)] = &files[..] else {
            panic!("four files")
        };
        assert!(markdown.starts_with("# 6x5x5, start safe, seed 1, 200 games\n"), "{markdown}");
        assert!(markdown.contains("![Win rates](rates.svg)"));
        let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(rows.len(), 3);
        for (row, agent) in rows[1..].iter().zip(&agents) {
            assert_eq!(row.len(), rows[0].len());
            assert_eq!(row[..3], [&agent.agent, "200", &agent.won.unwrap().to_string()]);
            assert!(markdown.contains(&format!("{:.2} %", 100.0 * agent.rate)));
            assert!(svg.contains(&agent.agent));
        }
        assert!(pairs.lines().nth(1).unwrap().starts_with("random,single-point,"));
    }

    #[test]
    fn weighted_games_leave_counts_empty() {
        let spec = format!("{SPEC}estimator = \"weighted\"\n");
        let (_folder, run) = sealed(&spec.replace("200", "20"));
        let report = Report::of(&run).unwrap();
        let csv = (find("csv").unwrap().write)(&report);
        assert!(csv.lines().nth(1).unwrap().starts_with("random,20,,,"), "{csv}");
        let markdown = (find("markdown").unwrap().write)(&report);
        assert!(markdown.contains("20 weighted games") && !markdown.contains("rates.svg"));
    }

    #[test]
    fn damaged_totals_are_an_error() {
        let (_folder, run) = sealed(SPEC);
        let text = std::fs::read_to_string(run.totals_path()).unwrap();
        std::fs::write(run.totals_path(), &text[..text.len() / 2]).unwrap();
        assert!(matches!(Report::of(&run), Err(RunDirError::NoRun(_))));
        let fingerprint = run.spec().fingerprint();
        std::fs::write(run.totals_path(), text.replace(&fingerprint, "0")).unwrap();
        assert!(matches!(Report::of(&run), Err(RunDirError::Files(_))));
    }
}
