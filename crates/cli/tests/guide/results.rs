//! The committed results: the lines of all tables and what their games cost.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// All tables with results.
pub struct Results {
    lines: Vec<Line>,
    times: Vec<Time>,
}

/// A measured number.
pub struct Line {
    /// The table, the setting, the agent and the measure.
    pub place: [String; 4],
    pub percent: bool,
    pub ours: f64,
    pub interval: (f64, f64),
    pub paper: Option<f64>,
    pub verdict: String,
}

/// The CPU time of an agent's games in a run.
struct Time {
    /// The table, the run and the agent.
    place: [String; 3],
    milliseconds: f64,
}

impl Results {
    pub fn read(folder: &Path) -> Self {
        let mut results = Self { lines: Vec::new(), times: Vec::new() };
        let folders = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = folders.map(|path| path.join("table.json")).collect();
        files.retain(|file| file.exists());
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let table: Value = serde_json::from_str(&text).unwrap();
            results.add(&table);
        }
        results
    }

    fn add(&mut self, table: &Value) {
        let word = |value: &Value| value.as_str().unwrap().to_owned();
        let number = |value: &Value| value.as_f64().unwrap();
        let id = word(&table["id"]);
        for line in table["lines"].as_array().unwrap() {
            let [setting, agent, measure] = ["setting", "agent", "measure"].map(|k| word(&line[k]));
            let target = line["target"].as_object();
            let paper = target.and_then(|target| target.values().next()?["paper"].as_f64());
            let ours = &line["ours"];
            self.lines.push(Line {
                place: [id.clone(), setting, agent, measure],
                percent: line["unit"] == "percent",
                ours: number(&ours["value"]),
                interval: (number(&ours["low"]), number(&ours["high"])),
                paper,
                verdict: word(&line["verdict"]),
            });
        }
        for run in table["runs"].as_array().unwrap() {
            let place = [id.clone(), word(&run["run"]), word(&run["agent"])];
            self.times.push(Time { place, milliseconds: number(&run["milliseconds_per_game"]) });
        }
    }

    /// The line of a table, setting, agent and measure.
    pub fn line(&self, place: [&str; 4]) -> Result<&Line, String> {
        let found = self.lines.iter().find(|line| line.place == place);
        found.ok_or_else(|| format!("the results have no line {}", place.join(" | ")))
    }

    /// All lines of a table with this measure.
    pub fn lines(&self, table: &str, measure: &str) -> Vec<&Line> {
        let wanted = |line: &&Line| line.place[0] == table && line.place[3] == measure;
        self.lines.iter().filter(wanted).collect()
    }

    /// The CPU time of a game in milliseconds, by table, run and agent.
    pub fn time(&self, place: [&str; 3]) -> Result<f64, String> {
        let found = self.times.iter().find(|time| time.place == place);
        let found =
            found.ok_or_else(|| format!("the results have no run {}", place.join(" | ")))?;
        Ok(found.milliseconds)
    }

    /// How many numbers of the five works have this verdict: `s000` to `s004`, in the order of the
    /// findings.
    pub fn count(&self, verdict: &str) -> usize {
        let counts = |line: &&Line| {
            line.place[0].starts_with("s00") && line.paper.is_some() && line.verdict == verdict
        };
        self.lines.iter().filter(counts).count()
    }
}
