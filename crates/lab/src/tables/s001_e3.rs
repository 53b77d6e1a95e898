//! Zhang, Wu, Li and Xu, Figures 12 and 13: open rate when clues are hidden.

use deminer_game::ClueRule;

use super::s001_e1::{PAPER, point, trial};
use super::s001_e2::{A_START, open_rate};
use super::{Line, Measured, Played, Reading, Table, Target};
use crate::measure::Measure;
use crate::report::{Axis, Chart, ChartPoint, Series, Source};

pub const TABLE: Table = Table {
    id: "s001-e3",
    title: "Open rate with hidden clues on 64x64",
    paper: Some(PAPER),
    about: "After a safe opening the clue is hidden with probability r (the text says shown; the \
            curves say hidden). Means are over boards opened at least 5 %, as the figures are. \
            Each point is held to 10 points, but for r = 0.12 at 20 %, which lies below the \
            curves for 0.13 and 0.14; the curve labelled 0.11 repeats that of 0.10 and is left \
            out. Over all points the mean difference may be 5 points. Beside it the same boards \
            for `lowest-risk`, whose odds are exact.",
    trials: || {
        let blind = |&(r, _): &(f64, _)| DENSITIES.map(|percent| blind_trial(r, percent));
        FIGURES.iter().flat_map(blind).collect()
    },
    studies: super::no_studies,
    read,
    digest: None,
};

const DENSITIES: [f64; 4] = [16.0, 18.0, 20.0, 22.0];

/// The probability that a clue is hidden, and the figures' open rates at each density.
const FIGURES: [(f64, [f64; 4]); 9] = [
    (0.06, [1.00, 0.96, 0.86, 0.52]),
    (0.07, [1.00, 0.95, 0.72, 0.47]),
    (0.08, [0.99, 0.93, 0.76, 0.50]),
    (0.09, [0.99, 0.95, 0.76, 0.36]),
    (0.10, [0.98, 0.89, 0.65, 0.31]),
    (0.12, [0.98, 0.77, 0.32, 0.20]),
    (0.13, [0.89, 0.66, 0.47, 0.18]),
    (0.14, [0.89, 0.59, 0.35, 0.15]),
    (0.15, [0.84, 0.53, 0.29, 0.16]),
];

/// The figures' point that contradicts its neighbors.
const NOISE: (f64, f64) = (0.12, 20.0);

fn setting(r: f64, percent: f64) -> String {
    format!("r {r:.2}, {percent} %")
}

fn blind_trial(r: f64, percent: f64) -> super::Trial {
    let plain = trial(percent, &["cs520"], 500);
    super::Trial { name: setting(r, percent), ..plain }
        .clues(ClueRule::Blind(r))
        .measuring(&[] as &[Measure])
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    let mut series = Vec::new();
    let mut differences = Vec::new();
    for (r, figure) in FIGURES {
        let mut ours = Vec::new();
        for (percent, paper) in DENSITIES.into_iter().zip(figure) {
            let games = played.games(&setting(r, percent), "cs520");
            let rate = |row: &_| Some(open_rate(row, percent)).filter(|&rate| rate >= A_START);
            let measured = games.mean(rate);
            let target = match (r, percent) == NOISE {
                true => Target::Beside { paper },
                false => Target::Within { paper, tolerance: 0.10 },
            };
            differences.push((measured.value - paper).abs());
            lines.push(Line::new(setting(r, percent), "cs520", "open rate", target, measured));
            ours.push(point(percent, measured));
        }
        let name = format!("r = {r:.2}");
        series.push(Series { name, source: Source::Ours, points: ours });
        let paper = DENSITIES.into_iter().zip(figure);
        let paper = paper.map(|(across, up)| ChartPoint { across, up, interval: None });
        series.push(Series {
            name: "  paper".into(),
            source: Source::Paper,
            points: paper.collect(),
        });
    }
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    let worst = differences.iter().copied().fold(0.0, f64::max);
    let target = Target::Within { paper: 0.0, tolerance: 0.05 };
    let difference =
        Measured { value: mean, low: 0.0, high: worst, games: differences.len() as u64 };
    let line =
        Line::new("all points", "cs520", "mean difference to the figures", target, difference);
    lines.push(line);
    let chart = Chart {
        title: "Open rate with hidden clues, 64x64".into(),
        across: Axis::Number("mines, % of cells".into()),
        up: Axis::Percent("safe cells opened".into()),
        series,
    };
    let at_20 = DENSITIES.iter().position(|&percent| percent == 20.0).expect("among them");
    let scatter: Vec<String> = FIGURES
        .iter()
        .map(|(r, figure)| format!("{:.0} at r = {r:.2}", 100.0 * figure[at_20]))
        .collect();
    let notes = vec![
        format!(
            "At 20 % mines the figures read {}. More hidden clues cannot help, so their points \
             scatter by ten points and more; where ours is further off than that, ours lies \
             between its neighbors and the figure's does not.",
            scatter.join(", ")
        ),
        "The last line's \"interval\" is the least and the greatest difference; its \"games\" are \
         points of the figures."
            .into(),
    ];
    Reading { lines, charts: vec![("blind".into(), chart)], notes, ..Reading::default() }
}
