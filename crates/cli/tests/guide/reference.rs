//! The pages of the reference, made from the program, `docs/openapi.json` and the results.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use serde_json::{Map, Value};

use crate::root;

/// The name of each page and its Markdown.
pub fn pages() -> Vec<(&'static str, String)> {
    vec![
        ("command-line", program(&["man", "--markdown"])),
        ("http", http()),
        ("formats", formats()),
        ("agents", agents()),
        ("results", results()),
    ]
}

/// What the program prints.
fn program(words: &[&str]) -> String {
    let answer = Command::new(env!("CARGO_BIN_EXE_deminer")).args(words).output().unwrap();
    assert!(answer.status.success(), "deminer {words:?}");
    String::from_utf8(answer.stdout).unwrap()
}

fn document(words: &[&str]) -> Value {
    serde_json::from_str(&program(words)).unwrap()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn words(value: &Value) -> Vec<&str> {
    list(value).filter_map(Value::as_str).collect()
}

/// One line of text that a table can hold.
fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|").replace('<', "\\<")
}

/// The text with a capital letter, unless it begins with a name such as `cs520` or `sla-small`.
fn sentence(text: &str) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    let is_name = word.contains(|letter: char| letter.is_ascii_digit() || letter == '-');
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !is_name => first.to_uppercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

fn agents() -> String {
    let mut page = "# Agents\n\nAn agent is chosen as `name` or `name:option,…`, everywhere: \
                    `--agent` of the command line, the lists of the page, Python and HTTP. \
                    `deminer agents NAME` prints the same.\n"
        .to_owned();
    let document = document(&["agents", "--json"]);
    for agent in list(&document["agents"]) {
        let text = |key: &str| agent[key].as_str().unwrap_or_default();
        let about = sentence(text("about"));
        write!(page, "\n## {}\n\n{about}.\n\nKind: {}. ", text("name"), text("kind")).unwrap();
        if agent["paper"].is_string() {
            write!(page, "After {}. ", text("paper")).unwrap();
        }
        let cascade = if agent["cascade_off"] == true { "on or off" } else { "on" };
        let (shapes, clues) = (words(&agent["shapes"]), words(&agent["clues"]));
        let (shapes, clues) = (shapes.join(", "), clues.join(", "));
        writeln!(page, "Plays {shapes} boards; {clues} clues; cascade {cascade}.").unwrap();
        let mut options = list(&agent["options"]).peekable();
        if options.peek().is_some() {
            page += "\n| option | meaning |\n|---|---|\n";
        }
        for option in options {
            let usage = option["usage"].as_str().unwrap().replace('|', "\\|");
            writeln!(page, "| `{usage}` | {} |", cell(option["about"].as_str().unwrap())).unwrap();
        }
    }
    page
}

fn formats() -> String {
    let mut page = "# Formats\n\n`deminer convert` reads and writes these files. The format of an \
                    input is detected from its content, never from its name alone. [How to add \
                    one](../how-to/format.md).\n\n| format | files | holds | written | what it is \
                    |\n|---|---|---|---|---|\n"
        .to_owned();
    for format in list(&document(&["convert", "--list", "--json"])["formats"]) {
        let files: Vec<String> =
            words(&format["extensions"]).iter().map(|name| format!("`.{name}`")).collect();
        let written = if format["written"] == true { "yes" } else { "no" };
        let (name, about) = (format["name"].as_str().unwrap(), format["about"].as_str().unwrap());
        let (files, holds) = (files.join(" "), words(&format["holds"]).join(", "));
        writeln!(page, "| `{name}` | {files} | {holds} | {written} | {} |", cell(about)).unwrap();
    }
    page + "\nA position as text has a line `mines N` and rows of `#` (covered), `F` (flag), `.` and \
            `1` to `8` (open), `?` (open without a clue) and `*` (a mine that was shown). A layout \
            as text has `*` for mines and `.` for the rest.\n"
}

fn http() -> String {
    let file = root().join("docs/openapi.json");
    let api: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let schemas = api["components"]["schemas"].as_object().unwrap();
    let mut page = format!(
        "# HTTP paths\n\n{} [How to use it](../how-to/http.md) has examples, errors and limits. A \
         server sends the whole description, answers included, at `/api/v1/openapi.json`.\n",
        api["info"]["description"].as_str().unwrap()
    );
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let summary = operation["summary"].as_str().unwrap().replace('\n', " ");
            write!(page, "\n## {} {path}\n\n{summary}\n", method.to_uppercase()).unwrap();
            let mut rows = String::new();
            for parameter in list(&operation["parameters"]) {
                let name = parameter["name"].as_str().unwrap();
                let about = parameter["description"].as_str().unwrap_or_default();
                let place = parameter["in"].as_str().unwrap();
                writeln!(rows, "| `{name}` | {place} | {} |", cell(about)).unwrap();
            }
            for media in operation["requestBody"]["content"].as_object().into_iter().flatten() {
                rows += &fields(&media.1["schema"], schemas);
            }
            if !rows.is_empty() {
                write!(page, "\n| field | kind | meaning |\n|---|---|---|\n{rows}").unwrap();
            }
        }
    }
    page
}

/// The fields of a request's body.
fn fields(schema: &Value, schemas: &Map<String, Value>) -> String {
    let schema = resolved(schema, schemas);
    let required = words(&schema["required"]);
    let mut rows = String::new();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        // An optional field is that or null.
        let is_null = |choice: &&Value| choice["type"] != "null";
        let inner = list(&field["oneOf"]).find(is_null).unwrap_or(field);
        let target = resolved(inner, schemas);
        let about = [field, inner, target].iter().find_map(|value| value["description"].as_str());
        let kind = match &target["type"] {
            Value::String(kind) => kind.clone(),
            Value::Array(kinds) => {
                let kinds = kinds.iter().filter_map(Value::as_str).filter(|kind| *kind != "null");
                kinds.collect::<Vec<_>>().join(" or ")
            }
            _ => "one of several".to_owned(),
        };
        let mut about = about.unwrap_or_default().to_owned();
        let choices: Vec<String> =
            words(&target["enum"]).iter().map(|word| format!("`{word}`")).collect();
        if !choices.is_empty() {
            about = format!("{} One of {}.", about.trim_end(), choices.join(", "));
        }
        let must = if required.contains(&name.as_str()) { ", required" } else { "" };
        writeln!(rows, "| `{name}` | {kind}{must} | {} |", cell(about.trim())).unwrap();
    }
    rows
}

fn resolved<'a>(schema: &'a Value, schemas: &'a Map<String, Value>) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next());
    name.and_then(|name| schemas.get(name)).unwrap_or(schema)
}

/// All tables, their papers, and how many numbers have which verdict.
fn results() -> String {
    let mut page = "# Results\n\nThe tables of papers next to ours, as `deminer reproduce` made \
                    them; the [Lab room](../tutorial/first-paper.md) of the page shows them, too. \
                    [What the verdicts mean](../explanation/statistics.md#verdicts).\n"
        .to_owned();
    let mut folders: Vec<_> =
        fs::read_dir(root().join("results")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let mut papers: Vec<(String, String)> = Vec::new();
    for file in folders.iter().map(|folder| folder.join("table.json")).filter(|file| file.exists())
    {
        let table: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let paper = table["paper"].as_str().unwrap_or("Our own measurements").to_owned();
        let (id, title) = (table["id"].as_str().unwrap(), table["title"].as_str().unwrap());
        let count = |verdict: &str| {
            list(&table["lines"]).filter(|line| line["verdict"] == verdict).count().to_string()
        };
        let counts = ["match", "beat", "faithful", "too-few", "missed"].map(count).join(" | ");
        let row = format!("| [{id}](../../../../results/{id}/README.md) | {title} | {counts} |\n");
        match papers.iter_mut().find(|(name, _)| *name == paper) {
            Some((_, rows)) => *rows += &row,
            None => papers.push((paper, row)),
        }
    }
    for (paper, rows) in papers {
        write!(
            page,
            "\n## {paper}\n\n| table | what | match | beat | faithful | too few games | missed \
             |\n|---|---|---|---|---|---|---|\n{rows}"
        )
        .unwrap();
    }
    page
}
