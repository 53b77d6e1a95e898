//! `deminer tree`: reads a decision tree to a person.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use deminer_lab::documents::TreeDocument;
use deminer_lab::report::{Bars, Theme, TreePicture};
use deminer_learn::trees::{Artifact, Language, SHIPPED};

use crate::failure::{Done, Failure};
use crate::output::{Output, name_input, read_input};

/// Show a decision tree: as rules in plain language, as code, as a drawing.
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

/// How a tree is shown.
#[derive(clap::Args)]
#[command(next_help_heading = "Showing the tree")]
pub struct Views {
    /// How many questions deep the rules are printed and the tree is drawn.
    #[arg(long, value_name = "N", default_value_t = 3)]
    rules_depth: usize,

    /// Print the tree as a function in this language instead.
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "json",
          value_parser = PossibleValuesParser::new(Language::ALL.map(Language::name)).map(language))]
    code: Option<Language>,

    /// Draw the top of the tree as an SVG.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Draw what matters to it as bars in an SVG.
    #[arg(long, value_name = "FILE")]
    importances: Option<PathBuf>,

    /// Another tree of the same features whose bars are drawn beside.
    #[arg(long, value_name = "TREE", requires = "importances")]
    beside: Option<PathBuf>,

    /// Draw on a dark ground.
    #[arg(long)]
    dark: bool,

    /// Print one JSON document, with every node.
    #[arg(long)]
    json: bool,
}

fn language(word: String) -> Language {
    Language::ALL.into_iter().find(|language| language.name() == word).expect("a listed word")
}

impl Args {
    pub fn run(self, output: &Output) -> Done {
        self.views.show(&find(&self.tree)?, output)
    }
}

/// The tree in a file, or the shipped one.
fn find(path: &Path) -> Result<Artifact, Failure> {
    let bytes = match SHIPPED.iter().find(|(name, _)| path.as_os_str() == *name) {
        Some((_, text)) if !path.exists() => text.as_bytes().to_vec(),
        _ => read_input(path).map_err(|failure| {
            let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
            Failure::input(anyhow::anyhow!("{failure}; shipped are {}", names.join(", ")))
        })?,
    };
    Artifact::read(&bytes)
        .map_err(|error| Failure::input(anyhow::anyhow!("{}: {error}", name_input(path))))
}

impl Views {
    /// Shows a tree as asked.
    pub fn show(&self, artifact: &Artifact, output: &Output) -> Done {
        let theme = if self.dark { Theme::Dark } else { Theme::Light };
        if let Some(path) = &self.svg {
            let tree = &artifact.tree;
            let title = artifact.origin.title();
            let picture = TreePicture { tree, depth: self.rules_depth, title, theme };
            output.file(path, picture.scene().svg().as_bytes())?;
        }
        if let Some(path) = &self.importances {
            output.file(path, self.bars(artifact, theme)?.scene().svg().as_bytes())?;
        }
        match self.code {
            Some(language) => output.print(artifact.code(language)),
            None if self.json => output.json(&TreeDocument::of(artifact)),
            None => output.print(report(artifact, self.rules_depth)),
        }
    }

    fn bars(&self, artifact: &Artifact, theme: Theme) -> Result<Bars, Failure> {
        let beside = self.beside.as_deref().map(find).transpose()?;
        let shown: Vec<&Artifact> = [artifact].into_iter().chain(&beside).collect();
        let features = artifact.tree.features();
        if let Some(other) = shown.iter().find(|other| other.tree.features() != features) {
            let other = other.tree.features();
            let message = format!("{other} and {features} features cannot stand side by side");
            return Err(Failure::usage(anyhow::anyhow!(message)));
        }
        let importances: Vec<Vec<f64>> =
            shown.iter().map(|artifact| artifact.tree.importances()).collect();
        let row = |(column, name): (usize, &deminer_learn::trees::Column)| {
            let values = importances.iter().map(|values| values[column]).collect();
            (format!("{} ({})", name.words, name.name), values)
        };
        let bars = Bars {
            title: "what matters to the tree".into(),
            series: shown.iter().map(|artifact| artifact.origin.title()).collect(),
            rows: features.columns().iter().enumerate().map(row).collect(),
            theme,
        };
        Ok(bars.sorted())
    }
}

/// Where the tree comes from, what matters to it, and its rules.
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
        "fidelity {:.2} % of {} samples on boards held out\n",
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
