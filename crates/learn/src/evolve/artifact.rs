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

use thiserror::Error;

use super::tree::{ReadTreeError, Symbol, Tree};
use crate::header::{Header, one_line};

/// A genome with its origin. Its trees are text until someone who knows their kind reads them.
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

/// A text that is no genome. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ReadGenomeError {
    /// Something else.
    #[error("this is no genome: it does not begin with `{MAGIC}`")]
    Foreign,
    /// A genome of another kind.
    #[error("this is a genome of kind `{found}`, not `{expected}`")]
    Kind {
        /// What it is.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// A line of the header is missing or wrong.
    #[error("line {line}, column 1: expected `{key}: …`")]
    Header {
        /// Which line.
        line: usize,
        /// What should stand there.
        key: &'static str,
    },
    /// A tree is missing.
    #[error("the genome has no branch `{0}`")]
    Branch(&'static str),
    /// A tree cannot be read.
    #[error(transparent)]
    Tree(#[from] ReadTreeError),
}

const MAGIC: &str = "deminer genome 1";

impl Artifact {
    /// The genome as text.
    pub fn write(&self) -> String {
        let mut text = format!(
            "{MAGIC}\nkind: {}\nabout: {}\nseed: {}\nscore: {:?}\noptions: {}\ncommand: {}\n",
            one_line(&self.kind),
            one_line(&self.about),
            self.seed,
            self.score,
            one_line(&self.options),
            one_line(&self.command),
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
    pub fn read(text: &str) -> Result<Self, ReadGenomeError> {
        let lines: Vec<&str> = text.lines().collect();
        if lines.first().map(|line| line.trim_end()) != Some(MAGIC) {
            return Err(ReadGenomeError::Foreign);
        }
        let mut head = Header::new(&lines);
        let mut header = |key: &'static str| {
            let (line, value) = head.field(key);
            let value = value.ok_or(ReadGenomeError::Header { line, key })?;
            Ok::<_, ReadGenomeError>((line, value.to_owned()))
        };
        let (_, kind) = header("kind")?;
        let (_, about) = header("about")?;
        let (line, seed) = header("seed")?;
        let seed = seed.parse().map_err(|_| ReadGenomeError::Header { line, key: "seed" })?;
        let (line, score) = header("score")?;
        let score = score.parse().map_err(|_| ReadGenomeError::Header { line, key: "score" })?;
        let (_, options) = header("options")?;
        let (_, command) = header("command")?;
        let mut branches: Vec<Branch> = Vec::new();
        for (at, line) in lines.iter().enumerate().skip(head.lines_read()) {
            match (line.trim_end().strip_suffix(':'), branches.last_mut()) {
                (Some(name), _) if !name.contains([' ', '(', ')']) => {
                    let name = name.to_owned();
                    branches.push(Branch { name, text: String::new(), line: at + 2 });
                }
                (_, Some(branch)) => {
                    branch.text += line;
                    branch.text.push('\n');
                }
                (_, None) => return Err(ReadGenomeError::Header { line: at + 1, key: "main" }),
            }
        }
        Ok(Self { kind, about, seed, score, options, command, branches })
    }

    /// Reads one of its trees.
    pub fn tree<S: Symbol>(&self, name: &'static str) -> Result<Tree<S>, ReadGenomeError> {
        let branch = self.branches.iter().find(|branch| branch.name == name);
        let branch = branch.ok_or(ReadGenomeError::Branch(name))?;
        Tree::read(&branch.text)
            .map_err(|error| ReadTreeError { line: error.line + branch.line - 1, ..error }.into())
    }

    /// Whether it is of a kind.
    pub fn expect_kind(&self, expected: &'static str) -> Result<(), ReadGenomeError> {
        match self.kind == expected {
            true => Ok(()),
            false => Err(ReadGenomeError::Kind { found: self.kind.clone(), expected }),
        }
    }
}

impl Branch {
    /// A tree by name.
    pub fn of<S: Symbol>(name: &str, tree: &Tree<S>) -> Self {
        Self { name: name.into(), text: tree.pretty(), line: 0 }
    }
}
