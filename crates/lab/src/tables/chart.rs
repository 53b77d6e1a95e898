//! Charts whose points are lines of a table.

use super::games::Measured;
use super::line::{Line, Unit};
use super::study::{Found, MissingFinding};
use deminer_draw::{Axis, Chart, ChartPoint, Series, Source};

/// A chart that rows fill.
#[derive(Clone)]
pub struct Figure {
    file: String,
    title: String,
    /// None for the settings of the rows.
    across: Option<Axis>,
    up: Axis,
    /// The legend of the paper's numbers, where they are shown.
    paper: Option<&'static str>,
    settings: Vec<String>,
    /// Name, our points, the paper's points.
    series: Vec<(String, Vec<ChartPoint>, Vec<ChartPoint>)>,
}

/// The paper's numbers below ours in the legend.
pub(super) const PAPER: &str = "  paper";

impl Figure {
    /// Shares of games by setting, with the paper's.
    pub(super) fn by_setting(title: &str) -> Self {
        let up = Axis::Percent("share of games".into());
        Self { across: None, up, ..Self::new("chart", title, "", "") }.with_paper(PAPER)
    }

    /// Shares over a number, in a file of its own.
    pub(super) fn new(file: &str, title: &str, across: &str, up: &str) -> Self {
        let (across, up) = (Some(Axis::Number(across.into())), Axis::Percent(up.into()));
        let (file, title, settings, series) = (file.into(), title.into(), Vec::new(), Vec::new());
        Self { file, title, across, up, paper: None, settings, series }
    }

    /// The same for numbers instead of shares.
    pub(super) fn of_numbers(self) -> Self {
        let up = match self.up {
            Axis::Percent(name) => Axis::Number(name),
            other => other,
        };
        Self { up, ..self }
    }

    /// The same with the paper's numbers beside ours.
    pub(super) fn with_paper(self, name: &'static str) -> Self {
        Self { paper: Some(name), ..self }
    }

    /// Adds a share at the place of its setting, to a figure by setting.
    pub(super) fn add_by_setting(&mut self, line: &Line) {
        if line.unit != Unit::Percent || self.across.is_some() {
            return;
        }
        let known = self.settings.iter().position(|setting| *setting == line.setting);
        let place = known.unwrap_or_else(|| {
            self.settings.push(line.setting.clone());
            self.settings.len() - 1
        });
        self.add(&format!("{} {}", line.agent, line.measure), place as f64, line);
    }

    /// Adds a number to a series, and the paper's where it is shown.
    pub(super) fn add(&mut self, name: &str, across: f64, line: &Line) {
        let known = self.series.iter().position(|(known, ..)| known == name);
        let at = known.unwrap_or_else(|| {
            self.series.push((name.to_owned(), Vec::new(), Vec::new()));
            self.series.len() - 1
        });
        let (_, ours, paper) = &mut self.series[at];
        ours.extend(line.ours.value.is_finite().then(|| point(across, line.ours)));
        let printed = line.target.paper().filter(|_| self.paper.is_some());
        paper.extend(printed.map(|up| bare(across, up)));
    }

    /// The chart, by file name without its ending.
    pub(super) fn finish(self) -> (String, Chart) {
        let paper = self.paper.unwrap_or_default();
        let both = |(name, ours, printed): (String, Vec<ChartPoint>, Vec<ChartPoint>)| {
            let theirs = Series { name: paper.into(), source: Source::Paper, points: printed };
            [series(name, ours), theirs].into_iter().filter(|series| !series.points.is_empty())
        };
        let across = self.across.unwrap_or(Axis::Names(self.settings));
        let series = self.series.into_iter().flat_map(both).collect();
        (self.file, Chart { title: self.title, across, up: self.up, series })
    }
}

/// A measured point with its interval.
pub(super) fn point(across: f64, measured: Measured) -> ChartPoint {
    ChartPoint { across, up: measured.value, interval: Some((measured.low, measured.high)) }
}

/// A point without an interval.
pub(crate) fn bare(across: f64, up: f64) -> ChartPoint {
    ChartPoint { across, up, interval: None }
}

/// Points of ours.
pub(crate) fn series(name: impl Into<String>, points: Vec<ChartPoint>) -> Series {
    Series { name: name.into(), source: Source::Ours, points }
}

/// The learning curve of a study: a number over millions of samples.
pub(super) fn curve(found: &Found, samples: &str, losses: &str) -> Result<Series, MissingFinding> {
    let numbers = found.numbers(samples)?.iter().zip(found.numbers(losses)?);
    let points = numbers.map(|(samples, &loss)| bare(samples / 1e6, loss)).collect();
    Ok(series(&found.study.name, points))
}
