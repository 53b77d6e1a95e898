//! `deminer genome`: shows what was evolved.

use std::path::PathBuf;

use anyhow::anyhow;
use deminer_lab::documents::GenomeDocument;
use deminer_lab::report::{DrawnTree, GenomePicture, Theme};
use deminer_learn::evolve::{Artifact, ReadGenomeError, gp, quartetti};

use crate::failure::{Done, Failure};
use crate::output::{Output, name_input, read_input};

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

impl Args {
    pub fn run(self, output: &Output) -> Done {
        let artifact = self.find()?;
        if let Some(path) = &self.svg {
            let title = format!("{}: {}", artifact.kind, artifact.about);
            let theme = if self.dark { Theme::Dark } else { Theme::Light };
            let trees = DrawnTree::all(&artifact).map_err(|error| self.unreadable(error))?;
            let picture = GenomePicture { trees, title, theme };
            output.file(path, picture.scene().svg().as_bytes())?;
        }
        let document = GenomeDocument::of(&artifact).map_err(|error| self.unreadable(error))?;
        if self.json { output.json(&document) } else { output.print(artifact.write()) }
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
