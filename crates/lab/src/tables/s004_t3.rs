//! Park, Liou, Bray, Pyon and Francesconi: trees of checks, evolved on one field.

use std::num::NonZero;
use std::sync::atomic::Ordering;

use cpu_time::ThreadTime;
use deminer_game::{GameSeed, Purpose};
use deminer_learn::evolve::gp::{Breeding, Field, by_components};
use deminer_learn::evolve::{Evolution, Replacement, Scheme, Settings, in_order};

use super::s004_t2::PAPER;
use super::{Findings, Line, Played, Reading, Study, Table, Target, Work};

pub const TABLE: Table = Table {
    id: "s004-t3",
    title: "Trees of checks, evolved on one field",
    paper: Some(PAPER),
    about: "The mean score of 15 runs of at most 1500 pairs of children, as a share of the best \
            possible, on fields of 10x10 and 16x30 with 10 % mines whose numbers are all seen; \
            trees of depth 3 to 5 or 15 at first; a child takes the place of the tree of closest \
            fitness or of the worst. Asked: no more than 0.01 below the paper's, in less time. \
            The generational scheme, which the paper gave up after 50 minutes a run, is run for \
            100 generations. Beside them stands what plain argument about connected unknown \
            cells scores.",
    trials: Vec::new,
    studies: || {
        let mut studies: Vec<Study> = SETTINGS.iter().map(Setting::study).collect();
        studies.push(Study::new(GENERATIONAL, FAMILY_RUNS, evolve_families));
        studies
    },
    read,
    digest: None,
};

/// A setting of the paper, and its numbers: score, seconds, and the champion's on its own field
/// and on 30 others.
pub struct Setting {
    depth: usize,
    size: (usize, usize),
    replacement: Replacement,
    score: f64,
    seconds: f64,
    pub own: f64,
    pub fresh: f64,
}

const fn setting(
    depth: usize,
    size: (usize, usize),
    replacement: Replacement,
    [score, seconds, own, fresh]: [f64; 4],
) -> Setting {
    Setting { depth, size, replacement, score, seconds, own, fresh }
}

const LARGE: (usize, usize) = (16, 30);
const SMALL: (usize, usize) = (10, 10);

pub const SETTINGS: [Setting; 8] = [
    setting(15, LARGE, Replacement::Closest, [0.95936, 170.150889, 0.97222, 0.91716]),
    setting(15, SMALL, Replacement::Closest, [0.99813, 24.4551857, 0.97656, 0.82003]),
    setting(5, LARGE, Replacement::Closest, [0.95575, 168.009946, 0.94413, 0.87648]),
    setting(5, SMALL, Replacement::Closest, [0.99288, 30.1335972, 1.0, 0.75490]),
    setting(15, LARGE, Replacement::Worst, [0.97651, 461.7006968, 0.99057, 0.89053]),
    setting(15, SMALL, Replacement::Worst, [0.99316, 82.042813, 1.0, 0.79131]),
    setting(5, LARGE, Replacement::Worst, [0.97748, 759.431931, 0.97546, 0.90084]),
    setting(5, SMALL, Replacement::Worst, [0.99244, 44.1767717, 0.99230, 0.85296]),
];

const GENERATIONAL: &str = "15, 16x30, mulambda";
/// Runs of a setting, each with a hundred times as many pairs of children: who asks for fewer runs
/// gets shorter ones too.
const RUNS: u64 = 15;
const PAIRS: u64 = 100;
/// The same of the generational scheme.
const FAMILY_RUNS: u64 = 2;
const GENERATIONS: u64 = 50;
const POPULATION: usize = 40;
/// Fields that a champion has never seen.
const FRESH: u64 = 30;

impl Setting {
    /// Its runs.
    pub fn study(&self) -> Study {
        Study::new(self.name(), RUNS, evolve)
    }

    /// Its name in the table.
    pub fn name(&self) -> String {
        let word = match self.replacement {
            Replacement::Closest => "closest",
            _ => "worst",
        };
        format!("{}, {}x{}, {word}", self.depth, self.size.0, self.size.1)
    }
}

/// The field of a run.
pub fn field((height, width): (usize, usize), seed: u64, number: u64) -> Field {
    let mut rng = GameSeed { seed, game: number }.rng(Purpose::Lab);
    Field::deal(height, width, height * width / 10, &mut rng)
}

struct Run {
    score: f64,
    seconds: f64,
    nodes: usize,
    iterations: u64,
    argument: f64,
    fresh: Vec<f64>,
}

impl Run {
    fn mean_fresh(&self) -> f64 {
        self.fresh.iter().sum::<f64>() / self.fresh.len() as f64
    }
}

/// One run on a field of its own; nothing if it was stopped.
fn run(
    work: &Work<'_>,
    depth: usize,
    size: (usize, usize),
    scheme: Scheme,
    iterations: u64,
    number: u64,
) -> Option<Run> {
    let one = NonZero::<usize>::MIN;
    let started = ThreadTime::now();
    let own = field(size, work.seed, number);
    let argument = own.score(&by_components(&own));
    let settings = Settings {
        scheme,
        population: POPULATION,
        distinct: true,
        seed: GameSeed { seed: work.seed, game: number }.derive(Purpose::Agent),
    };
    let mut evolution = Evolution::new(Breeding::paper(own, depth), settings, one);
    while evolution.iteration() < iterations && !evolution.perfect() {
        if work.stop.load(Ordering::Relaxed) {
            return None;
        }
        evolution.step(one);
    }
    let seconds = started.elapsed().as_secs_f64();
    let best = evolution.best();
    let fresh = (0..FRESH).map(|other| field(size, work.seed, 1_000_000 + other));
    let breeding = evolution.problem();
    let fresh = fresh.map(|field| breeding.scores(&best.genome, &[field], None).0).collect();
    let (nodes, iterations) = (best.genome.nodes().len(), evolution.iteration());
    Some(Run { score: best.fitness, seconds, nodes, iterations, argument, fresh })
}

fn findings(work: &Work<'_>, of: impl Fn(u64) -> Option<Run> + Sync) -> Option<Findings> {
    let runs = in_order(work.threads, work.amount as usize, |number| {
        let run = of(number as u64);
        (work.progress)((number + 1) as f64 / work.amount as f64, "runs");
        run
    });
    let runs: Vec<Run> = runs.into_iter().collect::<Option<_>>()?;
    let mut found = Findings::default();
    for run in &runs {
        found.push("score", run.score);
        found.push("seconds", run.seconds);
        found.push("nodes", run.nodes as f64);
        found.push("iterations", run.iterations as f64);
        found.push("argument", run.argument);
        found.push("fresh of each", run.mean_fresh());
    }
    // Several runs may end without a fault: which of them is the best would be chance, so a fresh
    // field's score is the mean of all that are.
    let most = runs.iter().map(|run| run.score).fold(f64::NEG_INFINITY, f64::max);
    let best: Vec<&Run> = runs.iter().filter(|run| run.score == most).collect();
    for field in 0..FRESH as usize {
        let sum: f64 = best.iter().map(|run| run.fresh[field]).sum();
        found.push("fresh", sum / best.len() as f64);
    }
    found.push("own", most);
    found.push("best", best.len() as f64);
    let smallest = best.iter().min_by_key(|run| run.nodes).expect("at least one run");
    found.push("fresh of the smallest", smallest.mean_fresh());
    Some(found)
}

/// The runs of one of the paper's settings.
fn evolve(work: &Work<'_>) -> Option<Findings> {
    let setting = SETTINGS.iter().find(|setting| setting.name() == work.name);
    let setting = setting.expect("a study of this table");
    let scheme = Scheme::Steady(setting.replacement);
    let pairs = PAIRS * work.amount;
    findings(work, |number| run(work, setting.depth, setting.size, scheme, pairs, number))
}

fn evolve_families(work: &Work<'_>) -> Option<Findings> {
    let scheme = Scheme::MuPlusLambda { children: 6 };
    let generations = GENERATIONS * work.amount;
    findings(work, |number| run(work, 15, LARGE, scheme, generations, number))
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for setting in &SETTINGS {
        let name = setting.name();
        let found = played.findings(&name);
        let target = Target::AtLeast { paper: setting.score, least: setting.score - 0.01 };
        lines.push(Line::new(&name, "gp", "score", target, found.mean("score")));
        let seconds = found.mean("seconds");
        let target = Target::Between { paper: setting.seconds, low: 0.0, high: setting.seconds };
        lines.push(Line::new(&name, "gp", "seconds", target, seconds).in_numbers());
        let nodes = found.mean("nodes");
        lines.push(Line::new(&name, "gp", "nodes", Target::None, nodes).in_numbers());
        let argument = found.mean("argument");
        lines.push(Line::new(&name, "components", "score", Target::None, argument));
    }
    let families = played.findings(GENERATIONAL);
    lines.push(Line::new(GENERATIONAL, "gp", "score", Target::None, families.mean("score")));
    let target = Target::Between { paper: 3000.0, low: 0.0, high: 300.0 };
    let seconds = families.mean("seconds");
    lines.push(Line::new(GENERATIONAL, "gp", "seconds", target, seconds).in_numbers());
    Reading::of("Trees of checks, evolved on one field", lines)
}
