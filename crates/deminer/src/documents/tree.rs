//! Decision trees with every node.

use deminer_formats::wire::RowColumn;
use deminer_game::Window;
use deminer_learn::trees::{Artifact, Class, Codes};
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
    /// Its set of features.
    pub features: &'static str,
    /// What it decides.
    pub criterion: &'static str,
    /// How often it agrees with its teacher on held-out boards.
    pub fidelity: f64,
    /// The number of held-out samples.
    pub held_out_samples: u64,
    /// The greatest number of questions on a path.
    pub depth: usize,
    /// Its leaves.
    pub leaves: usize,
    /// The names of the classes, safest first.
    pub classes: [&'static str; 4],
    /// The columns it asks about, by importance.
    pub importances: Vec<ImportanceDocument>,
    /// Its nodes; the first is the root.
    pub nodes: Vec<NodeDocument>,
}

/// The importance of a column in a tree.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ImportanceDocument {
    /// The column.
    pub column: &'static str,
    /// The column in words.
    pub words: &'static str,
    /// Its share of the tree's information gain.
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

/// The way of a window through a tree, from the root to a leaf.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WalkDocument {
    /// The places of the nodes passed; the last is the leaf.
    pub path: Vec<usize>,
    /// What was asked and answered.
    pub asked: Vec<AskedDocument>,
    /// The probability of a mine: the mean over the leaf's samples.
    pub risk: f64,
    /// The class of that probability.
    pub decision: &'static str,
    /// How many samples the leaf rests on.
    pub samples: u64,
}

/// A question on the way, and its answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AskedDocument {
    /// The question.
    pub question: String,
    /// Whether the answer is yes.
    pub yes: bool,
    /// The cells of the window that it looks at, each a row and a column of the window.
    pub places: Vec<RowColumn>,
}

impl WalkDocument {
    /// Walks a tree with the window around the cell that it judges.
    pub fn of(artifact: &Artifact, window: &Window) -> Self {
        let (tree, codes) = (&artifact.tree, Codes::of_window(window));
        let leaf = tree.leaf_of(codes, &mut Vec::new());
        let (mut path, mut asked) = (vec![0], Vec::new());
        for (split, yes) in tree.path(leaf) {
            let at = *path.last().expect("the root comes first");
            let places = tree.features().places(split.column, codes).into_iter();
            asked.push(AskedDocument {
                question: tree.question(at).expect("a node with a split asks"),
                yes,
                places: places
                    .map(|place| RowColumn(place / Window::SIDE, place % Window::SIDE))
                    .collect(),
            });
            path.push(if yes { at + 1 } else { split.no });
        }
        let tally = &tree.nodes()[leaf].tally;
        let risk = tally.mean_risk();
        let (decision, samples) = (Class::of(risk).name(), tally.samples());
        Self { path, asked, risk, decision, samples }
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{ArtifactKind, View};

    use super::*;

    #[test]
    fn every_shipped_tree_answers_for_any_window_as_its_player_judges_it() {
        let views = [
            "mines 3
             # # # # #
             # 1 1 1 #
             # 1 # 1 #
             # 1 1 1 #
             # # # # #",
            "mines 5
             . 1 # # #
             . 2 # # #
             . 2 # # #
             1 2 # # #
             # # # # #",
        ];
        let artifacts = deminer_artifacts::shipped();
        for name in artifacts.names(ArtifactKind::TREE) {
            let text = artifacts.get(&ArtifactKind::TREE.path(name)).unwrap();
            let artifact = Artifact::read(text).unwrap();
            let mut answers = Vec::new();
            for view in views {
                let view: View = view.parse().unwrap();
                let middle = view.shape().cell(2, 2).unwrap();
                let window = Window::around(&view, middle).unwrap();
                let walk = WalkDocument::of(&artifact, &window);
                assert!(!walk.asked.is_empty(), "{name}");
                assert_eq!(walk.path.len(), walk.asked.len() + 1, "{name}");
                let leaf = *walk.path.last().unwrap();
                assert!(artifact.tree.nodes()[leaf].split.is_none(), "{name}");
                let codes = Codes::around(&view, middle).unwrap();
                assert_eq!(leaf, artifact.tree.leaf_of(codes, &mut Vec::new()), "{name}");
                assert_eq!(walk.decision, Class::of(walk.risk).name());
                assert!(walk.asked.iter().all(|asked| !asked.places.is_empty()), "{name}");
                answers.push(walk.risk);
            }
            assert_ne!(answers[0], answers[1], "{name}");
        }
    }
}
