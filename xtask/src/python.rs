//! Checks the Python package: builds the wheel from its sources, installs it into an environment
//! of its own below `target/python`, and runs its tests and the type checker there.
//!
//! The extension module is built together with the workspace, with the features that its tests
//! have, so that no crate is compiled a second time for it: pip and maturin work as always, but
//! the cargo that maturin calls is this program ([`shared_build`]).
//!
//! Needs Python 3.10 or newer. Packages come from PyPI, in the versions of
//! `crates/python/requirements-test.txt`. Cargo itself needs none of it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

#[cfg(feature = "engine")]
use crate::cargo;
use crate::page::{step, target};
use crate::{PROGRAM, root, succeed};

/// Everything but Ray.
pub fn check() -> Result<()> {
    let environment = environment("env", "requirements-test.txt")?;
    let wheel = install_wheel(&environment, Build::Quick)?;
    step("tests", "pytest", || run(&environment, &["-m", "pytest", "-q"]))?;
    step("types", "mypy", || run(&environment, &["-m", "mypy"]))?;
    step("the example of the README, in an empty environment", "pip install", || {
        in_empty_environment(&wheel)
    })
}

/// Installs the wheel as users do, with what it needs and nothing else, and runs the example of
/// its README in an empty folder.
fn in_empty_environment(wheel: &Path) -> Result<()> {
    let folder = target().join("python/empty");
    let mut venv = Command::new("python3");
    succeed(venv.args(["-m", "venv", "--clear"]).arg(&folder), "python3 -m venv")?;
    let python = folder.join("bin/python");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    succeed(Command::new(&python).args(pip).arg(wheel), "pip install")?;
    let readme = fs::read_to_string(package().join("README.md"))?;
    let (_, example) = readme.split_once("```python\n").context("the README has no example")?;
    let (example, _) = example.split_once("```").context("the example of the README is open")?;
    let place = folder.join("project");
    fs::create_dir(&place)?;
    let mut run = Command::new(&python);
    succeed(run.current_dir(&place).args(["-I", "-c", example]), "the example of the README")
}

/// Environments beside Jumanji's and plain numpy, with this many seconds for each, and calls
/// beside the engine alone; the files get the rows of `cargo xtask bench-all`.
#[cfg(feature = "engine")]
pub fn benchmark(seconds: &str, vector: &str, calls: &str) -> Result<()> {
    let environment = environment("bench", "requirements-bench.txt")?;
    install_wheel(&environment, Build::Release)?;
    cargo(&["build", "--release", "--locked"], &[])?;
    let vector = ["benchmarks/vector.py", "--seconds", seconds, "--json", vector];
    step("environments", "benchmarks/vector.py", || run(&environment, &vector))?;
    let program = target().join("release/deminer");
    let calls = ["benchmarks/calls.py", text(&program)?, "--json", calls];
    step("calls", "benchmarks/calls.py", || run(&environment, &calls))
}

/// Runs on two local Ray nodes, with kills.
pub fn check_ray() -> Result<()> {
    let environment = environment("ray", "requirements-ray.txt")?;
    install_wheel(&environment, Build::Quick)?;
    step("runs on Ray", "pytest", || run(&environment, &["-m", "pytest", "-q", "tests_ray"]))
}

/// The variable that names the real cargo where this program stands in for it.
pub const REAL_CARGO: &str = "DEMINER_REAL_CARGO";

/// Does what maturin asks of cargo; `cargo rustc` for the package becomes a build of all
/// libraries of the workspace, and of the program with which tests compare the package.
pub fn shared_build(cargo: &OsStr, words: &[&str]) -> Result<()> {
    let mut command = Command::new(cargo);
    match words.split_first() {
        Some((&"rustc", options)) => {
            command.args(PROGRAM).arg("--lib");
            let mut options = options.iter().take_while(|option| **option != "--");
            while let Some(option) = options.next() {
                match *option {
                    "--lib" | "--locked" => {}
                    "--crate-type" => drop(options.next()),
                    _ => drop(command.arg(option)),
                }
            }
        }
        _ => drop(command.args(words)),
    }
    succeed(&mut command, "cargo for maturin")
}

/// The folder of the package.
fn package() -> PathBuf {
    root().join("crates/python")
}

/// A virtual environment with the packages of a requirements file; it is made anew if the file
/// changed.
fn environment(name: &str, requirements: &str) -> Result<PathBuf> {
    let folder = root().join("target/python").join(name);
    let wanted = fs::read(package().join(requirements)).with_context(|| requirements.to_owned())?;
    let installed = folder.join("installed-requirements.txt");
    if fs::read(&installed).is_ok_and(|there| there == wanted) {
        return Ok(folder);
    }
    let place = text(&folder)?;
    step("make a virtual environment", "python3 -m venv", || {
        let mut command = Command::new("python3");
        succeed(command.args(["-m", "venv", "--clear", place]), "python3 -m venv").context(
            "the Python package's tests need Python 3.10 or newer with venv: install it, or leave \
             these tests out by naming the others",
        )
    })?;
    step("install the packages of the tests", "pip install", || {
        let quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(&folder, &[&quiet[..], &["--requirement", requirements]].concat())
    })?;
    fs::write(installed, wanted).context("cannot write into target/python")?;
    Ok(folder)
}

/// How a wheel is built.
enum Build {
    /// Unoptimized, together with the workspace, so that nothing is compiled twice.
    Quick,
    /// As users get it.
    #[cfg(feature = "engine")]
    Release,
}

/// Builds the wheel as `pip install crates/python` does, and installs it.
fn install_wheel(environment: &Path, build: Build) -> Result<PathBuf> {
    let wheels = root().join("target/python/wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels).context("cannot clear target/python/wheels")?;
    }
    let pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"];
    step("build the wheel", "pip wheel, maturin", || {
        let words = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", text(&wheels)?];
        let wheel = [&pip[..], &words, &["."]].concat();
        match build {
            Build::Quick => {
                let quick = ["--config-settings", "build-args=--profile=dev"];
                let mut command = python(environment, &[&wheel[..], &quick].concat())?;
                let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
                command.env("CARGO", std::env::current_exe()?).env(REAL_CARGO, cargo);
                succeed(&mut command, "pip wheel")
            }
            #[cfg(feature = "engine")]
            Build::Release => run(environment, &wheel),
        }
    })?;
    let mut wheels = fs::read_dir(&wheels).context("there is no wheel")?;
    let wheel = wheels.next().context("there is no wheel")??.path();
    let install = ["install", "--no-deps", "--force-reinstall", text(&wheel)?];
    step("install the wheel", "pip install", || run(environment, &[&pip[..], &install].concat()))?;
    Ok(wheel)
}

/// Runs the Python of an environment in the package's folder.
fn run(environment: &Path, words: &[&str]) -> Result<()> {
    succeed(&mut python(environment, words)?, &format!("python {}", words.join(" ")))
}

/// The Python of an environment with these words, in the package's folder.
fn python(environment: &Path, words: &[&str]) -> Result<Command> {
    let program = environment.join("bin/python");
    // The tools of the environment come first: pip starts maturin by its name.
    let tools = environment.join("bin").into_os_string();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::env::join_paths(
        std::iter::once(PathBuf::from(tools)).chain(std::env::split_paths(&paths)),
    )?;
    let mut command = Command::new(program);
    command.current_dir(package()).args(words).env("PATH", paths);
    command.env("DEMINER", root().join("target/debug/deminer"));
    Ok(command)
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().context("the workspace's path is not text")
}
