//! Fills the numbers of a page from the results, and checks its claims.
//!
//! A page ends with a comment that names numbers. `<!--NAME-->` and `<!--/-->` enclose where a
//! number stands; `NAME.paper` and `NAME.interval` are the paper's number and ours as an interval.
//!
//! ```text
//! NAME = TABLE | SETTING | AGENT | MEASURE
//! NAME = time | TABLE | RUN | AGENT        CPU time of a game
//! NAME = times | NAME | NAME               how many times the second the first is
//! NAME = points | NAME | NAME              the difference in percentage points
//! NAME = count | VERDICT                   how many numbers of the five works have this verdict
//! claim NAME > NAME                        what the words around the numbers rely on
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::results::{Line, Results};

/// How a number is written.
#[derive(Clone, Copy)]
enum Unit {
    Percent,
    Number,
    Milliseconds,
    Times,
    Points,
    Count,
}

#[derive(Clone, Copy)]
struct Number {
    value: f64,
    unit: Unit,
}

/// The page with its numbers as they are now.
pub fn fill(page: &str, results: &Results) -> Result<String, String> {
    let (_, definitions) = page.rsplit_once("<!-- numbers\n").ok_or("it names no numbers")?;
    let definitions = definitions.trim_end().strip_suffix("-->").ok_or("the names do not end")?;
    let mut values = Values { results, numbers: BTreeMap::new(), texts: BTreeMap::new() };
    values.texts.insert("leaderboard".to_owned(), leaderboard(results)?);
    for line in definitions.lines() {
        values.define(line)?;
    }
    let mut filled = String::new();
    let mut used = BTreeSet::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("<!--") {
        filled += before;
        filled += "<!--";
        let (name, after) = after.split_once("-->").ok_or("a comment does not end")?;
        write!(filled, "{name}-->").expect("text");
        rest = after;
        if name.starts_with(' ') {
            continue;
        }
        let line = filled.rsplit('\n').next().unwrap_or_default();
        let alone = line.trim_start().starts_with("<!--");
        if alone && !rest.starts_with('\n') {
            return Err(format!("a line begins with <!--{name}-->, so that it would be HTML"));
        }
        let (_, after) = rest.split_once("<!--/-->").ok_or(format!("<!--{name}--> has no end"))?;
        let text = values.texts.get(name).ok_or(format!("no number is called {name}"))?;
        write!(filled, "{text}<!--/-->").expect("text");
        let details = [".paper", ".interval"];
        let number = details.iter().find_map(|detail| name.strip_suffix(detail));
        used.insert(number.unwrap_or(name).to_owned());
        rest = after;
    }
    filled += rest;
    // Numbers may also serve claims and other numbers.
    let words: Vec<&str> = definitions.split([' ', '\n']).collect();
    let serves = |name: &str| words.iter().filter(|word| **word == name).count() > 1;
    let mut names = values.numbers.keys().filter(|name| !name.ends_with(".paper"));
    let idle = names.find(|name| !used.contains(*name) && !serves(name));
    idle.map_or(Ok(filled), |name| Err(format!("nothing uses the number {name}")))
}

struct Values<'a> {
    results: &'a Results,
    numbers: BTreeMap<String, Number>,
    texts: BTreeMap<String, String>,
}

impl Values<'_> {
    fn define(&mut self, line: &str) -> Result<(), String> {
        if let Some(claim) = line.strip_prefix("claim ") {
            let (left, right) = claim.split_once(" > ").ok_or(format!("{claim}: not A > B"))?;
            let holds = self.number(left)?.value > self.number(right)?.value;
            let error = || format!("the text relies on {claim}, but the results say otherwise");
            return holds.then_some(()).ok_or_else(error);
        }
        let (name, meaning) = line.split_once(" = ").ok_or(format!("{line}: not NAME = …"))?;
        let parts: Vec<&str> = meaning.split(" | ").collect();
        let number = match *parts {
            ["time", table, run, agent] => {
                let value = self.results.time([table, run, agent])?;
                Number { value, unit: Unit::Milliseconds }
            }
            ["times", first, second] => {
                let value = self.number(first)?.value / self.number(second)?.value;
                Number { value, unit: Unit::Times }
            }
            ["points", first, second] => {
                let value = self.number(first)?.value - self.number(second)?.value;
                Number { value, unit: Unit::Points }
            }
            ["count", verdict] => {
                Number { value: self.results.count(verdict) as f64, unit: Unit::Count }
            }
            [table, setting, agent, measure] => {
                let line = self.results.line([table, setting, agent, measure])?;
                self.add_details(name, line);
                Number { value: line.ours, unit: unit(line) }
            }
            _ => return Err(format!("{line}: not understood")),
        };
        self.add(name, number);
        Ok(())
    }

    fn add_details(&mut self, name: &str, line: &Line) {
        if let Some(paper) = line.paper {
            self.add(&format!("{name}.paper"), Number { value: paper, unit: unit(line) });
        }
        let (low, high) = line.interval;
        let text = |value| Number { value, unit: unit(line) }.words();
        let low = text(low);
        let low = low.trim_end_matches("\u{a0}%");
        self.texts.insert(format!("{name}.interval"), format!("{low} to {}", text(high)));
    }

    fn add(&mut self, name: &str, number: Number) {
        self.texts.insert(name.to_owned(), number.words());
        // A paper's number belongs to ours.
        self.numbers.insert(name.to_owned(), number);
    }

    fn number(&self, name: &str) -> Result<Number, String> {
        if let Ok(value) = name.parse() {
            return Ok(Number { value, unit: Unit::Number });
        }
        self.numbers.get(name).copied().ok_or_else(|| format!("no number is called {name}"))
    }
}

fn unit(line: &Line) -> Unit {
    if line.percent { Unit::Percent } else { Unit::Number }
}

impl Number {
    fn words(self) -> String {
        let Self { value, unit } = self;
        match unit {
            Unit::Percent if value == 0.0 || value == 1.0 => format!("{}\u{a0}%", 100.0 * value),
            Unit::Percent if value > 0.0 && value < 0.001 => format!("{:.2}\u{a0}%", 100.0 * value),
            Unit::Percent => format!("{:.1}\u{a0}%", 100.0 * value),
            Unit::Points => format!("{:.1}\u{a0}points", 100.0 * value),
            Unit::Count => format!("{value}"),
            Unit::Number if value == 0.0 => "0".to_owned(),
            Unit::Number | Unit::Times if value >= 100.0 => format!("{value:.0}"),
            Unit::Number | Unit::Times => format!("{value:.1}"),
            Unit::Milliseconds if value < 1.0 => format!("{value:.2}\u{a0}ms"),
            Unit::Milliseconds if value < 10.0 => format!("{value:.1}\u{a0}ms"),
            Unit::Milliseconds => format!("{value:.0}\u{a0}ms"),
        }
    }
}

/// The boards of the leaderboard.
const BOARDS: [&str; 3] = ["beginner safe", "intermediate safe", "expert safe"];

/// All agents of the arena that play beginner boards: games won, and the time of an expert game.
fn leaderboard(results: &Results) -> Result<String, String> {
    let won = |agent: &str, run: &str| results.line(["arena", run, agent, "won"]).ok();
    let [beginner, _, expert] = BOARDS;
    let mut agents: Vec<&str> = (results.lines("arena", "won").iter())
        .filter(|line| line.place[1] == beginner)
        .map(|line| line.place[2].as_str())
        .collect();
    let rates = |agent: &str| [expert, beginner].map(|run| won(agent, run).map_or(0.0, |l| l.ours));
    agents.sort_by(|a, b| rates(b).partial_cmp(&rates(a)).expect("numbers"));
    let mut table =
        "\n\n| agent | beginner | intermediate | expert | CPU time of an expert game |\n\
                     |---|---|---|---|---|\n"
            .to_owned();
    for agent in agents {
        write!(table, "| `{agent}` |").expect("text");
        for run in BOARDS {
            let Some(line) = won(agent, run) else {
                table += " - |";
                continue;
            };
            let (low, high) = line.interval;
            let [rate, low, high] = [line.ours, low, high].map(|share| 100.0 * share);
            write!(table, " {rate:.1} ({low:.1} to {high:.1}) |").expect("text");
        }
        let time = results.time(["arena", &format!("{expert} {agent}"), agent]);
        let words = |value| Number { value, unit: Unit::Milliseconds }.words();
        writeln!(table, " {} |", time.map_or("-".to_owned(), words)).expect("text");
    }
    Ok(table + "\n")
}
