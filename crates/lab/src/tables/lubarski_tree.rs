//! Lubarski, Samujło and Wszeborowski, figures 8, 9, 11 and 12: a decision tree that explains a
//! network.
//!
//! The claim is judged where it was made: the network as published, the log of its first moves,
//! the 25 codes of a window, depth 8. Whole games, the repaired network, deeper trees and richer
//! features are rows of their own. The authors saw their trees grow alike with more games, and
//! conjectured that a tree comes near its network with enough of them.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use deminer_game::{FirstClick, GameSeed, Match, Outcome, Start};
use deminer_learn::trees::{
    self, Class, Features, Fidelity, Growth, Judged, Samples, Tree, TreePlayer,
};

use super::{
    Figure, Findings, Found, LUBARSKI, Measured, MissingFinding, Plan, Run, Study, StudyId, Table,
    Target, Work, rules,
};
use crate::paper::markdown_table;
use crate::stats;
use crate::train::{Demonstration, TrainError};
use deminer_draw::{Bars, LeavesPicture, Theme, TreePicture};

pub const TABLE: Table = Table {
    id: "s000-tree",
    title: "A tree that explains a network",
    place: "figures 8, 9, 11 and 12",
    about: "A network plays 10x10 boards with ten mines, and trees learn which of four classes of \
            risk it puts a window into. The paper's tree has depth 8, asks about the 25 codes of a \
            window, is grown from 80 % of the windows of 1000 games and agrees with its network on \
            about nine windows in ten. The authors' program logs one move of each game, which \
            makes 13 660 windows to grow from. So the claim is judged on the first moves of \
            `cnn-5x5:orig`; trees of whole games and of the repaired `cnn-5x5` stand beside it, \
            deeper and richer ones below. Fidelity is measured on games that no tree was grown \
            from. Two trees from different games must agree on what matters: the rank correlation \
            of their importances. Trees also play, beside their networks.",
    plan,
    ..Table::of(&LUBARSKI)
};

const BOARD: &str = "10x10x10";
/// The network of the paper, and the repaired one.
const ORIGINAL: &str = "cnn-5x5:orig";
const REPAIRED: &str = "cnn-5x5";

/// The paper's depth.
const DEPTH: usize = 8;
const DEPTHS: [usize; 5] = [4, 8, 12, 16, 20];

/// The paper's share of windows on which tree and network agree, "approximately".
const CLAIM: f64 = 0.9;
/// Windows held out from the paper's tree: a fifth of all, beside 13 660 in the authors' own dump
/// of the tree.
const HELD_OUT: u64 = 3415;
/// The windows of each class at the root of that dump.
const ROOT: [u64; 4] = [8651, 2735, 1467, 807];

/// The logs of a network's games that trees are grown from.
const LOGS: [(&str, Option<u32>); 2] = [("first moves", Some(1)), ("whole games", None)];

/// Leaves with the most errors that are listed.
const WORST: usize = 12;

/// Shares of all games from which trees are grown.
const PARTS: [u64; 3] = [100, 10, 1];

fn demonstration(work: &Work<'_>, network: &str, turns: Option<u32>) -> Demonstration {
    let rules = rules(BOARD, Start::Open);
    let teacher = work.roster.agent(network).unwrap_or_else(|error| panic!("{error}"));
    Demonstration { teacher, rules, at: FirstClick::Random, seed: work.seed, turns }
}

/// What was found of the trees of one network and log.
fn case(network: &str, log: &str, what: &str) -> String {
    format!("{network}, {log}: {what}")
}

fn depth_name(depth: usize) -> String {
    format!("depth {depth}")
}

/// Grows trees from four fifths of the games, as the paper does, and judges them on as many games
/// that come after. Every network and log has its own.
fn claim(
    demonstrations: &[(&str, &str, Demonstration)],
    games: u64,
    threads: NonZero<usize>,
    stop: &AtomicBool,
) -> Result<Findings, TrainError> {
    let mut findings = Findings::default();
    let grown_from = (games * 4 / 5).max(1);
    for (network, log, demonstration) in demonstrations {
        let collect = |games| demonstration.collect(games, threads, stop);
        let (samples, held_out) = (collect(0..grown_from)?, collect(games..2 * games)?);
        let name = |what: &str| case(network, log, what);
        let depth = DEPTHS[DEPTHS.len() - 1];
        let deep = trees::grow(&samples, &Growth { depth, ..Growth::default() });
        for depth in DEPTHS {
            let tree = deep.to_depth(depth);
            push(&mut findings, &name(&depth_name(depth)), &trees::fidelity(&tree, &held_out));
        }
        let tree = deep.to_depth(DEPTH);
        push(&mut findings, &name("own windows"), &trees::fidelity(&tree, &samples));
        push(&mut findings, &name("one class"), &trees::fidelity(&tree.to_depth(0), &held_out));
        findings.push(&name("different"), samples.windows() as f64);
        findings.push(&name("ceiling"), held_out.ceiling());
        findings.push(&name("leaves"), tree.leaves() as f64);
        for count in samples.total().classes {
            findings.push(&name("classes"), count as f64);
        }
        let judged = trees::judge_nodes(&tree, &held_out);
        let title =
            format!("A tree of {network}, {log} of {grown_from} games: its first questions");
        let (tree, judged, theme) = (&tree, &judged[..], Theme::Light);
        let picture = TreePicture { tree, judged, depth: 3, title, theme };
        findings.texts.insert(name("tree"), picture.scene().svg());
        let title = format!("Where the tree of {network}, {log}, is faithful, leaf by leaf");
        let picture = LeavesPicture { tree, judged, title, theme };
        findings.texts.insert(name("leaves"), picture.scene().svg());
        findings.texts.insert(name("worst leaves"), worst_leaves(tree, judged));
        findings.texts.insert(name("rules"), tree.rules(3));
        let mut player = TreePlayer::new(tree.clone());
        for game in games..2 * games {
            let seed = GameSeed { seed: demonstration.seed, game };
            let mut game = Match::new(demonstration.rules.clone(), demonstration.at, seed);
            findings.note(&name("won"), game.play(&mut player) == Outcome::Won);
        }
    }
    Ok(findings)
}

/// The leaves with the most errors on windows held out.
fn worst_leaves(tree: &Tree, judged: &[Judged]) -> String {
    let columns = tree.features().columns();
    let errors = |leaf: usize| judged[leaf].tally.samples() - judged[leaf].agreed;
    let mut leaves: Vec<usize> =
        (0..judged.len()).filter(|&at| tree.nodes()[at].split.is_none()).collect();
    leaves.sort_by_key(|&leaf| std::cmp::Reverse(errors(leaf)));
    let row = |&leaf: &usize| {
        let Judged { tally, .. } = &judged[leaf];
        let conditions = trees::conditions(tree, leaf);
        let words: Vec<String> =
            conditions.iter().map(|condition| condition.words(columns)).collect();
        let fidelity = judged[leaf].fidelity();
        vec![
            words.join("; "),
            tree.class(leaf).name().to_owned(),
            tree.nodes()[leaf].tally.samples().to_string(),
            tally.samples().to_string(),
            tally.classes.map(|count| count.to_string()).join(" / "),
            fidelity.map_or("-".into(), |share| format!("{:.1} %", 100.0 * share)),
            errors(leaf).to_string(),
        ]
    };
    let classes = Class::ALL.map(Class::name).join(" / ");
    let header = format!(
        "a leaf says, if | class | grown from | held out | of these {classes} | fidelity | errors"
    );
    markdown_table(&header, leaves.iter().take(WORST).map(row))
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
    let importances = [&first, &second].map(|samples| trees::grow(samples, &growth).importances());
    let mut findings = Findings::default();
    findings.push("correlation", stats::spearman(&importances[0], &importances[1]));
    for importances in importances {
        for (at, importance) in importances.into_iter().enumerate() {
            findings.push(&format!("importance {at:02}"), importance);
        }
    }
    Ok(findings)
}

fn plan(plan: &mut Plan) {
    let claims = plan.study(
        Study::new("the paper's tree", 1_000, |work| {
            let cases = [ORIGINAL, REPAIRED].into_iter().flat_map(|network| {
                LOGS.map(|(log, turns)| (network, log, demonstration(work, network, turns)))
            });
            let cases: Vec<_> = cases.collect();
            claim(&cases, work.amount, work.threads, work.stop).ok()
        })
        .in_games(),
    );
    plan_claim(plan, claims);
    plan_beyond(plan);
    for (network, log, turns) in [(ORIGINAL, LOGS[0].0, LOGS[0].1), (REPAIRED, LOGS[1].0, None)] {
        let stable = plan.study(
            Study::new(format!("two trees of {network}"), 1_000, move |work| {
                let demonstration = demonstration(work, network, turns);
                stability(&demonstration, work.amount, work.threads, work.stop).ok()
            })
            .in_games(),
        );
        let agent = format!("two trees of {network}");
        let labels =
            [&format!("{log}, depth {DEPTH}"), &agent[..], "rank correlation of importances"];
        let least = Target::at_least(0.8);
        plan.found(stable, labels, |found| found.mean("correlation"), least).in_numbers();
        plan.remark(move |played, reading| {
            let found = played.found(stable);
            let row = |(at, column): (usize, String)| {
                Ok((column, found.numbers(&format!("importance {at:02}"))?.to_vec()))
            };
            let columns = Features::Raw.columns().iter().map(|column| column.name.clone());
            let importances = Bars {
                title: format!("What two trees of {network} ask about, {log}"),
                series: vec!["first".into(), "second".into()],
                rows: columns.enumerate().map(row).collect::<Result<_, _>>()?,
                theme: Theme::Light,
            };
            let file = match network {
                ORIGINAL => "importances",
                _ => "importances-repaired",
            };
            reading.pictures.push((file.into(), importances.sorted().scene().svg()));
            Ok(())
        });
    }
    let run = Run::on(BOARD, 10_000).start(Start::Open, FirstClick::Random).measuring(&[]);
    let run = plan.run(run);
    plan.wins(run, &[ORIGINAL, REPAIRED, "tree:cnn-5x5"], Target::None);
    for (network, log) in [(ORIGINAL, LOGS[0].0), (REPAIRED, LOGS[1].0)] {
        let agent = format!("tree of {network}");
        let of = move |found: &Found| found.share(&case(network, log, "won"));
        let setting = format!("{BOARD}, tree of {log}, depth {DEPTH}");
        plan.found(claims, [&setting, &agent, "won"], of, Target::None);
    }
}

/// Rows, pictures and notes of the trees that the paper's claim is about, and of their neighbors.
fn plan_claim(plan: &mut Plan, claims: StudyId) {
    for (network, log) in cases() {
        let (setting, agent) = (format!("{log}, depth {DEPTH}"), format!("tree of {network}"));
        let is_claim = (network, log) == (ORIGINAL, LOGS[0].0);
        let target = match is_claim {
            true => Target::Same { paper: CLAIM, games: HELD_OUT },
            false => Target::Beside { paper: CLAIM },
        };
        let of = |what: &str| {
            let name = case(network, log, what);
            move |found: &Found| share(found, &name)
        };
        plan.found(claims, [&setting, &agent, "fidelity"], of(&depth_name(DEPTH)), target);
        let own = [&setting[..], &agent, "fidelity on its own windows"];
        plan.found(claims, own, of("own windows"), Target::None);
        let bar = match is_claim {
            true => Target::Beside { paper: ROOT[0] as f64 / ROOT.iter().sum::<u64>() as f64 },
            false => Target::None,
        };
        let single = [&setting[..], "one class for all windows", &format!("fidelity to {network}")];
        plan.found(claims, single, of("one class"), bar);
    }
    plan.remark(move |played, reading| {
        let found = played.found(claims);
        reading.notes.push(comparison(found)?);
        let named = |what: &str| case(ORIGINAL, LOGS[0].0, what);
        let worst = found.text(&named("worst leaves"))?;
        reading.notes.push(format!(
            "Leaf by leaf: the {WORST} leaves of the paper's tree with the most errors. The \
             picture `leaves` shows all.\n\n{worst}"
        ));
        let rules = found.text(&named("rules"))?;
        reading.notes.push(format!("The first rules of that tree:\n\n```text\n{rules}```"));
        for picture in ["tree", "leaves"] {
            let pictures = [(ORIGINAL, LOGS[0].0, ""), (REPAIRED, LOGS[1].0, "-repaired")];
            for (network, log, ending) in pictures {
                let svg = found.text(&case(network, log, picture))?.to_owned();
                reading.pictures.push((format!("{picture}{ending}"), svg));
            }
        }
        Ok(())
    });
}

/// Every network with every log.
fn cases() -> impl Iterator<Item = (&'static str, &'static str)> {
    let logs = |network| LOGS.map(|(log, _)| (network, log));
    [ORIGINAL, REPAIRED].into_iter().flat_map(logs)
}

/// Why some trees are more faithful than others: what their windows are like.
fn comparison(found: &Found) -> Result<String, MissingFinding> {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let rows = cases().map(|(network, log)| {
        let name = |what: &str| case(network, log, what);
        let classes = found.numbers(&name("classes"))?;
        let samples: f64 = classes.iter().sum();
        let counts: Vec<String> = classes.iter().map(|count| format!("{count:.0}")).collect();
        let mut row = vec![
            format!("`{network}`, {log}"),
            format!("{samples:.0}"),
            format!("{:.0}", found.last(&name("different"))?),
            counts.join(" / "),
            percent(share(found, &name("one class"))?.value),
            format!("{:.0}", found.last(&name("leaves"))?),
        ];
        for depth in DEPTHS {
            row.push(percent(share(found, &name(&depth_name(depth)))?.value));
        }
        row.push(percent(found.last(&name("ceiling"))?));
        Ok(row)
    });
    let rows: Vec<Vec<String>> = rows.collect::<Result<_, _>>()?;
    let depths = DEPTHS.map(depth_name).join(" | ");
    let header = format!(
        "trees of | windows | different | {} | one class | leaves at depth {DEPTH} | {depths} | \
         ceiling",
        Class::ALL.map(Class::name).join(" / ")
    );
    let paper: u64 = ROOT.iter().sum();
    Ok(format!(
        "What the trees were grown from, and their fidelity by depth. The paper's tree was grown \
         from {paper} windows: {}. *One class* answers the most frequent class for every window; \
         no player of windows can be more faithful than the *ceiling*. After the first move the \
         original network calls most windows safe, so few questions are needed; in whole games \
         and for the repaired network the classes are mixed, and eight questions about 25 cells \
         leave different windows in one leaf: fidelity grows with depth.\n\n{}",
        ROOT.map(|count| count.to_string()).join(" / "),
        markdown_table(&header, rows)
    ))
}

/// Deeper trees, richer features and more games, of the repaired network.
fn plan_beyond(plan: &mut Plan) {
    let fidelities = plan.study(
        Study::new("fidelity", 10_000, |work| {
            let (games, held_out) = (games(work.amount), (work.amount / 10).max(2));
            let demonstration = demonstration(work, REPAIRED, None);
            fidelity(&demonstration, &games, held_out, work.threads, work.stop).ok()
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
                let target = match games == amount && best {
                    true => Target::at_least(CLAIM),
                    false => Target::None,
                };
                let setting = format!("{games} games, depth {depth}");
                let agent = format!("tree of {REPAIRED}, {} features", features.name());
                let of = move |found: &Found| share(found, &name(features, games, depth));
                let series = format!("{}, {games} games", features.name());
                let row = plan.found(fidelities, [&setting, &agent, "fidelity"], of, target);
                row.point(figure, &series, depth as f64);
            }
        }
    }
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
    fn the_claim_is_judged_on_games_that_come_after() {
        let stop = AtomicBool::new(false);
        let first = Demonstration { turns: Some(1), ..demonstration() };
        let cases =
            [("teacher", "first moves", first), ("teacher", "whole games", demonstration())];
        let found = claim(&cases, 100, TWO, &stop).unwrap();
        let again = claim(&cases[..1], 100, NonZero::<usize>::MIN, &stop).unwrap();
        for (name, numbers) in &again.numbers {
            assert_eq!(found.numbers[name], *numbers, "{name}");
        }
        let rate = |log: &str, what: &str| {
            let counts = &found.numbers[&case("teacher", log, what)];
            counts[0] / counts[1]
        };
        for log in ["first moves", "whole games"] {
            assert!(rate(log, "own windows") > rate(log, "depth 8"), "{log}");
            assert!(rate(log, "depth 8") > rate(log, "one class"), "{log}");
            let number = |what: &str| &found.numbers[&case("teacher", log, what)];
            assert!(number("ceiling")[0] >= rate(log, "depth 20"), "{log}");
            assert_eq!(number("won").len(), 100);
            let worst = &found.texts[&case("teacher", log, "worst leaves")];
            assert_eq!(worst.lines().count(), WORST + 2, "{worst}");
            assert!(worst.contains("the cell ") && worst.contains(" %"), "{worst}");
        }
        let windows =
            |log: &str| found.numbers[&case("teacher", log, "classes")].iter().sum::<f64>();
        assert!(windows("first moves") < windows("whole games"));
    }

    #[test]
    fn two_trees_agree_on_what_matters() {
        let stop = AtomicBool::new(false);
        let found = stability(&demonstration(), 300, TWO, &stop).unwrap().numbers;
        assert!(found["correlation"][0] > 0.5, "{found:?}");
        let importances = found.iter().filter(|(name, _)| name.starts_with("importance"));
        assert!(
            importances.clone().count() == 25 && importances.clone().any(|(_, of)| of[0] != of[1])
        );
    }
}
