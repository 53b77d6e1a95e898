//! Runs every benchmark and writes what they measured on one page, with machine and date.
//!
//! Each benchmark measures both sides of a ratio in the same run, prints its own table, and
//! writes its rows to a file, which is read here.

use std::fs::{self, File};
use std::path::PathBuf;
use std::thread::available_parallelism;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use crate::page::{output, step, target};
use crate::{cargo, python, root, wasm};

/// A part of the page.
struct Part {
    name: &'static str,
    title: &'static str,
    /// The command that measures it alone.
    command: &'static str,
    /// Measures, and says which files have the rows.
    run: fn(quick: bool) -> Result<Vec<PathBuf>>,
    /// Programs without which it is left out.
    needs: &'static [&'static str],
    /// Why it is left out of a quick run, if it is.
    slow: Option<&'static str>,
}

const PARTS: &[Part] = &[
    Part {
        name: "games",
        title: "Games per second of CPU time, one thread",
        command: "cargo bench -p deminer-lab",
        run: games,
        needs: &[],
        slow: None,
    },
    Part {
        name: "odds",
        title: "Odds of a position, beside other exact engines",
        command: "cargo bench -p deminer-peers",
        run: odds,
        needs: &[],
        slow: None,
    },
    Part {
        name: "python",
        title: "Python: environments beside Jumanji and numpy, calls beside the engine alone",
        command: "python crates/python/benchmarks/vector.py; python crates/python/benchmarks/calls.py",
        run: in_python,
        needs: &["python3"],
        slow: None,
    },
    Part {
        name: "wasm",
        title: "Native code beside WebAssembly",
        command: "cargo xtask wasm --ratios",
        run: in_wasm,
        needs: &["node", "npm"],
        slow: None,
    },
    Part {
        name: "networks",
        title: "Networks beside a tensor library, and beside PyTorch where Python has it",
        command: "cargo bench -p deminer-neural --features library",
        run: networks,
        needs: &[],
        slow: Some("the tensor library takes minutes to build"),
    },
];

/// What a benchmark measured.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    what: String,
    unit: String,
    ours: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beside: Option<Beside>,
}

/// The same by someone else, in the same run.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Beside {
    name: String,
    value: f64,
    /// How many times as fast ours is.
    ratio: f64,
}

/// The file of a benchmark.
#[derive(Deserialize)]
struct Measured {
    rows: Vec<Row>,
    /// What could not be measured, and why.
    #[serde(default)]
    notes: Vec<String>,
    #[serde(default)]
    build: serde_json::Value,
}

/// The page, as `speed.json` has it.
#[derive(Serialize)]
struct Page {
    machine: Machine,
    parts: Vec<Measurements>,
}

#[derive(Serialize)]
struct Machine {
    /// Version, commit, compiler and CPU as the lab knows them.
    build: serde_json::Value,
    cores: usize,
    system: String,
    date: String,
    command: String,
}

#[derive(Serialize)]
struct Measurements {
    title: &'static str,
    command: &'static str,
    rows: Vec<Row>,
    notes: Vec<String>,
}

impl Part {
    /// Why it cannot be measured, or is not in a quick run.
    fn left_out(&self, quick: bool) -> Option<String> {
        let missing = self.needs.iter().find(|program| output(program, &["--version"]).is_none());
        let missing = missing.map(|program| format!("{program} is not installed"));
        missing.or(self.slow.filter(|_| quick).map(str::to_owned))
    }
}

/// Measures all parts.
pub fn run(options: &[&str]) -> Result<()> {
    let (mut quick, mut out) = (false, root().join("results/speed"));
    let mut words = options.iter();
    while let Some(&word) = words.next() {
        match word {
            "--quick" => quick = true,
            "--out" => out = words.next().context("--out needs a folder")?.into(),
            word => bail!("bench-all takes --quick and --out DIR, not `{word}`"),
        }
    }
    fs::create_dir_all(target().join("speed"))?;
    let mut build = serde_json::Value::Null;
    let mut parts = Vec::new();
    for part in PARTS {
        let (mut rows, mut notes) = (Vec::new(), Vec::new());
        if let Some(why) = part.left_out(quick) {
            println!("-- {}: left out, {why}", part.name);
            notes.push(format!("Left out: {why}."));
        } else {
            step(part.name, part.command, || {
                for file in (part.run)(quick)? {
                    let doing = || format!("cannot read {}", file.display());
                    let opened = File::open(&file).with_context(doing)?;
                    let measured: Measured = serde_json::from_reader(opened).with_context(doing)?;
                    rows.extend(measured.rows);
                    notes.extend(measured.notes);
                    if !measured.build.is_null() {
                        build = measured.build;
                    }
                }
                Ok(())
            })?;
        }
        parts.push(Measurements { title: part.title, command: part.command, rows, notes });
    }
    let command = ["cargo xtask bench-all"].iter().chain(options).copied().collect::<Vec<_>>();
    let machine = Machine {
        build,
        cores: available_parallelism()?.get(),
        system: output("uname", &["-srm"]).unwrap_or_else(|| std::env::consts::OS.to_owned()),
        date: output("date", &["-u", "+%Y-%m-%d"]).context("cannot get the date of the system")?,
        command: command.join(" "),
    };
    let page = Page { machine, parts };
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;
    fs::write(out.join("speed.json"), serde_json::to_string_pretty(&page)? + "\n")?;
    fs::write(out.join("README.md"), page.markdown())?;
    println!("{}", out.join("README.md").display());
    Ok(())
}

/// A fresh file for the rows of a benchmark.
fn rows(name: &str) -> Result<(PathBuf, String)> {
    let file = target().join("speed").join(format!("{name}.json"));
    if file.exists() {
        fs::remove_file(&file)?;
    }
    let text = file.to_str().context("the workspace's path is not text")?.to_owned();
    Ok((file, text))
}

fn games(quick: bool) -> Result<Vec<PathBuf>> {
    let (file, path) = rows("games")?;
    let count = if quick { "1000" } else { "20000" };
    let bench = ["bench", "--locked", "-p", "deminer-lab", "--bench", "games", "--"];
    cargo(&[&bench[..], &["--games", count, "--json", &path]].concat(), &[])?;
    Ok(vec![file])
}

fn odds(quick: bool) -> Result<Vec<PathBuf>> {
    let (file, path) = rows("odds")?;
    let bench = ["bench", "--locked", "-p", "deminer-peers", "--bench", "peers", "--"];
    let which: &[&str] = if quick { &["--only", "expert_guess"] } else { &[] };
    cargo(&[&bench[..], which, &["--json", &path]].concat(), &[])?;
    Ok(vec![file])
}

fn in_python(quick: bool) -> Result<Vec<PathBuf>> {
    let ((vector, vector_path), (calls, calls_path)) = (rows("vector")?, rows("calls")?);
    python::benchmark(if quick { "0.5" } else { "5" }, &vector_path, &calls_path)?;
    Ok(vec![vector, calls])
}

fn in_wasm(_quick: bool) -> Result<Vec<PathBuf>> {
    let (file, path) = rows("wasm")?;
    wasm::ratios(Some(&path))?;
    Ok(vec![file])
}

fn networks(_quick: bool) -> Result<Vec<PathBuf>> {
    let (file, path) = rows("networks")?;
    let bench = ["bench", "--locked", "-p", "deminer-neural", "--features", "library"];
    cargo(&[&bench[..], &["--bench", "play", "--", "--json", &path]].concat(), &[])?;
    Ok(vec![file])
}

impl Page {
    fn markdown(&self) -> String {
        let Machine { build, cores, system, date, command } = &self.machine;
        let known = |name: &str| build[name].as_str().unwrap_or("unknown").to_owned();
        let mut text = format!(
            "# Speed\n\n\
             Written by `{command}`. Both sides of a ratio are measured in the same run; a ratio says \
             how many times as fast deminer's native code is. Absolute numbers depend on the machine \
             and on what else it does.\n\n\
             - {cpu}, {cores} cores seen, {system}\n\
             - deminer {version} ({commit}), rustc {rustc}\n\
             - {date}\n",
            cpu = known("cpu"),
            version = known("version"),
            commit = known("commit"),
            rustc = known("rustc"),
        );
        for Measurements { title, command, rows, notes } in &self.parts {
            text += &format!("\n## {title}\n\n`{command}`\n\n");
            for note in notes {
                text += &format!("{note}\n\n");
            }
            if rows.is_empty() {
                continue;
            }
            text += "| what | unit | deminer | beside | its number | ratio |\n|---|---|---|---|---|---|\n";
            for Row { what, unit, ours, beside } in rows {
                let beside = beside.as_ref().map_or("| | ".to_owned(), |beside| {
                    let Beside { name, value, ratio } = beside;
                    format!("{name} | {} | {}", digits(*value), digits(*ratio))
                });
                text += &format!("| {what} | {unit} | {} | {beside} |\n", digits(*ours));
            }
        }
        text.trim_end().to_owned() + "\n"
    }
}

/// Three digits that count, and all before the point.
fn digits(number: f64) -> String {
    let before = number.abs().log10().floor().max(-3.0) as i32 + 1;
    let after = (3 - before).max(0) as usize;
    format!("{number:.after$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_that_count() {
        let shown = [0.0123456, 0.5, 3.21987, 37.26, 214.6, 4_400_123.4].map(digits);
        assert_eq!(shown, ["0.0123", "0.500", "3.22", "37.3", "215", "4400123"]);
    }

    #[test]
    fn rows_with_and_without_another_side_are_read() {
        let read = |text| serde_json::from_str::<Row>(text);
        let row = read(r#"{ "what": "a game", "unit": "s", "ours": 1.5 }"#).unwrap();
        assert!(row.beside.is_none());
        let beside = r#"{ "name": "X", "value": 3.0, "ratio": 2.0 }"#;
        let row = format!(r#"{{ "what": "", "unit": "s", "ours": 1.5, "beside": {beside} }}"#);
        assert_eq!(read(&row).unwrap().beside.unwrap().ratio, 2.0);
        assert!(read(&row.replace("beside", "besides")).is_err());
    }
}
