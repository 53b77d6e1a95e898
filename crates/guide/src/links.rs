//! Checks that the links of Markdown files lead to files and headings that are there.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use pulldown_cmark::{Event, Tag};

use crate::markdown::{anchors, is_elsewhere, parser};
use crate::read;

/// Folders with files that are not ours, or that were built.
const SKIPPED: [&str; 5] = ["target", "node_modules", ".git", ".tools", "runs"];

/// All Markdown files below a folder, in order.
pub fn markdown_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries =
            fs::read_dir(&next).with_context(|| format!("no folder {}", next.display()))?;
        for entry in entries {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            if entry.file_type()?.is_dir() {
                if !SKIPPED.iter().any(|skipped| name == *skipped) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "md") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// What is wrong with the links of these files: one line for each. Other sites are not asked.
pub fn faults(files: &[PathBuf]) -> Result<Vec<String>> {
    let mut headings: HashMap<PathBuf, Vec<String>> = HashMap::new();
    let mut faults = Vec::new();
    for file in files {
        for target in targets(&read(file)?) {
            if is_elsewhere(&target) {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let path = match path {
                "" => file.clone(),
                path => file.parent().expect("it lies in a folder").join(path),
            };
            let fault = |what: &str| format!("{}: {target}: {what}", file.display());
            if !path.exists() {
                faults.push(fault("there is no such file"));
            } else if !anchor.is_empty() {
                if !headings.contains_key(&path) {
                    headings.insert(path.clone(), anchors(&read(&path)?));
                }
                if !headings[&path].iter().any(|heading| heading == anchor) {
                    faults.push(fault("there is no such heading"));
                }
            }
        }
    }
    Ok(faults)
}

/// The targets of all links and pictures.
fn targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for event in parser(text) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                targets.push(dest_url.into_string());
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                for attribute in ["src=\"", "href=\""] {
                    let parts = html.split(attribute).skip(1);
                    targets
                        .extend(parts.filter_map(|part| Some(part.split_once('"')?.0.to_owned())));
                }
            }
            _ => {}
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_files_and_headings_are_told() {
        let folder = std::env::temp_dir().join(format!("deminer-links-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let text = "# A b\n[1](#a-b) [2](#c) ![3](x.svg) [4](one.md#a-b) <img src=\"y.svg\">\n\n`[5](z.md)`";
        fs::write(folder.join("one.md"), text).unwrap();
        let found = faults(&markdown_files(&folder).unwrap()).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let ends: Vec<&str> =
            found.iter().map(|fault| fault.split_once("one.md: ").unwrap().1).collect();
        assert_eq!(
            ends,
            [
                "#c: there is no such heading",
                "x.svg: there is no such file",
                "y.svg: there is no such file",
            ]
        );
    }
}
