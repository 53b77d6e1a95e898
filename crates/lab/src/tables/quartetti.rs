//! Quartetti's evolved program, as Park and others review it.

use std::num::NonZero;

use cpu_time::ThreadTime;
use deminer_game::{GameSeed, Purpose};
use deminer_learn::evolve::quartetti::{Breeding, Code, Genome, Grid, Machine, QuartettiPlayer};
use deminer_learn::evolve::{Artifact, Evolution, Scheme, Settings};

use super::{Findings, Found, Plan, QUARTETTI, Study, Table, Target, Work};

pub const TABLE: Table = Table {
    id: "quartetti",
    title: "An evolved program that plays boards with one mine",
    about: "A program evolved on all 36 boards of 6x6 with one mine clears them all, more than \
            90 % of the boards with one mine from 5x5 to 11x11, and of 100 boards with two mines \
            more where the mines are far apart. Ours is the shipped program; the first cell, in \
            the corner, is uncovered beforehand. One generation of a population of 50 000 is \
            timed.",
    plan,
    ..Table::of(&QUARTETTI)
};

const SIDES: [usize; 7] = [5, 6, 7, 8, 9, 10, 11];
/// Distances of two mines on 6x6.
const DISTANCES: [usize; 5] = [1, 2, 3, 4, 5];

fn plan(plan: &mut Plan) {
    let one = plan.study(Study::new("one mine", 1, one_mine));
    let two = plan.study(Study::new("two mines", 2000, two_mines));
    let generation = plan.study(Study::new("a generation of 50000", 50_000, generation));
    let mut share = |study, setting: &str, measure: &str, key: String, target: Target| {
        let labels = [setting, "quartetti", measure];
        plan.found(study, labels, move |found: &Found| found.share(&key), target);
    };
    for side in SIDES {
        let paper = if side == 6 { 1.0 } else { 0.9 };
        let name = format!("{side}x{side}");
        // The paper says "more than 90 %", which cannot be beaten.
        let target = Target::Between { paper, low: paper, high: 1.0 };
        share(one, &name, "cleared, one mine", name.clone(), target);
    }
    for distance in DISTANCES {
        let name = format!("distance {distance}");
        share(two, &name, "cleared, two mines", name.clone(), Target::None);
    }
    share(two, "6x6", "cleared, two mines", "all".into(), Target::None);
    let labels = ["50000 programs", "quartetti", "seconds a generation"];
    plan.found(generation, labels, |found| found.mean("seconds"), Target::None).in_numbers();
    plan.chart(TABLE.title);
    plan.note_on(move |played| {
        let found = played.found(two);
        let [near, far] = [found.share("distance 1")?, found.share("distance 5")?];
        Ok(format!(
            "Of two mines on 6x6 {:.1} % of the boards are cleared where they touch and {:.1} % \
             where they are five steps apart: seen from nearby, mines far apart look like one.",
            100.0 * near.value,
            100.0 * far.value
        ))
    });
}

fn one_mine(work: &Work<'_>) -> Option<Findings> {
    let genome = genome(work);
    let mut found = Findings::default();
    for side in SIDES {
        let grid = Grid::new(side, side);
        let (code, mut machine) = (Code::of(&genome), Machine::default());
        for mine in 0..grid.cells() {
            let won = grid.play(&code, &mut machine, 1 << mine).won;
            found.note(&format!("{side}x{side}"), won);
        }
    }
    Some(found)
}

fn genome(work: &Work<'_>) -> Genome {
    let text = work.artifact("genomes/one-mine.genome");
    let artifact = Artifact::read(&text).expect("the shipped genome is whole");
    QuartettiPlayer::genome(&artifact).expect("the shipped genome is whole")
}

/// Random boards of 6x6 with two mines, by their distance in steps of a king.
fn two_mines(work: &Work<'_>) -> Option<Findings> {
    let (code, mut machine) = (Code::of(&genome(work)), Machine::default());
    let grid = Grid::new(6, 6);
    let mut found = Findings::default();
    // Every distance has a board, so that none is without a number.
    for distance in DISTANCES {
        let won = grid.play(&code, &mut machine, 1 << 35 | 1 << (35 - distance)).won;
        found.note(&format!("distance {distance}"), won);
    }
    let mut rng = GameSeed { seed: work.seed, game: 0 }.rng(Purpose::Lab);
    for _ in 0..work.amount {
        let one = rng.below(36);
        let other = (one + 1 + rng.below(35)) % 36;
        let distance = (one / 6).abs_diff(other / 6).max((one % 6).abs_diff(other % 6));
        let won = grid.play(&code, &mut machine, 1 << one | 1 << other).won;
        found.note(&format!("distance {distance}"), won);
        found.note("all", won);
    }
    Some(found)
}

/// CPU seconds of a generation of a large population.
fn generation(work: &Work<'_>) -> Option<Findings> {
    let settings = Settings {
        scheme: Scheme::Generational { copied: 0.1, tournament: 7 },
        population: (work.amount as usize).max(2),
        distinct: false,
        seed: work.seed,
    };
    let one = NonZero::<usize>::MIN;
    let mut evolution = Evolution::new(Breeding::new(6, 6), settings, one);
    let started = ThreadTime::now();
    evolution.step(one);
    let mut found = Findings::default();
    found.push("seconds", started.elapsed().as_secs_f64());
    Some(found)
}
