//! `cargo xtask book`: writes what is generated in the guide, and the guide as HTML.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use deminer_guide::{Book, links};

use crate::{cargo, root};

pub fn run(options: &[&str]) -> Result<()> {
    let folder = match options {
        [] => root().join("target/book"),
        [folder] if !folder.starts_with('-') => PathBuf::from(folder),
        _ => bail!("book takes a folder, not `{}`", options.join(" ")),
    };
    // The tests that compare the generated pages write them.
    let write = ["test", "--locked", "--quiet", "-p", "deminer-cli", "--test", "guide"];
    cargo(&write, &[("DEMINER_WRITE_GUIDE", "1")])?;
    let book = root().join("docs/book");
    let faults = links::faults(&links::markdown_files(&book)?)?;
    ensure!(faults.is_empty(), "links that lead nowhere:\n{}", faults.join("\n"));
    let files = Book::read(&book)?.files(None)?;
    for (path, bytes) in &files {
        write_file(&folder.join(path), bytes)?;
    }
    println!("{}: {} files", folder.join("index.html").display(), files.len());
    Ok(())
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().context("a path below the folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
