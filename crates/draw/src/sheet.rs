//! Several pictures on one page, each with a title above and lines of text below.

use super::board::BoardPicture;
use super::lettering::{Anchor, Lettering};
use super::scene::{Outline, Point, Scene};
use super::theme::Theme;

/// A picture on a sheet.
#[derive(Clone, PartialEq, Debug)]
pub struct Panel {
    /// One line above it.
    pub title: String,
    /// The picture.
    pub scene: Scene,
    /// Lines below it.
    pub lines: Vec<String>,
}

impl Panel {
    /// A picture with a title.
    pub fn new(title: impl Into<String>, scene: Scene) -> Self {
        Self { title: title.into(), scene, lines: Vec::new() }
    }

    /// The same with lines below it.
    pub fn lines(self, lines: impl IntoIterator<Item = String>) -> Self {
        Self { lines: lines.into_iter().collect(), ..self }
    }
}

/// Pictures beside each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Sheet {
    /// The title, one line.
    pub title: String,
    /// Light or dark.
    pub theme: Theme,
    /// The pictures, from left to right.
    pub panels: Vec<Panel>,
    /// The most pictures in a row.
    pub columns: usize,
    /// Whether arrows lead from each picture to the next in its row.
    pub arrows: bool,
}

const MARGIN: f32 = 20.0;
const GAP: f32 = 36.0;
const HEAD: f32 = 34.0;
const TEXT: f32 = 9.5;
const STEP: f32 = 18.0;

impl Sheet {
    /// Pictures in one row.
    pub fn row(title: impl Into<String>, theme: Theme, panels: Vec<Panel>) -> Self {
        let columns = panels.len().max(1);
        Self { title: title.into(), theme, panels, columns, arrows: false }
    }

    /// The drawing.
    pub fn scene(&self) -> Scene {
        let colors = self.theme.colors();
        let pen = Lettering { size: TEXT, weight: 0.125, color: colors.ink };
        let bold = Lettering { weight: 0.175, ..pen };
        let large = Lettering { size: 14.0, ..pen };
        let width = |panel: &Panel| {
            let lines = panel.lines.iter().map(|line| pen.width(line)).fold(0.0, f32::max);
            lines.max(bold.width(&panel.title)).max(panel.scene.width as f32)
        };
        let height = |row: &[Panel]| {
            let scene = row.iter().map(|panel| panel.scene.height).max().unwrap_or(0) as f32;
            let lines = row.iter().map(|panel| panel.lines.len()).max().unwrap_or(0) as f32;
            STEP + scene + STEP * lines + 10.0
        };
        let row_width = |row: &[Panel]| {
            row.iter().map(width).sum::<f32>() + GAP * (row.len().max(1) - 1) as f32
        };
        let rows: Vec<&[Panel]> = self.panels.chunks(self.columns.max(1)).collect();
        let inner = rows.iter().map(|row| row_width(row)).fold(large.width(&self.title), f32::max);
        let tall: f32 = rows.iter().map(|row| height(row)).sum();
        let size = (inner + 2.0 * MARGIN, HEAD + tall + 2.0 * MARGIN);
        let mut scene = Scene::new(size.0, size.1, colors.page, self.title.clone());
        large.draw(&mut scene, &self.title, Point::new(MARGIN, MARGIN + 7.0), Anchor::Left);
        let mut top = MARGIN + HEAD;
        for row in rows {
            let scenes = row.iter().map(|panel| panel.scene.height).max().unwrap_or(0) as f32;
            let mut left = MARGIN;
            for (at, panel) in row.iter().enumerate() {
                bold.draw(&mut scene, &panel.title, Point::new(left, top + 5.0), Anchor::Left);
                scene.place(&panel.scene, Point::new(left, top + STEP));
                for (place, line) in panel.lines.iter().enumerate() {
                    let down = STEP + scenes + STEP * (place as f32 + 0.5);
                    pen.draw(&mut scene, line, Point::new(left, top + down), Anchor::Left);
                }
                let next = left + width(panel) + GAP;
                if self.arrows && at + 1 < row.len() {
                    let middle = top + STEP + scenes / 2.0;
                    let (from, to) = (next - GAP + 6.0, next - 8.0);
                    let shaft = [Point::new(from, middle), Point::new(to, middle)];
                    let head = [(to - 6.0, -5.0), (to, 0.0), (to - 6.0, 5.0)]
                        .map(|(x, y)| Point::new(x, middle + y));
                    scene.stroke(Outline::line(&shaft), colors.ink, 1.8);
                    scene.stroke(Outline::line(&head), colors.ink, 1.8);
                }
                left = next;
            }
            top += height(row);
        }
        scene
    }
}

impl BoardPicture<'_> {
    /// This picture with the whole board beside it, without the captions of the latter.
    pub fn beside(&self, full: &BoardPicture<'_>) -> Scene {
        let full = BoardPicture { look: self.look, captions: Vec::new(), ..full.clone() };
        let panels = vec![
            Panel::new("what the player sees", self.scene()),
            Panel::new("the whole board", full.scene()),
        ];
        Sheet::row(self.view.rules().to_string(), self.look.theme, panels).scene()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Look;
    use deminer_game::{Action, Board, Form, GameSeed, Rules, Shape, Start};

    #[test]
    fn pictures_stand_beside_each_other_with_their_texts() {
        let colors = Theme::Dark.colors();
        let scene = |side: f32| Scene::new(side, side, colors.page, "square");
        let panel = |side: f32| {
            let lines = vec![format!("{side} pixels"), "square".to_owned()];
            Panel::new(format!("side {side}"), scene(side)).lines(lines)
        };
        let panels = vec![panel(100.0), panel(200.0), panel(50.0)];
        let row = Sheet::row("three", Theme::Dark, panels);
        let two = Sheet { columns: 2, arrows: true, ..row.clone() };
        let (wide, high) = (row.scene(), two.scene());
        let least = 100.0 + 200.0 + 50.0 + 2.0 * GAP + 2.0 * MARGIN;
        assert!((least..least + 10.0).contains(&(wide.width as f32)), "{} {least}", wide.width);
        assert!(high.width < wide.width && high.height > wide.height);
        for label in ["three", "side 100", "200 pixels", "50 pixels"] {
            assert!(wide.labels().iter().any(|text| text == label), "{label}");
        }
    }

    #[test]
    fn the_whole_board_shows_what_the_player_does_not_see() {
        let shape = Shape::new(Form::Rect, 6, 5).unwrap();
        let rules = Rules::new(shape, 4).unwrap().with_start(Start::Safe).unwrap();
        let rules = rules.with_clues("blind:0.9".parse().unwrap());
        let mut board = Board::dealt(rules, GameSeed { seed: 5, game: 0 });
        board.act(Action::Open(board.view().shape().nth(0).unwrap()));
        let full = BoardPicture::full(&board);
        let counts = board.layout().unwrap();
        let numbered =
            |cell: &deminer_game::Cell| !counts.is_mine(*cell) && counts.count(*cell) > 0;
        let numbers = board.view().shape().cells().filter(numbered).count();
        let digits = |scene: &Scene| {
            let digit = |label: &&String| label.parse::<u8>().is_ok();
            scene.labels().iter().filter(digit).count()
        };
        let look = Look { ruler: Some(100), ..Look::default() };
        // A ruler at row and column 0 adds two.
        assert_eq!(digits(&full.clone().look(look).scene()), numbers + 2);
        let hidden = full.altered().count();
        assert!(hidden > 0, "nearly all clues are hidden");
        let player = BoardPicture::new(board.view());
        let sheet = player.beside(&full);
        assert!(sheet.width > 2 * player.scene().width);
        assert!(sheet.labels().iter().any(|label| label == "the whole board"));
    }
}
