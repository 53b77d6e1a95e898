//! Artifacts in files: agents that play with one, and folders of them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use deminer::roster::{Roster, Spec, SpecError};
use deminer_game::{ArtifactKind, Artifacts};
use deminer_neural::artifact::ArtifactError;
use deminer_neural::models::Model;
use thiserror::Error;

/// A text chooses no agent.
#[derive(Debug, Error)]
pub enum AgentError {
    /// It is not a spec.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It names a file that cannot be read.
    #[error("cannot read `{0}` ({1})")]
    File(String, io::Error),
}

/// The agent that a spec chooses. If the spec names a file, as in `tree:my.tree`, the agent plays
/// with that file; files take precedence over shipped artifacts. An agent whose artifact is
/// missing is an error only when it is built, so that finished runs can be read without it.
pub fn agent(roster: &Roster, text: &str) -> Result<Spec, AgentError> {
    let spec = roster.agent(text)?;
    let Some(name) = spec.artifact_name() else { return Ok(spec) };
    match fs::read(name) {
        Ok(bytes) => Ok(spec.with_artifact(bytes)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound || spec.build().is_ok() => Ok(spec),
        Err(cause) => Err(AgentError::File(name.to_owned(), cause)),
    }
}

/// A folder of artifacts cannot be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The folder or one of its files cannot be read.
    #[error("cannot read {}", .0.display())]
    Read(PathBuf, #[source] io::Error),
    /// A file holds no network that can be used.
    #[error("{}", .0.display())]
    Network(PathBuf, #[source] ArtifactError),
}

/// Adds all artifacts of a folder, and of its folders `networks`, `trees` and so on. They replace
/// those of the same name.
pub fn insert_folder(artifacts: &mut Artifacts, folder: &Path) -> Result<(), FolderError> {
    insert_files(artifacts, folder)?;
    let folders = ArtifactKind::ALL.map(|kind| folder.join(kind.folder));
    folders
        .iter()
        .filter(|folder| folder.is_dir())
        .try_for_each(|folder| insert_files(artifacts, folder))
}

fn insert_files(artifacts: &mut Artifacts, folder: &Path) -> Result<(), FolderError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| FolderError::Read(path, source)
    };
    for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
        let path = entry.map_err(unreadable(folder))?.path();
        let is_of = |kind: &ArtifactKind| path.extension() == Some(OsStr::new(kind.extension));
        let Some(kind) = ArtifactKind::ALL.into_iter().find(is_of) else { continue };
        let bytes = fs::read(&path).map_err(unreadable(&path))?;
        // A damaged network would not be chosen for play, so it is refused here.
        if kind == ArtifactKind::NETWORK
            && let Err(source) = Model::read(&bytes)
        {
            return Err(FolderError::Network(path, source));
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        artifacts.insert(kind.path(&name), bytes);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> Roster {
        Roster::new(deminer_artifacts::shipped())
    }

    #[test]
    fn files_come_before_shipped_artifacts_and_faults_name_them() {
        for name in ["mio", "tree", "gp", "quartetti", "q-table"] {
            let spec = agent(&shipped(), &format!("{name}:Cargo.toml")).unwrap();
            let error = spec.build().err().unwrap().to_string();
            assert!(error.starts_with("Cargo.toml: "), "{error}");
            let error = agent(&shipped(), &format!("{name}:src")).unwrap_err().to_string();
            assert!(error.starts_with("cannot read `src` ("), "{error}");
            let spec = agent(&shipped(), &format!("{name}:no/file")).unwrap();
            let error = spec.build().err().unwrap().to_string();
            assert!(error.starts_with("there is no file `no/file`, and no "), "{error}");
        }
    }

    #[test]
    fn a_folder_adds_artifacts_of_all_kinds_and_refuses_damaged_networks() {
        let folder = tempfile::tempdir().unwrap();
        let shipped = deminer_artifacts::shipped();
        fs::create_dir(folder.path().join("networks")).unwrap();
        for (path, name) in [
            ("trees/lowest-risk-depth-8.tree", "oak.tree"),
            ("networks/svm-lin-4x4x3.safetensors", "mine.safetensors"),
            ("networks/reg-lin-4x4x3.safetensors", "networks/other.safetensors"),
        ] {
            fs::write(folder.path().join(name), shipped.get(path).unwrap()).unwrap();
        }
        fs::write(folder.path().join("notes.txt"), "not an artifact").unwrap();
        let mut artifacts = Artifacts::default();
        insert_folder(&mut artifacts, folder.path()).unwrap();
        let paths: Vec<&str> = artifacts.paths().collect();
        assert_eq!(
            paths,
            ["networks/mine.safetensors", "networks/other.safetensors", "trees/oak.tree"]
        );
        let roster = Roster::new(artifacts.clone());
        for spec in ["svm-lin", "tree:oak"] {
            assert!(roster.agent(spec).unwrap().build().is_ok(), "{spec}");
        }
        fs::write(folder.path().join("mine.safetensors"), "damaged").unwrap();
        let error = insert_folder(&mut artifacts, folder.path()).unwrap_err();
        assert!(error.to_string().ends_with("mine.safetensors"), "{error}");
    }
}
