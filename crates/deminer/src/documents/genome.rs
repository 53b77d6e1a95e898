//! Evolved genomes with every node.

use deminer_learn::evolve::{Artifact, LabeledTree};
use deminer_learn::header::ReadArtifactError;
use serde::Serialize;

use super::SCHEMA_VERSION;

/// An evolved genome.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GenomeDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// `gp` or `quartetti`.
    pub kind: String,
    /// What it was evolved on.
    pub about: String,
    /// The seed.
    pub seed: u64,
    /// What it scores.
    pub score: f64,
    /// How it is played.
    pub options: String,
    /// The command that made it.
    pub command: String,
    /// Its trees.
    pub branches: Vec<BranchDocument>,
}

/// A tree of a genome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BranchDocument {
    /// Its name.
    pub name: String,
    /// The tree as text.
    pub tree: String,
    /// Its nodes, each before its arguments; the first is the root.
    pub nodes: Vec<GeneDocument>,
}

/// A node of a genome's tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GeneDocument {
    /// What it does.
    pub label: String,
    /// How many arguments follow.
    pub arity: usize,
}

impl GenomeDocument {
    /// A genome with its origin.
    pub fn of(artifact: &Artifact) -> Result<Self, ReadArtifactError> {
        let branch =
            |(branch, tree): (&deminer_learn::evolve::Branch, LabeledTree)| BranchDocument {
                name: tree.name,
                tree: branch.text.trim().to_owned(),
                nodes: tree
                    .nodes
                    .into_iter()
                    .map(|(label, arity)| GeneDocument { label, arity })
                    .collect(),
            };
        let trees = LabeledTree::all(artifact)?;
        Ok(Self {
            schema_version: SCHEMA_VERSION,
            kind: artifact.kind.clone(),
            about: artifact.about.clone(),
            seed: artifact.seed,
            score: artifact.score,
            options: artifact.options.clone(),
            command: artifact.command.clone(),
            branches: artifact.branches.iter().zip(trees).map(branch).collect(),
        })
    }
}
