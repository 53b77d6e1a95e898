//! Lubarski, Samujło and Wszeborowski trained their convolutions on fifty games and found their
//! parameters by trial and error: the effect of more games, and a search of a stated size.

use deminer_game::{GameSeed, Match, Outcome};
use deminer_neural::nets::{self, Design, Variant};
use deminer_neural::train::{Length, Recipe};

use super::{
    Findings, Found, LUBARSKI, Line, Measured, MissingFinding, Plan, Study, Table, Target, Work,
    curve, rules,
};
use crate::train::TRIAL_SEED;
use deminer_draw::Axis;

pub const TABLE: Table = Table {
    id: "s000-curve",
    title: "How many games a network on windows needs",
    about: "The repaired `mlp-5x5` and `cnn-5x5` learn exact odds from windows of games on 10x10 \
            boards with 10 mines: `mlp-5x5` of 50 to 100 000 games, `cnn-5x5`, which learns a \
            hundred times slower, of 50 to 10 000. A network sees as many windows of few games as \
            of many, enough to see every game of the largest number once, so those of fewer games \
            repeat; each setting states the number. The loss (cross entropy) is measured on \
            windows of games that were not learned from; it cannot fall below the entropy of the \
            exact odds themselves. Each network then plays 1000 games on new boards; only one \
            network is made of each, so the interval covers the boards but not the training.",
    plan: |plan| {
        // A game has about 109 windows.
        plan_curves(plan, "mlp-5x5", &[50, 1_000, 10_000, 100_000], 11 * MILLION);
        plan_curves(plan, "cnn-5x5", &[50, 1_000, 10_000], 11 * MILLION / 10);
    },
    ..Table::of(&LUBARSKI)
};

/// A search with a fixed budget.
pub const SEARCH: Table = Table {
    id: "s000-search",
    title: "A declared search for the parameters of a network on windows",
    about: "The paper's parameters were found by trial and error. The size of this search was \
            fixed before it began: the repaired `mlp-5x5`, three learning rates (falling to 0) by \
            three batch sizes, each one million windows of 1000 games on 10x10 boards with 10 \
            mines. The loss (cross entropy) is measured on windows of games that were not learned \
            from. The default of our networks is a rate of 0.001 and batches of 256.",
    plan: |plan| {
        for rate in [3e-4, 1e-3, 3e-3] {
            for batch in [64, 256, 1024] {
                let name = format!("rate {rate}, steps of {batch}");
                let study = plan.study(Study::new(&name, MILLION, move |work| {
                    let design = nets::find("mlp-5x5").expect("a design of ours");
                    learn(
                        work,
                        design,
                        Recipe { rate, batch, ..(design.recipe)(Variant::Repaired) },
                    )
                }));
                let labels = [&*name, "mlp-5x5", "validation loss"];
                let loss = |found: &Found| last_loss(found, "validation");
                plan.found(study, labels, loss, Target::None).in_numbers();
            }
        }
        plan.remark(|_, reading| {
            let loss = |line: &&Line| line.ours.value;
            let best = reading.lines.iter().min_by(|a, b| loss(a).total_cmp(&loss(b)));
            reading.notes.extend(best.map(|line| format!("The least loss: {}.", line.setting)));
            Ok(())
        });
    },
    ..TABLE
};

const MILLION: u64 = 1_000_000;

/// Games on new boards.
const TRIAL: u64 = 1000;

fn last_loss(found: &Found, name: &str) -> Result<Measured, MissingFinding> {
    Ok(Measured::exact(found.last(name)?, 1))
}

/// Learns from `amount` windows as the recipe says.
fn learn(work: &Work<'_>, design: &'static Design, mut recipe: Recipe) -> Option<Findings> {
    if work.sketch {
        recipe.games = 2;
    }
    recipe.length = Length::Samples(work.amount.max(recipe.batch as u64));
    let boards = vec!["10x10x10".parse().expect("a board")];
    let network = work.teach(design, Variant::Repaired, boards, &recipe)?;
    let mut findings = Findings::default();
    for mark in network.marks() {
        findings.push("windows", mark.samples as f64);
        findings.push("training", mark.loss);
        findings.push("validation", mark.validation.unwrap_or(f64::NAN));
    }
    let rules = rules("10x10x10", recipe.start);
    let mut player = deminer_neural::player(design, Variant::Repaired, network.trainer());
    for game in 0..if work.sketch { 2 } else { TRIAL } {
        let seed = GameSeed { seed: work.seed ^ TRIAL_SEED, game };
        let outcome = Match::new(rules.clone(), recipe.at, seed).play(player.as_mut());
        findings.note("won", outcome == Outcome::Won);
    }
    (!work.is_stopped()).then_some(findings)
}

fn plan_curves(plan: &mut Plan, net: &'static str, games: &[u64], windows: u64) {
    let study = |&games: &u64| {
        let name = format!("{net} from {games} games");
        let study = Study::new(name, windows, move |work| {
            let design = nets::find(net).expect("a design of ours");
            learn(work, design, Recipe { games, ..(design.recipe)(Variant::Repaired) })
        });
        (games, plan.study(study))
    };
    let studies: Vec<_> = games.iter().map(study).collect();
    let shown = studies.clone();
    // Settings state the windows that were seen: whole batches, so a few more than asked for.
    plan.remark(move |played, reading| {
        for &(games, study) in &studies {
            let found = played.found(study);
            let setting = format!("{games} games, {} windows", found.last("windows")?);
            for measure in ["validation", "training"] {
                let (ours, name) = (last_loss(found, measure)?, format!("{measure} loss"));
                let line = Line::new(&setting, net, name, Target::None, ours);
                reading.lines.push(line.in_numbers());
            }
            let won = Line::new(&setting, net, "won", Target::None, found.share("won")?);
            reading.lines.push(won);
        }
        Ok(())
    });
    let title = format!("{net}: loss on windows of new games");
    let axes = ["million windows seen", "cross entropy"];
    plan.curves(net, title, axes.map(|name| Axis::Number(name.into())), move |played| {
        let curve = |(_, study)| curve(played.found(study), "windows", "validation");
        shown.iter().copied().map(curve).collect()
    });
}
