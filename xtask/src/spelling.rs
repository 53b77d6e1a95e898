//! Checks the spelling of all files with typos, a checker of common misspellings.
//!
//! It comes from PyPI, prebuilt, into an environment of its own below `.tools`. Its list of words
//! and files that are right is `typos.toml`.

use std::process::Command;

use anyhow::{Context, Result};

use crate::{page, root, succeed};

const VERSION: &str = "1.51.1";

pub fn check() -> Result<()> {
    let tools = root().join(".tools").join(format!("typos-{VERSION}"));
    let checker = tools.join("bin/typos");
    if !checker.exists() {
        let python = tools.join("bin/python");
        page::step("install typos", "python3 -m venv, pip install", || {
            let mut command = Command::new("python3");
            command.args(["-m", "venv", "--clear"]).arg(&tools);
            succeed(&mut command, "python3 -m venv").context(
                "the check of spelling needs Python 3.10 or newer with venv: install it, or leave \
                 this check out by naming the others",
            )?;
            let mut command = Command::new(python);
            let quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
            succeed(command.args(quiet).arg(format!("typos=={VERSION}")), "pip install typos")
        })?;
    }
    let mut command = Command::new(checker);
    succeed(command.current_dir(root()).args(["--format", "brief"]), "typos")
        .context("mend the words, or add those that are right to typos.toml")?;
    println!("no misspelled words");
    Ok(())
}
