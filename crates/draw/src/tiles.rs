//! A table of small tiles, each with a text and a color: windows, weights of a filter, fields.

use super::lettering::{Anchor, Lettering};
use super::scene::{Color, Outline, Point, Scene};
use super::theme::{Heat, Theme};

/// A tile: its text and its color, none for the color of open cells.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tile {
    /// What is written on it.
    pub text: String,
    /// Its color.
    pub color: Option<Color>,
    /// Whether it has a ring.
    pub is_circled: bool,
}

/// Rows of tiles.
#[derive(Clone, PartialEq, Debug)]
pub struct TilesPicture {
    /// The tiles, row by row.
    pub rows: Vec<Vec<Tile>>,
    /// The side of a tile in pixels.
    pub side: f32,
    /// A text description for screen readers.
    pub title: String,
    /// Light or dark.
    pub theme: Theme,
}

const PADDING: f32 = 6.0;

impl Tile {
    /// A tile without a color.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A tile of a color.
    pub fn colored(text: impl Into<String>, color: Color) -> Self {
        Self { color: Some(color), ..Self::plain(text) }
    }

    /// A covered cell.
    pub fn covered(text: impl Into<String>, theme: Theme) -> Self {
        Self::colored(text, theme.colors().covered[1])
    }

    /// A number between -1 and 1 on its color: blue below zero, orange above.
    pub fn signed(value: f64, most: f64) -> Self {
        let place = (value / most.max(f64::MIN_POSITIVE)).clamp(-1.0, 1.0);
        // The pale middle of the palette stands at 0.3.
        let place = if place < 0.0 { 0.3 * (1.0 + place) } else { 0.3 + 0.7 * place };
        Self::colored(format!("{value:.2}"), Heat::BlueOrange.color(place))
    }

    /// The same with a ring.
    pub fn circled(self) -> Self {
        Self { is_circled: true, ..self }
    }
}

impl TilesPicture {
    /// The drawing.
    pub fn scene(&self) -> Scene {
        let colors = self.theme.colors();
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0) as f32;
        let (width, height) = (columns * self.side, self.rows.len() as f32 * self.side);
        let mut scene = Scene::new(
            width + 2.0 * PADDING,
            height + 2.0 * PADDING,
            colors.page,
            self.title.clone(),
        );
        for (row, tiles) in self.rows.iter().enumerate() {
            for (column, tile) in tiles.iter().enumerate() {
                let half = self.side / 2.0;
                let middle = Point::new(
                    PADDING + column as f32 * self.side + half,
                    PADDING + row as f32 * self.side + half,
                );
                let color = tile.color.unwrap_or(colors.open);
                let square = Outline::square(middle, self.side - 1.0, 2.0);
                scene.fill(square.clone(), color);
                scene.stroke(square, colors.line, 1.0);
                if tile.is_circled {
                    let pen = (self.side / 14.0).max(1.0);
                    let ring = Outline::circle(middle, 0.43 * self.side);
                    scene.stroke(ring.clone(), colors.halo, 2.6 * pen);
                    scene.stroke(ring, colors.accent, 1.4 * pen);
                }
                let ink = Color::hex(if color.brightness() > 0.5 { 0x16_1d29 } else { 0xff_ffff });
                let pen = Lettering { size: 0.4 * self.side, weight: 0.14, color: ink };
                let room = if tile.is_circled { 0.68 } else { 0.84 };
                let size = pen.size * (room * self.side / pen.width(&tile.text).max(1.0)).min(1.0);
                let pen = Lettering { size, ..pen };
                pen.draw(&mut scene, &tile.text, middle, Anchor::Center);
            }
        }
        scene
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_shows_its_text() {
        let signs = [-1.0, 0.0, 1.0].map(|value| Tile::signed(value, 1.0));
        let [low, middle, high] = signs.clone().map(|tile| tile.color.unwrap());
        assert!(low.blue > low.red && high.red > high.blue && middle.brightness() > 0.8);
        let rows = vec![signs.to_vec(), vec![Tile::covered("?", Theme::Dark), Tile::plain("2")]];
        let title = "tiles".to_owned();
        let scene = TilesPicture { rows, side: 20.0, title, theme: Theme::Dark }.scene();
        assert_eq!(scene.labels(), ["-1.00", "0.00", "1.00", "?", "2"]);
        assert_eq!((scene.width, scene.height), (72, 52));
    }
}
