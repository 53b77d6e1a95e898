//! Versions and releases: one version everywhere, crates to publish, an archive of the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::page::{output, step, target};
use crate::{cargo, root, succeed};

/// The crates that are published, each after those it needs. The program itself is not: what it
/// embeds is larger than a registry takes. It comes as an archive, or is built from a clone.
const PUBLISHED: &[&str] = &[
    "deminer-game",
    "deminer-inference",
    "deminer-formats",
    "deminer-agents",
    "deminer-learn",
    "deminer-neural",
    "deminer",
    "deminer-draw",
];

/// A file with the version: the text before it, and how often it stands there.
const PLACES: &[(&str, &str, usize)] = &[
    ("Cargo.toml", "\nversion = \"", 1),
    ("Cargo.toml", "\", version = \"", 8),
    ("npm/package.json", "\"version\": \"", 1),
    ("npm/package-lock.json", "\"version\": \"", 2),
    ("page/package.json", "\"version\": \"", 1),
    ("page/package-lock.json", "\"version\": \"", 2),
    ("CITATION.cff", "\nversion: ", 1),
];

/// Checks that all files have the version of the workspace, or writes a new one everywhere and
/// dates it.
pub fn version(options: &[&str]) -> Result<()> {
    match options {
        [] => println!("{}", check_version()?),
        [new] if !new.starts_with('-') => {
            let old = workspace_version()?;
            let date = output("date", &["-u", "+%Y-%m-%d"])
                .context("cannot get the date of the system")?;
            let is_version =
                new.split('.').count() >= 3 && new.starts_with(|c: char| c.is_ascii_digit());
            ensure!(is_version, "`{new}` is not a version such as 1.2.3 or 1.2.3-rc.1");
            let heading = format!("\n## {new} — {date}\n");
            replace_line("CHANGELOG.md", "\n## Unreleased\n", &heading)?;
            let citation = fs::read_to_string(root().join("CITATION.cff"))?;
            let released = citation.lines().find(|line| line.starts_with("date-released: "));
            let released = released.context("CITATION.cff has no date-released")?;
            replace_line("CITATION.cff", released, &format!("date-released: {date}"))?;
            for file in files() {
                let path = root().join(file);
                let text =
                    fs::read_to_string(&path).with_context(|| format!("cannot read {file}"))?;
                fs::write(&path, replaced(file, &text, &old, new)?)?;
            }
            for manifest in ["Cargo.toml", "fuzz/Cargo.toml"] {
                cargo(&["update", "--workspace", "--manifest-path", manifest], &[])?;
            }
            println!("{old} -> {new}");
        }
        [option, ..] => bail!("version takes a version such as 1.2.3, not `{option}`"),
    }
    Ok(())
}

fn replace_line(file: &str, old: &str, new: &str) -> Result<()> {
    let path = root().join(file);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {file}"))?;
    ensure!(text.contains(old), "{file} has no line `{}`", old.trim());
    fs::write(&path, text.replacen(old, new, 1))?;
    Ok(())
}

/// The version of the workspace, if all files have it.
fn check_version() -> Result<String> {
    let version = workspace_version()?;
    for file in files() {
        let text = fs::read_to_string(root().join(file))?;
        replaced(file, &text, &version, &version)?;
    }
    Ok(version)
}

fn workspace_version() -> Result<String> {
    let text = fs::read_to_string(root().join("Cargo.toml"))?;
    let (_, rest) = text.split_once("\nversion = \"").context("Cargo.toml has no version")?;
    Ok(rest.split('"').next().expect("a part").to_owned())
}

fn files() -> Vec<&'static str> {
    let mut files: Vec<&str> = PLACES.iter().map(|(file, ..)| *file).collect();
    files.dedup();
    files
}

/// The text of a file with another version in all its places.
fn replaced(file: &str, text: &str, old: &str, new: &str) -> Result<String> {
    let mut text = text.to_owned();
    for &(_, before, times) in PLACES.iter().filter(|(name, ..)| *name == file) {
        let mut from = 0;
        for time in 1..=times {
            let missing =
                || format!("{file}: version {old} is missing in place {time} after `{before}`");
            let start = from + text[from..].find(before).with_context(missing)? + before.len();
            let line = text[start..].lines().next().unwrap_or("");
            let at = start + line.find(old).with_context(missing)?;
            let end = at + old.len();
            let follows = text[end..].chars().next();
            let is_whole = !follows.is_some_and(|c| c.is_ascii_alphanumeric() || ".-".contains(c));
            ensure!(is_whole, missing());
            text.replace_range(at..end, new);
            from = at + new.len();
        }
    }
    Ok(text)
}

/// Publishes the crates, or tries all steps before.
pub fn publish(options: &[&str]) -> Result<()> {
    let dry = match options {
        [] => false,
        ["--dry-run"] => true,
        [option, ..] => bail!("publish takes only --dry-run, not `{option}`"),
    };
    println!("version {}", check_version()?);
    let mut words = vec!["publish", "--locked"];
    words.extend(dry.then_some("--dry-run"));
    words.extend(published());
    cargo(&words, &[])
}

/// The published crates, as cargo takes them.
fn published() -> impl Iterator<Item = &'static str> {
    PUBLISHED.iter().flat_map(|name| ["--package", name])
}

/// Packs the published crates, unpacks them, and runs the examples of their front pages and of
/// their README in an empty project that has only the packages.
pub fn check_packages() -> Result<()> {
    let version = check_version()?;
    step("pack", "cargo package", || {
        let mut words = vec!["package", "--locked", "--allow-dirty", "--no-verify", "--quiet"];
        words.extend(published());
        cargo(&words, &[])
    })?;
    let project = target().join("empty-project");
    if project.exists() {
        fs::remove_dir_all(&project)?;
    }
    fs::create_dir_all(project.join("src"))?;
    fs::copy(root().join("Cargo.lock"), project.join("Cargo.lock"))?;
    let (mut needed, mut patched, mut pages) = (String::new(), String::new(), String::new());
    for name in PUBLISHED {
        let package = format!("{name}-{version}");
        let archive = target().join("package").join(format!("{package}.crate"));
        let mut tar = Command::new("tar");
        succeed(tar.current_dir(&project).arg("-xzf").arg(&archive), "tar")?;
        println!("{package}: {} kB", fs::metadata(&archive)?.len() / 1000);
        needed += &format!("{name} = \"={version}\"\n");
        patched += &format!("{name} = {{ path = \"{package}\" }}\n");
        let folder = project.join(&package);
        for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
            ensure!(folder.join(license).exists(), "{package} has no {license}");
        }
        let source = fs::read_to_string(folder.join("src/lib.rs"))?;
        let page = source.lines().map_while(|line| line.strip_prefix("//!"));
        let page: String = page.map(|line| format!("///{line}\n")).collect();
        ensure!(page.contains("/// ```\n"), "the front page of {name} has no example");
        let module = name.replace('-', "_");
        pages += &format!("{page}pub mod page_of_{module} {{}}\n");
    }
    // They all have the same.
    let readme = format!("deminer-{version}/README.md");
    pages += &format!("#[doc = include_str!(\"../{readme}\")]\npub mod readme {{}}\n");
    let manifest = format!(
        "[package]\nname = \"empty\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{needed}\n\
         [patch.crates-io]\n{patched}"
    );
    fs::write(project.join("Cargo.toml"), manifest)?;
    fs::write(project.join("src/lib.rs"), pages)?;
    step("the examples in an empty project", "cargo test --doc", || {
        let path = project.join("Cargo.toml");
        let path = path.to_str().context("the workspace's path is not text")?;
        let folder = target().as_os_str().to_string_lossy().into_owned();
        let test = ["test", "--doc", "--quiet", "--manifest-path", path];
        cargo(&test, &[("CARGO_TARGET_DIR", &folder)])
    })
}

/// Writes an archive of the program for this platform, with checksum, manual pages and completions.
pub fn dist(options: &[&str]) -> Result<()> {
    let folder = match options {
        [] => target().join("archives"),
        [folder] if !folder.starts_with('-') => PathBuf::from(folder),
        [option, ..] => bail!("dist takes a folder, not `{option}`"),
    };
    let version = check_version()?;
    cargo(&["build", "--locked", "--profile", "dist", "--package", "deminer-cli"], &[])?;
    let program = target().join("dist").join(format!("deminer{}", std::env::consts::EXE_SUFFIX));
    let name = format!("deminer-{version}-{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let inside = folder.join(&name);
    if inside.exists() {
        fs::remove_dir_all(&inside)?;
    }
    let completions = inside.join("completions");
    fs::create_dir_all(&completions)
        .with_context(|| format!("cannot make {}", completions.display()))?;
    fs::copy(&program, inside.join(program.file_name().expect("a file")))?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root().join(file), inside.join(file))?;
    }
    let man = inside.join("man");
    succeed(
        Command::new(&program).arg("man").arg("--out").arg(&man).arg("--quiet"),
        "deminer man",
    )?;
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = Command::new(&program).args(["completions", shell]).output()?;
        ensure!(
            script.status.success(),
            "deminer completions {shell} ended with {}",
            script.status
        );
        fs::write(completions.join(format!("deminer.{shell}")), script.stdout)?;
    }
    // Programs are started from other folders.
    let folder = folder.canonicalize()?;
    let archive = format!("{name}.tar.gz");
    let mut tar = Command::new("tar");
    succeed(tar.current_dir(&folder).args(["-czf", &archive, &name]), "tar")?;
    fs::remove_dir_all(&inside)?;
    let sum = checksum(&folder, &archive)?;
    fs::write(folder.join(format!("{archive}.sha256")), &sum)?;
    try_archive(&folder, &archive, &name)?;
    let size = fs::metadata(folder.join(&archive))?.len();
    print!("{size} bytes\n{sum}");
    Ok(())
}

/// Unpacks the archive into an empty folder, and runs the program there.
fn try_archive(folder: &Path, archive: &str, name: &str) -> Result<()> {
    let empty = folder.join("unpacked");
    if empty.exists() {
        fs::remove_dir_all(&empty)?;
    }
    fs::create_dir(&empty)?;
    let mut tar = Command::new("tar");
    succeed(tar.current_dir(&empty).arg("-xzf").arg(folder.join(archive)), "tar")?;
    let program = empty.join(name).join(format!("deminer{}", std::env::consts::EXE_SUFFIX));
    succeed(Command::new(&program).current_dir(&empty).arg("--version"), "deminer --version")?;
    fs::write(empty.join("position.txt"), "mines 3\n# # # #\n# 1 2 #\n# # # #\n")?;
    let mut analyze = Command::new(&program);
    succeed(analyze.current_dir(&empty).args(["analyze", "position.txt"]), "deminer analyze")?;
    Ok(fs::remove_dir_all(&empty)?)
}

/// The line that `sha256sum --check` takes.
fn checksum(folder: &Path, file: &str) -> Result<String> {
    let programs: [&[&str]; 2] = [&["sha256sum"], &["shasum", "-a", "256"]];
    for words in programs {
        let mut command = Command::new(words[0]);
        if let Ok(answer) = command.args(&words[1..]).arg(file).current_dir(folder).output()
            && answer.status.success()
        {
            return Ok(String::from_utf8(answer.stdout)?);
        }
    }
    bail!("neither sha256sum nor shasum runs here")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_the_version_of_the_workspace() {
        check_version().unwrap();
    }

    #[test]
    fn a_version_is_replaced_in_its_places_only() {
        let text = "cff-version: 1.2.0\nversion: 1.2.0\n";
        let new = "cff-version: 1.2.0\nversion: 2.0.0-rc.1\n";
        assert_eq!(replaced("CITATION.cff", text, "1.2.0", "2.0.0-rc.1").unwrap(), new);
        let error = replaced("CITATION.cff", "version: 1\nversion: 1.2.0-rc.1\n", "1.2.0", "2.0.0");
        assert!(error.unwrap_err().to_string().contains("CITATION.cff: version 1.2.0 is missing"));
    }

    #[test]
    fn every_crate_is_published_or_says_that_it_is_not() {
        for folder in fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap()) {
            let Ok(text) = fs::read_to_string(folder.path().join("Cargo.toml")) else { continue };
            let (_, name) = text.split_once("name = \"").unwrap();
            let name = name.split('"').next().unwrap();
            let private = text.contains("\npublish = false\n");
            assert_eq!(PUBLISHED.contains(&name), !private, "{name}");
        }
    }

    #[test]
    fn published_crates_come_after_those_they_need() {
        for (at, name) in PUBLISHED.iter().enumerate() {
            let folder = name.strip_prefix("deminer-").unwrap_or(name);
            let path = root().join("crates").join(folder).join("Cargo.toml");
            let text = fs::read_to_string(path).unwrap();
            let needs = text.split("\n[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
            for other in needs.lines().filter_map(|line| line.split(['.', ' ']).next()) {
                if other.starts_with("deminer") {
                    assert!(PUBLISHED[..at].contains(&other), "{name} needs {other}");
                }
            }
        }
    }
}
