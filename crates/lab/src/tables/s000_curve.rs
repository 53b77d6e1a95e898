//! Lubarski, Samujło and Wszeborowski had time to train their convolutions on fifty games: what
//! more games would have given them.

use deminer_neural::nets::{self, Variant};
use deminer_neural::train::Length;

use super::games::measured;
use super::s000_t1::PAPER;
use super::{Findings, Line, Played, Reading, Study, Table, Target, Work};
use crate::report::{Axis, Chart, ChartPoint, Series, Source};
use crate::stats::Interval;
use crate::training::{Checkpoints, Mark, Order};

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
    let mut recipe = (design.recipe)(Variant::Repaired);
    recipe.games = if work.sketch { 2 } else { games };
    recipe.length = Length::Samples(work.amount.max(recipe.batch as u64));
    let order = Order {
        design,
        variant: Variant::Repaired,
        boards: vec!["10x10x10".parse().expect("a board")],
        recipe,
        seed: work.seed,
        threads: work.threads,
        trial: 0,
        command: String::new(),
    };
    let mut checkpoints = Checkpoints { resume: None, save: &mut |_| () };
    let mut see = |mark: &Mark| (work.progress)(mark.done, "windows");
    let learned = order.learn(&mut checkpoints, work.stop, &mut see);
    let (_, marks) = learned.expect("these boards can be played")?;
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
