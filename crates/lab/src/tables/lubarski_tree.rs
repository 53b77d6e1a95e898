//! Lubarski, Samujło and Wszeborowski, figures 8, 9, 11 and 12: a decision tree that explains a
//! network.
//!
//! The authors saw their trees grow alike with more games, and conjectured that a tree comes near
//! its network with enough of them.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use deminer_game::{FirstClick, Start};
use deminer_learn::trees::{self, Features, Fidelity, Growth, Samples, Tree};

use super::{
    Figure, Findings, Found, LUBARSKI, Measured, MissingFinding, Plan, Run, Study, Table, Target,
    Work, rules,
};
use crate::stats;
use crate::train::{Demonstration, TrainError};
use deminer_draw::{Bars, Theme, TreePicture};

pub const TABLE: Table = Table {
    id: "s000-tree",
    title: "A tree that explains a network",
    place: "figures 8, 9, 11 and 12",
    about: "`cnn-5x5` plays 10x10 boards with ten mines, and trees learn which of four classes of \
            risk it puts a window into. The paper's tree has depth 8 and agrees with its network \
            on about nine windows in ten; the paper expects more games to bring the two together. \
            Fidelity is measured on games that no tree was grown from. Two trees from different \
            games must agree on what matters: the rank correlation of their importances. A tree \
            also plays, beside its network.",
    plan,
    ..Table::of(&LUBARSKI)
};

const BOARD: &str = "10x10x10";
const NETWORK: &str = "cnn-5x5";

/// The paper's depth.
const DEPTH: usize = 8;
const DEPTHS: [usize; 5] = [4, 8, 12, 16, 20];

/// Shares of all games from which trees are grown.
const PARTS: [u64; 3] = [100, 10, 1];

fn demonstration(work: &Work<'_>) -> Demonstration {
    let rules = rules(BOARD, Start::Open);
    let teacher = work.roster.agent(NETWORK).unwrap_or_else(|error| panic!("{error}"));
    Demonstration { teacher, rules, at: FirstClick::Random, seed: work.seed, turns: None }
}

fn name(features: Features, games: u64, depth: usize) -> String {
    format!("{}, {games} games, depth {depth}", features.name())
}

fn games(amount: u64) -> Vec<u64> {
    let mut games = PARTS.map(|part| (amount / part).max(1)).to_vec();
    games.dedup();
    games
}

/// Grows a tree for every feature set, number of games (smallest first; more games include fewer)
/// and depth, and judges all of them on the same further games.
fn fidelity(
    demonstration: &Demonstration,
    games: &[u64],
    held_out: u64,
    threads: NonZero<usize>,
    stop: &AtomicBool,
) -> Result<Findings, TrainError> {
    let collect = |games| demonstration.collect(games, threads, stop);
    let most = games.iter().copied().max().unwrap_or(0);
    let held_out = collect(most..most + held_out)?;
    let mut findings = Findings::default();
    let (mut samples, mut watched) = (Samples::default(), 0);
    for &games in games {
        samples.merge(&collect(watched..games)?);
        watched = games;
        for features in Features::ALL {
            let growth = Growth { features, depth: DEPTHS[DEPTHS.len() - 1], ..Growth::default() };
            let deep = trees::grow(&samples, &growth);
            for depth in DEPTHS {
                let fidelity = trees::fidelity(&deep.to_depth(depth), &held_out);
                push(&mut findings, &name(features, games, depth), &fidelity);
                findings.push("ceiling", held_out.ceiling());
            }
        }
    }
    Ok(findings)
}

fn push(findings: &mut Findings, name: &str, fidelity: &Fidelity) {
    findings.push(name, fidelity.agreed() as f64);
    findings.push(name, fidelity.samples() as f64);
}

/// A share kept as two counts.
fn share(found: &Found, name: &str) -> Result<Measured, MissingFinding> {
    let counts = found.numbers(name)?;
    Ok(Measured::share(counts[0] as u64, (counts[1] as u64).max(1)))
}

/// Grows two trees from this many games each, none in common, and compares what matters to them.
fn stability(
    demonstration: &Demonstration,
    games: u64,
    threads: NonZero<usize>,
    stop: &AtomicBool,
) -> Result<Findings, TrainError> {
    let growth = Growth { features: Features::Raw, depth: DEPTH, ..Growth::default() };
    let collect = |games| demonstration.collect(games, threads, stop);
    let [first, second] = [collect(0..games)?, collect(games..2 * games)?];
    let trees = [&first, &second].map(|samples| trees::grow(samples, &growth));
    let importances = trees.each_ref().map(Tree::importances);
    let mut findings = Findings::default();
    findings.push("correlation", stats::spearman(&importances[0], &importances[1]));
    // Each is judged on the other's games.
    for ((tree, others), importances) in trees.iter().zip([&second, &first]).zip(importances) {
        push(&mut findings, "fidelity", &trees::fidelity(tree, others));
        for (at, importance) in importances.into_iter().enumerate() {
            findings.push(&format!("importance {at:02}"), importance);
        }
    }
    let [tree, _] = &trees;
    let title = format!("The first questions of a tree of cnn-5x5, {games} games");
    let picture = TreePicture { tree, depth: 3, title, theme: Theme::Light };
    findings.texts.insert("tree".into(), picture.scene().svg());
    findings.texts.insert("rules".into(), tree.rules(3));
    Ok(findings)
}

fn plan(plan: &mut Plan) {
    let run = Run::on(BOARD, 10_000).start(Start::Open, FirstClick::Random).measuring(&[]);
    let run = plan.run(run);
    let fidelities = plan.study(
        Study::new("fidelity", 10_000, |work| {
            let (games, held_out) = (games(work.amount), (work.amount / 10).max(2));
            fidelity(&demonstration(work), &games, held_out, work.threads, work.stop).ok()
        })
        .in_games(),
    );
    let stable = plan.study(
        Study::new("stability", 1_000, |work| {
            stability(&demonstration(work), work.amount, work.threads, work.stop).ok()
        })
        .in_games(),
    );
    let amount = plan.amount(fidelities);
    let up = "windows put into the network's class";
    let figure = Figure::new("fidelity", "Fidelity of trees to cnn-5x5", "depth", up);
    let figure = plan.figure(figure);
    for features in Features::ALL {
        for games in games(amount) {
            for depth in DEPTHS {
                let best = features == Features::ALL[Features::ALL.len() - 1] && depth == 20;
                let target = match (games == amount, features, depth) {
                    (true, Features::Raw, DEPTH) => Target::Beside { paper: 0.9 },
                    (true, _, _) if best => Target::AtLeast { paper: 0.9, least: 0.9 },
                    _ => Target::None,
                };
                let setting = format!("{games} games, depth {depth}");
                let agent = format!("tree of {} features", features.name());
                let of = move |found: &Found| share(found, &name(features, games, depth));
                let series = format!("{}, {games} games", features.name());
                let row = plan.found(fidelities, [&setting, &agent, "fidelity"], of, target);
                row.point(figure, &series, depth as f64);
            }
        }
    }
    let labels = [BOARD, "two trees", "rank correlation of importances"];
    let least = Target::at_least(0.8);
    plan.found(stable, labels, |found| found.mean("correlation"), least).in_numbers();
    plan.wins(run, &[NETWORK, "tree:cnn-5x5"], Target::None);
    plan.remark(move |played, reading| {
        let found = played.found(stable);
        let row = |(at, column): (usize, String)| {
            Ok((column, found.numbers(&format!("importance {at:02}"))?.to_vec()))
        };
        let columns = Features::Raw.columns().iter().map(|column| column.name.clone());
        let importances = Bars {
            title: "What two trees of cnn-5x5 ask about".into(),
            series: vec!["first".into(), "second".into()],
            rows: columns.enumerate().map(row).collect::<Result<_, _>>()?,
            theme: Theme::Light,
        };
        reading.pictures.push(("importances".into(), importances.sorted().scene().svg()));
        reading.pictures.push(("tree".into(), found.text("tree")?.to_owned()));
        let rules = found.text("rules")?;
        reading.notes.push(format!("The first rules of a tree:\n\n```text\n{rules}\n```"));
        Ok(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demonstration() -> Demonstration {
        let teacher = deminer::roster::agent("lowest-risk").unwrap();
        let rules = rules("8x7x8", Start::Open);
        Demonstration { teacher, rules, at: FirstClick::Random, seed: 3, turns: None }
    }

    const TWO: NonZero<usize> = NonZero::new(2).expect("not zero");

    #[test]
    fn more_games_and_more_depth_are_more_faithful() {
        let stop = AtomicBool::new(false);
        let found = fidelity(&demonstration(), &[20, 400], 100, TWO, &stop).unwrap().numbers;
        let rate = |features, games, depth| {
            let counts = &found[&name(features, games, depth)];
            assert!(counts[0] / counts[1] < found["ceiling"][0]);
            counts[0] / counts[1]
        };
        for features in [Features::Raw, Features::Symmetric] {
            assert!(rate(features, 400, 8) > rate(features, 20, 8));
            assert!(rate(features, 400, 8) > rate(features, 400, 4));
        }
        assert!(rate(Features::Symmetric, 400, 8) > rate(Features::Raw, 400, 8));
    }

    #[test]
    fn two_trees_agree_on_what_matters() {
        let stop = AtomicBool::new(false);
        let found = stability(&demonstration(), 300, TWO, &stop).unwrap().numbers;
        assert!(found["correlation"][0] > 0.5, "{found:?}");
        assert!(found["fidelity"].chunks(2).all(|counts| counts[0] > 0.6 * counts[1]));
        let importances = found.iter().filter(|(name, _)| name.starts_with("importance"));
        assert!(
            importances.clone().count() == 25 && importances.clone().any(|(_, of)| of[0] != of[1])
        );
    }
}
