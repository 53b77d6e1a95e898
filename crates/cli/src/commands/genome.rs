//! `deminer genome`: shows an evolved genome.

use std::path::PathBuf;

use anyhow::anyhow;
use deminer::documents::GenomeDocument;
use deminer::roster::Roster;
use deminer_draw::{GenomePicture, Theme};
use deminer_game::ArtifactKind;
use deminer_learn::evolve::{Artifact, LabeledTree};
use deminer_learn::header::ReadArtifactError;

use crate::failure::{Done, Failure};
use crate::output::{Output, name_input, read_artifact};

/// Show an evolved genome as text or as a drawing.
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

    /// Draw on a dark background.
    #[arg(long)]
    dark: bool,

    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self, roster: &Roster, output: &Output) -> Done {
        let artifact = self.find(roster)?;
        if let Some(path) = &self.svg {
            let title = format!("{}: {}", artifact.kind, artifact.about);
            let theme = if self.dark { Theme::Dark } else { Theme::Light };
            let trees = LabeledTree::all(&artifact).map_err(|error| self.unreadable(error))?;
            let picture = GenomePicture { trees, title, theme };
            output.file(path, picture.scene().svg().as_bytes())?;
        }
        let document = GenomeDocument::of(&artifact).map_err(|error| self.unreadable(error))?;
        if self.json { output.json(&document) } else { output.print(artifact.write()) }
    }

    fn find(&self, roster: &Roster) -> Result<Artifact, Failure> {
        let bytes = read_artifact(roster, ArtifactKind::GENOME, &self.genome)?;
        Artifact::read(&String::from_utf8_lossy(&bytes)).map_err(|error| self.unreadable(error))
    }

    fn unreadable(&self, error: ReadArtifactError) -> Failure {
        Failure::input(anyhow!("{}: {error}", name_input(&self.genome)))
    }
}
