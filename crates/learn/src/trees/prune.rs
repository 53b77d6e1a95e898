//! Prunes by validation: removes questions that do not help on other boards.

use super::samples::{MILLION, Samples, Tally};
use super::tree::{Criterion, Tree};

/// Takes back every question whose answers are no better than none on samples the tree was not
/// grown from (reduced error pruning), from the leaves up.
///
/// What is counted are samples of another class than the leaf's, or squared differences between
/// the believed risk and the leaf's, as the tree was grown for classes or risks.
pub fn prune(tree: &Tree, validation: &Samples) -> Tree {
    let seen = tally_nodes(tree, validation);
    let mut loss = vec![0.0; seen.len()];
    let mut stop = vec![false; seen.len()];
    // Children come after their parents, so backward is from the leaves up.
    for at in (0..seen.len()).rev() {
        let alone = error(tree.criterion(), &tree.nodes()[at].tally, &seen[at]);
        loss[at] = alone;
        if let Some(split) = tree.nodes()[at].split {
            let asked = loss[at + 1] + loss[split.no];
            stop[at] = alone <= asked;
            loss[at] = alone.min(asked);
        }
    }
    tree.cut(|node| stop[node])
}

/// The samples that come to each node of a tree.
pub(super) fn tally_nodes(tree: &Tree, samples: &Samples) -> Vec<Tally> {
    let mut seen = vec![Tally::default(); tree.nodes().len()];
    let mut row = Vec::new();
    for (window, tally) in samples.iter() {
        seen[tree.leaf_of(window, &mut row)].add(tally);
    }
    for at in (0..seen.len()).rev() {
        if let Some(split) = tree.nodes()[at].split {
            let (yes, no) = (seen[at + 1], seen[split.no]);
            seen[at].add(&yes);
            seen[at].add(&no);
        }
    }
    seen
}

/// How wrong a leaf with the samples it was grown from is on others, up to what is the same for
/// every leaf: the sum of squares of the others' own risks.
fn error(criterion: Criterion, grown: &Tally, others: &Tally) -> f64 {
    match criterion {
        Criterion::Class => (others.samples() - others.classes[grown.class() as usize]) as f64,
        Criterion::Risk => {
            let mean = grown.mean_risk();
            mean * (others.samples() as f64 * mean - 2.0 * others.risk as f64 / MILLION)
        }
    }
}
