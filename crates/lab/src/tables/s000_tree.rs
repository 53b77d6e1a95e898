//! Lubarski, Samujło and Wszeborowski, Figures 8, 9, 11 and 12: a decision tree that explains a
//! network.

use deminer_game::{At, Rules, Start};
use deminer_learn::trees::{Features, Fidelity, Growth};

use super::games::measured;
use super::s000_t1::PAPER;
use super::{Findings, Line, Measured, Played, Reading, Study, Table, Target, Trial, Work};
use crate::distill::{Course, Watch, study_fidelity, study_stability};
use crate::report::{Axis, Bars, Chart, ChartPoint, Series, Source, Theme, TreePicture};
use crate::stats;

pub const TABLE: Table = Table {
    id: "s000-tree",
    title: "A tree that explains a network",
    paper: Some(PAPER),
    about: "`cnn-5x5` plays 10x10 boards with ten mines, and trees learn which of four classes of \
            risk it puts a window into. The paper's tree has depth 8 and agrees with its network \
            on about nine windows in ten; more games, it says, should bring the two together. \
            Fidelity is measured on games that no tree was grown from. Two trees from different \
            games must agree on what matters: the rank correlation of their importances. A tree \
            also plays, beside its network.",
    trials: || {
        let agents = ["cnn-5x5", "tree:cnn-5x5"];
        let trial = Trial::new(BOARD, &agents, BOARD, 10_000).measuring(&[]);
        vec![trial.start(Start::Open, At::Random)]
    },
    studies: || {
        vec![Study::new(FIDELITY, 10_000, fidelity), Study::new(STABILITY, 1_000, stability)]
    },
    read,
    digest: None,
};

const BOARD: &str = "10x10x10";
const FIDELITY: &str = "fidelity";
const STABILITY: &str = "stability";

/// The paper's depth.
const DEPTH: usize = 8;
const DEPTHS: [usize; 5] = [4, 8, 12, 16, 20];

/// Shares of all games from which trees are grown.
const PARTS: [u64; 3] = [100, 10, 1];

fn watch(work: &Work) -> Watch {
    let rules = Rules::of(BOARD.parse().expect("a board")).expect("a board");
    let rules = rules.with_start(Start::Open).expect("ten mines leave room");
    let teacher = "cnn-5x5".parse().unwrap_or_else(|error| panic!("{error}"));
    Watch { teacher, rules, at: At::Random, seed: work.seed, turns: None }
}

fn name(features: Features, games: u64, depth: usize) -> String {
    format!("{}, {games} games, depth {depth}", features.name())
}

fn games(amount: u64) -> Vec<u64> {
    let mut games = PARTS.map(|part| (amount / part).max(1)).to_vec();
    games.dedup();
    games
}

fn fidelity(work: &Work<'_>) -> Option<Findings> {
    let course = Course {
        games: games(work.amount),
        depths: DEPTHS.to_vec(),
        held_out: (work.amount / 10).max(2),
        ..Course::default()
    };
    let watch = watch(work);
    let points =
        study_fidelity(&watch, &course, &Growth::default(), work.threads, work.stop).ok()?;
    let mut findings = Findings::default();
    for point in points {
        let name = name(point.features, point.games, point.depth);
        push(&mut findings, &name, &point.fidelity);
        findings.push("ceiling", point.ceiling);
    }
    Some(findings)
}

fn push(findings: &mut Findings, name: &str, fidelity: &Fidelity) {
    findings.push(name, fidelity.agreed() as f64);
    findings.push(name, fidelity.samples() as f64);
}

/// A share kept as two counts.
fn share(findings: &Findings, name: &str) -> Measured {
    let [agreed, samples] = *findings.numbers(name) else { panic!("two counts make a share") };
    let samples = samples.max(1.0);
    measured(agreed / samples, stats::wilson(agreed as u64, samples as u64), samples as usize)
}

fn stability(work: &Work<'_>) -> Option<Findings> {
    let growth = Growth { features: Features::Raw, depth: DEPTH, ..Growth::default() };
    let watch = watch(work);
    let found = study_stability(&watch, work.amount, &growth, work.threads, work.stop).ok()?;
    let mut findings = Findings::default();
    findings.push("correlation", found.correlation);
    for (tree, fidelity) in found.trees.iter().zip(&found.fidelity) {
        push(&mut findings, "fidelity", fidelity);
        for (at, importance) in tree.importances().into_iter().enumerate() {
            findings.push(&format!("importance {at:02}"), importance);
        }
    }
    let [tree, _] = &found.trees;
    let title = format!("The first questions of a tree of cnn-5x5, {} games", work.amount);
    let picture = TreePicture { tree, depth: 3, title, theme: Theme::Light };
    findings.texts.insert("tree".into(), picture.scene().svg());
    findings.texts.insert("rules".into(), tree.rules(3));
    Some(findings)
}

fn read(played: &Played) -> Reading {
    let (fidelities, stable) = (played.findings(FIDELITY), played.findings(STABILITY));
    let amount = played
        .studies()
        .find(|(study, _)| study.name == FIDELITY)
        .map_or(0, |(study, _)| study.amount);
    let mut lines = Vec::new();
    let mut series = Vec::new();
    for features in Features::ALL {
        for games in games(amount) {
            let mut points = Vec::new();
            for depth in DEPTHS {
                let ours = share(fidelities, &name(features, games, depth));
                let interval = Some((ours.low, ours.high));
                points.push(ChartPoint { across: depth as f64, up: ours.value, interval });
                let all = games == amount;
                let best = features == Features::ALL[Features::ALL.len() - 1] && depth == 20;
                let target = match (all, features, depth) {
                    (true, Features::Raw, DEPTH) => Target::Beside { paper: 0.9 },
                    (true, _, _) if best => Target::AtLeast { paper: 0.9, least: 0.9 },
                    _ => Target::None,
                };
                let setting = format!("{games} games, depth {depth}");
                let agent = format!("tree of {} features", features.name());
                lines.push(Line::new(setting, agent, "fidelity", target, ours));
            }
            let name = format!("{}, {games} games", features.name());
            series.push(Series { name, source: Source::Ours, points });
        }
    }
    let chart = Chart {
        title: "Fidelity of trees to cnn-5x5".into(),
        across: Axis::Number("depth".into()),
        up: Axis::Percent("windows put into the network's class".into()),
        series,
    };
    let least = Target::AtLeast { paper: 0.8, least: 0.8 };
    let correlation = Line::new(
        BOARD,
        "two trees",
        "rank correlation of importances",
        least,
        stable.mean("correlation"),
    );
    lines.push(correlation.in_numbers());
    for agent in ["cnn-5x5", "tree:cnn-5x5"] {
        lines.push(Line::new(BOARD, agent, "won", Target::None, played.games(BOARD, agent).won()));
    }
    let row = |at: usize| {
        let importance = stable.numbers(&format!("importance {at:02}")).to_vec();
        (Features::Raw.columns()[at].name.clone(), importance)
    };
    let importances = Bars {
        title: "What two trees of cnn-5x5 ask about".into(),
        series: vec!["first".into(), "second".into()],
        rows: (0..Features::Raw.columns().len()).map(row).collect(),
        theme: Theme::Light,
    };
    Reading {
        lines,
        charts: vec![("fidelity".into(), chart)],
        pictures: vec![
            ("importances".into(), importances.sorted().scene().svg()),
            ("tree".into(), stable.texts["tree"].clone()),
        ],
        notes: vec![format!(
            "The first rules of a tree:\n\n```text\n{}\n```",
            stable.texts["rules"]
        )],
    }
}
