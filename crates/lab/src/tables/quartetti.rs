//! Quartetti's evolved program, as Park and others review it.

use std::num::NonZero;

use cpu_time::ThreadTime;
use deminer_game::{ArtifactKind, GameSeed, Purpose};
use deminer_learn::evolve::quartetti::{Breeding, Code, Genome, Grid, Machine, QuartettiPlayer};
use deminer_learn::evolve::{Artifact, Evolution, Scheme, Settings};

use super::{Findings, Found, Plan, QUARTETTI, Study, Table, Target, Work};

pub const TABLE: Table = Table {
    id: "quartetti",
    title: "An evolved program that plays boards with one mine",
    about: "A program evolved on all 36 boards of 6x6 with one mine clears them all, more than \
            90 % of the boards with one mine from 5x5 to 11x11, and of 100 boards with two mines \
            more where the mines are far apart. Two shipped programs are judged, each from a \
            population of 50 000; the first cell, in the corner, is uncovered beforehand. \
            `quartetti:six-by-six` was evolved as the paper's, on 6x6 alone, until it cleared all \
            36 boards; larger and smaller boards are new to it. `quartetti` was also evolved on \
            boards of 5x5, 7x7 and 9x9 once it cleared those of 6x6, so of the other sizes only \
            8x8, 10x10 and 11x11 are new to it, and of the last population the program was taken \
            that plays all sizes best. One generation of a population of 50 000 is timed.",
    plan,
    ..Table::of(&QUARTETTI)
};

const SIDES: [usize; 7] = [5, 6, 7, 8, 9, 10, 11];
/// Distances of two mines on 6x6.
const DISTANCES: [usize; 5] = [1, 2, 3, 4, 5];

/// A shipped program, and the sides of the boards that it was evolved on.
struct Evolved {
    agent: &'static str,
    genome: &'static str,
    sides: &'static [usize],
}

const EVOLVED: [Evolved; 2] = [
    Evolved { agent: "quartetti:six-by-six", genome: "six-by-six", sides: &[6] },
    Evolved { agent: "quartetti", genome: "one-mine", sides: &[5, 6, 7, 9] },
];

fn plan(plan: &mut Plan) {
    let two = EVOLVED.map(|evolved| {
        let Evolved { agent, genome, sides } = evolved;
        let one = format!("one mine, {genome}");
        let one = plan.study(Study::new(one, 1, move |work| one_mine(work, genome)));
        let two = format!("two mines, {genome}");
        let two = plan.study(Study::new(two, 2000, move |work| two_mines(work, genome)));
        let mut share = |study, setting: &str, measure: &str, key: String, target: Target| {
            let labels = [setting, agent, measure];
            plan.found(study, labels, move |found: &Found| found.share(&key), target);
        };
        for side in SIDES {
            let paper = if side == 6 { 1.0 } else { 0.9 };
            let name = format!("{side}x{side}");
            let is_known = sides.contains(&side);
            // The paper says "more than 90 %" of boards that are new to its program.
            let target = match is_known && side != 6 {
                true => Target::Beside { paper },
                false => Target::Between { paper, low: paper, high: 1.0 },
            };
            let measure = match is_known {
                true => "cleared, one mine, evolved on these",
                false => "cleared, one mine, new boards",
            };
            share(one, &name, measure, name.clone(), target);
        }
        for distance in DISTANCES {
            let name = format!("distance {distance}");
            share(two, &name, "cleared, two mines", name.clone(), Target::None);
        }
        share(two, "6x6", "cleared, two mines", "all".into(), Target::None);
        two
    });
    let generation = plan.study(Study::new("a generation of 50000", 50_000, generation));
    let labels = ["50000 programs", "quartetti", "seconds a generation"];
    plan.found(generation, labels, |found| found.mean("seconds"), Target::None).in_numbers();
    plan.chart(TABLE.title);
    plan.note_on(move |played| {
        let mut note = "Of boards of 6x6 with two mines, cleared where the mines touch and where \
                        they are five steps apart (the paper's program is better where they are \
                        far apart, and they look like one from nearby):\n\n"
            .to_owned();
        for (evolved, study) in EVOLVED.iter().zip(two) {
            let found = played.found(study);
            let [near, far] = [found.share("distance 1")?, found.share("distance 5")?];
            let [near, far] = [near, far].map(|share| 100.0 * share.value);
            note += &format!("- `{}`: {near:.1} and {far:.1} %\n", evolved.agent);
        }
        Ok(note)
    });
}

fn one_mine(work: &Work<'_>, genome: &str) -> Option<Findings> {
    let genome = read(work, genome);
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

fn read(work: &Work<'_>, genome: &str) -> Genome {
    let text = work.artifact(&ArtifactKind::GENOME.path(genome));
    let artifact = Artifact::read(&text).expect("shipped genomes are whole");
    QuartettiPlayer::genome(&artifact).expect("shipped genomes are whole")
}

/// Random boards of 6x6 with two mines, by their distance in steps of a king.
fn two_mines(work: &Work<'_>, genome: &str) -> Option<Findings> {
    let (code, mut machine) = (Code::of(&read(work, genome)), Machine::default());
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
