//! The Mio learner beyond its paper: rules that miss few safe cells.

use std::num::NonZero;

use deminer_game::{ArtifactKind, Start};
use deminer_inference::deduce::Fact;
use deminer_learn::ilp::background::Reach;
use deminer_learn::ilp::{
    Example, Labels, LogicalGrowth, LogicalTree, Pool, Program, Setting, Surveyor, Target, Theory,
};
use deminer_learn::trees::{Codes, Features, Growth, Samples, Tally, grow};

use super::mio_play::random_start;
use super::{
    Findings, Games, Line, MIO, Measured, Plan, Played, Study, Table, Target as Aim, Work,
};
use crate::stats;
use deminer_learn::ilp::paper::ExampleSource;

pub const TABLE: Table = Table {
    id: "s002-beyond",
    title: "Learned rules that miss few sure moves",
    about: "The paper's players still guess where a safe cell exists. `mio:beyond` was learned \
            with all predicates, labels by what can be known and counterexamples from its own \
            play; it must win more than the published rules on the same boards, with blind \
            guesses and with weighed ones, and have at most a tenth of their unneeded guesses. \
            Its rules do not depend on the size of the board. Beside it, what other learners make \
            of the same examples: a first-order decision tree and propositional trees on 5x5 \
            windows.",
    plan,
    ..Table::of(&MIO)
};

/// The theory learned from games of the usual seed.
const FRESH_SEED: u64 = 2;

fn plan(plan: &mut Plan) {
    let boards = [
        ("8x8x10", 100_000, Start::Unsafe),
        ("9x9x10", 5_000, Start::Safe),
        ("16x16x40", 1_000, Start::Safe),
        ("30x16x99", 100, Start::Safe),
    ];
    let runs = boards.map(|(board, games, start)| {
        let run = plan.run(random_start(board, games, start).seed(FRESH_SEED));
        plan.wins(run, &["mio-rules", "mio:paper", "mio:beyond"], Aim::None);
        plan.wins(run, &["mio-rules+prob", "mio:beyond+prob", "lowest-risk"], Aim::None);
        run
    });
    let pairs = [["mio:beyond", "mio-rules"], ["mio:beyond+prob", "mio-rules+prob"]];
    let pairs = pairs.map(|[ours, theirs]| {
        let [own, other] = [ours, theirs].map(|agent| plan.agent(runs[0], agent));
        let measure = format!("won beyond {theirs}");
        let gap = move |played: &Played, _: &[Line]| {
            Ok(Measured::mean(&played.games(own).differences(&played.games(other))))
        };
        plan.show(["8x8x10", ours, &measure], gap, Aim::at_least(0.0));
        let measure = format!("times fewer unneeded guesses than {theirs}");
        let times = move |played: &Played, _: &[Line]| {
            let [own, other] = [own, other].map(|agent| played.games(agent));
            let times = unneeded(&other) / unneeded(&own).max(1e-6);
            Ok(Measured::exact(times, own.rows.len() as u64))
        };
        plan.show(["8x8x10", ours, &measure], times, Aim::at_least(10.0)).in_numbers();
        [own, other]
    });
    let learners = plan.study(Study::new("other learners", 2000, learn));
    plan.remark(move |played, reading| {
        let mut note = String::from("On the same boards of 8x8 with 10 mines:\n\n");
        for [own, other] in pairs.map(|pair| pair.map(|agent| played.games(agent))) {
            note += &compare(&own, &other);
        }
        reading.notes.push(note);
        let found = played.found(learners);
        for name in found.findings.numbers.keys().filter(|name| !name.ends_with(", size")) {
            let size = found.last(&format!("{name}, size"))?;
            let unit = if name.starts_with("theory") { "rules" } else { "leaves" };
            let (agent, right) = (format!("{name} ({size} {unit})"), found.share(name)?);
            let line = Line::new("random states", agent, "cells told right", Aim::None, right);
            reading.lines.push(line);
        }
        Ok(())
    });
    plan.note(
        "Cells told right: the share of fringe cells of boards opened at random that are called \
         what they really are. Cells that no player can decide are among them, so 100 % is out of \
         reach. A theory calls a cell a mine if a rule says so, and safe otherwise.",
    );
}

/// Unneeded guesses a game.
fn unneeded(games: &Games<'_>) -> f64 {
    games.mean(|row| row.measured.unneeded.map(|unneeded| f64::from(unneeded.known))).value
}

/// How two players compare on the same boards, in a sentence.
fn compare(own: &Games<'_>, other: &Games<'_>) -> String {
    let differences = own.differences(other);
    let only = |better: f64| differences.iter().filter(|&&gap| gap == better).count() as u64;
    let chance = stats::mcnemar(only(1.0), only(-1.0));
    let Measured { value, low, high, .. } = Measured::mean(&differences);
    let [value, low, high] = [value, low, high].map(|share| 100.0 * share);
    format!(
        "- `{}` wins {value:+.2} points ({low:+.2} to {high:+.2}) more than `{}`, McNemar's \
         p = {chance:.1e}; unneeded guesses a game {:.4} instead of {:.4}\n",
        own.agent,
        other.agent,
        unneeded(own),
        unneeded(other)
    )
}

/// Trees on `amount` examples, judged on as many others; and the shipped theories beside them.
fn learn(work: &Work<'_>) -> Option<Findings> {
    let mut surveyor = Surveyor::default();
    let count = usize::try_from(work.amount).expect("examples fit into memory").max(200);
    let sampler = ExampleSource { seed: work.seed, labels: Labels::Content }.sampler();
    let [known, fresh] = [0, 1].map(|stretch| {
        let examples = sampler.draw(stretch, count, &mut surveyor);
        let mut pool = Pool::default();
        pool.extend(examples, Reach::Wide, &mut surveyor);
        pool
    });
    let mut findings = Findings::default();
    let mut judge = |name: &str, size: usize, says_safe: &dyn Fn(usize) -> bool| {
        for (place, case) in fresh.cases().iter().enumerate() {
            let right = says_safe(place) == (case.example.label == Some(Fact::Safe));
            findings.note(name, right);
        }
        findings.push(&format!("{name}, size"), size as f64);
    };
    let method = Setting::ActiveGreedyMacros.method();
    let growth = LogicalGrowth { depth: 6, least: 5, seeds: 3 };
    let mut rng = deminer_game::Rng::new(work.seed);
    let tree = LogicalTree::grow(&known, Target::Safe, &method, growth, &mut rng);
    judge("first-order tree", tree.leaves(), &|place| {
        tree.belief(&fresh.cases()[place].situation) >= 0.5
    });
    (work.progress)(0.5, "the propositional trees");
    for features in [Features::Raw, Features::Clues] {
        let mut samples = Samples::default();
        let codes = |example: &Example| {
            Codes::around(&example.view, example.cell).expect("no hexagons here")
        };
        for case in known.cases() {
            let mine = case.example.label == Some(Fact::Mine);
            samples.add(codes(&case.example), &Tally::of(f64::from(u8::from(mine))));
        }
        let tree = grow(&samples, &Growth { features, depth: 8, least: 5, ..Growth::default() });
        let name = format!("propositional tree, {}", features.name());
        judge(&name, tree.leaves(), &|place| {
            let leaf = tree.leaf_of(codes(&fresh.cases()[place].example), &mut Vec::new());
            tree.nodes()[leaf].tally.mean_risk() <= 0.5
        });
    }
    if work.is_stopped() {
        return None;
    }
    // A theory says nothing of most cells; then the likelier answer is taken.
    for name in ["paper", "beyond"] {
        let text = work.artifact(&ArtifactKind::THEORY.path(name));
        let theory = Theory::read(&text).expect("shipped theories are whole");
        let programs: Vec<Program> = theory.of(Target::Mine).map(Program::new).collect();
        let covers = fresh.cover(&programs, NonZero::<usize>::MIN);
        let mine = |place: usize| covers.iter().any(|cover| cover.has(place));
        judge(&format!("theory {name}"), theory.rules.len(), &|place| !mine(place));
    }
    Some(findings)
}
