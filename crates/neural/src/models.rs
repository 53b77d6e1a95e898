//! The trained networks of an agent, and which of them plays a board.

use std::sync::Arc;

use deminer_game::{ArtifactKind, Artifacts, BuildError, Options, Size};

use crate::agents::variant;
use crate::artifact::{self, ArtifactError, Header};
use crate::forward::Forward;
use crate::nets::Variant;

/// A trained network.
#[derive(Debug)]
pub struct Model {
    /// What it is.
    pub header: Header,
    /// The network, ready to play.
    pub forward: Forward,
}

impl Model {
    /// Reads a network from an artifact.
    pub fn read(file: &[u8]) -> Result<Self, ArtifactError> {
        let (header, net, weights) = artifact::read(file)?;
        Ok(Self { header, forward: Forward::new(&net, &weights) })
    }
}

/// The name of a network, and its header or why it cannot be read.
pub type Named = (String, Result<Header, ArtifactError>);

/// All trained networks by name.
pub fn present(artifacts: &Artifacts) -> impl Iterator<Item = Named> {
    artifacts.names(ArtifactKind::NETWORK).map(|name| {
        let head = artifacts.head(&ArtifactKind::NETWORK.path(name)).expect("a listed name");
        (name.to_owned(), artifact::header(head))
    })
}

/// Networks that were trained but are too large to be shipped: those with a description only.
pub fn described(artifacts: &Artifacts) -> impl Iterator<Item = Named> {
    let kind = ArtifactKind { extension: "json", ..ArtifactKind::NETWORK };
    artifacts.names(kind).filter_map(move |name| {
        let text = String::from_utf8_lossy(artifacts.get(&kind.path(name))?);
        let absent = artifacts.get(&ArtifactKind::NETWORK.path(name)).is_none();
        absent.then(|| (name.to_owned(), artifact::read_description(&text)))
    })
}

/// The networks of a design that the options choose: the one they name, or else all of the variant
/// and, where it matters, the teacher.
pub fn chosen(
    net: &str,
    options: &Options,
    teacher: Option<&str>,
) -> Result<Vec<Arc<Model>>, BuildError> {
    let kind = ArtifactKind::NETWORK;
    let read = |name: &str| options.artifact(kind, name, Model::read);
    let named = options.artifact_name(kind);
    if !named.is_empty() {
        let model = read(named)?;
        let other = &model.header.net;
        if other != net {
            let message = format!("{named}: this is a network of `{other}`, not of `{net}`");
            return Err(BuildError(message.into()));
        }
        return Ok(vec![model]);
    }
    let variant = variant(options);
    let fits = |header: &Header| {
        header.net == net
            && header.variant == variant
            && teacher.is_none_or(|teacher| header.teacher == teacher)
    };
    let found = present(options.artifacts())
        .filter(|(_, header)| header.as_ref().is_ok_and(fits))
        .filter_map(|(name, _)| read(&name).ok());
    let found: Vec<Arc<Model>> = found.collect();
    if found.is_empty() {
        let command = train_command(net, variant, teacher);
        let message = format!("no trained network for `{net}` is available; make one: {command}");
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
/// nearest density of mines; of several trainings for one board, the smallest
/// seed.
pub fn distance(model: &Model, size: Size) -> (bool, u64, u64) {
    let Header { board, seed, .. } = model.header;
    let density = |size: Size| size.mines as f64 / (size.width * size.height) as f64;
    (board != size, (1e9 * (density(board) - density(size)).abs()) as u64, seed)
}

/// The place of the network that fits a board best; 0 where there is none to choose from.
pub fn nearest(models: &[Arc<Model>], size: Size) -> usize {
    (0..models.len()).min_by_key(|&at| distance(&models[at], size)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::Precision;
    use crate::nets;
    use crate::weights::Weights;

    fn model(board: &str, seed: u64) -> Arc<Model> {
        let header = Header {
            net: "reg-lin".into(),
            variant: Variant::Repaired,
            board: board.parse().unwrap(),
            teacher: "exact".into(),
            data: String::new(),
            seed,
            command: String::new(),
            metrics: Default::default(),
        };
        let net = (nets::find("reg-lin").unwrap().build)(header.variant, header.board);
        let file = artifact::write(&header, &net, &Weights::zeros(&net), Precision::Single);
        Arc::new(Model::read(&file).unwrap())
    }

    #[test]
    fn the_board_counts_first_then_the_density_then_the_seed() {
        let models =
            [("4x4x3", 1), ("8x8x10", 3), ("8x8x10", 2), ("16x16x40", 9)].map(|(b, s)| model(b, s));
        let nearest = |board: &str| nearest(&models, board.parse().unwrap());
        assert_eq!((nearest("4x4x3"), nearest("16x16x40"), nearest("8x8x10")), (0, 3, 2));
        assert_eq!(nearest("9x9x15"), 0, "a density of 0.185 is nearest to 3 in 16");
        assert_eq!(nearest("9x9x12"), 2, "three are as dense: the smallest seed");
    }
}
