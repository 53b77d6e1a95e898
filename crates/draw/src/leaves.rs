//! Draws the leaves of a decision tree: how many samples come to each, and how many of them it
//! puts into the right class.

use deminer_learn::trees::{Judged, Tree};

use super::lettering::{Anchor, Lettering};
use super::scene::{Outline, Point, Scene};
use super::theme::Theme;
use super::tree::{color, draw_legend};

/// The leaves of a tree as bars: as wide as their share of the samples held out, as high as their
/// fidelity, in the color of their class. What is empty above the bars are the errors.
#[derive(Clone, Debug)]
pub struct LeavesPicture<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// What came to each of its nodes on boards held out.
    pub judged: &'a [Judged],
    /// The title, one line.
    pub title: String,
    /// Light or dark.
    pub theme: Theme,
}

const MARGIN: f32 = 24.0;
const LEFT: f32 = 64.0;
const HEAD: f32 = 64.0;
const SIZE: (f32, f32) = (820.0, 260.0);
const FOOT: f32 = 48.0;
const TEXT: f32 = 9.5;

impl LeavesPicture<'_> {
    /// The leaves that samples came to, the most faithful first, the largest first of equals.
    fn leaves(&self) -> Vec<usize> {
        let nodes = self.tree.nodes().iter().zip(self.judged).enumerate();
        let seen =
            nodes.filter(|(_, (node, judged))| node.split.is_none() && judged.tally.samples() > 0);
        let mut leaves: Vec<usize> = seen.map(|(at, _)| at).collect();
        let order = |at: &usize| {
            let judged = &self.judged[*at];
            (judged.fidelity().unwrap_or(0.0), judged.tally.samples())
        };
        leaves.sort_by(|a, b| order(b).partial_cmp(&order(a)).expect("shares are numbers"));
        leaves
    }

    /// The drawing.
    pub fn scene(&self) -> Scene {
        let colors = self.theme.colors();
        let pen = Lettering { size: TEXT, weight: 0.12, color: colors.ink };
        let small = Lettering { color: colors.faint, ..pen };
        let large = Lettering { size: 14.0, ..pen };
        let base = MARGIN + HEAD + SIZE.1;
        let width = (LEFT + SIZE.0 + MARGIN).max(2.0 * MARGIN + large.width(&self.title));
        let height = base + FOOT + MARGIN;
        let mut scene = Scene::new(width, height, colors.page, self.title.clone());
        large.draw(&mut scene, &self.title, Point::new(MARGIN, MARGIN + 7.0), Anchor::Left);
        draw_legend(&mut scene, Point::new(MARGIN, MARGIN + 34.0), self.theme);
        let y = |share: f64| base - share as f32 * SIZE.1;
        for quarter in 0..=4 {
            let share = f64::from(quarter) / 4.0;
            let line = [Point::new(LEFT, y(share)), Point::new(LEFT + SIZE.0, y(share))];
            scene.stroke(Outline::line(&line), colors.faint.fade(0.35), 1.0);
            let label = format!("{} %", quarter * 25);
            small.draw(&mut scene, &label, Point::new(LEFT - 8.0, y(share)), Anchor::Right);
        }
        let leaves = self.leaves();
        let all = self.judged.first().copied().unwrap_or_default();
        let mut before = 0;
        for &leaf in &leaves {
            let judged = &self.judged[leaf];
            let x =
                |samples: u64| LEFT + (samples as f64 / all.tally.samples() as f64) as f32 * SIZE.0;
            let (from, to) = (x(before), x(before + judged.tally.samples()));
            let top = y(judged.fidelity().unwrap_or(0.0));
            let bar = Outline::Rect {
                corner: Point::new(from, top),
                width: to - from,
                height: base - top,
                radius: 0.0,
            };
            scene.fill(bar.clone(), color(self.tree.class(leaf)));
            if to - from > 3.0 {
                scene.stroke(bar, colors.page, 0.6);
            }
            before += judged.tally.samples();
        }
        if let Some(fidelity) = all.fidelity() {
            let line = [Point::new(LEFT, y(fidelity)), Point::new(LEFT + SIZE.0, y(fidelity))];
            scene.stroke(Outline::line(&line), colors.ink, 1.2);
        }
        let foot = [
            "from left to right: the leaves, as wide as their share of the windows held out; up: \
             the share put into the agent's class"
                .to_owned(),
            self.summary(&leaves, &all),
        ];
        for (row, text) in foot.into_iter().enumerate() {
            let at = Point::new(MARGIN, base + 18.0 + 18.0 * row as f32);
            pen.draw(&mut scene, &text, at, Anchor::Left);
        }
        scene
    }

    /// How many leaves there are, and the line across them.
    fn summary(&self, seen: &[usize], all: &Judged) -> String {
        let perfect = |leaf: &&usize| self.judged[**leaf].fidelity() == Some(1.0);
        format!(
            "line: {:.1} % of {} windows; {} leaves, {} without any of them, {} without an error",
            100.0 * all.fidelity().unwrap_or(0.0),
            all.tally.samples(),
            self.tree.leaves(),
            self.tree.leaves() - seen.len(),
            seen.iter().filter(perfect).count(),
        )
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{Estimates, View};
    use deminer_learn::trees::{Growth, Samples, grow, judge_nodes};

    use super::*;

    #[test]
    fn a_bar_is_as_wide_as_its_samples_and_as_high_as_its_fidelity() {
        let view: View = "mines 2\n# 1 . 1 #\n# 1 . 1 #".parse().unwrap();
        let samples = |risks: [f64; 4]| {
            let mut samples = Samples::default();
            samples.see(&view, &Estimates::of(10, view.covered().zip(risks))).unwrap();
            samples
        };
        let growth = Growth { depth: 1, ..Growth::default() };
        // Left and right are told apart; on the right, one of two held out is of another class.
        let tree = grow(&samples([0.0, 1.0, 0.0, 1.0]), &growth);
        let judged = judge_nodes(&tree, &samples([0.0, 1.0, 0.0, 0.0]));
        let title = "leaves".to_owned();
        let scene =
            LeavesPicture { tree: &tree, judged: &judged, title, theme: Theme::Dark }.scene();
        let bars = scene.rectangles().into_iter().filter(|bar| bar.0 == SIZE.0 / 2.0);
        let mut heights: Vec<f32> = bars.map(|(_, height)| height).collect();
        heights.dedup();
        assert_eq!(heights, [SIZE.1, SIZE.1 / 2.0]);
        let summary =
            "line: 75.0 % of 4 windows; 2 leaves, 0 without any of them, 1 without an error";
        assert!(scene.labels().iter().any(|label| label == summary), "{:?}", scene.labels());
    }
}
