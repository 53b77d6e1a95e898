//! A genome in a file: where it comes from, and its trees as text.
//!
//! ```text
//! deminer genome 1
//! kind: gp
//! about: 16x30 fields with 48 mines, 20 at once
//! seed: 1
//! score: 0.9731
//! options: memory
//! command: deminer train gp --fields 20 --out example.genome
//! main:
//!   (fullCheck (0,1) (1,1))
//! ```

use super::gp::Node;
use super::quartetti::Operation;
use super::tree::{Symbol, Tree};
use crate::header::{self, Header, Kind, ReadArtifactError};

/// A genome with its origin. Its trees are text until they are read as trees of their kind.
#[derive(Clone, PartialEq, Debug)]
pub struct Artifact {
    /// What kind of genome it is: `gp` or `quartetti`.
    pub kind: String,
    /// What it was evolved on.
    pub about: String,
    /// The seed of the run.
    pub seed: u64,
    /// How good it was found to be.
    pub score: f64,
    /// What else its kind wants to know.
    pub options: String,
    /// The command that made it.
    pub command: String,
    /// Its trees by name, with the line from 1 on which each begins.
    pub branches: Vec<Branch>,
}

/// A tree of a genome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Its name.
    pub name: String,
    /// The tree as text.
    pub text: String,
    /// The line, from 1, on which the text begins.
    pub line: usize,
}

const GENOME: Kind = Kind { what: "genome", title: "deminer genome" };

impl Artifact {
    /// The genome as text.
    pub fn write(&self) -> String {
        let mut text = header::write(
            GENOME,
            [
                ("kind", &self.kind),
                ("about", &self.about),
                ("seed", &self.seed),
                ("score", &format!("{:?}", self.score)),
                ("options", &self.options),
                ("command", &self.command),
            ],
        );
        for branch in &self.branches {
            text += &format!("{}:\n", branch.name);
            // What was read from a file stands as it stood there.
            let indented = branch.text.lines().all(|row| row.starts_with("  "));
            let indent = if indented { "" } else { "  " };
            for row in branch.text.lines() {
                text += &format!("{indent}{}\n", row.trim_end());
            }
        }
        text
    }

    /// Reads a genome; its trees are read by [`tree`](Self::tree).
    pub fn read(text: &str) -> Result<Self, ReadArtifactError> {
        let mut header = Header::open(GENOME, text.as_bytes())?;
        let kind = header.text("kind")?;
        let about = header.text("about")?;
        let seed = header.number("seed")?;
        let score = header.value("score", "NUMBER", |text| text.parse().ok())?;
        let options = header.text("options")?;
        let command = header.text("command")?;
        let mut branches: Vec<Branch> = Vec::new();
        for (number, line) in header.rest() {
            match (line.trim_end().strip_suffix(':'), branches.last_mut()) {
                (Some(name), _) if !name.contains([' ', '(', ')']) => {
                    let name = name.to_owned();
                    branches.push(Branch { name, text: String::new(), line: number + 1 });
                }
                (_, Some(branch)) => {
                    branch.text += line;
                    branch.text.push('\n');
                }
                (_, None) => {
                    return Err(ReadArtifactError::Line(number, "expected `main:`".into()));
                }
            }
        }
        Ok(Self { kind, about, seed, score, options, command, branches })
    }

    /// Reads one of its trees.
    pub fn tree<S: Symbol>(&self, name: &'static str) -> Result<Tree<S>, ReadArtifactError> {
        let branch = self.branches.iter().find(|branch| branch.name == name);
        let branch = branch.ok_or_else(|| {
            ReadArtifactError::Whole(format!("the genome has no branch `{name}`"))
        })?;
        Tree::read_from(&branch.text, branch.line)
    }

    /// Whether it was evolved, and is to be used, with this option.
    pub fn has_option(&self, option: &str) -> bool {
        self.options.split(' ').any(|word| word == option)
    }

    /// Whether it is of a kind.
    pub fn expect_kind(&self, expected: &'static str) -> Result<(), ReadArtifactError> {
        match &self.kind {
            kind if kind == expected => Ok(()),
            other => {
                let words = format!("this is a genome of kind `{other}`, not `{expected}`");
                Err(ReadArtifactError::Whole(words))
            }
        }
    }
}

impl Branch {
    /// A tree by name.
    pub fn of<S: Symbol>(name: &str, tree: &Tree<S>) -> Self {
        Self { name: name.into(), text: tree.pretty(), line: 0 }
    }
}

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
