//! `deminer genome`: shows what was evolved.

use std::path::PathBuf;

use anyhow::anyhow;
use deminer_lab::report::{DrawnTree, GenomePicture, Theme};
use deminer_learn::evolve::gp::{self, Node};
use deminer_learn::evolve::quartetti::{self, Operation};
use deminer_learn::evolve::{Artifact, ReadGenomeError};
use serde::Serialize;

use crate::failure::{Done, Failure};
use crate::output::{Output, SCHEMA_VERSION, name_input, read_input};

/// Show an evolved genome: as text, as a drawing.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer genome one-mine
  deminer genome fields --svg tree.svg
  deminer genome mine.genome --json")]
pub struct Args {
    /// A shipped genome by name, or a file made by `train gp` or `train quartetti`; - is stdin.
    #[arg(value_name = "GENOME")]
    genome: PathBuf,

    /// Draw its trees as an SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw on a dark ground.
    #[arg(long)]
    dark: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    kind: &'a str,
    about: &'a str,
    seed: u64,
    score: f64,
    options: &'a str,
    command: &'a str,
    branches: Vec<BranchShape<'a>>,
}

#[derive(Serialize)]
struct BranchShape<'a> {
    name: &'a str,
    nodes: usize,
    tree: &'a str,
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let artifact = self.find()?;
        let trees = trees(&artifact).map_err(|error| self.unreadable(error))?;
        if let Some(path) = &self.svg {
            let title = format!("{}: {}", artifact.kind, artifact.about);
            let theme = if self.dark { Theme::Dark } else { Theme::Light };
            let trees = trees.clone();
            let picture = GenomePicture { trees, title, theme };
            output.file(path, picture.scene().svg().as_bytes())?;
        }
        if !self.json {
            return output.print(artifact.write());
        }
        let branch = |(branch, tree): (&'_ deminer_learn::evolve::Branch, &DrawnTree)| {
            (branch.name.clone(), tree.nodes.len(), branch.text.trim().to_owned())
        };
        let branches: Vec<_> = artifact.branches.iter().zip(&trees).map(branch).collect();
        output.json(&Document {
            schema_version: SCHEMA_VERSION,
            kind: &artifact.kind,
            about: &artifact.about,
            seed: artifact.seed,
            score: artifact.score,
            options: &artifact.options,
            command: &artifact.command,
            branches: branches
                .iter()
                .map(|(name, nodes, tree)| BranchShape { name, nodes: *nodes, tree })
                .collect(),
        })
    }

    fn find(&self) -> Result<Artifact, Failure> {
        let shipped = gp::SHIPPED.iter().chain([&quartetti::SHIPPED]);
        let names: Vec<&str> = shipped.clone().map(|(name, _)| *name).collect();
        let mut shipped = shipped.filter(|(name, _)| self.genome.as_os_str() == *name);
        let bytes = match shipped.next() {
            Some((_, text)) if !self.genome.exists() => text.as_bytes().to_vec(),
            _ => read_input(&self.genome).map_err(|failure| {
                Failure::input(anyhow!("{failure}; shipped are {}", names.join(", ")))
            })?,
        };
        Artifact::read(&String::from_utf8_lossy(&bytes)).map_err(|error| self.unreadable(error))
    }

    fn unreadable(&self, error: ReadGenomeError) -> Failure {
        Failure::input(anyhow!("{}: {error}", name_input(&self.genome)))
    }
}

/// The trees of a genome, read as what they are.
fn trees(artifact: &Artifact) -> Result<Vec<DrawnTree>, ReadGenomeError> {
    if artifact.kind == "quartetti" {
        let names = ["main", "first", "second"];
        let tree = |name| Ok(DrawnTree::of(name, &artifact.tree::<Operation>(name)?));
        return names.into_iter().map(tree).collect();
    }
    artifact.expect_kind("gp")?;
    Ok(vec![DrawnTree::of("main", &artifact.tree::<Node>("main")?)])
}
