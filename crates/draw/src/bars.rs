//! Horizontal bar charts with one or more series.

use deminer_learn::trees::Artifact;

use super::lettering::{Anchor, Lettering};
use super::scene::{Color, Outline, Point, Scene};
use super::theme::Theme;

/// Named values, one bar for each series.
#[derive(Clone, PartialEq, Debug)]
pub struct Bars {
    /// The title, one line.
    pub title: String,
    /// The names of the series.
    pub series: Vec<String>,
    /// The name of each row and its value in each series.
    pub rows: Vec<(String, Vec<f64>)>,
    /// Light or dark.
    pub theme: Theme,
}

/// Okabe and Ito's blue, vermilion and green, which color-blind people can distinguish.
const COLORS: [Color; 3] = [Color::hex(0x00_72b2), Color::hex(0xd5_5e00), Color::hex(0x00_9e73)];
const MARGIN: f32 = 24.0;
const TITLE: f32 = 34.0;
const LEGEND: f32 = 18.0;
const BAR: f32 = 11.0;
const LENGTH: f32 = 420.0;
const TEXT: f32 = 9.5;
/// Room for a value at the end of the longest bar.
const VALUE: f32 = 60.0;

impl Bars {
    /// The importances of the features of trees, which must have the same features.
    pub fn importances(trees: &[&Artifact], theme: Theme) -> Self {
        let values: Vec<Vec<f64>> =
            trees.iter().map(|artifact| artifact.tree.importances()).collect();
        let columns = trees.first().map_or(&[][..], |first| first.tree.features().columns());
        let rows = columns.iter().enumerate().map(|(place, column)| {
            let values = values.iter().map(|values| values[place]).collect();
            (format!("{} ({})", column.words, column.name), values)
        });
        let bars = Self {
            title: "what matters to the tree".into(),
            series: trees.iter().map(|artifact| artifact.origin.title()).collect(),
            rows: rows.collect(),
            theme,
        };
        bars.sorted()
    }

    /// Sorts the rows, largest sum first.
    pub fn sorted(mut self) -> Self {
        let sum = |row: &(String, Vec<f64>)| row.1.iter().sum::<f64>();
        self.rows.sort_by(|a, b| sum(b).total_cmp(&sum(a)));
        self
    }

    /// The drawing.
    pub fn scene(&self) -> Scene {
        let colors = self.theme.colors();
        let pen = Lettering { size: TEXT, weight: 0.12, color: colors.ink };
        let title = Lettering { size: 14.0, ..pen };
        let names = self.rows.iter().map(|(name, _)| pen.width(name)).fold(0.0, f32::max);
        let step = self.series.len() as f32 * BAR + 8.0;
        let left = MARGIN + names + 10.0;
        let legend = self.series.iter().map(|series| 18.0 + pen.width(series)).fold(0.0, f32::max);
        let width = (left + LENGTH + VALUE + MARGIN)
            .max(2.0 * MARGIN + title.width(&self.title).max(legend));
        let head = TITLE + LEGEND * (self.series.len() as f32 + 0.5);
        let height = 2.0 * MARGIN + head + step * self.rows.len() as f32;
        let mut scene = Scene::new(width, height, colors.page, self.title.clone());
        title.draw(&mut scene, &self.title, Point::new(MARGIN, MARGIN + 7.0), Anchor::Left);
        for (row, series) in self.series.iter().enumerate() {
            let at = Point::new(MARGIN + 6.0, MARGIN + TITLE + LEGEND * row as f32);
            scene.fill(Outline::square(at, 12.0, 2.0), COLORS[row % COLORS.len()]);
            pen.draw(&mut scene, series, at.moved(12.0, 0.0), Anchor::Left);
        }
        let values = self.rows.iter().flat_map(|(_, values)| values).copied();
        let most = values.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let digits = if most >= 1000.0 { 0 } else { 3 - 2 * usize::from(most >= 10.0) };
        let small = Lettering { size: 7.5, color: colors.faint, ..pen };
        for (row, (name, values)) in self.rows.iter().enumerate() {
            let top = MARGIN + head + step * row as f32;
            let middle = top + (step - 8.0) / 2.0;
            pen.draw(&mut scene, name, Point::new(left - 10.0, middle), Anchor::Right);
            for (place, (&value, color)) in values.iter().zip(COLORS.iter().cycle()).enumerate() {
                let corner = Point::new(left, top + BAR * place as f32);
                let length = (value / most) as f32 * LENGTH;
                let bar = Outline::Rect { corner, width: length, height: BAR - 1.0, radius: 0.0 };
                scene.fill(bar, *color);
                let end = corner.moved(length + 6.0, BAR / 2.0 - 0.5);
                small.draw(&mut scene, &format!("{value:.digits$}"), end, Anchor::Left);
            }
        }
        scene
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_come_first_and_bars_keep_their_proportions() {
        let bars = Bars {
            title: "importances".into(),
            series: vec!["first".into(), "second".into()],
            rows: vec![("above".into(), vec![0.1, 0.0]), ("left".into(), vec![0.4, 0.2])],
            theme: Theme::Light,
        };
        let sorted = bars.sorted();
        assert_eq!(sorted.rows[0].0, "left");
        let bars = sorted.scene().rectangles().into_iter().filter(|bar| bar.1 == BAR - 1.0);
        let lengths: Vec<f32> = bars.map(|(width, _)| width).collect();
        assert_eq!(lengths, [LENGTH, LENGTH / 2.0, LENGTH / 4.0, 0.0]);
    }
}
