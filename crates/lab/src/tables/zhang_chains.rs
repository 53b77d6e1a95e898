//! Zhang, Wu, Li and Xu: chains of influence, measured where the paper only argues.

use deminer_game::{GameSeed, Match};

use super::zhang_rates::{run, square};
use super::{Figure, Games, Plan, Run, SEED, Table, Target, ZHANG};
use crate::measure::{ChainLengths, Measure};
use crate::tournament::{GameRow, Tournament};
use deminer::chains::Chains;
use deminer::play::record_game;
use deminer::roster;
use deminer_draw::BoardPicture;

pub const TABLE: Table = Table {
    id: "s001-chains",
    title: "Chains of influence",
    about: "Every conclusion rests on clues and earlier conclusions; its depth is one more than \
            that of the deepest. The paper expects chains to grow shorter with density (with 10 \
            mines on 64x64 they should be very long and reach across the board) and longer with \
            size at the same density, and shows no numbers. Measured here: the longest chain of a \
            board, the mean depth, the reach (the greatest distance from a conclusion to the \
            earliest opening it rests on) and the share of conclusions of each stage.",
    plan,
    ..Table::of(&ZHANG)
};

const PLAYER: &str = "cs520";
/// Ten mines on 64x64 are 0.244 %.
const DENSITIES: [f64; 10] = [0.244, 1.0, 2.0, 5.0, 8.0, 12.0, 16.0, 18.0, 20.0, 24.0];
const SIDES: [usize; 6] = [16, 32, 48, 64, 96, 128];
/// The density of the sizes, in percent.
const SIZED: f64 = 10.0;
const STAGES: [&str; 4] = ["step-by-step", "step-aside", "keep-in-step", "elixir"];

fn sized(side: usize) -> Run {
    square(format!("{side}x{side}, {SIZED} %"), side, SIZED, 200)
}

fn plan(plan: &mut Plan) {
    let (mines, steps) = ("mines, % of cells", "depth or distance, in steps");
    let side = format!("side of the board, {SIZED} % mines");
    let [density, size, stages] = [
        Figure::new("density", "Chains of influence against density, 64x64", mines, steps)
            .of_numbers(),
        Figure::new("size", "Chains of influence against size", &side, steps).of_numbers(),
        Figure::new(
            "stages",
            "Which stage draws the conclusions, 64x64",
            mines,
            "share of conclusions",
        ),
    ]
    .map(|figure| plan.figure(figure));
    let dense = DENSITIES.map(|percent| (percent, run(percent, 200), true));
    let sized = SIDES.map(|side| (side as f64, sized(side), false));
    let mut by_density = Vec::new();
    let mut by_size = Vec::new();
    for (across, run, is_dense) in dense.into_iter().chain(sized) {
        let run = plan.run(run.measuring(&[Measure::Chains, Measure::Usage]));
        for (measure, of) in LENGTHS {
            let mean = move |games: &Games<'_>| games.mean(|row| row.measured.chains.map(of));
            let row = plan.row(run, PLAYER, measure, mean, Target::None).in_numbers();
            row.point(if is_dense { density } else { size }, measure, across);
        }
        for stage in STAGES {
            let mean = move |games: &Games<'_>| games.mean(|row| stage_share(row, stage));
            let measure = format!("conclusions by {stage}");
            let row = plan.row(run, PLAYER, &measure, mean, Target::None);
            if is_dense {
                row.point(stages, stage, across);
            }
        }
        let games = (across, plan.agent(run, PLAYER));
        if is_dense { by_density.push(games) } else { by_size.push(games) }
    }
    plan.remark(move |played, reading| {
        reading.pictures.push(("chain".to_owned(), picture()));
        let games = |of: &[(f64, _)]| -> Vec<(f64, Games<'_>)> {
            of.iter().map(|&(across, agent)| (across, played.games(agent))).collect()
        };
        reading.notes.push(expectations(&games(&by_density), &games(&by_size)));
        Ok(())
    });
}

/// What the paper expects, and what was found.
fn expectations(by_density: &[(f64, Games<'_>)], by_size: &[(f64, Games<'_>)]) -> String {
    let mean = |games: &Games<'_>, of: Length| games.mean(|row| row.measured.chains.map(of)).value;
    let [(_, longest), _, (_, reach)] = LENGTHS;
    let (fewest, small) = (&by_density[0].1, &by_size[0]);
    let large = &by_size[by_size.len() - 1];
    let (peak, highest) = by_density
        .iter()
        .map(|(percent, games)| (*percent, mean(games, longest)))
        .fold((0.0, 0.0), |best, next| if next.1 > best.1 { next } else { best });
    let (densest, last) = &by_density[by_density.len() - 1];
    format!(
        "The paper expects that with 10 mines on 64x64 the influence of a cell reaches across the \
         board: it reaches {:.1} cells of at most 63 on average. It expects the longest chain to \
         grow with the board at the same density: from {:.1} at {}x{} to {:.1} at {}x{}. It \
         expects chains to grow shorter with density: the reach does, but the longest chain is \
         {:.1} with 10 mines, {highest:.1} at its greatest ({peak} %), and {:.1} at {densest} %. \
         Among many mines a chain winds where among few it runs straight; only where games end \
         early it grows short.",
        mean(fewest, reach),
        mean(&small.1, longest),
        small.0,
        small.0,
        mean(&large.1, longest),
        large.0,
        large.0,
        mean(fewest, longest),
        mean(last, longest),
    )
}

type Length = fn(ChainLengths) -> f64;

const LENGTHS: [(&str, Length); 3] = [
    ("longest chain", |chains| f64::from(chains.longest)),
    ("mean depth", |chains| chains.mean),
    ("reach", |chains| f64::from(chains.reach)),
];

/// The share of a game's conclusions that a stage has drawn.
fn stage_share(row: &GameRow, stage: &str) -> Option<f64> {
    let drawn = |name: &str| {
        let usage = row.measured.usage.iter();
        usage.filter(|(used, _)| used == name).map(|(_, count)| count).sum::<u32>()
    };
    let all: u32 = STAGES.iter().map(|stage| drawn(stage)).sum();
    (all > 0).then(|| f64::from(drawn(stage)) / f64::from(all))
}

/// The longest chain of one game, on the board at its end.
fn picture() -> String {
    let Tournament { rules, at, .. } = sized(16).spec.tournament;
    let game = Match::new(rules, at, GameSeed { seed: SEED, game: 0 });
    let player = roster::agent(PLAYER).expect("an agent without artifacts");
    let record = record_game(&player, game, |_, _| {}).expect("cs520 builds");
    let chains = Chains::of(&record).expect("a game just played replays");
    let board = record.replay(|_, _, _| {}).expect("a game just played replays");
    let chain = chains.longest_chain();
    let steps = chain.len().saturating_sub(1);
    BoardPicture::of(&board)
        .chain(&chain)
        .caption(format!("The longest chain of influence of one game: {steps} steps"))
        .scene()
        .svg()
}
