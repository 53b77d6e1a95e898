//! `deminer genome`: shows an evolved genome.

use std::path::PathBuf;

use deminer::documents::GenomeDocument;
use deminer::roster::Roster;
use deminer_draw::{GenomePicture, Theme};
use deminer_game::ArtifactKind;
use deminer_learn::evolve::{Artifact, LabeledTree};

use crate::failure::Done;
use crate::output::{Output, read_artifact};

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
        let read = |bytes: &[u8]| {
            let artifact = Artifact::read(&String::from_utf8_lossy(bytes))?;
            let (trees, document) = (LabeledTree::all(&artifact)?, GenomeDocument::of(&artifact)?);
            Ok((artifact, trees, document))
        };
        let (artifact, trees, document) =
            read_artifact(roster, ArtifactKind::GENOME, &self.genome, read)?;
        if let Some(path) = &self.svg {
            let title = format!("{}: {}", artifact.kind, artifact.about);
            let theme = if self.dark { Theme::Dark } else { Theme::Light };
            let picture = GenomePicture { trees, title, theme };
            output.file(path, picture.scene().svg().as_bytes())?;
        }
        if self.json { output.json(&document) } else { output.print(artifact.write()) }
    }
}
