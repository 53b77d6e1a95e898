//! Decision trees with every node.

use deminer_learn::trees::{Artifact, Class};
use serde::Serialize;

use super::SCHEMA_VERSION;

/// A decision tree.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TreeDocument {
    /// The version of the document.
    pub schema_version: u32,
    /// The agent it imitates.
    pub agent: String,
    /// The rules of the games watched.
    pub rules: String,
    /// How many games were watched.
    pub games: u64,
    /// The seed of their run.
    pub seed: u64,
    /// The command that made it.
    pub command: String,
    /// What it may ask.
    pub features: &'static str,
    /// What it tells apart.
    pub criterion: &'static str,
    /// How often it says what its teacher believes, on boards held out.
    pub fidelity: f64,
    /// How many samples that was judged on.
    pub held_out_samples: u64,
    /// Questions one after another, at most.
    pub depth: usize,
    /// Its leaves.
    pub leaves: usize,
    /// The names of the classes, safest first.
    pub classes: [&'static str; 4],
    /// What matters to it.
    pub importances: Vec<ImportanceDocument>,
    /// Its nodes; the first is the root.
    pub nodes: Vec<NodeDocument>,
}

/// How much a column matters to a tree.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportanceDocument {
    /// The column.
    pub column: &'static str,
    /// The column in words.
    pub words: &'static str,
    /// Its share of all that is told apart.
    pub importance: f64,
}

/// A node of a tree.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NodeDocument {
    /// The question; none at a leaf.
    pub question: Option<String>,
    /// The place of the node for yes.
    pub yes: Option<usize>,
    /// The place of the node for no.
    pub no: Option<usize>,
    /// How mixed its samples are.
    pub entropy: f64,
    /// How many samples came here.
    pub samples: u64,
    /// Samples by class, safest first.
    pub counts: [u64; 4],
    /// The commonest class.
    pub class: &'static str,
    /// The mean risk of its samples.
    pub risk: f64,
}

impl TreeDocument {
    /// A tree with its origin.
    pub fn of(artifact: &Artifact) -> Self {
        let (tree, origin) = (&artifact.tree, &artifact.origin);
        let columns = tree.features().columns();
        let importances = tree.importances().into_iter().zip(columns);
        let node = |at: usize| {
            let node = &tree.nodes()[at];
            NodeDocument {
                question: tree.question(at),
                yes: node.split.map(|_| at + 1),
                no: node.split.map(|split| split.no),
                entropy: tree.entropy(at),
                samples: node.tally.samples(),
                counts: node.tally.classes,
                class: node.tally.class().name(),
                risk: node.tally.mean_risk(),
            }
        };
        Self {
            schema_version: SCHEMA_VERSION,
            agent: origin.agent.clone(),
            rules: origin.rules.clone(),
            games: origin.games,
            seed: origin.seed,
            command: origin.command.clone(),
            features: tree.features().name(),
            criterion: tree.criterion().name(),
            fidelity: origin.fidelity_rate(),
            held_out_samples: origin.fidelity.1,
            depth: tree.depth(),
            leaves: tree.leaves(),
            classes: Class::ALL.map(Class::name),
            importances: importances
                .map(|(importance, column)| ImportanceDocument {
                    column: &column.name,
                    words: &column.words,
                    importance,
                })
                .collect(),
            nodes: (0..tree.nodes().len()).map(node).collect(),
        }
    }
}
