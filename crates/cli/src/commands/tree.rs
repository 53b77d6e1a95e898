//! `deminer tree`: reads a decision tree to a person.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use deminer_lab::report::{Bars, Theme, TreePicture};
use deminer_learn::trees::{Artifact, Class, Language, SHIPPED};
use serde::Serialize;

use crate::failure::{Done, Failure};
use crate::output::{Output, SCHEMA_VERSION, name_input, read_input};

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

#[derive(Serialize)]
struct Document<'a> {
    schema_version: u32,
    agent: &'a str,
    rules: &'a str,
    games: u64,
    seed: u64,
    command: &'a str,
    features: &'static str,
    criterion: &'static str,
    fidelity: f64,
    held_out_samples: u64,
    depth: usize,
    leaves: usize,
    classes: [&'static str; 4],
    importances: Vec<ImportanceShape<'a>>,
    nodes: Vec<NodeShape>,
}

#[derive(Serialize)]
struct ImportanceShape<'a> {
    column: &'a str,
    words: &'a str,
    importance: f64,
}

#[derive(Serialize)]
struct NodeShape {
    /// The question; none at a leaf.
    question: Option<String>,
    /// The place of the node for yes, and of that for no.
    yes: Option<usize>,
    no: Option<usize>,
    entropy: f64,
    samples: u64,
    counts: [u64; 4],
    class: &'static str,
    risk: f64,
}

impl Views {
    /// Shows a tree as asked.
    pub fn show(&self, artifact: &Artifact, output: &Output) -> Done {
        let theme = if self.dark { Theme::Dark } else { Theme::Light };
        if let Some(path) = &self.svg {
            let tree = &artifact.tree;
            let title = title(artifact);
            let picture = TreePicture { tree, depth: self.rules_depth, title, theme };
            output.file(path, picture.scene().svg().as_bytes())?;
        }
        if let Some(path) = &self.importances {
            output.file(path, self.bars(artifact, theme)?.scene().svg().as_bytes())?;
        }
        match self.code {
            Some(language) => output.print(artifact.code(language)),
            None if self.json => output.json(&document(artifact)),
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
            series: shown.iter().map(|artifact| title(artifact)).collect(),
            rows: features.columns().iter().enumerate().map(row).collect(),
            theme,
        };
        Ok(bars.sorted())
    }
}

fn title(artifact: &Artifact) -> String {
    let origin = &artifact.origin;
    format!(
        "tree of {} on {}: {} games, seed {}",
        origin.agent, origin.rules, origin.games, origin.seed
    )
}

fn fidelity(artifact: &Artifact) -> f64 {
    let (agreed, judged) = artifact.origin.fidelity;
    if judged == 0 { 0.0 } else { agreed as f64 / judged as f64 }
}

/// Where the tree comes from, what matters to it, and its rules.
fn report(artifact: &Artifact, depth: usize) -> String {
    let (tree, origin) = (&artifact.tree, &artifact.origin);
    let mut text = format!("{}\n", title(artifact));
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
        100.0 * fidelity(artifact),
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

fn document(artifact: &Artifact) -> Document<'_> {
    let (tree, origin) = (&artifact.tree, &artifact.origin);
    let columns = tree.features().columns();
    let importances = tree.importances().into_iter().zip(columns);
    let node = |at: usize| {
        let node = &tree.nodes()[at];
        NodeShape {
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
    Document {
        schema_version: SCHEMA_VERSION,
        agent: &origin.agent,
        rules: &origin.rules,
        games: origin.games,
        seed: origin.seed,
        command: &origin.command,
        features: tree.features().name(),
        criterion: tree.criterion().name(),
        fidelity: fidelity(artifact),
        held_out_samples: origin.fidelity.1,
        depth: tree.depth(),
        leaves: tree.leaves(),
        classes: Class::ALL.map(Class::name),
        importances: importances
            .map(|(importance, column)| ImportanceShape {
                column: &column.name,
                words: &column.words,
                importance,
            })
            .collect(),
        nodes: (0..tree.nodes().len()).map(node).collect(),
    }
}
