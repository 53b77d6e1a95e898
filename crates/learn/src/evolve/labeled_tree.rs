//! Trees of any kind as plain labels.

use super::gp::Node;
use super::quartetti::Operation;
use super::{Artifact, Symbol, Tree};
use crate::header::ReadArtifactError;

/// A tree as labels with their numbers of arguments, the root first; for drawings and documents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabeledTree {
    /// Its name.
    pub name: String,
    /// Labels with arguments, each before its arguments.
    pub nodes: Vec<(String, usize)>,
}

impl LabeledTree {
    /// A tree of symbols under a name.
    pub fn of<S: Symbol>(name: &str, tree: &Tree<S>) -> Self {
        let nodes = tree.nodes().iter().map(|node| (node.name(), node.arity())).collect();
        Self { name: name.into(), nodes }
    }

    /// The trees of a genome, read as what they are.
    pub fn all(artifact: &Artifact) -> Result<Vec<Self>, ReadArtifactError> {
        if artifact.kind == "quartetti" {
            let names = ["main", "first", "second"];
            let tree = |name| Ok(Self::of(name, &artifact.tree::<Operation>(name)?));
            return names.into_iter().map(tree).collect();
        }
        artifact.expect_kind("gp")?;
        Ok(vec![Self::of("main", &artifact.tree::<Node>("main")?)])
    }
}
