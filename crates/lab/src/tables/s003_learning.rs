//! Tortay and Yurchenko: how the loss falls, what size is worth with equal budgets, and what is
//! learned on boards of one density for those of another.

use deminer_game::{GameSeed, Match, Outcome, Rules, Size};
use deminer_neural::nets::{self, Variant};

use super::s003_teacher::PAPER;
use super::{Findings, Line, Played, Reading, Study, Table, Target, Work};
use crate::report::{Axis, Chart, ChartPoint, Series, Source};
use crate::training::TRIAL_SEED;

/// The loss curve, and networks of four kinds with equal budgets.
pub const LOSS: Table = Table {
    id: "s003-loss",
    title: "How the loss falls, with equal budgets",
    paper: Some(PAPER),
    about: "Every network plays as many games of its own on 16x16 boards, with 20, 25, 30, 35 and \
            40 mines one after another, and then 1000 games on new boards. The paper's loss (mean \
            squared error, answers of 0 and 1, a memory of 400 windows) jumps up and down and \
            rises with every stage; a larger memory and softer answers calm it, and boards with \
            more mines are harder to tell. Cross entropy and squared error are not comparable: \
            each curve tells about itself.",
    trials: Vec::new,
    studies: || PUPILS.map(|(name, ..)| Study::new(name, 500, learn_stages)).to_vec(),
    read: read_loss,
    digest: None,
};

/// Densities learned and densities played.
pub const TRANSFER: Table = Table {
    id: "s003-transfer",
    title: "What is learned at one density for another",
    about: "The paper trains by stages of rising density, and for some boards at one density \
            alone. The same network (`sla-small`) and the same number of games: at one density, by \
            stages, and with all densities by turns (`--mixed`). Each then plays 1000 games of \
            every density. A row is one training, a column one density of play.",
    studies: || LESSONS.map(|(name, ..)| Study::new(name, 500, learn_densities)).to_vec(),
    read: read_transfer,
    ..LOSS
};

const STAGES: [usize; 5] = [20, 25, 30, 35, 40];

/// Names, networks, variants and teachers.
const PUPILS: [(&str, &str, Variant, Option<&str>); 5] = [
    ("sla-small:orig", "sla-small", Variant::Orig, None),
    ("sla-small", "sla-small", Variant::Repaired, None),
    ("sla-large-a", "sla-large-a", Variant::Repaired, None),
    ("sla-large-b", "sla-large-b", Variant::Repaired, None),
    ("msla:teacher=exact", "msla", Variant::Repaired, Some("exact")),
];

/// Names, mines learned, and whether they take turns.
const LESSONS: [(&str, &[usize], bool); 5] = [
    ("20 mines", &[20], false),
    ("30 mines", &[30], false),
    ("40 mines", &[40], false),
    ("20 to 40 mines, by stages", &STAGES, false),
    ("20 to 40 mines, by turns", &STAGES, true),
];

/// Numbers of mines played in the end.
const PLAYED: [usize; 4] = [20, 30, 40, 50];

/// Games on new boards.
const TRIAL: u64 = 1000;

fn board(mines: usize) -> Size {
    Size { width: 16, height: 16, mines }
}

fn learn_stages(work: &Work<'_>) -> Option<Findings> {
    let &(_, net, variant, teacher) =
        PUPILS.iter().find(|(name, ..)| *name == work.name).expect("studies have these names");
    learn(work, net, variant, teacher, &STAGES, false)
}

fn learn_densities(work: &Work<'_>) -> Option<Findings> {
    let &(_, mines, mixed) =
        LESSONS.iter().find(|(name, ..)| *name == work.name).expect("studies have these names");
    learn(work, "sla-small", Variant::Repaired, None, mines, mixed)
}

/// Trains a network on `amount` games for each stage of the paper's, and plays.
fn learn(
    work: &Work<'_>,
    net: &str,
    variant: Variant,
    teacher: Option<&str>,
    mines: &[usize],
    mixed: bool,
) -> Option<Findings> {
    let design = nets::find(net).expect("a design of ours");
    let mut recipe = (design.recipe)(variant);
    if let Some(teacher) = teacher {
        teacher.clone_into(&mut recipe.teacher);
    }
    let curriculum = recipe.curriculum.as_mut().expect("these learn from their own games");
    curriculum.games = work.amount * (STAGES.len() / mines.len()) as u64;
    curriculum.mixed = mixed;
    let boards = mines.iter().map(|&mines| board(mines)).collect();
    let (trainer, marks) = work.teach(design, variant, boards, &recipe)?;
    let mut findings = Findings::default();
    for mark in marks {
        findings.push("samples", mark.samples as f64);
        findings.push("loss", mark.loss);
    }
    let games = if work.sketch { 2 } else { TRIAL };
    let mut player = deminer_neural::player(design, variant, &trainer);
    for mines in PLAYED {
        let rules = Rules::of(board(mines)).expect("a board");
        let rules = rules.with_start(recipe.start).expect("a start that the board allows");
        for game in 0..games {
            let seed = GameSeed { seed: work.seed ^ TRIAL_SEED, game };
            let outcome = Match::new(rules.clone(), recipe.at, seed).play(player.as_mut());
            findings.push(&wins_with(mines), f64::from(outcome == Outcome::Won));
        }
        if work.is_stopped() {
            return None;
        }
    }
    Some(findings)
}

fn wins_with(mines: usize) -> String {
    format!("won with {mines} mines")
}

/// The wins of each study at each density.
fn wins_of<'a>(played: &Played, names: impl Iterator<Item = &'a str>) -> Vec<Line> {
    let mut lines = Vec::new();
    for name in names {
        for mines in PLAYED {
            let won = played.findings(name).share(&wins_with(mines));
            lines.push(Line::new(board(mines).to_string(), name, "won", Target::None, won));
        }
    }
    lines
}

fn read_loss(played: &Played) -> Reading {
    let mut reading =
        Reading::of(LOSS.title, wins_of(played, PUPILS.iter().map(|(name, ..)| *name)));
    let series = |name: &str| {
        let findings = played.findings(name);
        let curve = findings.numbers("samples").iter().zip(findings.numbers("loss"));
        let point = |(&samples, &loss): (&f64, &f64)| ChartPoint {
            across: samples / 1e6,
            up: loss,
            interval: None,
        };
        Series { name: name.to_owned(), source: Source::Ours, points: curve.map(point).collect() }
    };
    let chart = Chart {
        title: "The loss while learning, stage after stage".to_owned(),
        across: Axis::Number("million samples".into()),
        up: Axis::Number("loss".into()),
        series: PUPILS.iter().map(|(name, ..)| series(name)).collect(),
    };
    reading.charts.push(("loss".into(), chart));
    reading
}

fn read_transfer(played: &Played) -> Reading {
    Reading::of(TRANSFER.title, wins_of(played, LESSONS.iter().map(|(name, ..)| *name)))
}
