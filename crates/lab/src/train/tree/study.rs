//! Studies of trees: does more data, or more depth, make a tree more faithful, and do two trees
//! from different games agree on what matters?
//!
//! Lubarski, Samujło and Wszeborowski saw their trees grow alike with more games, and
//! conjectured that a tree comes near its network with enough of them.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use deminer_learn::trees::{self, Features, Fidelity, Growth, Samples, Tree};

use super::Demonstration;
use crate::stats;
use crate::train::TrainError;

/// What a study of fidelity runs through.
#[derive(Clone, Debug)]
pub(crate) struct FidelityStudy {
    /// The feature sets.
    pub features: Vec<Features>,
    /// Numbers of games, smallest first; more games include fewer.
    pub games: Vec<u64>,
    /// Depths.
    pub depths: Vec<usize>,
    /// Further games that judge every tree.
    pub held_out: u64,
}

/// One tree of a study of fidelity.
#[derive(Clone, Debug)]
pub(crate) struct StudyPoint {
    /// What it asks about.
    pub features: Features,
    /// Games it was grown from.
    pub games: u64,
    /// The most questions it may ask.
    pub depth: usize,
    /// How faithful it is on the games held out.
    pub fidelity: Fidelity,
    /// How faithful anything that sees but the window could be on the games held out.
    pub ceiling: f64,
}

/// Grows a tree for every feature set, number of games and depth, and judges all of them on the
/// same further games. Trees differ from `growth` in features and depth alone.
pub(crate) fn study_fidelity(
    demonstration: &Demonstration,
    study: &FidelityStudy,
    growth: &Growth,
    threads: NonZero<usize>,
    stop: &AtomicBool,
) -> Result<Vec<StudyPoint>, TrainError> {
    let most = study.games.iter().copied().max().unwrap_or(0);
    let collect = |games| demonstration.collect(games, threads, stop);
    let held_out = collect(most..most + study.held_out)?;
    let ceiling = held_out.ceiling();
    let deepest = study.depths.iter().copied().max().unwrap_or(0);
    let mut points = Vec::new();
    let mut samples = Samples::default();
    let mut watched = 0;
    for &games in &study.games {
        samples.merge(&collect(watched..games.max(watched))?);
        watched = games.max(watched);
        for &features in &study.features {
            let deep = trees::grow(&samples, &Growth { features, depth: deepest, ..*growth });
            points.extend(study.depths.iter().map(|&depth| {
                let tree = deep.to_depth(depth);
                StudyPoint {
                    features,
                    games,
                    depth,
                    fidelity: trees::fidelity(&tree, &held_out),
                    ceiling,
                }
            }));
        }
    }
    Ok(points)
}

/// Two trees from different games.
#[derive(Clone, Debug)]
pub(crate) struct Stability {
    /// The trees.
    pub trees: [Tree; 2],
    /// How faithful each is on the other's games.
    pub fidelity: [Fidelity; 2],
    /// Spearman's rank correlation of their importances.
    pub correlation: f64,
}

/// Grows two trees from so many games each, none in common, and compares what matters to them.
pub(crate) fn study_stability(
    demonstration: &Demonstration,
    games: u64,
    growth: &Growth,
    threads: NonZero<usize>,
    stop: &AtomicBool,
) -> Result<Stability, TrainError> {
    let collect = |games| demonstration.collect(games, threads, stop);
    let samples = [collect(0..games)?, collect(games..2 * games)?];
    let trees = [&samples[0], &samples[1]].map(|samples| trees::grow(samples, growth));
    let [first, second] = [&trees[0], &trees[1]].map(Tree::importances);
    Ok(Stability {
        fidelity: [
            trees::fidelity(&trees[0], &samples[1]),
            trees::fidelity(&trees[1], &samples[0]),
        ],
        correlation: stats::spearman(&first, &second),
        trees,
    })
}

#[cfg(test)]
mod tests {
    use deminer_game::{FirstClick, Rules, Start};

    use super::*;

    fn demonstration() -> Demonstration {
        let rules = Rules::of("8x7x8".parse().unwrap()).unwrap().with_start(Start::Open).unwrap();
        let teacher = deminer::roster::agent("lowest-risk").unwrap();
        Demonstration { teacher, rules, at: FirstClick::Random, seed: 3, turns: None }
    }

    #[test]
    fn more_games_and_more_depth_are_more_faithful() {
        let study = FidelityStudy {
            features: vec![Features::Raw, Features::Symmetric],
            games: vec![20, 400],
            depths: vec![2, 8],
            held_out: 100,
        };
        let stop = AtomicBool::new(false);
        let threads = NonZero::new(2).unwrap();
        let points =
            study_fidelity(&demonstration(), &study, &Growth::default(), threads, &stop).unwrap();
        assert_eq!(points.len(), 8);
        let rate = |features, games, depth| {
            let at = |point: &&StudyPoint| {
                (point.features, point.games, point.depth) == (features, games, depth)
            };
            points.iter().find(at).unwrap().fidelity.rate()
        };
        for features in study.features.iter().copied() {
            assert!(rate(features, 400, 8) > rate(features, 20, 8));
            assert!(rate(features, 400, 8) > rate(features, 400, 2));
        }
        assert!(rate(Features::Symmetric, 400, 8) > rate(Features::Raw, 400, 8));
        assert!(points.iter().all(|point| point.fidelity.rate() < point.ceiling));
    }

    #[test]
    fn two_trees_agree_on_what_matters() {
        let stop = AtomicBool::new(false);
        let threads = NonZero::new(2).unwrap();
        let stability =
            study_stability(&demonstration(), 300, &Growth::default(), threads, &stop).unwrap();
        assert!(stability.correlation > 0.5, "{}", stability.correlation);
        assert!(stability.fidelity.iter().all(|fidelity| fidelity.rate() > 0.6));
        assert_ne!(stability.trees[0], stability.trees[1]);
    }
}
