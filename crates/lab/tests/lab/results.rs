//! The committed results are those of the tables as they are now.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use deminer::roster::Roster;
use deminer_lab::paper::PaperReport;
use deminer_lab::reproduce::EARLIER;
use deminer_lab::tables::{Changes, Line, Plan, Run, Study, TABLES, Table};
use serde_json::Value;

/// Tables that add lines to those of their rows, because the names of these lines depend on what
/// a study found.
const MORE_LINES: [(&str, usize, &str); 1] =
    [("s000-curve", 21, "settings state the windows that were seen")];

/// Tables whose results have networks that are not shipped, because they are too large:
/// `deminer --artifacts DIR` plays them. The shipped ones must be among them.
const NOT_SHIPPED: [&str; 3] = ["s000-t6", "s000-t7", "s000-t9"];

fn results() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results")
}

fn plan(table: &Table) -> Plan {
    let roster = Roster::new(deminer_artifacts::shipped());
    let plan = Plan::of(table, &roster, Changes::default());
    plan.unwrap_or_else(|error| panic!("{}: {error}", table.id))
}

/// Whether the results are those of an earlier version of the table; the list of results says so.
fn is_earlier(table: &Table) -> bool {
    let report: PaperReport = serde_json::from_str(&document(table)).unwrap();
    let earlier = report.is_earlier(&plan(table));
    let list = fs::read_to_string(results().join("README.md")).unwrap();
    let link = format!("[{}]", table.id);
    let line = list.lines().find(|line| line.contains(&link));
    let line = line.unwrap_or_else(|| panic!("{} is not in the list of results", table.id));
    assert_eq!(line.contains(EARLIER), earlier, "{line}");
    earlier
}

fn document(table: &Table) -> String {
    let path = results().join(table.id).join("table.json");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_table_has_results_with_its_lines_and_targets() {
    for table in TABLES {
        let id = table.id;
        let report: PaperReport =
            serde_json::from_str(&document(table)).unwrap_or_else(|error| panic!("{id}: {error}"));
        if is_earlier(table) {
            continue;
        }
        let plan = plan(table);
        let more = MORE_LINES.iter().find(|(name, ..)| *name == id).map_or(0, |(_, more, _)| *more);
        let mut lines: Vec<&Line> = report.lines().iter().collect();
        for row in &plan.rows {
            let label = [&row.setting, &row.agent, &row.measure];
            let is_its_line = |line: &&Line| [&line.setting, &line.agent, &line.measure] == label;
            let place = lines.iter().position(is_its_line);
            if row.optional && place.is_none() {
                continue;
            }
            let line = lines.swap_remove(place.unwrap_or_else(|| panic!("{id}: no {label:?}")));
            if let Some(target) = row.target() {
                assert_eq!(line.target, target, "{id}: {label:?}");
            }
        }
        if !NOT_SHIPPED.contains(&id) {
            assert_eq!(lines.len(), more, "{id}");
        }
        for line in report.lines() {
            assert_eq!(line.verdict, line.target.judge(&line.ours), "{id}: {line:?}");
        }
    }
}

#[test]
fn results_name_the_runs_and_studies_of_their_tables() {
    for table in TABLES {
        if is_earlier(table) {
            continue;
        }
        let document: Value = serde_json::from_str(&document(table)).unwrap();
        let plan = plan(table);
        assert_eq!((&document["id"], &document["title"]), (&table.id.into(), &table.title.into()));
        let paper: Value = table.paper.map(|paper| paper.full).into();
        assert_eq!(document["paper"], paper, "{}", table.id);
        let stored = |list: &str, fields: &[&str]| -> BTreeSet<String> {
            let entries = document[list].as_array().into_iter().flatten();
            let text = |entry: &Value| -> String {
                fields.iter().map(|field| format!("{} ", entry[*field])).collect()
            };
            entries.map(text).collect()
        };
        let mut runs = BTreeSet::new();
        for Run { name, agents, spec } in &plan.runs {
            let text =
                |agent| format!("{name:?} {agent:?} {} {} ", spec.tournament.seed, spec.games());
            runs.extend(agents.iter().map(text));
        }
        let mut found = stored("runs", &["run", "agent", "seed", "games"]);
        if NOT_SHIPPED.contains(&table.id) {
            found.retain(|run| runs.contains(run));
        }
        assert_eq!(found, runs, "{}", table.id);
        let text = |study: &Study| format!("{:?} {} {} ", study.name, study.seed, study.amount);
        let studies: BTreeSet<String> = plan.studies.iter().map(text).collect();
        assert_eq!(stored("studies", &["study", "seed", "amount"]), studies, "{}", table.id);
    }
}

#[test]
fn every_folder_of_results_belongs_to_a_table() {
    for entry in fs::read_dir(results()).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        // `cargo xtask bench-all` writes results/speed.
        let known = ["README.md", "speed"].contains(&name.as_str())
            || TABLES.iter().any(|table| table.id == name);
        assert!(known, "results/{name} belongs to no table");
    }
}
