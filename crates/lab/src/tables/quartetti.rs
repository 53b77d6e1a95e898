//! Quartetti's evolved program, as Park and others review it.

use std::num::NonZero;

use cpu_time::ThreadTime;
use deminer_game::{GameSeed, Purpose};
use deminer_learn::evolve::quartetti::{Breeding, Code, Grid, Machine, QuartettiPlayer, SHIPPED};
use deminer_learn::evolve::{Artifact, Evolution, Scheme, Settings};

use super::{Findings, Line, Played, Reading, Study, Table, Target, Work};

pub const TABLE: Table = Table {
    id: "quartetti",
    title: "An evolved program that plays boards with one mine",
    paper: Some("C. Quartetti, Evolving a Program to Play the Game Minesweeper, 2000"),
    about: "A program evolved on all 36 boards of 6x6 with one mine clears them all, more than \
            90 % of the boards with one mine from 5x5 to 11x11, and of 100 boards with two mines \
            more where the mines are far apart. Ours is the shipped program; the first cell, in \
            the corner, is uncovered beforehand. A population of 50 000 is timed for a \
            generation.",
    trials: Vec::new,
    studies: || {
        vec![
            Study::new("one mine", 1, one_mine),
            Study::new("two mines", 2000, two_mines),
            Study::new("a generation of 50000", 50_000, generation),
        ]
    },
    read,
    digest: None,
};

const SIDES: [usize; 7] = [5, 6, 7, 8, 9, 10, 11];
/// Distances of two mines on 6x6.
const DISTANCES: [usize; 5] = [1, 2, 3, 4, 5];

fn one_mine(_: &Work<'_>) -> Option<Findings> {
    let genome = genome();
    let mut found = Findings::default();
    for side in SIDES {
        let grid = Grid::new(side, side);
        let (code, mut machine) = (Code::of(&genome), Machine::default());
        for mine in 0..grid.cells() {
            let won = grid.play(&code, &mut machine, 1 << mine).won;
            found.push(&format!("{side}x{side}"), f64::from(u8::from(won)));
        }
    }
    Some(found)
}

fn genome() -> deminer_learn::evolve::quartetti::Genome {
    let artifact = Artifact::read(SHIPPED.1).expect("the shipped genome is whole");
    QuartettiPlayer::genome(&artifact).expect("the shipped genome is whole")
}

/// Random boards of 6x6 with two mines, by their distance in steps of a king.
fn two_mines(work: &Work<'_>) -> Option<Findings> {
    let (code, mut machine) = (Code::of(&genome()), Machine::default());
    let grid = Grid::new(6, 6);
    let mut found = Findings::default();
    // Every distance has a board, so that none is without a number.
    for distance in DISTANCES {
        let won = grid.play(&code, &mut machine, 1 << 35 | 1 << (35 - distance)).won;
        found.push(&format!("distance {distance}"), f64::from(u8::from(won)));
    }
    let mut rng = GameSeed { seed: work.seed, game: 0 }.rng(Purpose::Lab);
    for _ in 0..work.amount {
        let one = rng.below(36);
        let other = (one + 1 + rng.below(35)) % 36;
        let distance = (one / 6).abs_diff(other / 6).max((one % 6).abs_diff(other % 6));
        let won = grid.play(&code, &mut machine, 1 << one | 1 << other).won;
        found.push(&format!("distance {distance}"), f64::from(u8::from(won)));
        found.push("all", f64::from(u8::from(won)));
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

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    let one = played.findings("one mine");
    for side in SIDES {
        let paper = if side == 6 { 1.0 } else { 0.9 };
        let name = format!("{side}x{side}");
        let target = Target::AtLeast { paper, least: paper };
        lines.push(Line::new(&name, "quartetti", "cleared, one mine", target, one.share(&name)));
    }
    let two = played.findings("two mines");
    for distance in DISTANCES {
        let name = format!("distance {distance}");
        let share = two.share(&name);
        lines.push(Line::new(&name, "quartetti", "cleared, two mines", Target::None, share));
    }
    lines.push(Line::new("6x6", "quartetti", "cleared, two mines", Target::None, two.share("all")));
    let seconds = played.findings("a generation of 50000").mean("seconds");
    let line =
        Line::new("50000 programs", "quartetti", "seconds a generation", Target::None, seconds);
    lines.push(line.in_numbers());
    let mut reading = Reading::of("An evolved program that plays boards with one mine", lines);
    let near = two.share("distance 1").value;
    let far = two.share("distance 5").value;
    reading.notes.push(format!(
        "Of two mines on 6x6 {:.1} % of the boards are cleared where they touch and {:.1} % where \
         they are five steps apart: seen from nearby, mines far apart look like one.",
        100.0 * near,
        100.0 * far
    ));
    reading
}
