//! Lubarski, Samujło and Wszeborowski had time to train their convolutions on fifty games, and
//! found their parameters by trial and error: what more games would have given them, and what a
//! search of a stated size finds.

use deminer_neural::nets::{self, Design, Variant};
use deminer_neural::train::{Length, Recipe};

use super::games::measured;
use super::s000_t1::PAPER;
use super::{Findings, Line, Played, Reading, Study, Table, Target, Work};
use crate::report::{Axis, Chart, ChartPoint, Series, Source};
use crate::stats::Interval;

pub const TABLE: Table = Table {
    id: "s000-curve",
    title: "How many games a network on windows needs",
    paper: Some(PAPER),
    about: "The repaired `mlp-5x5` and `cnn-5x5` learn exact odds from windows of 50, 1000 and \
            10 000 games on 10x10 boards with 10 mines. All see the same number of windows, \
            those of fewer games more often; the budget is stated in each setting. The loss \
            (cross entropy) is that on windows of games that nobody learned from; it cannot fall \
            below the entropy of the exact odds themselves.",
    trials: Vec::new,
    studies,
    read,
    digest: None,
};

/// A search with a fixed budget.
pub const SEARCH: Table = Table {
    id: "s000-search",
    title: "A declared search for the parameters of a network on windows",
    about: "The paper's parameters were found by trial and error. This is a search whose size was \
            fixed before: the repaired `mlp-5x5`, three learning rates (falling to nothing) by \
            three sizes of a step, each one million windows of 1000 games on 10x10 boards with 10 \
            mines. The loss (cross entropy) is that on windows of games that nobody learned from. \
            What networks of ours learn with unless told otherwise is a rate of 0.001 and steps \
            of 256.",
    studies: || {
        settings().map(|(rate, batch)| Study::new(setting(rate, batch), MILLION, search)).collect()
    },
    read: read_search,
    ..TABLE
};

const MILLION: u64 = 1_000_000;
const RATES: [f64; 3] = [3e-4, 1e-3, 3e-3];
const STEPS: [usize; 3] = [64, 256, 1024];

fn settings() -> impl Iterator<Item = (f64, usize)> {
    RATES.into_iter().flat_map(|rate| STEPS.map(|batch| (rate, batch)))
}

fn setting(rate: f64, batch: usize) -> String {
    format!("rate {rate}, steps of {batch}")
}

fn search(work: &Work<'_>) -> Option<Findings> {
    let (rate, batch) = settings()
        .find(|&(rate, batch)| setting(rate, batch) == work.name)
        .expect("studies have these names");
    let design = nets::find("mlp-5x5").expect("a design of ours");
    learn(work, design, Recipe { rate, batch, ..(design.recipe)(Variant::Repaired) })
}

fn read_search(played: &Played) -> Reading {
    let line = |(rate, batch)| {
        let name = setting(rate, batch);
        let losses = played.findings(&name).numbers("validation");
        let last = losses[losses.len() - 1];
        let ours = measured(last, Interval { low: last, high: last }, 1);
        Line::new(&name, "mlp-5x5", "validation loss", Target::None, ours).in_numbers()
    };
    let lines: Vec<Line> = settings().map(line).collect();
    let mut reading = Reading { lines, ..Reading::default() };
    let loss = |line: &&Line| line.ours.value;
    let best = reading.lines.iter().min_by(|a, b| loss(a).total_cmp(&loss(b)));
    let best = best.map(|line| format!("The least loss: {}.", line.setting));
    reading.notes.extend(best);
    reading
}

const NETS: [(&str, u64); 2] = [("mlp-5x5", 1_000_000), ("cnn-5x5", 150_000)];
const GAMES: [u64; 3] = [50, 1_000, 10_000];

fn name(net: &str, games: u64) -> String {
    format!("{net} from {games} games")
}

fn studies() -> Vec<Study> {
    let study = |(net, windows)| GAMES.map(|games| Study::new(name(net, games), windows, run));
    NETS.into_iter().flat_map(study).collect()
}

/// Learns from `amount` windows.
fn run(work: &Work<'_>) -> Option<Findings> {
    let parts: Vec<&str> = work.name.split(' ').collect();
    let [net, _, games, _] = parts[..] else { panic!("studies are named so") };
    let games: u64 = games.parse().expect("studies are named so");
    let design = nets::find(net).expect("a design of ours");
    learn(work, design, Recipe { games, ..(design.recipe)(Variant::Repaired) })
}

/// Learns from `amount` windows as the recipe says.
fn learn(work: &Work<'_>, design: &'static Design, mut recipe: Recipe) -> Option<Findings> {
    if work.sketch {
        recipe.games = 2;
    }
    recipe.length = Length::Samples(work.amount.max(recipe.batch as u64));
    let boards = vec!["10x10x10".parse().expect("a board")];
    let (_, marks) = work.teach(design, Variant::Repaired, boards, &recipe)?;
    let mut findings = Findings::default();
    for mark in marks {
        findings.push("windows", mark.samples as f64);
        findings.push("training", mark.loss);
        findings.push("validation", mark.validation.unwrap_or(f64::NAN));
    }
    Some(findings)
}

fn read(played: &Played) -> Reading {
    let mut reading = Reading::default();
    for (net, _) in NETS {
        let mut series = Vec::new();
        for games in GAMES {
            let findings = played.findings(&name(net, games));
            let windows = findings.numbers("windows");
            let setting = format!("{games} games, {} windows", windows[windows.len() - 1]);
            for measure in ["validation", "training"] {
                let losses = findings.numbers(measure);
                let last = losses[losses.len() - 1];
                let ours = measured(last, Interval { low: last, high: last }, 1);
                let line = Line::new(&setting, net, format!("{measure} loss"), Target::None, ours);
                reading.lines.push(line.in_numbers());
            }
            let curve = windows.iter().zip(findings.numbers("validation"));
            let point = |(&windows, &loss): (&f64, &f64)| ChartPoint {
                across: windows / 1e6,
                up: loss,
                interval: None,
            };
            let points = curve.map(point).collect();
            series.push(Series { name: name(net, games), source: Source::Ours, points });
        }
        let chart = Chart {
            title: format!("{net}: loss on windows of new games"),
            across: Axis::Number("million windows seen".into()),
            up: Axis::Number("cross entropy".into()),
            series,
        };
        reading.charts.push((net.to_owned(), chart));
    }
    reading
}
