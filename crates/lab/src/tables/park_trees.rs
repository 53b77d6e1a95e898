//! Park, Liou, Bray, Pyon and Francesconi, tables 3 and 4 and their claims on small fields: trees
//! of checks, evolved on one field, on fields they have never seen, and on small ones.

use std::num::NonZero;

use cpu_time::ThreadTime;
use deminer_game::{GameSeed, Purpose};
use deminer_learn::evolve::gp::{
    Breeding, Check, Field, Reach, Training, TrainingPlan, by_components,
};
use deminer_learn::evolve::{Evolution, Replacement, Row, Scheme, Settings, in_order};

use super::{
    Findings, Found, MissingFinding, PARK, Plan, Played, Study, StudyId, Table, Target, Work, bare,
    series,
};
use crate::stats;
use deminer_draw::Axis;

pub const ONE_FIELD: Table = Table {
    id: "s004-t3",
    title: "Trees of checks, evolved on one field",
    place: "table 3",
    about: "The mean score of 15 runs of at most 1500 pairs of children, as a share of the best \
            possible, on fields of 10x10 and 16x30 with 10 % mines whose numbers are all seen; \
            trees of depth 3 to 5 or 15 at first; a child replaces the tree of closest fitness or \
            the worst. The score must be at most 0.01 below the paper's, in less time. These runs \
            refuse children of more than 800 nodes, which the paper did not; rows with \"no limit\" \
            accept every child, and the figures show how their trees grow and what scores they \
            reach. The generational scheme, which the paper gave up after 50 minutes a run, runs \
            for 100 generations. `components` is the score of plain argument about connected \
            unknown cells.",
    plan: |plan| {
        let add =
            |plan: &mut Plan, study, name: &str, agent: &str, measure: &'static str, target| {
                let key = if agent == "gp" { measure } else { "argument" };
                let mean = move |found: &Found| found.mean(key);
                let row = plan.found(study, [name, agent, measure], mean, target);
                if measure != "score" {
                    row.in_numbers();
                }
            };
        for setting in &SETTINGS {
            let (name, study) = (setting.name(), plan.study(setting.study()));
            let &GpSetting { score, seconds, .. } = setting;
            let target = Target::AtLeast { paper: score, least: score - 0.01 };
            add(plan, study, &name, "gp", "score", target);
            let target = Target::at_most_beside(seconds, seconds);
            add(plan, study, &name, "gp", "seconds", target);
            add(plan, study, &name, "gp", "nodes", Target::None);
            add(plan, study, &name, "components", "score", Target::None);
        }
        let unlimited = UNLIMITED.map(|setting| {
            let setting = &SETTINGS[setting];
            let name = format!("{}, no limit", setting.name());
            let study = plan.study(Study::new(&name, UNLIMITED_RUNS, |work| {
                let pairs = if work.sketch { 2 } else { ITERATIONS_OF_PAPER };
                findings(work, |number| setting.run(work, usize::MAX, pairs, number))
            }));
            let &GpSetting { score, seconds, .. } = setting;
            let target = Target::AtLeast { paper: score, least: score - 0.01 };
            add(plan, study, &name, "gp", "score", target);
            add(plan, study, &name, "gp", "seconds", Target::at_most_beside(seconds, seconds));
            add(plan, study, &name, "gp", "nodes", Target::None);
            study
        });
        let name = "15, 16x30, mulambda";
        let study = plan.study(Study::new(name, FAMILY_RUNS, |work| {
            let scheme = Scheme::MuPlusLambda(6);
            let generations = if work.sketch { 1 } else { GENERATIONS };
            let breeding = |field| Breeding::paper(field, 15);
            findings(work, |number| run(work, LARGE, breeding, scheme, generations, number))
        }));
        add(plan, study, name, "gp", "score", Target::None);
        let target = Target::at_most_beside(300.0, 3000.0);
        add(plan, study, name, "gp", "seconds", target);
        add(plan, study, name, "gp", "nodes", Target::None);
        plan.chart(ONE_FIELD.title);
        let (nodes, score) = ("mean nodes of the population", "best score");
        for (file, key, what, up) in [
            ("sizes", "mean size", nodes, Axis::Number(nodes.into())),
            ("scores", "best", score, Axis::Percent(score.into())),
        ] {
            let title = format!("Trees without a limit of size: {what}");
            let across = Axis::Number("pairs of children".into());
            plan.curves(file, title, [across, up], move |played| {
                let mut curves = Vec::new();
                for found in unlimited.map(|study| played.found(study)) {
                    for number in 1..=found.study.amount {
                        let column = |key: &str| found.numbers(&format!("run {number}, {key}"));
                        let both = column("iteration")?.iter().zip(column(key)?);
                        let points = both.map(|(&across, &up)| bare(across, up)).collect();
                        curves.push(series(format!("{}, run {number}", found.study.name), points));
                    }
                }
                Ok(curves)
            });
        }
        plan.note_on(move |played| growth(played, unlimited));
    },
    ..Table::of(&PARK)
};

/// How far trees without a limit grow, in the numbers found.
fn growth(played: &Played, unlimited: [StudyId; 2]) -> Result<String, MissingFinding> {
    let mut text =
        "How trees grow where every child is accepted, in mean nodes of a population at \
                    the beginning and the end of each run:\n\n"
            .to_owned();
    for found in unlimited.map(|study| played.found(study)) {
        let mut grown = Vec::new();
        for number in 1..=found.study.amount {
            let sizes = found.numbers(&format!("run {number}, mean size"))?;
            grown.push(format!("{:.0} to {:.0}", sizes[0], sizes[sizes.len() - 1]));
        }
        text += &format!("- {}: {}\n", found.study.name, grown.join(", "));
    }
    Ok(text)
}

/// A setting of the paper, and its numbers: score, seconds, and the champion's on its own field
/// and on 30 others.
pub struct GpSetting {
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
) -> GpSetting {
    GpSetting { depth, size, replacement, score, seconds, own, fresh }
}

const LARGE: (usize, usize) = (16, 30);
const SMALL: (usize, usize) = (10, 10);

pub static SETTINGS: [GpSetting; 8] = [
    setting(15, LARGE, Replacement::Closest, [0.95936, 170.150889, 0.97222, 0.91716]),
    setting(15, SMALL, Replacement::Closest, [0.99813, 24.4551857, 0.97656, 0.82003]),
    setting(5, LARGE, Replacement::Closest, [0.95575, 168.009946, 0.94413, 0.87648]),
    setting(5, SMALL, Replacement::Closest, [0.99288, 30.1335972, 1.0, 0.75490]),
    setting(15, LARGE, Replacement::Worst, [0.97651, 461.7006968, 0.99057, 0.89053]),
    setting(15, SMALL, Replacement::Worst, [0.99316, 82.042813, 1.0, 0.79131]),
    setting(5, LARGE, Replacement::Worst, [0.97748, 759.431931, 0.97546, 0.90084]),
    setting(5, SMALL, Replacement::Worst, [0.99244, 44.1767717, 0.99230, 0.85296]),
];

/// Runs of a setting. Each has at most a hundred pairs of children for each run, so fewer runs are
/// shorter too.
const RUNS: u64 = 15;
const PAIRS: u64 = 100;
/// The paper's pairs of children.
const ITERATIONS_OF_PAPER: u64 = RUNS * PAIRS;
/// Runs of a setting without a limit of size, and which settings have some.
const UNLIMITED_RUNS: u64 = 3;
const UNLIMITED: [usize; 2] = [0, 4];
/// Runs of the generational scheme, and their generations.
const FAMILY_RUNS: u64 = 5;
const GENERATIONS: u64 = 100;
/// Iterations from one record of a run to the next.
const RECORD: u64 = 50;
const POPULATION: usize = 40;
/// Runs are spread over the threads, so each of them has one.
const ONE: NonZero<usize> = NonZero::<usize>::MIN;
/// Fields that a champion has never seen.
const FRESH: u64 = 30;

impl GpSetting {
    /// Its runs.
    pub fn study(&'static self) -> Study {
        Study::new(self.name(), RUNS, |work| {
            let pairs = if work.sketch { 2 } else { PAIRS * work.amount };
            findings(work, |number| self.run(work, Breeding::LARGEST, pairs, number))
        })
    }

    /// One run, whose children have at most this many nodes.
    fn run(&self, work: &Work<'_>, largest: usize, pairs: u64, number: u64) -> Option<GpRun> {
        let breeding = |field| Breeding { largest, ..Breeding::paper(field, self.depth) };
        run(work, self.size, breeding, Scheme::Steady(self.replacement), pairs, number)
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

struct GpRun {
    score: f64,
    seconds: f64,
    nodes: usize,
    iterations: u64,
    argument: f64,
    fresh: Vec<f64>,
    /// The population every [`RECORD`] iterations.
    records: Vec<Row>,
}

/// One run on a field of its own; nothing if it was stopped.
fn run(
    work: &Work<'_>,
    size: (usize, usize),
    breeding: impl Fn(Field) -> Breeding,
    scheme: Scheme,
    iterations: u64,
    number: u64,
) -> Option<GpRun> {
    let started = ThreadTime::now();
    let own = field(size, work.seed, number);
    let argument = own.score(&by_components(&own));
    let (evolution, records) = evolve(work, number, breeding(own), scheme, iterations)?;
    let seconds = started.elapsed().as_secs_f64();
    let best = &evolution.state().best;
    let fresh = (0..FRESH).map(|other| field(size, work.seed, 1_000_000 + other));
    let breeding = evolution.problem();
    let fresh = fresh.map(|field| breeding.scores(&best.genome, &[field], None).0).collect();
    let (nodes, iterations) = (best.genome.nodes().len(), evolution.state().iteration);
    Some(GpRun { score: best.fitness, seconds, nodes, iterations, argument, fresh, records })
}

/// Evolves trees until one has no fault or this is enough, with records of the population; nothing
/// if it was stopped.
fn evolve(
    work: &Work<'_>,
    number: u64,
    breeding: Breeding,
    scheme: Scheme,
    iterations: u64,
) -> Option<(Evolution<Breeding>, Vec<Row>)> {
    let seed = GameSeed { seed: work.seed, game: number }.derive(Purpose::Agent);
    let settings = Settings { scheme, population: POPULATION, distinct: true, seed };
    let mut evolution = Evolution::new(breeding, settings, ONE);
    let mut records = vec![evolution.row()];
    while evolution.state().iteration < iterations && !evolution.perfect() {
        if work.is_stopped() {
            return None;
        }
        evolution.step(ONE);
        let state = evolution.state();
        let is_last = state.iteration == iterations || evolution.perfect();
        if state.iteration.is_multiple_of(RECORD) || is_last {
            records.push(evolution.row());
        }
    }
    Some((evolution, records))
}

fn findings(work: &Work<'_>, of: impl Fn(u64) -> Option<GpRun> + Sync) -> Option<Findings> {
    let runs = in_order(work.threads, work.amount as usize, |number| {
        let run = of(number as u64);
        (work.progress)((number + 1) as f64 / work.amount as f64, "runs");
        run
    });
    let runs: Vec<GpRun> = runs.into_iter().collect::<Option<_>>()?;
    let mut found = Findings::default();
    for (number, run) in (1..).zip(&runs) {
        for row in &run.records {
            let mut note = |key: &str, value| found.push(&format!("run {number}, {key}"), value);
            note("iteration", row.iteration as f64);
            note("best", row.best);
            note("mean size", row.size);
        }
        found.push("score", run.score);
        found.push("seconds", run.seconds);
        found.push("nodes", run.nodes as f64);
        found.push("iterations", run.iterations as f64);
        found.push("argument", run.argument);
        found.push("fresh of each", stats::mean(&run.fresh));
    }
    // Several runs may end without a fault: which of them is the best would be chance, so a fresh
    // field's score is the mean of all that are.
    let most = runs.iter().map(|run| run.score).fold(f64::NEG_INFINITY, f64::max);
    let best: Vec<&GpRun> = runs.iter().filter(|run| run.score == most).collect();
    for field in 0..FRESH as usize {
        let sum: f64 = best.iter().map(|run| run.fresh[field]).sum();
        found.push("fresh", sum / best.len() as f64);
    }
    found.push("own", most);
    found.push("best", best.len() as f64);
    let smallest = best.iter().min_by_key(|run| run.nodes).expect("at least one run");
    found.push("fresh of the smallest", stats::mean(&smallest.fresh));
    Some(found)
}

pub const FRESH_FIELDS: Table = Table {
    id: "s004-t4",
    title: "Evolved trees on fresh fields",
    place: "table 4",
    about: "The best tree of 15 runs on the field it was evolved on, and its mean score on 30 \
            fields it has never seen; where several are best, the mean of them all. Both must be \
            at most 0.02 below the paper's. `general` is evolved on 8 fields at once, with offsets \
            of at most two cells, the check of saturated numbers, memory for what is proved, a \
            price for size, and 8 fields held out that choose the champion: it must be better on \
            fresh fields than the paper's best, 0.917. Each row below it leaves one of these out.",
    plan: |plan| {
        let mut add = |study: Study, own: Target, fresh: Target| {
            let (name, study) = (study.name.clone(), plan.study(study));
            plan.found(study, [&name, "gp", "own"], |found| found.mean("own"), own);
            plan.found(study, [&name, "gp", "fresh"], |found| found.mean("fresh"), fresh);
            study
        };
        let near = |paper| Target::AtLeast { paper, least: paper - 0.02 };
        let paper = |setting: &'static GpSetting| {
            add(setting.study(), near(setting.own), near(setting.fresh))
        };
        let papers: Vec<StudyId> = SETTINGS.iter().map(paper).collect();
        for name in VARIANTS {
            let target = match name {
                "general" => Target::AtLeast { paper: 0.91716, least: 0.91716 },
                _ => Target::Beside { paper: 0.91716 },
            };
            let study = Study::new(name, ITERATIONS, move |work| generalize(work, name));
            add(study, Target::None, target);
        }
        plan.chart(FRESH_FIELDS.title);
        plan.note_on(move |played| spread(played, &papers));
    },
    ..Table::of(&PARK)
};

const VARIANTS: [&str; 6] = [
    "general",
    "general, one field",
    "general, far offsets",
    "general, no memory",
    "general, the ten checks",
    "general, with coverage",
];

/// Pairs of children of a run, at most, and runs.
const ITERATIONS: u64 = 600;
const GENERAL_RUNS: usize = 2;

/// Trees that are to be right everywhere.
fn generalize(work: &Work<'_>, name: &str) -> Option<Findings> {
    let runs = in_order(work.threads, GENERAL_RUNS, |number| {
        let seed = GameSeed { seed: work.seed, game: number as u64 }.derive(Purpose::Agent);
        let fields = |first: u64, count: u64| {
            (first..first + count).map(|at| field(LARGE, seed, at)).collect::<Vec<_>>()
        };
        let many = if name == "general, one field" { 1 } else { 8 };
        let far = name == "general, far offsets";
        let plain = name == "general, the ten checks";
        let training = fields(0, many);
        let paper = Breeding::paper(training[0].clone(), 8);
        let breeding = Breeding {
            fields: training,
            checks: if plain { Check::PAPER.to_vec() } else { Check::ALL.to_vec() },
            reach: if far { paper.reach } else { Reach { rows: 3, columns: 3 } },
            coverage: if name == "general, with coverage" { 0.2 } else { 0.0 },
            parsimony: 1e-5,
            memory: name != "general, no memory",
            largest: 150,
            ..paper
        };
        let scheme = Scheme::Steady(Replacement::Worst);
        let settings = Settings { scheme, population: 60, distinct: true, seed };
        let (iterations, held_out) = (work.amount, fields(100, 8));
        let lessons = TrainingPlan { iterations, every: 25, held_out, patience: 8 };
        let mut training = Training::new(breeding, settings, lessons, ONE);
        while !training.done() {
            if work.is_stopped() {
                return None;
            }
            training.step(ONE);
        }
        (work.progress)((number + 1) as f64 / GENERAL_RUNS as f64, "runs");
        let breeding = training.evolution.problem();
        let champion = &training.log.champion;
        let own = breeding.scores(champion, &breeding.fields, None).0;
        let fresh: Vec<f64> = (0..30)
            .map(|at| breeding.scores(champion, &[field(LARGE, work.seed, 1_000_000 + at)], None).0)
            .collect();
        Some((own, fresh, champion.pretty()))
    });
    let mut found = Findings::default();
    for run in runs {
        let (own, fresh, tree) = run?;
        found.push("own", own);
        found.push("fresh", stats::mean(&fresh));
        found.texts.insert("tree".into(), tree);
    }
    Some(found)
}

/// How much a tree's score on fresh fields depends on chance: the scores of all runs.
fn spread(played: &Played, studies: &[StudyId]) -> Result<String, MissingFinding> {
    let mut note = "Where several runs end without a fault on their own field, which of them is \
                    best would be chance. How many are best, what the smallest of them scores on \
                    fresh fields, and what the trees of all 15 runs do, least to greatest:\n\n"
        .to_owned();
    for found in studies.iter().map(|&study| played.found(study)) {
        let name = &found.study.name;
        let (best, smallest) = (found.last("best")?, found.last("fresh of the smallest")?);
        let fresh = found.numbers("fresh of each")?;
        let low = fresh.iter().copied().fold(f64::INFINITY, f64::min);
        let high = fresh.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mean = stats::mean(fresh);
        note += &format!("- {name}: {best:.0} best, the smallest {smallest:.3}; ");
        note += &format!("{low:.3} to {high:.3}, mean {mean:.3}\n");
    }
    Ok(note)
}

pub const SMALL_FIELDS: Table = Table {
    id: "s004-small",
    title: "Trees of checks on small fields",
    about: "The paper says that on fields smaller than 5x5 the first population often holds a \
            tree without fault, and that on small fields one is found within 50 iterations. 60 \
            fields of each size with 10 % mines, at least one, trees of depth 3 to 15, closest \
            replacement. Most fields smaller than 5x5 must be solved at once, most up to 5x5 \
            within 50 iterations.",
    plan: |plan| {
        for side in 3..=8 {
            let name = format!("{side}x{side}");
            let study = plan.study(Study::new(&name, 60, move |work| solve(work, side)));
            for (key, asked) in [("at once", side < 5), ("within 50", side <= 5)] {
                let target = if asked { Target::at_least(0.5) } else { Target::None };
                let share = move |found: &Found| found.share(key);
                plan.found(study, [&name, "gp", &format!("solved {key}")], share, target);
            }
        }
        plan.chart(SMALL_FIELDS.title);
    },
    ..Table::of(&PARK)
};

/// A field is to be solved within this many iterations.
const SOON: u64 = 50;

fn solve(work: &Work<'_>, side: usize) -> Option<Findings> {
    let solved = in_order(work.threads, work.amount as usize, |number| {
        let seed = GameSeed { seed: work.seed, game: number as u64 };
        let field = Field::deal(side, side, (side * side / 10).max(1), &mut seed.rng(Purpose::Lab));
        let scheme = Scheme::Steady(Replacement::Closest);
        evolve(work, seed.game, Breeding::paper(field, 15), scheme, SOON)
    });
    let mut found = Findings::default();
    for evolution in solved {
        let (evolution, _) = evolution?;
        found.note("at once", evolution.state().iteration == 0);
        found.note("within 50", evolution.perfect());
    }
    Some(found)
}
