//! Zhang, Wu, Li and Xu, Figure 11: victories against density on 64x64.

use deminer_game::{At, Start};

use super::{Line, Measured, Played, Reading, Table, Target, Trial};
use crate::report::{Axis, Chart, ChartPoint, Series, Source};
use crate::run::GameRow;

pub const PAPER: &str =
    "H. Zhang, H. Wu, S. Li, Z. Xu, MineSweeper, Inference-Informed Action, 2018";

pub const TABLE: Table = Table {
    id: "s001-e1",
    title: "Victory against mine density on 64x64",
    paper: Some(PAPER),
    about: "A point of the paper's figure is 10 to 20 boards. Its victories are far more than \
            complete ones, and its text says that about 85 % of the boards at 20 % are not \
            completed although the figure shows 0.45: it most likely counts boards that are \
            nearly done. So near victory, at least 99 % of the board done without a wrong flag, \
            is held against the figure, within 0.2 from 17 to 21 %, and strict victory is shown \
            beside it. `cs520x` must win strictly more often at every density from 10 %.",
    trials: || {
        FIGURE.iter().map(|&(percent, _)| trial(percent, &["cs520", "cs520x"], 2000)).collect()
    },
    studies: super::no_studies,
    read,
    digest: None,
};

/// Mine density in percent and the figure's victory rate.
const FIGURE: [(f64, f64); 24] = [
    (1.0, 1.0),
    (3.0, 1.0),
    (5.0, 0.9),
    (7.0, 1.0),
    (9.0, 1.0),
    (10.0, 0.8),
    (12.0, 1.0),
    (13.0, 0.8),
    (14.0, 0.8),
    (15.0, 0.9),
    (16.0, 0.8),
    (17.0, 0.9),
    (17.5, 0.9),
    (18.0, 0.70),
    (18.5, 0.75),
    (19.0, 0.65),
    (19.5, 0.40),
    (20.0, 0.45),
    (20.5, 0.40),
    (21.0, 0.2),
    (21.5, 0.2),
    (22.0, 0.0),
    (23.0, 0.1),
    (24.0, 0.0),
];

pub(super) const SIDE: usize = 64;

/// The mines of a density on the paper's board.
pub(super) fn mines(percent: f64) -> usize {
    ((SIDE * SIDE) as f64 * percent / 100.0).round() as usize
}

/// The paper's game: 64x64, a safe first cell that the agent chooses, no cascade.
pub(super) fn trial(percent: f64, agents: &[&str], games: u64) -> Trial {
    let board = format!("{SIDE}x{SIDE}x{}", mines(percent));
    Trial::new(setting(percent), agents, &board, games).start(Start::Safe, At::Agent).one_by_one()
}

pub(super) fn setting(percent: f64) -> String {
    format!("{percent} %")
}

/// How much of a 64x64 board is done, as the paper measures it: the greatest of the shares of
/// safe cells opened, mines flagged, and both together. A wrong flag spoils what flags count for.
pub(super) fn completion(row: &GameRow, mines: usize) -> f64 {
    let (mines, cells) = (mines as f64, (SIDE * SIDE) as f64);
    let (opened, flags) = (f64::from(row.opened), f64::from(row.flags));
    let open = opened / (cells - mines);
    match row.wrong_flags {
        0 if mines > 0.0 => open.max(flags / mines).max((opened + flags) / cells),
        _ => open,
    }
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    let mut ours: Vec<(&str, Vec<ChartPoint>)> = vec![
        ("cs520 near victory", Vec::new()),
        ("cs520 strict victory", Vec::new()),
        ("cs520x strict victory", Vec::new()),
    ];
    for (percent, paper) in FIGURE {
        let setting = setting(percent);
        let games = played.games(&setting, "cs520");
        let near = games.share(|row| completion(row, mines(percent)) >= 0.99);
        let target = match (17.0..=21.0).contains(&percent) {
            true => Target::Within { paper, tolerance: 0.2 },
            false => Target::Beside { paper },
        };
        lines.push(Line::new(&setting, "cs520", "near victory", target, near));
        let strict = games.won();
        lines.push(Line::new(&setting, "cs520", "strict victory", Target::None, strict));
        let improved = played.games(&setting, "cs520x").won();
        let more = match percent >= 10.0 {
            true => Target::Outdo { other: strict.value },
            false => Target::None,
        };
        lines.push(Line::new(&setting, "cs520x", "strict victory", more, improved));
        for ((_, points), measured) in ours.iter_mut().zip([near, strict, improved]) {
            points.push(point(percent, measured));
        }
    }
    let paper = FIGURE.map(|(percent, up)| ChartPoint { across: percent, up, interval: None });
    let mut series: Vec<Series> = ours
        .into_iter()
        .map(|(name, points)| Series { name: name.into(), source: Source::Ours, points })
        .collect();
    let figure =
        Series { name: "paper, Figure 11".into(), source: Source::Paper, points: paper.into() };
    series.insert(1, figure);
    let chart = Chart {
        title: "Victory against mine density, 64x64".into(),
        across: Axis::Number("mines, % of cells".into()),
        up: Axis::Percent("boards".into()),
        series,
    };
    Reading { lines, charts: vec![("victory".into(), chart)], ..Reading::default() }
}

pub(super) fn point(across: f64, measured: Measured) -> ChartPoint {
    ChartPoint { across, up: measured.value, interval: Some((measured.low, measured.high)) }
}
