//! The Mio learner beyond its paper: rules that miss few sure moves.

use std::num::NonZero;

use deminer_game::Start;
use deminer_inference::deduce::Fact;
use deminer_learn::ilp::background::Reach;
use deminer_learn::ilp::{
    Example, Labels, LogicalGrowth, LogicalTree, Pool, Program, SHIPPED, Setting, Surveyor, Target,
    Theory,
};
use deminer_learn::trees::{Codes, Features, Growth, Samples, Tally, grow};

use super::s002_play::{PAPER, trial};
use super::{Findings, Line, Measured, Played, Reading, Study, Table, Target as Aim, Trial, Work};
use crate::induce::Source;
use crate::run::GameRow;
use crate::stats;

pub const TABLE: Table = Table {
    id: "s002-beyond",
    title: "Learned rules that miss few sure moves",
    paper: Some(PAPER),
    about: "The paper's players still guess where a sure move exists. `mio:beyond` was learned \
            with all predicates, labels by what can be known and counterexamples from its own \
            play; it is to win more than the published rules on the same boards, with blind \
            guesses and with weighed ones, and to have at most a tenth of their unneeded guesses. \
            Its rules do not ask for the size of the board. Beside it, what other learners make of \
            the same examples: a first-order decision tree and propositional trees on 5x5 windows.",
    trials,
    studies: || vec![Study::new("other learners", 2000, run)],
    read,
    digest: None,
};

const AGENTS: &[&str] =
    &["mio-rules", "mio:paper", "mio:beyond", "mio-rules+prob", "mio:beyond+prob", "lowest-risk"];

/// Who is compared with whom.
const PAIRS: [(&str, &str); 2] =
    [("mio:beyond", "mio-rules"), ("mio:beyond+prob", "mio-rules+prob")];

const FRESH_SEED: u64 = 2;
const PAPERS_BOARD: &str = "8x8x10";

fn trials() -> Vec<Trial> {
    let larger = [("9x9x10", 5_000), ("16x16x40", 1_000), ("30x16x99", 100)];
    let larger = larger.map(|(board, games)| trial(board, AGENTS, games, Start::Safe));
    let papers = trial(PAPERS_BOARD, AGENTS, 100_000, Start::Unsafe);
    let mut trials: Vec<Trial> = [papers].into_iter().chain(larger).collect();
    // The theory learned from games of the usual seed.
    trials.iter_mut().for_each(|trial| trial.tournament.seed = FRESH_SEED);
    trials
}

/// Trees on `amount` examples, judged on as many others; and the shipped theories beside them.
fn run(work: &Work<'_>) -> Option<Findings> {
    let mut surveyor = Surveyor::default();
    let count = usize::try_from(work.amount).expect("examples fit into memory").max(200);
    let sampler = Source { seed: work.seed, labels: Labels::Content }.sampler();
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
            findings.push(name, f64::from(u8::from(right)));
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
    for (name, text) in SHIPPED {
        let theory = Theory::read(text).expect("shipped theories are whole");
        let programs: Vec<Program> = theory.of(Target::Mine).map(Program::new).collect();
        let covers = fresh.cover(&programs, NonZero::<usize>::MIN);
        let mine = |place: usize| covers.iter().any(|cover| cover.has(place));
        judge(&format!("theory {name}"), theory.rules.len(), &|place| !mine(place));
    }
    Some(findings)
}

fn unneeded(row: &GameRow) -> Option<f64> {
    row.measured.unneeded.map(|unneeded| f64::from(unneeded.known))
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for (trial, games) in played.all() {
        lines.push(Line::new(&trial.name, &games.agent, "won", Aim::None, games.won()));
    }
    let mut note = String::from("On the same boards of 8x8 with 10 mines:\n\n");
    for (ours, theirs) in PAIRS {
        let [own, other] = [ours, theirs].map(|agent| played.games(PAPERS_BOARD, agent));
        let pairs = || own.rows.iter().zip(other.rows);
        let differences: Vec<f64> = pairs().map(|(own, other)| own.weight - other.weight).collect();
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        let interval = stats::bootstrap(&differences);
        let only = |better: f64| differences.iter().filter(|&&gap| gap == better).count() as u64;
        let chance = stats::mcnemar(only(1.0), only(-1.0));
        let games = differences.len() as u64;
        let gap = Measured { value: mean, low: interval.low, high: interval.high, games };
        let aim = Aim::Outdo { other: 0.0 };
        let measure = format!("won beyond {theirs}");
        lines.push(Line::new(PAPERS_BOARD, ours, measure, aim, gap));
        let [few, many] = [&own, &other].map(|games| games.mean(unneeded).value);
        let times = many / few.max(1e-6);
        let ratio = Measured { value: times, low: times, high: times, games };
        let measure = format!("times fewer unneeded guesses than {theirs}");
        let aim = Aim::Outdo { other: 10.0 };
        lines.push(Line::new(PAPERS_BOARD, ours, measure, aim, ratio).in_numbers());
        note += &format!(
            "- `{ours}` wins {:+.2} points ({:+.2} to {:+.2}) more than `{theirs}`, McNemar's \
             p = {chance:.1e}; unneeded guesses a game {few:.4} instead of {many:.4}\n",
            100.0 * mean,
            100.0 * interval.low,
            100.0 * interval.high
        );
    }
    let findings = played.findings("other learners");
    for name in findings.numbers.keys().filter(|name| !name.ends_with(", size")) {
        let setting = "random states";
        let size = findings.numbers(&format!("{name}, size"))[0];
        let agent = format!(
            "{name} ({size} {})",
            if name.starts_with("theory") { "rules" } else { "leaves" }
        );
        lines.push(Line::new(setting, agent, "cells told right", Aim::None, findings.share(name)));
    }
    let mut reading = Reading { lines, ..Reading::default() };
    reading.notes.push(note);
    reading.notes.push(
        "Cells told right: of fringe cells of boards opened at random, by what they really are; \
         undecidable ones are in it, so nobody can be right always. A theory calls a cell a mine \
         if a rule says so, and safe otherwise."
            .into(),
    );
    reading
}
