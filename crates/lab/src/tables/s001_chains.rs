//! Zhang, Wu, Li and Xu: chains of influence, measured where the paper only argues.

use deminer_game::{At, GameSeed, Match, Start};

use super::s001_e1::{PAPER, point, setting, trial};
use super::{Games, Line, Played, Reading, SEED, Table, Target, Trial};
use crate::chains::Chains;
use crate::measure::{ChainLengths, Measure};
use crate::report::{Axis, BoardPicture, Chart, ChartPoint, Series, Source};
use crate::run::{GameRow, record_game};

pub const TABLE: Table = Table {
    id: "s001-chains",
    title: "Chains of influence",
    paper: Some(PAPER),
    about: "Every conclusion rests on clues and earlier conclusions; its depth is one more than \
            that of the deepest. The paper expects chains to grow shorter with density (with 10 \
            mines on 64x64 they should be very long and reach across the board) and longer with \
            size at the same density, and shows no numbers. Here are the longest chain of a \
            board, the mean depth, the reach (the greatest distance from a conclusion to the \
            earliest opening it rests on) and the share of conclusions of each stage.",
    trials: || {
        let dense = DENSITIES.map(|percent| trial(percent, &["cs520"], 200));
        let sized = SIDES.map(sized_trial);
        let measured = [Measure::Chains, Measure::Usage];
        dense.into_iter().chain(sized).map(|trial| trial.measuring(&measured)).collect()
    },
    studies: super::no_studies,
    read,
    digest: None,
};

/// Ten mines on 64x64 are 0.244 %.
const DENSITIES: [f64; 10] = [0.244, 1.0, 2.0, 5.0, 8.0, 12.0, 16.0, 18.0, 20.0, 24.0];
const SIDES: [usize; 6] = [16, 32, 48, 64, 96, 128];
/// The density of the sizes, in percent.
const SIZED: f64 = 10.0;
const STAGES: [&str; 4] = ["step-by-step", "step-aside", "keep-in-step", "elixir"];

fn sized(side: usize) -> String {
    format!("{side}x{side}, {}", setting(SIZED))
}

fn sized_trial(side: usize) -> Trial {
    let mines = ((side * side) as f64 * SIZED / 100.0).round();
    Trial::new(sized(side), &["cs520"], &format!("{side}x{side}x{mines}"), 200)
        .start(Start::Safe, At::Agent)
        .one_by_one()
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    for (trial, games) in played.all() {
        for (measure, of) in LENGTHS {
            let measured = games.mean(|row| row.measured.chains.map(of));
            let line = Line::new(&trial.name, &games.agent, measure, Target::None, measured);
            lines.push(line.in_numbers());
        }
        for stage in STAGES {
            let measured = games.mean(|row| stage_share(row, stage));
            let measure = format!("conclusions by {stage}");
            lines.push(Line::new(&trial.name, &games.agent, measure, Target::None, measured));
        }
    }
    let by_density = DENSITIES.map(|percent| (percent, played.games(&setting(percent), "cs520")));
    let by_size = SIDES.map(|side| (side as f64, played.games(&sized(side), "cs520")));
    let density = Axis::Number("mines, % of cells".into());
    let size = Axis::Number(format!("side of the board, {SIZED} % mines"));
    let steps = Axis::Number("depth or distance, in steps".into());
    let charts = vec![
        (
            "density".to_owned(),
            Chart {
                title: "Chains of influence against density, 64x64".into(),
                across: density.clone(),
                up: steps.clone(),
                series: lengths(&by_density),
            },
        ),
        (
            "size".to_owned(),
            Chart {
                title: "Chains of influence against size".into(),
                across: size,
                up: steps,
                series: lengths(&by_size),
            },
        ),
        (
            "stages".to_owned(),
            Chart {
                title: "Which stage draws the conclusions, 64x64".into(),
                across: density,
                up: Axis::Percent("share of conclusions".into()),
                series: STAGES.map(|stage| stage_series(stage, &by_density)).into(),
            },
        ),
    ];
    let pictures = vec![("chain".to_owned(), picture())];
    let notes = vec![expectations(&by_density, &by_size)];
    Reading { lines, charts, pictures, notes }
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

fn lengths(games: &[(f64, Games<'_>)]) -> Vec<Series> {
    let series = |(name, of): (&str, Length)| {
        let points = games
            .iter()
            .map(|(across, games)| point(*across, games.mean(|row| row.measured.chains.map(of))));
        Series { name: name.into(), source: Source::Ours, points: points.collect() }
    };
    LENGTHS.into_iter().map(series).collect()
}

fn stage_series(stage: &str, games: &[(f64, Games<'_>)]) -> Series {
    let points: Vec<ChartPoint> = games
        .iter()
        .map(|(across, games)| point(*across, games.mean(|row| stage_share(row, stage))))
        .filter(|point| point.up.is_finite())
        .collect();
    Series { name: stage.into(), source: Source::Ours, points }
}

/// The longest chain of one game, on the board at its end.
fn picture() -> String {
    let plan = sized_trial(16).tournament;
    let game = Match::new(plan.rules, plan.at, GameSeed { seed: SEED, game: 0 });
    let record = record_game(&plan.agents[0], game, |_, _| {}).expect("cs520 builds");
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
