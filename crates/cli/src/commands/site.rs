//! `deminer site`: the page as plain files for any static host.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use deminer::roster::Roster;
use deminer_web::{SITE_MARK, Site};
use serde::Serialize;

use crate::failure::{Done, Failure};
use crate::output::{Output, SCHEMA_VERSION};

/// Write the page and the guide as plain files: any web server can host them, below any path,
/// without deminer.
///
/// People play, analyze, review, watch agents and run small tournaments there: the engine runs in
/// their browser. Runs, trainings and saved records need `deminer serve`. A site in the folder is
/// replaced; other files beside it stay.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer site public
  deminer site --artifacts trained public
  python3 -m http.server --directory public")]
pub struct Args {
    /// The folder; it is created if it does not exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Write into a folder that has files and no site of deminer.
    #[arg(long)]
    force: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// What was written.
#[derive(Serialize)]
struct Written {
    schema_version: u32,
    folder: PathBuf,
    files: usize,
    bytes: usize,
}

/// The folders that belong to a site alone: files of an older one are removed from them.
const FOLDERS: [&str; 4] = ["assets", "data", "guide", "weights"];

impl Args {
    pub fn run(self, roster: &Roster, output: &Output) -> Done {
        check_folder(&self.folder, self.force)?;
        let site = Site::new(roster.clone());
        let paths = site.paths();
        let mut bytes = 0;
        for path in &paths {
            let file =
                site.file(path).map_err(|problem| anyhow!("{path}: {}", problem.detail()))?;
            bytes += file.len();
            write(&self.folder.join(path), &file)?;
        }
        for folder in FOLDERS {
            remove_others(&self.folder, folder, &paths)?;
        }
        let files = paths.len();
        let written = Written { schema_version: SCHEMA_VERSION, folder: self.folder, files, bytes };
        if self.json {
            return output.json(&written);
        }
        let megabytes = bytes as f64 / 1e6;
        output.print(format_args!("{}\n", written.folder.display()))?;
        output.note(format_args!("{files} files, {megabytes:.1} MB"));
        Ok(())
    }
}

/// Refuses a folder with files that are no site of ours.
fn check_folder(folder: &Path, force: bool) -> Done {
    let entries = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_some(),
        Err(error) if error.kind() == ErrorKind::NotFound => false,
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(Failure::usage(anyhow!("{} is a file: name a folder", folder.display())));
        }
        Err(error) => {
            return Err(Failure::input(anyhow!("cannot read {}: {error}", folder.display())));
        }
    };
    if !entries || force || is_site(folder) {
        return Ok(());
    }
    Err(Failure::usage(anyhow!(
        "{} is not empty and holds no site of deminer: name another folder, or add --force",
        folder.display()
    )))
}

fn is_site(folder: &Path) -> bool {
    let mark = fs::read(folder.join(SITE_MARK)).ok();
    let mark = mark.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    mark.is_some_and(|mark| mark["kind"] == "site")
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().expect("a path below the folder");
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Removes the files of an older site.
fn remove_others(root: &Path, folder: &str, paths: &[String]) -> anyhow::Result<()> {
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            remove_others(root, &path, paths)?;
        } else if !paths.contains(&path) {
            fs::remove_file(entry.path()).with_context(|| format!("cannot remove {path}"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_empty_folders_and_sites_are_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |force| check_folder(folder.path(), force).is_err();
        assert!(!refused(false), "an empty folder");
        fs::write(folder.path().join("letter.txt"), "dear").unwrap();
        assert!(refused(false) && !refused(true));
        fs::write(folder.path().join(SITE_MARK), "{\"kind\": \"other\"}").unwrap();
        assert!(refused(false));
        fs::write(folder.path().join(SITE_MARK), "{\"kind\": \"site\"}").unwrap();
        assert!(!refused(false), "a site is replaced");
        assert!(check_folder(&folder.path().join("new"), false).is_ok());
    }

    #[test]
    fn files_of_an_older_site_go_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["assets/old.js", "assets/new.js", "data/tables/old.json", "CNAME"] {
            write(&path(name), b"x").unwrap();
        }
        for inside in FOLDERS {
            remove_others(folder.path(), inside, &["assets/new.js".to_owned()]).unwrap();
        }
        assert!(path("assets/new.js").exists() && path("CNAME").exists());
        assert!(!path("assets/old.js").exists() && !path("data/tables/old.json").exists());
    }
}
