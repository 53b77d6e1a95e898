//! Tortay and Yurchenko: how the loss falls, networks of several sizes with equal budgets,
//! training at one density for play at another, and the effect of the teacher.

use std::slice;

use deminer_game::{Estimates, FirstClick, GameSeed, Match, MovedBy, Outcome, Size, Start, View};
use deminer_inference::odds::Engine;
use deminer_neural::nets::{self, Variant};
use deminer_neural::train::EXACT;

use super::{
    Findings, Found, Plan, Study, StudyId, TORTAY, Table, Target, Work, curve, point, rules, series,
};
use crate::train::{TRIAL_SEED, Teacher, is_frontier};
use deminer_draw::Axis;

/// The loss curve, and networks of four kinds with equal budgets.
pub const LOSS: Table = Table {
    id: "s003-loss",
    title: "How the loss falls, with equal budgets",
    about: "Every network plays as many games of its own on 16x16 boards, with 20, 25, 30, 35 and \
            40 mines one after another, and then 1000 games on new boards. The paper's loss (mean \
            squared error, answers of 0 and 1, a memory of 400 windows) jumps up and down and \
            rises with every stage; a larger memory and softer answers calm it, and boards with \
            more mines are harder to predict. Cross entropy and squared error are not comparable: \
            compare each curve only with itself.",
    plan: |plan| {
        let studies = PUPILS.map(|(name, net, variant, teacher)| {
            let learn = move |work: &Work<'_>| learn(work, net, variant, teacher, &STAGES, false);
            plan_wins(plan, Study::new(name, 500, learn))
        });
        plan.chart(LOSS.title);
        let title = "The loss while learning, stage after stage".to_owned();
        let axes = ["million samples", "loss"].map(|name| Axis::Number(name.into()));
        plan.curves("loss", title, axes, move |played| {
            studies.into_iter().map(|study| curve(played.found(study), "samples", "loss")).collect()
        });
    },
    ..Table::of(&TORTAY)
};

/// Densities learned and densities played.
pub const TRANSFER: Table = Table {
    id: "s003-transfer",
    title: "What is learned at one density for another",
    about: "The paper trains by stages of rising density, and for some boards at one density \
            alone. The same network (`sla-small`) and the same number of games: at one density, by \
            stages, and with all densities by turns (`--mixed`). Each then plays 1000 games of \
            every density. A row is one training, a column one density of play.",
    plan: |plan| {
        for (name, mines, mixed) in LESSONS {
            let learn = move |work: &Work<'_>| {
                learn(work, "sla-small", Variant::Repaired, None, mines, mixed)
            };
            plan_wins(plan, Study::new(name, 500, learn));
        }
        plan.chart(TRANSFER.title);
    },
    ..LOSS
};

/// Teachers and their pupils.
pub const TEACHERS: Table = Table {
    id: "s003-teachers",
    title: "What a teacher is worth",
    about: "The paper finds that its network cannot become better than the solver that teaches it. \
            The same network (`msla`) and the same number of games of its own on 16x16 boards with \
            40 mines, with answers of six teachers: the paper's, limited zones, layouts drawn at \
            random (20 and 500 of each region), a random walk through layouts, exact odds. Rows \
            show how far a teacher's risks are from exact ones, what it wins itself, and what its \
            pupil wins in 1000 games on new boards.",
    plan: |plan| {
        let setting = board(CLASS).to_string();
        let studies = TAUGHT_BY.map(|teacher| {
            let learn = move |work: &Work<'_>| learn_from_teacher(work, teacher);
            let study = plan.study(Study::new(teacher, 500, learn));
            let mut add = |measure: &str, of: fn(&Found) -> _| {
                plan.found(study, [&setting, teacher, measure], of, Target::None);
            };
            add(DISTANCE, |found| found.mean(DISTANCE));
            add(TEACHER_WON, |found| found.share(TEACHER_WON));
            add("won by its pupil", |found| found.share(&wins_with(CLASS)));
            study
        });
        let title = "What pupils win, by how far their teachers are from exact odds".to_owned();
        let axes = [DISTANCE, "won by the pupil"].map(|name| Axis::Percent(name.into()));
        plan.curves("teachers", title, axes, move |played| {
            let pair = |found: &Found| {
                let (distance, pupil) = (found.mean(DISTANCE)?, found.share(&wins_with(CLASS))?);
                Ok(series(&found.study.name, vec![point(distance.value, pupil)]))
            };
            studies.into_iter().map(|study| pair(played.found(study))).collect()
        });
    },
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

fn trial(work: &Work<'_>) -> u64 {
    if work.sketch { 2 } else { TRIAL }
}

/// Trains a pupil, plays with it, and with its teacher.
fn learn_from_teacher(work: &Work<'_>, teacher: &str) -> Option<Findings> {
    let mut findings = learn(work, "msla", Variant::Repaired, Some(teacher), &[CLASS], false)?;
    let rules = rules(&board(CLASS).to_string(), START);
    let mut teacher = Teacher::new(work.roster, teacher, slice::from_ref(&rules))
        .expect("these teach on any board");
    let mut engine = Engine::default();
    for game in 0..trial(work) {
        if work.is_stopped() {
            return None;
        }
        let seed = GameSeed { seed: work.seed ^ TRIAL_SEED, game };
        let mut game = Match::new(rules.clone(), FirstClick::Corner, seed);
        let mut distances = Distances::default();
        while let Some((by, decision)) = game.ask(teacher.player()) {
            if by == MovedBy::Agent {
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
        findings.note(TEACHER_WON, game.outcome() == Some(Outcome::Won));
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
    let network = work.teach(design, variant, boards, &recipe)?;
    let mut findings = Findings::default();
    for mark in network.marks() {
        findings.push("samples", mark.samples as f64);
        findings.push("loss", mark.loss);
    }
    let mut player = deminer_neural::player(design, variant, network.trainer());
    for mines in PLAYED {
        let rules = rules(&board(mines).to_string(), recipe.start);
        for game in 0..trial(work) {
            let seed = GameSeed { seed: work.seed ^ TRIAL_SEED, game };
            let outcome = Match::new(rules.clone(), recipe.at, seed).play(player.as_mut());
            findings.note(&wins_with(mines), outcome == Outcome::Won);
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

/// A study, and the wins of its network at each density.
fn plan_wins(plan: &mut Plan, study: Study) -> StudyId {
    let name = study.name.clone();
    let study = plan.study(study);
    for mines in PLAYED {
        let won = move |found: &Found| found.share(&wins_with(mines));
        plan.found(study, [&board(mines).to_string(), &name, "won"], won, Target::None);
    }
    study
}
