//! `deminer genome`: shows an evolved genome.

use std::path::PathBuf;

use deminer::documents::GenomeDocument;
use deminer::roster::Roster;
use deminer_draw::{FieldPicture, GenomePicture, Theme};
use deminer_game::{ArtifactKind, Rng, Rules, Size};
use deminer_learn::evolve::Artifact;
use deminer_learn::evolve::gp::{Field, Filler, Node, Program};

use crate::failure::{Done, Failure};
use crate::output::{Output, read_artifact};
use crate::rule_args::seed;

/// Show an evolved genome as text or as a drawing.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer genome one-mine
  deminer genome fields --svg tree.svg
  deminer genome fields --field 10x10x10 --seed 3 --svg field.svg
  deminer genome mine.genome --json")]
pub struct Args {
    /// A shipped genome by name, or a file made by `train gp` or `train quartetti`; - is stdin.
    #[arg(value_name = "GENOME")]
    genome: PathBuf,

    /// Let a genome of `train gp` fill in a field with all its numbers seen: print the field, the
    /// dummy field it is given and what it makes of it; --svg draws them.
    #[arg(long, value_name = "BOARD", conflicts_with = "json")]
    field: Option<Size>,

    /// The seed of the field.
    #[arg(long, value_name = "SEED", value_parser = seed, allow_negative_numbers = true, default_value_t = 1, requires = "field")]
    seed: u64,

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
            let picture = GenomePicture::of(&artifact, Theme::of(self.dark))?;
            let document = GenomeDocument::of(&artifact)?;
            Ok((artifact, picture, document))
        };
        let (artifact, picture, document) =
            read_artifact(roster, ArtifactKind::GENOME, &self.genome, read)?;
        if let Some(size) = self.field {
            return self.fill(&artifact, size, output);
        }
        if let Some(path) = &self.svg {
            output.svg(path, &picture.scene())?;
        }
        if self.json { output.json(&document) } else { output.print(artifact.write()) }
    }

    /// Shows a field, its dummy and what the genome makes of it.
    fn fill(&self, artifact: &Artifact, size: Size, output: &Output) -> Done {
        artifact.expect_kind("gp").map_err(Failure::input)?;
        let tree = artifact.tree::<Node>("main").map_err(Failure::input)?;
        let rules = Rules::of(size).map_err(Failure::usage)?;
        let field = Field::deal(size.height, size.width, rules.mines(), &mut Rng::new(self.seed));
        let mut filler = Filler::default();
        let filled = filler.fill(&Program::of(&tree), &field, artifact.has_option("memory"));
        output.print(format_args!(
            "the perfect field (* mine, - empty beside a number, . empty):\n{}\nthe dummy field (# \
             unknown):\n{}\nfilled in, score {:.3} of 1:\n{}",
            field.picture(field.truth()),
            field.picture(field.seen()),
            field.score(filled),
            field.picture(filled),
        ))?;
        if let Some(path) = &self.svg {
            let title = format!("A field of {size}, seed {}, filled in by a genome", self.seed);
            let theme = Theme::of(self.dark);
            let picture = FieldPicture { field: &field, filled, title, theme };
            output.svg(path, &picture.sheet().scene())?;
        }
        Ok(())
    }
}
