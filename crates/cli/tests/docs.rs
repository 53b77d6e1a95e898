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
        .map(|folder| format!("`crates/{}`", folder.unwrap().file_name().display()))
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
    let text = read("docs/GLOSSARY.md");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| "));
    let words: Vec<String> =
        rows.skip(1).map(|row| row.split('|').next().unwrap().trim().to_lowercase()).collect();
    assert!(words.len() > 100, "{words:?}");
    for pair in words.windows(2) {
        assert!(pair[0] < pair[1], "`{}` must stand after `{}`, once", pair[1], pair[0]);
    }
}
