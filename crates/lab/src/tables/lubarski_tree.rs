//! Lubarski, Samujło and Wszeborowski, figures 8, 9, 11 and 12: a decision tree that explains a
//! network.

use deminer_game::{FirstClick, Start};
use deminer_learn::trees::{Features, Fidelity, Growth};

use super::chart::Figure;
use super::papers::LUBARSKI;
use super::plan::rules;
use super::{Findings, Found, Measured, MissingFinding, Plan, Run, Study, Table, Target, Work};
use crate::train::{Demonstration, FidelityStudy, study_fidelity, study_stability};
use deminer_draw::{Bars, Theme, TreePicture};

pub const TABLE: Table = Table {
    id: "s000-tree",
    title: "A tree that explains a network",
    paper: Some(&LUBARSKI),
    place: "figures 8, 9, 11 and 12",
    about: "`cnn-5x5` plays 10x10 boards with ten mines, and trees learn which of four classes of \
            risk it puts a window into. The paper's tree has depth 8 and agrees with its network \
            on about nine windows in ten; the paper expects more games to bring the two together. \
            Fidelity is measured on games that no tree was grown from. Two trees from different \
            games must agree on what matters: the rank correlation of their importances. A tree \
            also plays, beside its network.",
    plan,
    ..Table::EMPTY
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

fn fidelity(work: &Work<'_>) -> Option<Findings> {
    let study = FidelityStudy {
        games: games(work.amount),
        depths: DEPTHS.to_vec(),
        held_out: (work.amount / 10).max(2),
        features: Features::ALL.to_vec(),
    };
    let games = demonstration(work);
    let points =
        study_fidelity(&games, &study, &Growth::default(), work.threads, work.stop).ok()?;
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
fn share(found: &Found<'_>, name: &str) -> Result<Measured, MissingFinding> {
    let counts = found.numbers(name)?;
    Ok(Measured::share(counts[0] as u64, (counts[1] as u64).max(1)))
}

fn stability(work: &Work<'_>) -> Option<Findings> {
    let growth = Growth { features: Features::Raw, depth: DEPTH, ..Growth::default() };
    let games = demonstration(work);
    let found = study_stability(&games, work.amount, &growth, work.threads, work.stop).ok()?;
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

fn plan(plan: &mut Plan) {
    let run = Run::on(BOARD, 10_000).start(Start::Open, FirstClick::Random).measuring(&[]);
    let run = plan.run(run);
    let fidelities = plan.study(Study::new("fidelity", 10_000, fidelity));
    let stable = plan.study(Study::new("stability", 1_000, stability));
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
                let of = move |found: &Found<'_>| share(found, &name(features, games, depth));
                let series = format!("{}, {games} games", features.name());
                let row = plan.found(fidelities, [&setting, &agent, "fidelity"], of, target);
                row.point(figure, &series, depth as f64);
            }
        }
    }
    let labels = [BOARD, "two trees", "rank correlation of importances"];
    let least = Target::AtLeast { paper: 0.8, least: 0.8 };
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
