//! The chart of a review: the risk of each move and the win chance.

use super::lettering::{Anchor, Lettering};
use super::scene::{Color, Outline, Point, Scene};
use super::theme::Theme;
use deminer::coach::{Review, Reviewed, Verdict};

/// A review to draw.
///
/// A bar is the risk of a move, the stroke across it the lowest risk that was possible; the line is
/// the win chance with best play. Blunders and mistakes have their own colors.
#[derive(Clone, Copy, Debug)]
pub struct ReviewPicture<'a> {
    /// The review.
    pub review: &'a Review,
    /// Light or dark.
    pub theme: Theme,
}

const MARGIN: f32 = 24.0;
const LEFT: f32 = 64.0;
const TITLE: f32 = 52.0;
const HEIGHT: f32 = 240.0;
const FOOT: f32 = 30.0;
const TEXT: f32 = 9.5;
/// The smallest width of the chart.
const WIDTH: f32 = 560.0;
/// The widest and the narrowest move.
const WIDEST: f32 = 28.0;
const LEAST: f32 = 5.0;

const BLUE: Color = Color::hex(0x00_72b2);
const ORANGE: Color = Color::hex(0xe6_9f00);
const RED: Color = Color::hex(0xd5_5e00);
const GREEN: Color = Color::hex(0x00_9e73);

impl ReviewPicture<'_> {
    /// The drawing.
    pub fn scene(&self) -> Scene {
        let colors = self.theme.colors();
        let moves = &self.review.moves;
        let step = (WIDTH / moves.len().max(1) as f32).clamp(LEAST, WIDEST);
        let width = LEFT + (step * moves.len() as f32).max(WIDTH) + MARGIN;
        let base = MARGIN + TITLE + HEIGHT;
        let pen = Lettering { size: TEXT, weight: 0.12, color: colors.ink };
        let title = format!("Risk move by move: {}, {}", self.review.player, self.review.outcome);
        let mut scene = Scene::new(width, base + FOOT + MARGIN, colors.page, title.clone());
        let large = Lettering { size: 14.0, ..pen };
        large.draw(&mut scene, &title, Point::new(MARGIN, MARGIN + 7.0), Anchor::Left);
        let legend = [(BLUE, "risk"), (ORANGE, "mistake"), (RED, "blunder"), (GREEN, "win chance")];
        let mut at = Point::new(MARGIN + 6.0, MARGIN + 30.0);
        for (color, name) in legend {
            scene.fill(Outline::square(at, 10.0, 2.0), color);
            pen.draw(&mut scene, name, at.moved(10.0, 0.0), Anchor::Left);
            at = at.moved(28.0 + pen.width(name), 0.0);
        }
        let y = |share: f64| base - share as f32 * HEIGHT;
        let small = Lettering { color: colors.faint, ..pen };
        for quarter in 0..=4 {
            let share = f64::from(quarter) / 4.0;
            let line = [Point::new(LEFT, y(share)), Point::new(width - MARGIN, y(share))];
            scene.stroke(Outline::line(&line), colors.faint.fade(0.35), 1.0);
            let label = format!("{} %", quarter * 25);
            small.draw(&mut scene, &label, Point::new(LEFT - 8.0, y(share)), Anchor::Right);
        }
        let x = |at: usize| LEFT + step * at as f32;
        for (at, reviewed) in moves.iter().enumerate() {
            let Some(risk) = reviewed.risk else { continue };
            let height = risk as f32 * HEIGHT;
            let corner = Point::new(x(at) + 0.15 * step, base - height);
            let bar = Outline::Rect { corner, width: 0.7 * step, height, radius: 0.0 };
            scene.fill(bar, color(reviewed));
            if let Some(safest) = reviewed.safest.filter(|safest| *safest < risk) {
                let line = [Point::new(x(at), y(safest)), Point::new(x(at + 1), y(safest))];
                scene.stroke(Outline::line(&line), colors.ink, 1.5);
            }
        }
        let win = |(at, reviewed): (usize, &Reviewed)| {
            Some(Point::new(x(at) + step / 2.0, y(reviewed.win_before?)))
        };
        let wins: Vec<Point> = moves.iter().enumerate().filter_map(win).collect();
        if wins.len() > 1 {
            scene.stroke(Outline::line(&wins), GREEN, 2.0);
        }
        let last = moves.len().to_string();
        small.draw(&mut scene, "1", Point::new(x(0) + step / 2.0, base + 12.0), Anchor::Center);
        if moves.len() > 1 {
            let end = Point::new(x(moves.len() - 1) + step / 2.0, base + 12.0);
            small.draw(&mut scene, &last, end, Anchor::Center);
        }
        scene
    }
}

fn color(reviewed: &Reviewed) -> Color {
    match reviewed.verdict {
        Verdict::Blunder => RED,
        Verdict::Mistake | Verdict::Inaccuracy => ORANGE,
        _ => BLUE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deminer_game::Outcome;

    #[test]
    fn bars_are_as_high_as_the_risks() {
        let reviewed = |number, risk, verdict| {
            let (safest, win_before) = (Some(0.0), Some(0.5));
            Reviewed { number, risk, safest, win_before, verdict, ..Reviewed::default() }
        };
        let review = Review {
            player: "someone".into(),
            moves: vec![
                reviewed(1, Some(0.5), Verdict::Best),
                reviewed(2, None, Verdict::None),
                reviewed(3, Some(0.25), Verdict::Blunder),
            ],
            undone: Vec::new(),
            hints: 0,
            odds: false,
            outcome: Outcome::Won,
            cleared: 1.0,
            luck: None,
            measures: None,
        };
        let scene = ReviewPicture { review: &review, theme: Theme::Light }.scene();
        let bars = scene.rectangles().into_iter().filter(|bar| bar.0 == 0.7 * WIDEST);
        let bars: Vec<f32> = bars.map(|(_, height)| height).collect();
        assert_eq!(bars, [0.5 * HEIGHT, 0.25 * HEIGHT]);
        assert!(scene.svg().contains("Risk move by move"));
    }
}
