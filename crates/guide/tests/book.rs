//! The guide is whole: every page in the list of contents, every link leads somewhere.

use std::path::{Path, PathBuf};

use deminer_guide::{Book, links};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

#[test]
fn all_links_in_markdown_files_lead_somewhere() {
    let files = links::markdown_files(&root()).unwrap();
    assert!(files.len() > 60, "{files:?}");
    let faults = links::faults(&files).unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn all_links_of_the_website_lead_to_its_files() {
    let files = Book::read(&root().join("docs/book")).unwrap().files(None).unwrap();
    assert!(files.len() > 20, "{:?}", files.keys());
    for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
        let text = String::from_utf8(bytes.clone()).unwrap();
        let parts = text.split("href=\"").skip(1).chain(text.split("src=\"").skip(1));
        for target in parts.map(|part| part.split_once('"').unwrap().0) {
            if target.starts_with("http") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let folder = Path::new(path).parent().unwrap();
            let file = if file.is_empty() { path.clone() } else { plain(&folder.join(file)) };
            let there = files.get(&file).unwrap_or_else(|| panic!("{path}: no {target}"));
            let id = format!("id=\"{anchor}\"");
            let is_heading = anchor.is_empty() || String::from_utf8_lossy(there).contains(&id);
            assert!(is_heading, "{path}: no heading {target}");
        }
    }
}

/// A path without `..`.
fn plain(path: &Path) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.to_str().unwrap().split('/') {
        match part {
            ".." => drop(parts.pop()),
            "" | "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}
