//! Charts of measured points with intervals, and points of a paper next to them.

use plotters::coord::Shift;
use plotters::element::{DynElement, IntoDynElement};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Points over one quantity.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// The title, one line.
    pub title: String,
    /// The quantity to the right.
    pub across: Axis,
    /// The quantity upward.
    pub up: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// One quantity of a chart.
#[derive(Clone, PartialEq, Debug)]
pub enum Axis {
    /// Numbers: the quantity and its unit.
    Number(String),
    /// Shares, written in percent.
    Percent(String),
    /// Names at 0, 1, 2 and so on.
    Names(Vec<String>),
}

/// Points that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Where the numbers come from.
    pub source: Source,
    /// The points, from left to right.
    pub points: Vec<Point>,
}

/// Where numbers come from: ours are joined by lines and carry their intervals, a paper's are
/// hollow circles in the color of ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Measured here.
    Ours,
    /// Printed in a paper.
    Paper,
}

/// A point of a chart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// To the right.
    pub across: f64,
    /// Upward.
    pub up: f64,
    /// Its interval, where it has one.
    pub interval: Option<(f64, f64)>,
}

/// Okabe and Ito's colors without yellow, which color-blind people can distinguish.
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(60, 60, 60),
];
const SIZE: (u32, u32) = (860, 480);
const LEGEND_WIDTH: u32 = 240;
const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(40, 40, 40);
const FAINT: RGBColor = RGBColor(225, 225, 225);

impl Chart {
    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        let mut text = String::new();
        {
            let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
            self.draw(&root).expect("drawing into a string does not fail");
        }
        text
    }

    fn draw(&self, root: &DrawingArea<SVGBackend, Shift>) -> Drawn {
        root.fill(&WHITE)?;
        let (plot, legend) = root.split_horizontally(SIZE.0 - LEGEND_WIDTH);
        let mut chart = ChartBuilder::on(&plot)
            .caption(&self.title, (FONT, 18).into_font().color(&INK))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(
                self.across.range(self.all_across()),
                self.up.range(self.all_up()),
            )?;
        let names = match &self.across {
            Axis::Names(names) => names.len(),
            _ => 11,
        };
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(FAINT)
            .axis_style(INK)
            .label_style((FONT, 13).into_font().color(&INK))
            .x_labels(names)
            .x_desc(self.across.title())
            .y_desc(self.up.title())
            .x_label_formatter(&|value| self.across.label(*value))
            .y_label_formatter(&|value| self.up.label(*value))
            .draw()?;
        for (series, SeriesLook { color, mark }) in self.looks() {
            let places: Vec<(f64, f64)> =
                series.points.iter().map(|point| (point.across, point.up)).collect();
            let bars = series.points.iter().filter_map(|point| {
                let (low, high) = point.interval?;
                Some(PathElement::new(
                    vec![(point.across, low), (point.across, high)],
                    color.stroke_width(1),
                ))
            });
            chart.draw_series(bars)?;
            match series.source {
                Source::Ours => {
                    if !matches!(self.across, Axis::Names(_)) {
                        let line = places.iter().copied();
                        chart.draw_series(LineSeries::new(line, color.stroke_width(2)))?;
                    }
                    let marks = places.iter().map(|&place| mark.at(place, color));
                    chart.draw_series(marks)?;
                }
                Source::Paper => {
                    let rings =
                        places.iter().map(|&place| Circle::new(place, 5, color.stroke_width(2)));
                    chart.draw_series(rings)?;
                }
            }
        }
        self.draw_legend(&legend)?;
        root.present()
    }

    fn draw_legend(&self, area: &DrawingArea<SVGBackend, Shift>) -> Drawn {
        let style = (FONT, 13).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
        for (row, (series, SeriesLook { color, mark })) in self.looks().enumerate() {
            let y = 56 + 22 * row as i32;
            match series.source {
                Source::Ours => {
                    let line = vec![(4, y), (28, y)];
                    area.draw(&PathElement::new(line, color.stroke_width(2)))?;
                    area.draw(&mark.at((16, y), color))?;
                }
                Source::Paper => area.draw(&Circle::new((16, y), 5, color.stroke_width(2)))?,
            }
            area.draw(&Text::new(series.name.as_str(), (36, y), style.clone()))?;
        }
        Ok(())
    }

    /// Each series with its look. A paper's series has the color of our series before it. When all
    /// colors are used they repeat with another symbol.
    fn looks(&self) -> impl Iterator<Item = (&Series, SeriesLook)> {
        let mut next = 0;
        self.series.iter().enumerate().map(move |(at, series)| {
            let follows = series.source == Source::Paper
                && at > 0
                && self.series[at - 1].source == Source::Ours;
            next += usize::from(!follows);
            let place = next - 1;
            let mark = Mark::ALL[place / COLORS.len() % Mark::ALL.len()];
            (series, SeriesLook { color: COLORS[place % COLORS.len()], mark })
        })
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| &series.points)
    }

    fn all_across(&self) -> impl Iterator<Item = f64> {
        self.points().map(|point| point.across)
    }

    fn all_up(&self) -> impl Iterator<Item = f64> {
        self.points().flat_map(|point| {
            let (low, high) = point.interval.unwrap_or((point.up, point.up));
            [low, high, point.up]
        })
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
struct SeriesLook {
    color: RGBColor,
    mark: Mark,
}

/// The symbol of our points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Dot,
    Triangle,
    Cross,
}

impl Mark {
    const ALL: [Mark; 3] = [Mark::Dot, Mark::Triangle, Mark::Cross];

    fn at<'a, C: Clone + 'static>(
        self,
        place: C,
        color: RGBColor,
    ) -> DynElement<'static, SVGBackend<'a>, C> {
        match self {
            Mark::Dot => Circle::new(place, 3, color.filled()).into_dyn(),
            Mark::Triangle => TriangleMarker::new(place, 6, color.filled()).into_dyn(),
            Mark::Cross => Cross::new(place, 5, color.stroke_width(2)).into_dyn(),
        }
    }
}

type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

impl Axis {
    fn title(&self) -> &str {
        match self {
            Axis::Number(title) | Axis::Percent(title) => title,
            Axis::Names(_) => "",
        }
    }

    fn label(&self, value: f64) -> String {
        match self {
            // Rounded first: steps of a tenth are not exact.
            Axis::Number(_) => format!("{}", (value * 1e6).round() / 1e6),
            Axis::Percent(_) => format!("{} %", (value * 1e4).round() / 1e2),
            Axis::Names(names) => {
                let name = (value.fract() == 0.0).then(|| names.get(value as usize)).flatten();
                name.cloned().unwrap_or_default()
            }
        }
    }

    /// From the least to the greatest value with a little room; zero is shown when it is near.
    fn range(&self, values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
        if let Axis::Names(names) = self {
            return -0.5..names.len() as f64 - 0.5;
        }
        let finite = values.filter(|value| value.is_finite());
        let widen = |(least, most): (f64, f64), value| (least.min(value), most.max(value));
        let (least, most) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), widen);
        if least > most {
            return 0.0..1.0;
        }
        let room = if most > least { 0.04 * (most - least) } else { 0.5 * most.abs().max(0.02) };
        let low = if least >= 0.0 && least < 0.5 * most { 0.0 } else { least - room };
        low..most + room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, source: Source, points: &[(f64, f64)]) -> Series {
        let point = |&(across, up): &(f64, f64)| Point { across, up, interval: None };
        Series { name: name.into(), source, points: points.iter().map(point).collect() }
    }

    fn chart(series: Vec<Series>) -> Chart {
        let across = Axis::Percent("density".into());
        Chart { title: "wins".into(), across, up: Axis::Percent("won".into()), series }
    }

    #[test]
    fn a_chart_names_its_axes_and_series() {
        let ours = series("cs520", Source::Ours, &[(0.1, 0.9), (0.2, 0.1)]);
        let paper = series("paper <2018>", Source::Paper, &[(0.1, 0.8)]);
        let svg = chart(vec![ours, paper]).svg();
        for part in ["wins", "density", "won", "cs520", "paper &lt;2018&gt;", "20 %"] {
            assert!(svg.contains(part), "{part} is missing:\n{svg}");
        }
    }

    #[test]
    fn a_paper_has_the_color_of_ours_before_it() {
        let chart = chart(vec![
            series("a", Source::Ours, &[]),
            series("a, paper", Source::Paper, &[]),
            series("b", Source::Ours, &[]),
            series("c, paper", Source::Paper, &[]),
        ]);
        let colors: Vec<RGBColor> = chart.looks().map(|(_, look)| look.color).collect();
        assert_eq!(colors, [COLORS[0], COLORS[0], COLORS[1], COLORS[1]]);
    }

    #[test]
    fn no_two_of_many_series_look_alike() {
        let many = (0..3 * COLORS.len()).map(|_| series("", Source::Ours, &[])).collect();
        let chart = chart(many);
        let looks: Vec<SeriesLook> = chart.looks().map(|(_, look)| look).collect();
        for (at, look) in looks.iter().enumerate() {
            assert!(!looks[..at].contains(look), "{look:?}");
        }
    }

    #[test]
    fn a_chart_without_points_is_drawn() {
        assert!(chart(vec![series("none", Source::Ours, &[])]).svg().contains("none"));
        assert!(chart(vec![series("flat", Source::Ours, &[(0.5, 0.0)])]).svg().contains("flat"));
    }
}
