//! Measures how often a tree agrees with the agent it imitates.

use super::grow::{Growth, grow};
use super::prune::tally_nodes;
use super::samples::{Class, Samples, Tally};
use super::tree::Tree;

/// How often a tree says what the agent believed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fidelity {
    /// Samples by the agent's class and the tree's.
    pub confusion: [[u64; Class::ALL.len()]; Class::ALL.len()],
}

impl Fidelity {
    /// How many samples were judged.
    pub fn samples(&self) -> u64 {
        self.confusion.iter().flatten().sum()
    }

    /// How many of them the tree puts into the agent's class.
    pub fn agreed(&self) -> u64 {
        (0..self.confusion.len()).map(|class| self.confusion[class][class]).sum()
    }

    /// Their share; 0 where nothing was judged.
    pub fn rate(&self) -> f64 {
        match self.samples() {
            0 => 0.0,
            samples => self.agreed() as f64 / samples as f64,
        }
    }
}

/// What came to a node of a tree from samples that judge it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Judged {
    /// The samples.
    pub tally: Tally,
    /// How many of them the leaves at or below the node put into the agent's class.
    pub agreed: u64,
}

impl Judged {
    /// The share of its samples that are put into the agent's class; none without samples.
    pub fn fidelity(&self) -> Option<f64> {
        let samples = self.tally.samples();
        (samples > 0).then(|| self.agreed as f64 / samples as f64)
    }
}

/// How faithful every node of a tree is to the agent, in the order of its nodes.
pub fn judge_nodes(tree: &Tree, samples: &Samples) -> Vec<Judged> {
    let seen = tally_nodes(tree, samples);
    let mut judged: Vec<Judged> =
        seen.into_iter().map(|tally| Judged { tally, agreed: 0 }).collect();
    // Children come after their parents, so backward is from the leaves up.
    for at in (0..judged.len()).rev() {
        judged[at].agreed = match tree.nodes()[at].split {
            Some(split) => judged[at + 1].agreed + judged[split.no].agreed,
            None => judged[at].tally.classes[tree.class(at) as usize],
        };
    }
    judged
}

/// Compares a tree with what was seen of the agent, on boards that the tree was not grown from.
pub fn fidelity(tree: &Tree, samples: &Samples) -> Fidelity {
    fidelity_of(tree, &tally_nodes(tree, samples), |at| tree.nodes()[at].split.is_none())
}

/// How faithful the tree would be if it asked no more than 0, 1, 2… questions; the last is how
/// faithful it is. Trees are grown from the root, so each is the tree that would have been grown
/// to that depth, unless it was pruned. Costs one pass over the samples.
pub fn fidelity_by_depth(tree: &Tree, samples: &Samples) -> Vec<Fidelity> {
    let (seen, depths) = (tally_nodes(tree, samples), tree.depths());
    let cut = |deepest: usize| {
        let ends = |at: usize| {
            depths[at] == deepest || (depths[at] < deepest && tree.nodes()[at].split.is_none())
        };
        fidelity_of(tree, &seen, ends)
    };
    (0..=tree.depth()).map(cut).collect()
}

/// The fidelity of a tree that ends at these nodes, where each saw so much.
fn fidelity_of(tree: &Tree, seen: &[Tally], ends: impl Fn(usize) -> bool) -> Fidelity {
    let mut confusion = [[0; Class::ALL.len()]; Class::ALL.len()];
    for (at, tally) in seen.iter().enumerate().filter(|(at, _)| ends(*at)) {
        for (row, &count) in confusion.iter_mut().zip(&tally.classes) {
            row[tree.class(at) as usize] += count;
        }
    }
    Fidelity { confusion }
}

/// The fidelity on each part of a tree grown from the other parts. Parts hold whole games, so no
/// board is on both sides.
pub fn cross_validate(parts: &[Samples], growth: &Growth) -> Vec<Fidelity> {
    let fold = |held_out: usize| {
        let mut others = Samples::default();
        let (before, after) = (&parts[..held_out], &parts[held_out + 1..]);
        before.iter().chain(after).for_each(|part| others.merge(part));
        fidelity(&grow(&others, growth), &parts[held_out])
    };
    (0..parts.len()).map(fold).collect()
}
