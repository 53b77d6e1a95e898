//! A tree as a text file: where it comes from, its nodes, and a check against damage.
//!
//! ```text
//! deminer tree 1
//! agent: lowest-risk
//! rules: 10x10x10, start open
//! games: 1000
//! seed: 1
//! samples: 343562
//! fidelity: 61234/68123
//! command: deminer train tree --of lowest-risk --out example.tree
//! features: raw
//! criterion: class
//! nodes: 3
//! check: 91c0f1ab2437d5e6
//! ? cell_1_2 <= 1
//!  - 120 3 0 0 4.250000
//!  - 0 12 8 40 45.500000
//! ```
//!
//! A line with `?` asks whether a column is at most a code (`<=`) or a code (`=`); the nodes for
//! yes follow, then those for no. A line with `-` is a leaf: its samples by class, safest first,
//! and the sum of their risks. What the samples of a question add up to follows from its leaves.

use std::fmt::Write;

use super::features::Features;
use super::samples::{Class, Tally};
use super::tree::{Node, Split, Test, Tree};
use crate::header::{self, Header, Kind, ReadArtifactError, seal, share};

/// A tree with its origin.
#[derive(Clone, PartialEq, Debug)]
pub struct Artifact {
    /// Where it comes from.
    pub origin: Origin,
    /// The tree.
    pub tree: Tree,
}

/// Where a tree comes from: with the program, all that is needed to grow it again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// The agent it imitates.
    pub agent: String,
    /// The rules of the games watched.
    pub rules: String,
    /// How many games were watched, those held out included.
    pub games: u64,
    /// The seed of their run.
    pub seed: u64,
    /// The samples it was grown and pruned with.
    pub samples: u64,
    /// Samples of boards held out: those that the tree puts into the agent's class, and all.
    pub fidelity: (u64, u64),
    /// The command that made it.
    pub command: String,
}

impl Origin {
    /// The share of held-out samples that the tree puts into the agent's class; 0 without any.
    pub fn fidelity_rate(&self) -> f64 {
        let (agreed, judged) = self.fidelity;
        if judged == 0 { 0.0 } else { agreed as f64 / judged as f64 }
    }

    /// Where the tree comes from, in a line.
    pub fn title(&self) -> String {
        format!(
            "tree of {} on {}: {} games, seed {}",
            self.agent, self.rules, self.games, self.seed
        )
    }
}

const TREE: Kind = Kind { what: "tree", title: "deminer tree" };
/// The most questions on a path of a file: none is grown so deep.
const DEEPEST: usize = 64;

impl Artifact {
    /// The artifact as text.
    pub fn write(&self) -> String {
        let Origin { agent, rules, games, seed, samples, fidelity, command } = &self.origin;
        let mut text = header::write(
            TREE,
            [
                ("agent", agent),
                ("rules", rules),
                ("games", games),
                ("seed", seed),
                ("samples", samples),
                ("fidelity", &share(*fidelity)),
                ("command", command),
                ("features", &self.tree.features()),
                ("criterion", &self.tree.criterion().name()),
                ("nodes", &self.tree.nodes().len()),
            ],
        );
        let head = text.lines().count();
        for (node, depth) in self.tree.nodes().iter().zip(self.tree.depths()) {
            let indent = " ".repeat(depth);
            writeln!(text, "{indent}{}", node_line(&self.tree, node))
                .expect("strings take everything");
        }
        seal(&text, head)
    }

    /// Reads an artifact. Nothing is taken that would not be written so.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadArtifactError> {
        let header = &mut Header::open(TREE, bytes)?;
        let agent = header.text("agent")?;
        let rules = header.text("rules")?;
        let games = header.number("games")?;
        let seed = header.number("seed")?;
        let samples = header.number("samples")?;
        let fidelity = header.share("fidelity")?;
        let command = header.text("command")?;
        let features = header
            .value("features", "raw, one-hot, symmetric or clues", |text| text.parse().ok())?;
        let criterion = header.value("criterion", "class or risk", |text| text.parse().ok())?;
        let told = header.number("nodes")? as usize;
        header.check()?;
        let origin = Origin { agent, rules, games, seed, samples, fidelity, command };
        let lines = header.rest();
        let nodes = NodeReader { features, lines, told, nodes: Vec::new() }.read()?;
        Ok(Self { origin, tree: Tree::new(features, criterion, nodes) })
    }
}

fn node_line(tree: &Tree, node: &Node) -> String {
    let Some(Split { column, test, .. }) = node.split else {
        let [a, b, c, d] = node.tally.classes;
        let (whole, part) = (node.tally.risk / 1_000_000, node.tally.risk % 1_000_000);
        return format!("- {a} {b} {c} {d} {whole}.{part:06}");
    };
    let column = &tree.features().columns()[column];
    let relation = match test {
        Test::AtMost(_) => "<=",
        Test::Is(_) => "=",
    };
    format!("? {} {relation} {}", column.name, column.meaning.symbol(test.code()))
}

/// The lines of a tree, and the nodes that were read from them.
struct NodeReader<I> {
    features: Features,
    lines: I,
    told: usize,
    nodes: Vec<Node>,
}

impl<'a, I: Iterator<Item = (usize, &'a str)>> NodeReader<I> {
    /// Reads all lines as one tree with the stated number of nodes.
    fn read(mut self) -> Result<Vec<Node>, ReadArtifactError> {
        self.subtree(0)?;
        match self.lines.next() {
            Some((line, _)) => {
                Err(ReadArtifactError::Line(line, "nothing may follow the last leaf".into()))
            }
            None if self.nodes.len() != self.told => Err(self.incomplete()),
            None => Ok(self.nodes),
        }
    }

    fn incomplete(&self) -> ReadArtifactError {
        ReadArtifactError::Whole(format!(
            "the tree has {} nodes that belong together, its header says {}",
            self.nodes.len(),
            self.told
        ))
    }

    /// Reads a node and all below it, and gives their samples.
    fn subtree(&mut self, depth: usize) -> Result<Tally, ReadArtifactError> {
        let (line, text) = self.lines.next().ok_or_else(|| self.incomplete())?;
        let wrong = |fault: String| ReadArtifactError::Line(line, fault);
        let node = read_node(self.features, text.trim()).map_err(wrong)?;
        let place = self.nodes.len();
        self.nodes.push(node);
        let Some(split) = node.split else { return Ok(node.tally) };
        if depth == DEEPEST {
            return Err(wrong(format!("no path may ask more than {DEEPEST} questions")));
        }
        let yes = self.subtree(depth + 1)?;
        let split = Some(Split { no: self.nodes.len(), ..split });
        let no = self.subtree(depth + 1)?;
        let tally =
            sum(&yes, &no).ok_or_else(|| wrong("the counts of the leaves are too large".into()))?;
        self.nodes[place] = Node { tally, split };
        Ok(tally)
    }
}

fn sum(one: &Tally, other: &Tally) -> Option<Tally> {
    let mut classes = [0; Class::ALL.len()];
    for (class, sum) in classes.iter_mut().enumerate() {
        *sum = one.classes[class].checked_add(other.classes[class])?;
    }
    classes.iter().try_fold(0u64, |all, &count| all.checked_add(count))?;
    Some(Tally { classes, risk: one.risk.checked_add(other.risk)? })
}

fn read_node(features: Features, line: &str) -> Result<Node, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["?", name, relation, symbol] => {
            let columns = features.columns();
            let column = columns.iter().position(|column| column.name == name);
            let column =
                column.ok_or_else(|| format!("`{name}` is none of the {features} features"))?;
            let meaning = columns[column].meaning;
            // A question that every code answers alike is none.
            let code = (0..columns[column].codes).find(|&code| meaning.symbol(code) == symbol);
            let code = code.ok_or_else(|| format!("`{symbol}` is no value of {name}"))?;
            let test = features.test(code);
            let expected = if let Test::Is(_) = test { "=" } else { "<=" };
            if relation != expected {
                return Err(format!("expected `{expected}`, found `{relation}`"));
            }
            if test == Test::AtMost(columns[column].codes - 1) {
                return Err(format!("every value of {name} is at most {symbol}"));
            }
            let split = Some(Split { column, test, no: 0 });
            Ok(Node { tally: Tally::default(), split })
        }
        ["-", a, b, c, d, risk] => {
            let count = |word: &str| word.parse().map_err(|_| format!("`{word}` is no count"));
            let classes: [u64; 4] = [count(a)?, count(b)?, count(c)?, count(d)?];
            let risk = read_risk(risk).ok_or_else(|| format!("`{risk}` is no sum of risks"))?;
            let samples = classes.iter().try_fold(0u64, |all, &count| all.checked_add(count));
            let most = samples.and_then(|samples| samples.checked_mul(1_000_000));
            match most {
                Some(0) => Err("a leaf rests on at least one sample".into()),
                Some(most) if risk <= most => {
                    Ok(Node { tally: Tally { classes, risk }, split: None })
                }
                Some(_) => Err("the risks add up to more than the samples".into()),
                None => Err("the counts of the leaf are too large".into()),
            }
        }
        _ => Err("expected `? COLUMN <= VALUE` or `- COUNT COUNT COUNT COUNT RISK`".into()),
    }
}

/// Reads a sum of risks with its six decimals, in millionths.
fn read_risk(word: &str) -> Option<u64> {
    let (whole, part) = word.split_once('.')?;
    let digits = part.len() == 6 && part.bytes().all(|byte| byte.is_ascii_digit());
    let part: u64 = digits.then(|| part.parse().ok()).flatten()?;
    whole.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(part)
}
