//! The trained networks at hand: those shipped in the program, and those put beside them.
//!
//! Agents are built from a name and options alone, so the networks they need lie on one shelf
//! for the whole program. Each is read and checked once, when first asked for.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use deminer_game::{BuildError, Size};

use crate::artifact::{self, ArtifactError, Header};
use crate::forward::Forward;
use crate::nets::Variant;

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// A trained network.
#[derive(Debug)]
pub struct Model {
    header: Header,
    forward: Forward,
}

impl Model {
    /// Reads a network from an artifact.
    pub fn read(file: &[u8]) -> Result<Self, ArtifactError> {
        let (header, net, weights) = artifact::read(file)?;
        Ok(Self { header, forward: Forward::new(&net, &weights) })
    }

    /// What it is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The network, ready to play.
    pub fn forward(&self) -> Forward {
        self.forward.clone()
    }
}

/// By name: what was read of each file.
type Read = Result<Arc<Model>, ArtifactError>;

static SHELF: LazyLock<Mutex<BTreeMap<String, Read>>> = LazyLock::new(|| {
    let shipped = SHIPPED.iter().map(|(name, file)| ((*name).to_owned(), read(file)));
    Mutex::new(shipped.collect())
});

fn read(file: &[u8]) -> Read {
    Model::read(file).map(Arc::new)
}

/// Puts a network on the shelf, in the place of one of the same name.
pub fn put(name: &str, file: &[u8]) -> Result<(), ArtifactError> {
    let model = read(file)?;
    SHELF
        .lock()
        .expect("nothing fails while it holds the shelf")
        .insert(name.to_owned(), Ok(model));
    Ok(())
}

/// Every network on the shelf by name, or why it cannot be used.
pub fn all() -> Vec<(String, Read)> {
    let shelf = SHELF.lock().expect("nothing fails while it holds the shelf");
    shelf.iter().map(|(name, read)| (name.clone(), read.clone())).collect()
}

/// Networks that were trained but are too large to be shipped, as far as they are not on the shelf
/// all the same, or why a description cannot be read.
pub fn described() -> Vec<(String, Result<Header, ArtifactError>)> {
    let shelf = SHELF.lock().expect("nothing fails while it holds the shelf");
    let absent = DESCRIBED.iter().filter(|(name, _)| !shelf.contains_key(*name));
    absent.map(|(name, text)| ((*name).to_owned(), artifact::read_description(text))).collect()
}

/// The trained networks of a design; who taught them may matter.
pub fn models(
    net: &'static str,
    variant: Variant,
    teacher: Option<&str>,
) -> Result<Vec<Arc<Model>>, BuildError> {
    let fits = |model: &Arc<Model>| {
        let header = model.header();
        header.net == net
            && header.variant == variant
            && teacher.is_none_or(|teacher| header.teacher == teacher)
    };
    let found: Vec<Arc<Model>> =
        all().into_iter().filter_map(|(_, read)| read.ok()).filter(fits).collect();
    if found.is_empty() {
        let command = train_command(net, variant, teacher);
        let message = format!("no trained network for `{net}` is at hand; make one: {command}");
        return Err(BuildError(message.into()));
    }
    Ok(found)
}

/// The command that trains a network.
pub fn train_command(net: &str, variant: Variant, teacher: Option<&str>) -> String {
    let orig = if variant == Variant::Orig { " --orig" } else { "" };
    let teacher = teacher.map_or(String::new(), |teacher| format!(" --teacher {teacher}"));
    format!("deminer train {net}{orig}{teacher}")
}

/// How unlike a board is to the one a network was trained for: the same size first, then the
/// nearest density of mines.
pub fn distance(model: &Model, size: Size) -> (bool, u64) {
    let board = model.header().board;
    let density = |size: Size| size.mines as f64 / (size.width * size.height) as f64;
    (board != size, (1e9 * (density(board) - density(size)).abs()) as u64)
}

/// The place of the network that fits a board best; 0 where there is none to choose from.
pub fn nearest(models: &[Arc<Model>], size: Size) -> usize {
    (0..models.len()).min_by_key(|&at| distance(&models[at], size)).unwrap_or(0)
}
