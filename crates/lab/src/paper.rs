//! Reproduced tables as documents: Markdown to read, CSV to compute with, JSON for programs.

use std::fmt::Write;

use deminer::roster::Roster;
use deminer_game::Outcome;
use serde::{Deserialize, Serialize};

use crate::durable::RunSpec;
use crate::provenance::{Build, CHANGES, Provenance};
use crate::reproduce::Reproduced;
use crate::tables::{Found, Games, Line, Plan, Played, Row, Study, Table, Unit, Verdict};
use crate::totals::SCHEMA_VERSION;

/// A table that was played and read.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PaperReport {
    schema_version: u32,
    id: String,
    title: String,
    paper: Option<String>,
    about: String,
    #[serde(skip)]
    digest: Option<String>,
    lines: Vec<Line>,
    runs: Vec<RunSummary>,
    #[serde(default)]
    studies: Vec<StudySummary>,
    notes: Vec<String>,
    pictures: Vec<String>,
    /// The builds that played, where they are not the one that wrote this.
    #[serde(default)]
    played_by: Vec<Build>,
    provenance: Provenance,
}

/// One agent's games of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
struct RunSummary {
    run: String,
    agent: String,
    rules: String,
    seed: u64,
    games: usize,
    won: usize,
    lost: usize,
    stuck: usize,
    undecided: usize,
    guesses_per_game: f64,
    unneeded_per_game: Option<f64>,
    unneeded_by_clues_per_game: Option<f64>,
    milliseconds_per_game: f64,
}

/// One study.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
struct StudySummary {
    study: String,
    seed: u64,
    amount: u64,
}

impl PaperReport {
    /// The report of a table.
    pub fn new(table: &Table, reproduced: &Reproduced) -> Self {
        let Reproduced { played, reading, earlier, roster } = reproduced;
        let charts = reading.charts.iter().map(|(name, _)| name);
        let excuses = reading.lines.iter().filter_map(Line::excuse);
        let pictures = charts.chain(reading.pictures.iter().map(|(name, _)| name));
        let study = |Found { study: Study { name, seed, amount, .. }, .. }: &Found| StudySummary {
            study: name.clone(),
            seed: *seed,
            amount: *amount,
        };
        let mut report = Self {
            schema_version: SCHEMA_VERSION,
            id: table.id.into(),
            title: table.title.into(),
            paper: table.paper.map(|paper| paper.full.into()),
            about: table.about.into(),
            digest: None,
            lines: reading.lines.clone(),
            runs: summaries(played),
            studies: played.studies.iter().map(study).collect(),
            notes: reading.notes.iter().cloned().chain(excuses).collect(),
            pictures: pictures.map(|name| format!("{name}.svg")).collect(),
            played_by: earlier.clone(),
            provenance: Provenance::here(),
        };
        report.finish(table, roster);
        report
    }

    /// The columns of the numbers.
    pub const COLUMNS: &str = "setting | agent | measure | paper | ours | 95 % interval | games | \
                               unneeded guesses/game | asked | verdict";

    /// The numbers as texts, one row for each line.
    pub fn rows(&self) -> impl Iterator<Item = [String; 10]> {
        self.lines.iter().map(|line| {
            [
                line.setting.clone(),
                line.agent.clone(),
                line.measure.clone(),
                line.target.paper().map_or("-".into(), |paper| line.unit.write(paper)),
                line.unit.write(line.ours.value),
                line.unit.write_interval(&line.ours),
                line.ours.games.to_string(),
                per_game(self.unneeded(line)),
                line.target.words(line.unit),
                line.verdict.name().to_owned(),
            ]
        })
    }

    /// The numbers as a Markdown table.
    fn numbers(&self) -> String {
        let rows = self.rows().map(|mut row| {
            row[1] = format!("`{}`", row[1]);
            row.into()
        });
        markdown_table(Self::COLUMNS, rows)
    }

    /// The numbers.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Why no commit can repeat these results, if none can.
    pub fn doubt(&self) -> Option<&'static str> {
        let mut builds = self.played_by.iter().chain([&self.provenance.build]);
        builds.find_map(|build| match &build.commit {
            None => Some("made without a commit"),
            Some(commit) => commit.ends_with(CHANGES).then_some("made with local changes"),
        })
    }

    /// Whether the table has lines, targets, studies or rules now that it did not have when this was
    /// made.
    pub fn is_earlier(&self, plan: &Plan) -> bool {
        let same = |line: &Line, row: &Row| {
            [&line.setting, &line.agent, &line.measure] == [&row.setting, &row.agent, &row.measure]
                && row.target().is_none_or(|target| line.target == target)
        };
        let has = |row: &Row| self.lines().iter().any(|line| same(line, row));
        let judged = |line: &Line| line.verdict == line.target.judge(&line.ours);
        let studied = |study: &Study| {
            let own = |own: &StudySummary| (&own.study, own.amount) == (&study.name, study.amount);
            self.studies.iter().any(own)
        };
        !plan.rows.iter().all(|row| row.optional || has(row))
            || !plan.studies.iter().all(studied)
            || !self.lines().iter().all(judged)
    }

    /// The numbers by verdict in words, such as `2 beat, 1 missed`.
    pub fn counts(&self) -> String {
        let counts = Verdict::JUDGED.map(|verdict| (self.count(verdict), verdict.name()));
        let found = counts.iter().filter(|(count, _)| *count > 0);
        if found.clone().next().is_none() {
            return "nothing is judged".into();
        }
        found.map(|(count, name)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
    }

    /// The number of lines with this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.lines.iter().filter(|line| line.verdict == verdict).count()
    }

    /// This report with the numbers of an earlier one for agents that are not in it.
    pub fn joined(mut self, earlier: Self, table: &Table, roster: &Roster) -> Self {
        let agents: Vec<String> = self.lines.iter().map(|line| line.agent.clone()).collect();
        let others = |agent: &String| !agents.contains(agent);
        self.lines.extend(earlier.lines.into_iter().filter(|line| others(&line.agent)));
        self.runs.extend(earlier.runs.into_iter().filter(|run| others(&run.agent)));
        for build in earlier.played_by.into_iter().chain([earlier.provenance.build]) {
            let own = &self.provenance.build;
            if build.commit != own.commit && !self.played_by.contains(&build) {
                self.played_by.push(build);
            }
        }
        self.finish(table, roster);
        self
    }

    /// Puts the lines in the table's order, with its notes and digest.
    fn finish(&mut self, table: &Table, roster: &Roster) {
        if let Some(finish) = table.finish {
            self.notes = finish(roster, &mut self.lines);
        }
        self.digest = table.digest.map(|digest| digest(&self.lines));
    }

    /// Unneeded guesses a game of a line's agent: in the run named after its setting, or else in
    /// the agent's first run.
    fn unneeded(&self, line: &Line) -> Option<f64> {
        let own = |run: &&RunSummary| run.agent == line.agent;
        let named = self.runs.iter().filter(own).find(|run| run.run.starts_with(&line.setting));
        named.or_else(|| self.runs.iter().find(own))?.unneeded_per_game
    }

    /// The whole document.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n", self.title);
        if let Some(paper) = &self.paper {
            let _ = writeln!(text, "After {paper}.\n");
        }
        let _ = writeln!(text, "{}\n", self.about);
        if let Some(digest) = &self.digest {
            let _ = writeln!(text, "{digest}");
        }
        let _ = writeln!(text, "{}", self.numbers());
        for note in &self.notes {
            let _ = writeln!(text, "{note}\n");
        }
        for picture in &self.pictures {
            let _ = writeln!(text, "![{}]({picture})\n", picture.trim_end_matches(".svg"));
        }
        if !self.studies.is_empty() {
            let row = |study: &StudySummary| {
                let StudySummary { study, seed, amount } = study;
                vec![study.clone(), seed.to_string(), amount.to_string()]
            };
            let rows = self.studies.iter().map(row);
            let table = markdown_table("study | seed | amount", rows);
            let _ = writeln!(text, "## The studies\n\n{table}");
        }
        if !self.runs.is_empty() {
            let _ = writeln!(
                text,
                "## The runs\n\n{}\nA guess opens a cell that may be a mine, by the exact engine. It \
                 is unneeded while another cell is safe: first by the clues and the mine total, \
                 then by the clues alone. Times are CPU time.\n",
                self.run_table()
            );
        }
        let _ = writeln!(text, "{}", origin(&self.provenance));
        if !self.played_by.is_empty() {
            let builds: Vec<String> = self.played_by.iter().map(Build::name).collect();
            let _ = writeln!(text, "\nGames were played by {}.", builds.join(", "));
        }
        text
    }

    fn run_table(&self) -> String {
        let row = |run: &RunSummary| {
            vec![
                run.run.clone(),
                format!("`{}`", run.agent),
                run.rules.clone(),
                run.seed.to_string(),
                run.games.to_string(),
                run.won.to_string(),
                run.lost.to_string(),
                run.stuck.to_string(),
                run.undecided.to_string(),
                format!("{:.2}", run.guesses_per_game),
                per_game(run.unneeded_per_game),
                per_game(run.unneeded_by_clues_per_game),
                format!("{:.3}", run.milliseconds_per_game),
            ]
        };
        markdown_table(
            "run | agent | rules | seed | games | won | lost | stuck | undecided | guesses/game | \
             unneeded/game | by clues alone | ms/game",
            self.runs.iter().map(row),
        )
    }

    /// The numbers as comma-separated values, shares as fractions.
    pub fn csv(&self) -> String {
        let mut text = String::from(
            "setting,agent,measure,unit,paper,ours,low,high,games,unneeded_per_game,verdict\n",
        );
        for line in &self.lines {
            let number =
                |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let unit = match line.unit {
                Unit::Percent => "share",
                Unit::Number => "number",
            };
            let fields = [
                quoted(&line.setting),
                quoted(&line.agent),
                quoted(&line.measure),
                unit.into(),
                number(line.target.paper()),
                line.ours.value.to_string(),
                line.ours.low.to_string(),
                line.ours.high.to_string(),
                line.ours.games.to_string(),
                number(self.unneeded(line)),
                line.verdict.name().to_owned(),
            ];
            text += &fields.join(",");
            text.push('\n');
        }
        text
    }

    /// Everything as a JSON document.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a report has no odd keys");
        text.push('\n');
        text
    }
}

/// A count for each game, in text.
fn per_game(count: Option<f64>) -> String {
    count.map_or("-".into(), |count| format!("{count:.3}"))
}

fn summaries(played: &Played) -> Vec<RunSummary> {
    let summary = |games: Games<'_>| {
        let (run, rows) = (games.run, games.rows);
        let judged: Vec<_> = rows.iter().filter_map(|row| row.measured.unneeded).collect();
        let mean = |sum: u32| (!judged.is_empty()).then(|| f64::from(sum) / judged.len() as f64);
        let guesses: u32 = rows.iter().map(|row| row.guesses).sum();
        RunSummary {
            run: run.name.clone(),
            agent: games.agent.to_owned(),
            rules: rules(&run.spec),
            seed: run.spec.tournament.seed,
            games: rows.len(),
            won: games.count(Outcome::Won),
            lost: games.count(Outcome::Lost),
            stuck: games.count(Outcome::Stuck),
            undecided: games.count(Outcome::Undecided),
            guesses_per_game: f64::from(guesses) / rows.len() as f64,
            unneeded_per_game: mean(judged.iter().map(|unneeded| unneeded.known).sum()),
            unneeded_by_clues_per_game: mean(judged.iter().map(|unneeded| unneeded.by_clues).sum()),
            milliseconds_per_game: 1e3 * games.seconds(),
        }
    };
    played.all().map(summary).collect()
}

/// What is played, with the first click.
fn rules(spec: &RunSpec) -> String {
    let at = match spec.tournament.at.text(spec.tournament.rules.shape()) {
        at if at == "agent" => "where the agent wants".to_owned(),
        at if at == "corner" => "in the corner".to_owned(),
        at if at == "random" => "at random".to_owned(),
        at => format!("at {at}"),
    };
    format!("{}, first click {at}", spec.tournament.rules)
}

/// Where a document comes from, in a sentence.
fn origin(provenance: &Provenance) -> String {
    let Provenance { build, command, date } = provenance;
    let commit = build.commit.as_deref().map_or(String::new(), |commit| format!(" ({commit})"));
    format!(
        "Made by `{command}` with deminer {}{commit}, rustc {}, on {}, {date}.",
        build.version, build.rustc, build.cpu
    )
}

/// A Markdown table, its columns as wide as their widest cell. The titles of the columns have bars
/// between them.
pub fn markdown_table(header: &str, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let header: Vec<&str> = header.split(" | ").collect();
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: Vec<String>| {
        let padded = cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        format!("| {} |\n", padded.collect::<Vec<_>>().join(" | "))
    };
    let mut text = line(header.iter().map(|&title| title.to_owned()).collect());
    text += &line(widths.iter().map(|&width| "-".repeat(width)).collect());
    for row in &rows {
        text += &line(row.clone());
    }
    text
}

/// A Markdown table with a row and a column for each key.
pub(crate) fn pivot(
    corner: &str,
    rows: &[String],
    columns: &[String],
    cell: impl Fn(&str, &str) -> Option<String>,
) -> String {
    let row = |row: &String| {
        let cells = columns.iter().map(|column| cell(row, column).unwrap_or_else(|| "-".into()));
        [row.clone()].into_iter().chain(cells).collect()
    };
    let header = [&[corner.to_owned()], columns].concat().join(" | ");
    markdown_table(&header, rows.iter().map(row).collect::<Vec<_>>())
}

/// A CSV field, in quotes where it needs them.
pub(crate) fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}
