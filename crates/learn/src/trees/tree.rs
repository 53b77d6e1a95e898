//! The tree itself: nodes in the order in which they are read, yes before no.

use super::features::{Codes, Features};
use super::samples::{Class, Tally};

/// A question about a column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum Test {
    /// Is its code at most this one?
    AtMost(u8),
    /// Is its code this one?
    Is(u8),
}

impl Test {
    /// The answer for a code.
    #[inline]
    pub const fn admits(self, code: u8) -> bool {
        match self {
            Test::AtMost(most) => code <= most,
            Test::Is(only) => code == only,
        }
    }

    /// The code it is about.
    pub const fn code(self) -> u8 {
        match self {
            Test::AtMost(code) | Test::Is(code) => code,
        }
    }
}

/// Where a tree asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Split {
    /// Which of the features' columns.
    pub column: usize,
    /// What is asked of it.
    pub test: Test,
    /// The node for no; the one for yes is the next.
    pub no: usize,
}

/// A node: the samples that came to it, and where they go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Node {
    /// The samples.
    pub tally: Tally,
    /// The question; none at a leaf.
    pub split: Option<Split>,
}

/// What a tree is grown to tell apart.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub enum Criterion {
    /// The four classes: the paper's.
    #[default]
    Class,
    /// How likely a mine is: a sample of risk 0.3 counts as three tenths of a mine and seven
    /// tenths of a safe cell. A class hides whether a cell is surely or just probably safe; this
    /// does not, and so it plays better.
    Risk,
}
deminer_game::words!(Criterion, "a criterion": Class = "class", Risk = "risk");

impl Criterion {
    /// Bits needed to tell of all these samples together what they are: their number times the
    /// entropy of one.
    pub fn bits(self, tally: &Tally) -> f64 {
        let samples = tally.samples() as f64;
        let bits = |count: f64| if count > 0.0 { -count * (count / samples).log2() } else { 0.0 };
        match self {
            Criterion::Class => tally.classes.iter().map(|&count| bits(count as f64)).sum(),
            Criterion::Risk => {
                let mines = tally.risk as f64 / super::samples::MILLION;
                bits(mines) + bits((samples - mines).max(0.0))
            }
        }
    }
}

/// A decision tree on windows.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Tree {
    features: Features,
    criterion: Criterion,
    /// In the order in which they are read: a node, all for yes, all for no.
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree of these nodes; at least one, in their order. Only this module's friends make
    /// them, and they keep the order.
    pub(super) fn new(features: Features, criterion: Criterion, nodes: Vec<Node>) -> Self {
        assert!(!nodes.is_empty(), "a tree has a root");
        Self { features, criterion, nodes }
    }

    /// What it asks about.
    pub fn features(&self) -> Features {
        self.features
    }

    /// What it was grown to tell apart.
    pub fn criterion(&self) -> Criterion {
        self.criterion
    }

    /// The nodes in the order in which they are read; the root is the first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many leaves it has.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.split.is_none()).count()
    }

    /// How many questions the longest path asks.
    pub fn depth(&self) -> usize {
        self.depths().into_iter().max().unwrap_or(0)
    }

    /// How many questions lead to each node.
    pub fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            if let Some(split) = node.split {
                depths[at + 1] = depths[at] + 1;
                depths[split.no] = depths[at] + 1;
            }
        }
        depths
    }

    /// The leaf that a row of codes comes to, one code for each column.
    #[inline]
    pub fn leaf(&self, row: &[u8]) -> usize {
        let mut at = 0;
        while let Some(split) = self.nodes[at].split {
            at = if split.test.admits(row[split.column]) { at + 1 } else { split.no };
        }
        at
    }

    /// The leaf that a window comes to; `row` is scratch space.
    pub fn leaf_of(&self, window: Codes, row: &mut Vec<u8>) -> usize {
        self.features.extract(window, row);
        self.leaf(row)
    }

    /// The questions on the way to a node, with their answers.
    pub fn path(&self, node: usize) -> Vec<(Split, bool)> {
        let mut path = Vec::new();
        let mut at = 0;
        while at < node {
            let split = self.nodes[at].split.expect("what lies behind a leaf is not on the way");
            let yes = node < split.no;
            path.push((split, yes));
            at = if yes { at + 1 } else { split.no };
        }
        path
    }

    /// The entropy of a node's samples, in bits.
    pub fn entropy(&self, node: usize) -> f64 {
        let tally = &self.nodes[node].tally;
        match tally.samples() {
            0 => 0.0,
            samples => self.criterion.bits(tally) / samples as f64,
        }
    }

    /// How much each column helped: the bits that its questions saved, as shares of all that
    /// were saved. They add up to 1, or are all 0 where the tree asks nothing.
    pub fn importances(&self) -> Vec<f64> {
        let bits = |node: usize| self.criterion.bits(&self.nodes[node].tally);
        let mut saved = vec![0.0; self.features.columns().len()];
        for (at, node) in self.nodes.iter().enumerate() {
            if let Some(split) = node.split {
                saved[split.column] += (bits(at) - bits(at + 1) - bits(split.no)).max(0.0);
            }
        }
        let all: f64 = saved.iter().sum();
        if all > 0.0 {
            saved.iter_mut().for_each(|saved| *saved /= all);
        }
        saved
    }

    /// The same tree, cut at this depth. Growing to that depth would have
    /// given the same one, since a question never depends on those below it.
    pub fn to_depth(&self, depth: usize) -> Tree {
        let depths = self.depths();
        self.cut(|node| depths[node] >= depth)
    }

    /// The same tree with leaves at the nodes where `stop` holds.
    pub(super) fn cut(&self, stop: impl Fn(usize) -> bool) -> Tree {
        let mut nodes: Vec<Node> = Vec::new();
        // The nodes still to be copied, and the question they are the answer no of.
        let mut waiting: Vec<(usize, Option<usize>)> = vec![(0, None)];
        while let Some((at, asked)) = waiting.pop() {
            let place = nodes.len();
            if let Some(split) = asked.and_then(|asked| nodes[asked].split.as_mut()) {
                split.no = place;
            }
            let node = self.nodes[at];
            let split = node.split.filter(|_| !stop(at));
            nodes.push(Node { split, ..node });
            if let Some(split) = split {
                waiting.push((split.no, Some(place)));
                waiting.push((at + 1, None));
            }
        }
        Tree::new(self.features, self.criterion, nodes)
    }

    /// The class a node stands for.
    pub fn class(&self, node: usize) -> Class {
        self.nodes[node].tally.class()
    }
}
