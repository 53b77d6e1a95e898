//! Trained networks at hand: those shipped in the program and those of a folder.

use std::path::{Path, PathBuf};
use std::{fs, io};

use deminer_game::Size;
use deminer_neural::artifact::{ArtifactError, Header};
use deminer_neural::nets::{self, Sight, Variant};
use deminer_neural::shelf;
use thiserror::Error;

/// A folder of artifacts cannot be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The folder or one of its files cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file holds no network that can be used.
    #[error("{}", path.display())]
    Artifact {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: ArtifactError,
    },
}

/// Takes all networks of a folder, in the place of shipped ones of the same name; how many.
pub fn take(folder: &Path) -> Result<usize, FolderError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |source| FolderError::Read { path, source }
    };
    let mut taken = 0;
    for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
        let path = entry.map_err(unreadable(folder))?.path();
        if path.extension().is_none_or(|extension| extension != "safetensors") {
            continue;
        }
        let file = fs::read(&path).map_err(unreadable(&path))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        shelf::put(&name, &file).map_err(|source| FolderError::Artifact { path, source })?;
        taken += 1;
    }
    Ok(taken)
}

/// A network at hand, or what is wrong with it.
pub type Found = (String, Result<Header, ArtifactError>);

/// The networks of an agent.
pub struct Networks {
    /// Those at hand.
    pub present: Vec<Found>,
    /// Those that were trained but are too large to be shipped.
    pub described: Vec<Found>,
    /// The command that trains one.
    pub train: String,
}

/// The networks of an agent; none for an agent that needs no network.
pub fn of(agent: &str) -> Option<Networks> {
    nets::find(agent)?;
    let belongs = |(name, read): &Found| match read {
        Ok(header) => header.net == agent,
        Err(_) => name.starts_with(agent),
    };
    let present = shelf::all()
        .into_iter()
        .map(|(name, read)| (name, read.map(|model| model.header().clone())))
        .filter(belongs)
        .collect();
    let described = shelf::described().into_iter().filter(belongs).collect();
    let train = shelf::train_command(agent, Variant::Repaired, None);
    Some(Networks { present, described, train })
}

/// Whether a network of this name that can play boards of this size is at hand.
pub fn has(net: &str, variant: Variant, size: Size) -> bool {
    let fits = |header: &Header| {
        let board = header.board;
        let any = nets::find(net).is_some_and(|design| design.sight != Sight::Board);
        header.variant == variant
            && (any || (board.width, board.height) == (size.width, size.height))
    };
    let fits = |(_, read): &Found| read.as_ref().is_ok_and(fits);
    of(net).is_some_and(|networks| networks.present.iter().any(fits))
}
