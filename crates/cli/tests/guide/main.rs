//! What is generated in the guide is what the program and the results say now.
//!
//! `cargo xtask book` runs these tests with `DEMINER_WRITE_GUIDE=1`; they then write instead.

mod findings;
mod plots;
mod reference;
mod results;
#[cfg(unix)]
mod shell;

use std::fs;
use std::path::{Path, PathBuf};

use crate::results::Results;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a file of the guide, or writes it.
fn settle(path: &str, text: &str) {
    let file = root().join("docs/book/src").join(path);
    if std::env::var_os("DEMINER_WRITE_GUIDE").is_some() {
        fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    } else {
        let there = fs::read_to_string(&file).unwrap_or_default();
        assert!(there == text, "docs/book/src/{path} is old: run `cargo xtask book`");
    }
}

#[test]
fn the_reference_is_that_of_the_program() {
    for (name, text) in reference::pages() {
        settle(&format!("reference/{name}.md"), &text);
    }
}

#[test]
fn the_findings_are_those_of_the_results() {
    let results = Results::read(&root().join("results"));
    let path = "findings.md";
    let page = fs::read_to_string(root().join("docs/book/src").join(path)).unwrap();
    let filled = findings::fill(&page, &results).unwrap_or_else(|fault| panic!("{path}: {fault}"));
    settle(path, &filled);
    for (name, svg) in plots::all(&results) {
        settle(&format!("pictures/{name}.svg"), &svg);
    }
}
