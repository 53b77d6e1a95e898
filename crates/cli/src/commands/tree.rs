//! `deminer tree`: shows a decision tree.

use std::path::{Path, PathBuf};

use deminer::documents::TreeDocument;
use deminer::roster::Roster;
use deminer_draw::{Bars, Theme, TreePicture};
use deminer_game::ArtifactKind;
use deminer_learn::trees::{Artifact, Language};

use crate::failure::{Done, Failure};
use crate::output::{Output, read_artifact};
use crate::rule_args::word;

/// Show a decision tree as rules in plain language, as code or as a drawing.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  deminer tree lowest-risk-depth-8
  deminer tree lowest-risk-depth-8 --code python > judge.py
  deminer tree mine.tree --svg tree.svg --importances bars.svg --beside other.tree")]
pub struct Args {
    /// A shipped tree by name, or a file made by `train tree`; - is stdin.
    #[arg(value_name = "TREE")]
    tree: PathBuf,

    #[command(flatten)]
    views: Views,
}

/// How to show a tree.
#[derive(clap::Args)]
#[command(next_help_heading = "Showing the tree")]
pub struct Views {
    /// Depth to which rules are printed and the tree is drawn.
    #[arg(long, value_name = "N", default_value_t = 3)]
    rules_depth: usize,

    /// Print the tree as a function in this language.
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "json",
          value_parser = word::<Language>())]
    code: Option<Language>,

    /// Draw the top of the tree as an SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw the importances of its features as bars in an SVG.
    #[arg(long, value_name = "FILE")]
    importances: Option<PathBuf>,

    /// Another tree with the same features to draw next to it.
    #[arg(long, value_name = "TREE", requires = "importances")]
    beside: Option<PathBuf>,

    /// Draw on a dark background.
    #[arg(long)]
    dark: bool,

    /// Print one JSON document, with every node.
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self, roster: &Roster, output: &Output) -> Done {
        self.views.show(&find(roster, &self.tree)?, roster, output)
    }
}

/// Reads a tree from a file, or a shipped one by name.
fn find(roster: &Roster, path: &Path) -> Result<Artifact, Failure> {
    read_artifact(roster, ArtifactKind::TREE, path, Artifact::read)
}

impl Views {
    /// Shows a tree.
    pub fn show(&self, artifact: &Artifact, roster: &Roster, output: &Output) -> Done {
        let theme = Theme::of(self.dark);
        if let Some(path) = &self.svg {
            output.svg(path, &TreePicture::of(artifact, self.rules_depth, theme).scene())?;
        }
        if let Some(path) = &self.importances {
            output.svg(path, &self.bars(artifact, roster, theme)?.scene())?;
        }
        match self.code {
            Some(language) => output.print(artifact.code(language)),
            None if self.json => output.json(&TreeDocument::of(artifact)),
            None => output.print(report(artifact, self.rules_depth)),
        }
    }

    fn bars(&self, artifact: &Artifact, roster: &Roster, theme: Theme) -> Result<Bars, Failure> {
        let beside = self.beside.as_deref().map(|path| find(roster, path)).transpose()?;
        let shown: Vec<&Artifact> = [artifact].into_iter().chain(&beside).collect();
        let features = artifact.tree.features();
        if let Some(other) = shown.iter().find(|other| other.tree.features() != features) {
            let other = other.tree.features();
            let message = format!("trees with {other} and {features} features cannot be compared");
            return Err(Failure::wrong(message));
        }
        Ok(Bars::importances(&shown, theme))
    }
}

/// The origin of the tree, its importances and its rules.
fn report(artifact: &Artifact, depth: usize) -> String {
    let (tree, origin) = (&artifact.tree, &artifact.origin);
    let mut text = format!("{}\n", origin.title());
    text += &format!(
        "{} features, {} criterion: {} questions deep, {} leaves, from {} samples\n",
        tree.features(),
        tree.criterion().name(),
        tree.depth(),
        tree.leaves(),
        origin.samples,
    );
    text += &format!(
        "fidelity {:.2} % of {} samples on boards not used for training\n",
        100.0 * origin.fidelity_rate(),
        origin.fidelity.1
    );
    text += &format!("made by {}\n\nwhat matters:\n", origin.command);
    let mut importances: Vec<(f64, &str)> = tree
        .importances()
        .into_iter()
        .zip(tree.features().columns())
        .map(|(importance, column)| (importance, column.words.as_str()))
        .filter(|(importance, _)| *importance >= 0.0005)
        .collect();
    importances.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (importance, words) in importances {
        text += &format!("  {importance:.3}  {words}\n");
    }
    text + "\nrules:\n" + &tree.rules(depth)
}
