//! Checks the page: types, unit tests, the committed bundle, and the page in a real browser on a
//! real server.
//!
//! Needs Node.js with npm, and Chromium. What is missing is installed with `apt-get`, as root or
//! with `sudo`. Cargo itself needs none of it: the bundle is committed and embedded.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{PROGRAM, cargo, root, succeed};

/// The oldest Node.js that runs the tools: major and minor.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// Names of Chromium; the first that is found is used.
const CHROMIUM: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Everything that needs neither cargo nor a browser.
pub fn check() -> Result<()> {
    tools()?;
    check_sources()?;
    step("page/dist is what the sources build", "vite build, compared", compare)
}

/// Types and unit tests, if the tools are installed.
pub fn check_quick() -> Result<()> {
    match page().join("node_modules").exists() {
        true => check_sources(),
        false => {
            println!("skipped: page/node_modules is missing; `cargo xtask test page` installs it");
            Ok(())
        }
    }
}

fn check_sources() -> Result<()> {
    step("types", "npm run check", || npm(&["run", "--silent", "check"], &[]))?;
    step("unit tests", "npm test", || npm(&["run", "--silent", "test"], &[]))
}

/// The page in a browser.
pub fn check_in_browser() -> Result<()> {
    tools()?;
    in_browser(&browser()?, &[])
}

/// Measures how long a board of 100x100 takes to repaint.
pub fn repaint() -> Result<()> {
    tools()?;
    in_browser(&browser()?, &["repaint"])
}

pub fn step(name: &str, how: &str, run: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("-- {name} ({how})");
    run().with_context(|| format!("{name}: failed"))
}

/// Node.js, npm, and the pinned packages of `package-lock.json`.
fn tools() -> Result<()> {
    if output("node", &["--version"]).is_none() || output("npm", &["--version"]).is_none() {
        println!("-- Node.js or npm is missing");
        install(&["nodejs", "npm"]).context(
            "the page's tests need Node.js 20.19 or newer and npm: install them, or leave these \
             tests out with `cargo xtask test fmt clippy rust docs packages`",
        )?;
    }
    let version = output("node", &["--version"]).context("cannot start node")?;
    if parse_version(&version).is_none_or(|version| version < OLDEST_NODE) {
        let (major, minor) = OLDEST_NODE;
        bail!("node is {version}; the page's tests need {major}.{minor} or newer");
    }
    install_packages(&page())
}

/// The pinned packages of a folder's `package-lock.json`.
pub fn install_packages(folder: &Path) -> Result<()> {
    // npm ci removes everything first, so it runs only if the lock file has changed.
    let lock = fs::read(folder.join("package-lock.json"))
        .with_context(|| format!("{}: no package-lock.json", folder.display()))?;
    let installed = folder.join("node_modules/.installed-lock.json");
    if fs::read(&installed).is_ok_and(|there| there == lock) {
        return Ok(());
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    step(&format!("install the tools of {name}/"), "npm ci", || {
        npm_in(folder, &["ci", "--no-audit", "--no-fund"], &[])
    })?;
    fs::write(installed, lock).with_context(|| format!("cannot write into {name}/node_modules"))
}

/// Reads `v20.19.3`.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.strip_prefix('v')?.split('.').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// Builds the page into another folder and compares it with the committed bundle.
fn compare() -> Result<()> {
    let built = root().join("target/page");
    let path = built.to_str().context("the workspace's path is not text")?;
    let build = ["exec", "--", "vite", "build", "--logLevel", "warn", "--emptyOutDir", "--outDir"];
    npm(&[&build[..], &[path]].concat(), &[])?;
    let (fresh, committed) = (files(&built)?, files(&page().join("dist"))?);
    let names = fresh.keys().chain(committed.keys().filter(|name| !fresh.contains_key(*name)));
    let differs = |name: &&PathBuf| fresh.get(*name) != committed.get(*name);
    let different: Vec<String> =
        names.filter(differs).map(|name| name.display().to_string()).collect();
    if !different.is_empty() {
        bail!(
            "differs from what the sources build: {}; run `npm run build` in page/ and commit page/dist",
            different.join(", ")
        );
    }
    println!("{} files, all as committed", fresh.len());
    Ok(())
}

/// All files of a folder with their bytes, by path.
fn files(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).with_context(|| next.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("it was found there").to_owned();
                found.insert(name, fs::read(&path)?);
            }
        }
    }
    Ok(found)
}

/// Runs the tests that drive the page, on the program that the tests of the workspace built.
fn in_browser(browser: &OsStr, which: &[&str]) -> Result<()> {
    cargo(PROGRAM, &[])?;
    let program = target().join("debug").join(format!("deminer{}", std::env::consts::EXE_SUFFIX));
    let run = ["exec", "--", "vitest", "run", "--config", "vitest.browser.config.ts"];
    let environment = [("DEMINER", program.as_os_str()), ("CHROMIUM", browser)];
    npm(&[&run[..], which].concat(), &environment)
}

/// The folder that cargo builds into.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A browser of the Chromium family; installed if there is none.
fn browser() -> Result<std::ffi::OsString> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Ok(named);
    }
    if let Some(found) = CHROMIUM.iter().find_map(|name| find(name)) {
        return Ok(found.into());
    }
    println!("-- Chromium is missing");
    install(&["chromium"])
        .context("the browser tests need Chromium: install it, or set CHROMIUM to its path")?;
    find("chromium")
        .map(Into::into)
        .context("apt-get installed chromium, but it is not on the path")
}

/// The path of a program.
fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Installs Debian packages, as root or with a passwordless sudo.
fn install(packages: &[&str]) -> Result<()> {
    let root = output("id", &["-u"]).as_deref() == Some("0");
    if find("apt-get").is_none() {
        bail!("cannot install {}: there is no apt-get", packages.join(" and "));
    }
    if !root && output("sudo", &["-n", "true"]).is_none() {
        bail!(
            "cannot install {} without root or sudo; run `sudo apt-get install {}`",
            packages.join(" and "),
            packages.join(" ")
        );
    }
    println!("-- installing {} with apt-get", packages.join(" and "));
    let apt = |arguments: &[&str]| {
        let mut command = Command::new(if root { "apt-get" } else { "sudo" });
        if !root {
            command.args(["-n", "apt-get"]);
        }
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        succeed(&mut command, &format!("apt-get {}", arguments.join(" ")))
    };
    apt(&["update", "--quiet"])?;
    apt(&[&["install", "--quiet", "--yes", "--no-install-recommends"][..], packages].concat())
}

/// What a program prints, if it succeeds.
pub fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let answer = Command::new(program).args(arguments).stderr(Stdio::null()).output().ok()?;
    answer.status.success().then(|| String::from_utf8_lossy(&answer.stdout).trim().to_owned())
}

fn npm(arguments: &[&str], environment: &[(&str, &OsStr)]) -> Result<()> {
    npm_in(&page(), arguments, environment)
}

fn npm_in(folder: &Path, arguments: &[&str], environment: &[(&str, &OsStr)]) -> Result<()> {
    let mut command = Command::new("npm");
    command.current_dir(folder).args(arguments).envs(environment.iter().copied());
    succeed(&mut command, &format!("npm {}", arguments.join(" ")))
}

fn page() -> PathBuf {
    root().join("page")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared() {
        assert_eq!(parse_version("v20.19.3"), Some((20, 19)));
        assert!(parse_version("v18.20.4") < Some(OLDEST_NODE));
        assert!(parse_version("v100.0.0-pre") > Some(OLDEST_NODE));
        assert_eq!(parse_version("twenty"), None);
    }
}
