//! The totals as tables, then how the games were played and how to play them again.

use super::{Report, ReportFormat, TextTable, svg};
use crate::paper::markdown_table;
use crate::provenance::Build;

pub const ENTRY: ReportFormat = ReportFormat {
    name: "markdown",
    file: "report.md",
    about: "tables of the agents and pairs, the spec and the builds",
    write,
};

fn write(report: &Report) -> String {
    let totals = &report.seal.totals;
    let mut sections = vec![format!("# {}\n", report.title()), table(TextTable::agents(totals))];
    if report.with_chart {
        sections.push(format!("![Win rates]({})\n", svg::ENTRY.file));
    }
    if !totals.paired.is_empty() {
        sections.push(table(TextTable::pairs(totals)));
    }
    sections.push(origin(report));
    sections.join("\n")
}

fn table(TextTable { columns, rows }: TextTable) -> String {
    markdown_table(&columns.join(" | "), rows)
}

/// Where the numbers come from.
fn origin(report: &Report) -> String {
    let seal = &report.seal;
    let build = |build: &Build| {
        let Build { version, commit, rustc, cpu } = build;
        let commit = commit.as_deref().unwrap_or("no commit");
        format!("- deminer {version} ({commit}), rustc {rustc}, {cpu}\n")
    };
    let builds: String = seal.builds.iter().map(build).collect();
    format!(
        "Played by\n\n{builds}\nSealed on {}; checksum of all parts {}. The spec, fingerprint {}:\n\
         \n```toml\n{}```\n",
        seal.provenance.date, seal.parts, seal.fingerprint, report.spec
    )
}
