//! Tortay and Yurchenko: how the loss falls, what size is worth with equal budgets, what is learned
//! on boards of one density for those of another, and what a teacher is worth.

use std::slice;

use deminer_game::{At, By, Estimates, GameSeed, Match, Outcome, Rules, Size, Start, View};
use deminer_inference::count::Engine;
use deminer_neural::nets::{self, Variant};
use deminer_neural::train::EXACT;

use super::s003_teacher::PAPER;
use super::{Findings, Line, Played, Reading, Study, Table, Target, Work};
use crate::report::{Axis, Chart, ChartPoint, Series, Source};
use crate::training::{TRIAL_SEED, Teacher, is_frontier};

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

/// Teachers and their pupils.
pub const TEACHERS: Table = Table {
    id: "s003-teachers",
    title: "What a teacher is worth",
    about: "The paper finds that its network can become no better than the solver that teaches it. \
            The same network (`msla`) and the same number of games of its own on 16x16 boards with \
            40 mines, with answers of six teachers: the paper's, limited zones, layouts drawn at \
            random (20 and 500 of each region), a random walk through layouts, exact odds. How far \
            a teacher's risks are from exact ones, what it wins itself, what its pupil wins: 1000 \
            games on new boards.",
    studies: || TAUGHT_BY.map(|name| Study::new(name, 500, learn_from_teacher)).to_vec(),
    read: read_teachers,
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

/// Teachers: the paper's, then better ones.
const TAUGHT_BY: [&str; 6] =
    ["msla-teacher", "pedersen", "sampled:draws=20", "sampled", "mcmc", EXACT];

/// Mines where they teach, and where the games begin.
const CLASS: usize = 40;
const START: Start = Start::Safe;

/// Numbers of mines played in the end.
const PLAYED: [usize; 4] = [20, 30, 40, 50];

/// Games on new boards.
const TRIAL: u64 = 1000;

fn board(mines: usize) -> Size {
    Size { width: 16, height: 16, mines }
}

fn rules(mines: usize, start: Start) -> Rules {
    let rules = Rules::of(board(mines)).and_then(|rules| rules.with_start(start));
    rules.expect("a board that allows this start")
}

fn trial(work: &Work<'_>) -> u64 {
    if work.sketch { 2 } else { TRIAL }
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

/// Trains a pupil, plays with it, and with its teacher.
fn learn_from_teacher(work: &Work<'_>) -> Option<Findings> {
    let mut findings = learn(work, "msla", Variant::Repaired, Some(work.name), &[CLASS], false)?;
    let rules = rules(CLASS, START);
    let mut teacher =
        Teacher::new(work.name, slice::from_ref(&rules)).expect("these teach on any board");
    let mut engine = Engine::default();
    for game in 0..trial(work) {
        if work.is_stopped() {
            return None;
        }
        let seed = GameSeed { seed: work.seed ^ TRIAL_SEED, game };
        let mut game = Match::new(rules.clone(), At::Corner, seed);
        let mut distances = Distances::default();
        while let Some((by, decision)) = game.ask(teacher.player()) {
            if by == By::Agent {
                let view = game.board().view();
                if let Some(said) = teacher.beliefs(view, &decision) {
                    distances.add(&mut engine, view, &said);
                }
            }
            game.carry_out(&decision);
        }
        if distances.cells > 0 {
            findings.push(DISTANCE, distances.sum / distances.cells as f64);
        }
        findings.push(TEACHER_WON, f64::from(game.outcome() == Some(Outcome::Won)));
    }
    Some(findings)
}

const DISTANCE: &str = "distance of its risks from exact ones";
const TEACHER_WON: &str = "won by the teacher";

/// How far risks are from exact ones where numbers touch the cell, in one game.
#[derive(Default)]
struct Distances {
    sum: f64,
    cells: usize,
}

impl Distances {
    fn add(&mut self, engine: &mut Engine, view: &View, said: &Estimates) {
        let Ok(odds) = engine.odds(view) else { return };
        for cell in view.covered().filter(|&cell| is_frontier(view, cell)) {
            if let (Some(said), Some(exact)) = (said.mine(cell), odds.mine(cell)) {
                self.sum += (said - exact).abs();
                self.cells += 1;
            }
        }
    }
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
    let mut player = deminer_neural::player(design, variant, &trainer);
    for mines in PLAYED {
        let rules = rules(mines, recipe.start);
        for game in 0..trial(work) {
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

fn read_teachers(played: &Played) -> Reading {
    let setting = board(CLASS).to_string();
    let mut lines = Vec::new();
    let mut series = Vec::new();
    for teacher in TAUGHT_BY {
        let findings = played.findings(teacher);
        let distance = findings.mean(DISTANCE);
        let pupil = findings.share(&wins_with(CLASS));
        series.push(Series {
            name: teacher.to_owned(),
            source: Source::Ours,
            points: vec![ChartPoint {
                across: distance.value,
                up: pupil.value,
                interval: Some((pupil.low, pupil.high)),
            }],
        });
        for (measure, ours) in [
            (DISTANCE, distance),
            (TEACHER_WON, findings.share(TEACHER_WON)),
            ("won by its pupil", pupil),
        ] {
            lines.push(Line::new(&setting, teacher, measure, Target::None, ours));
        }
    }
    let chart = Chart {
        title: "What pupils win, by how far their teachers are from exact odds".to_owned(),
        across: Axis::Percent(DISTANCE.into()),
        up: Axis::Percent("won by the pupil".into()),
        series,
    };
    Reading { lines, charts: vec![("teachers".into(), chart)], ..Reading::default() }
}
