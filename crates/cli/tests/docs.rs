//! The documentation matches the source tree.

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

#[test]
fn the_architecture_names_every_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = read("docs/ARCHITECTURE.md");
    let mut crates: Vec<String> = fs::read_dir(root.join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|folder| format!("`crates/{}`", folder.file_name().display()))
        .collect();
    crates.push("`xtask`".to_owned());
    crates.sort();
    assert!(crates.len() >= 7, "{crates:?}");
    let missing: Vec<_> = crates.iter().filter(|name| !text.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "docs/ARCHITECTURE.md does not name {missing:?}");
}

#[test]
fn the_first_program_of_the_readme_is_an_example_that_runs() {
    let example = read("crates/deminer/examples/first_program.rs");
    let (_, program) = example.split_once("\n\n").unwrap();
    assert!(read("README.md").contains(&format!("```rust\n{program}```")), "{program}");
}

#[test]
fn the_glossary_defines_each_word_once_in_alphabetical_order() {
    let text = read("docs/book/src/reference/glossary.md");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| "));
    let words: Vec<String> =
        rows.skip(1).map(|row| row.split('|').next().unwrap().trim().to_lowercase()).collect();
    assert!(words.len() > 100, "{words:?}");
    for pair in words.windows(2) {
        assert!(pair[0] < pair[1], "`{}` must stand after `{}`, once", pair[1], pair[0]);
    }
}

/// Whether a file defines a function, a type or a constant of this name.
fn defines(text: &str, name: &str) -> bool {
    let is_word = |text: &str| text.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let keywords = ["fn", "struct", "enum", "trait", "const", "class", "function"];
    keywords.iter().map(|keyword| format!("{keyword} {name}")).any(|definition| {
        text.match_indices(&definition).any(|(at, found)| !is_word(&text[at + found.len()..]))
    })
}

/// In the walks, `crate/file.rs` or a path of the page is a file, and a name after it is defined there.
#[test]
fn the_walks_of_the_architecture_name_what_exists() {
    let text = read("docs/ARCHITECTURE.md");
    let (_, walks) = text.split_once("## Seven walks").unwrap();
    let (_, walks) = walks.split_once("**A position**").unwrap();
    let (walks, _) = walks.split_once("\n## ").unwrap();
    let is_name = |word: &&str| word.chars().all(|c| c.is_alphabetic() || "_:".contains(c));
    let (mut file, mut source, mut names) = ("", String::new(), 0);
    for span in walks.split('`').skip(1).step_by(2) {
        if span.ends_with(".ts") {
            (file, source) = (span, read(span));
        } else if let Some((krate, rest)) = span.split_once('/').filter(|_| span.ends_with(".rs")) {
            (file, source) = (span, read(&format!("crates/{krate}/src/{rest}")));
        } else if let Some(name) = Some(span).filter(is_name) {
            let parts = name.split("::");
            names += parts.clone().count();
            parts.for_each(|name| assert!(defines(&source, name), "{file} has no `{name}`"));
        }
    }
    assert!(names > 40, "{names} names");
}
