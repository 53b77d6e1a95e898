//! Letters drawn as lines, so that pictures need no font.
//!
//! A letter is a few lines on a grid: capitals reach from 0 to 14, small letters from 5 to 14,
//! tails to 18. Each point is two base-36 digits, x and y; `~` bends the line smoothly there,
//! `z` closes it and `|` lifts the pen. The 2 begins at the left, bends over the top and runs
//! down to its foot:
//!
//! ```text
//! 04 ~00 ~80 ~86 0e 8e
//! ```

use super::scene::{Color, Corner, Outline, Point, Scene, Segment, trace};

/// Height of capitals on the grid of the letters.
const CAPITAL: f32 = 14.0;
/// Space after a letter.
const GAP: f32 = 3.6;
/// Width of a blank.
const BLANK: f32 = 3.0;
/// How far before a corner a line may begin to bend.
const REACH: f32 = 5.2;

/// Which point of a text is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The left end of its middle line.
    Left,
    /// The middle.
    Center,
    /// The right end of its middle line.
    Right,
}

/// A pen for texts: size, weight and color.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lettering {
    /// Height of a capital or a digit in pixels.
    pub size: f32,
    /// Width of the pen as a share of the size; about 0.12 reads well.
    pub weight: f32,
    /// Color of the ink.
    pub color: Color,
}

impl Lettering {
    /// Width of a text in pixels.
    pub fn width(&self, text: &str) -> f32 {
        (text.chars().map(advance).sum::<f32>() - GAP).max(0.0) * self.unit()
    }

    /// Draws a line of text. Its middle line runs half a capital above the foot.
    pub fn draw(&self, scene: &mut Scene, text: &str, at: Point, anchor: Anchor) {
        let left = match anchor {
            Anchor::Left => at.x,
            Anchor::Center => at.x - self.width(text) / 2.0,
            Anchor::Right => at.x - self.width(text),
        };
        let mut steps = Vec::new();
        let mut pen = Point::new(left, at.y - self.size / 2.0);
        for symbol in text.chars() {
            self.letter(symbol, pen, &mut steps);
            pen.x += advance(symbol) * self.unit();
        }
        if !steps.is_empty() {
            scene.stroke(Outline::Path(steps), self.color, self.weight * self.size);
            scene.label(text);
        }
    }

    /// Breaks a text between words into lines no wider than this many pixels. A word that is
    /// wider than a line is broken inside.
    pub fn wrap(&self, text: &str, width: f32) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        for word in text.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if self.width(&longer) <= width {
                line = longer;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            for symbol in word.chars() {
                line.push(symbol);
                if self.width(&line) > width && line.chars().count() > 1 {
                    line.pop();
                    lines.push(std::mem::replace(&mut line, symbol.to_string()));
                }
            }
        }
        if !line.is_empty() {
            lines.push(line);
        }
        lines
    }

    /// Pixels per step of the grid.
    fn unit(&self) -> f32 {
        self.size / CAPITAL
    }

    fn letter(&self, symbol: char, origin: Point, steps: &mut Vec<Segment>) {
        for line in glyph(symbol).split('|') {
            let closed = line.ends_with('z');
            let mut corners: Vec<Corner> = line
                .split_whitespace()
                .filter(|&point| point != "z")
                .map(|point| {
                    let (x, y) = coordinates(point);
                    let at = origin.moved(x * self.unit(), y * self.unit());
                    Corner { at, round: point.starts_with('~') }
                })
                .collect();
            if let [dot] = corners[..] {
                // A line of almost no length: its round ends make the dot.
                corners.push(Corner { at: dot.at.moved(0.01, 0.0), ..dot });
            }
            trace(&corners, closed, REACH * self.unit(), steps);
        }
    }
}

/// Reads a point such as `8e` or `~8e`.
fn coordinates(point: &str) -> (f32, f32) {
    let mut digits = point
        .trim_start_matches('~')
        .chars()
        .map(|digit| digit.to_digit(36).expect("points are base-36 digits") as f32);
    let mut next = || digits.next().expect("a point has two digits");
    (next(), next())
}

/// How far the pen moves on after a letter.
fn advance(symbol: char) -> f32 {
    let points = glyph(symbol).split(['|', ' ']).filter(|point| !matches!(*point, "" | "z"));
    points.map(|point| coordinates(point).0).reduce(f32::max).unwrap_or(BLANK) + GAP
}

/// The lines of a letter.
fn glyph(symbol: char) -> &'static str {
    match symbol {
        '0' => "~00 ~80 ~8e ~0e z",
        '1' => "03 40 4e",
        '2' => "03 ~00 ~80 ~86 0e 8e",
        '3' => "12 ~10 ~70 ~76 36|36 ~86 ~8e ~0e 0b",
        '4' => "6e 60 0a 8a",
        '5' => "70 10 06 ~86 ~8e ~0e 0b",
        '6' => "72 ~70 ~00 ~0e ~8e ~86 ~06 0a",
        '7' => "00 80 3e",
        '8' => "~10 ~70 ~76 ~16 z|~06 ~86 ~8e ~0e z",
        '9' => "1c ~1e ~8e ~80 ~00 ~08 ~88 84",
        'A' => "0e 50 ae|29 89",
        'B' => "06 ~86 ~8e 0e 00 ~70 ~76 36",
        'C' => "93 ~90 ~00 ~0e ~9e 9b",
        'D' => "00 ~90 ~9e 0e z",
        'E' => "80 00 0e 8e|07 67",
        'F' => "80 00 0e|07 67",
        'G' => "93 ~90 ~00 ~0e ~9e 98 58",
        'H' => "00 0e|90 9e|07 97",
        'I' => "00 0e",
        'J' => "60 ~6e ~0e 0b",
        'K' => "00 0e|80 09|36 8e",
        'L' => "00 0e 7e",
        'M' => "0e 00 59 a0 ae",
        'N' => "0e 00 9e 90",
        'O' => "~00 ~a0 ~ae ~0e z",
        'P' => "0e 00 ~80 ~88 08",
        'Q' => "~00 ~a0 ~ae ~0e z|7b af",
        'R' => "0e 00 ~80 ~88 08|48 8e",
        'S' => "82 ~80 ~00 ~06 ~86 ~8e ~0e 0c",
        'T' => "00 a0|50 5e",
        'U' => "00 ~0e ~9e 90",
        'V' => "00 5e a0",
        'W' => "00 3e 72 be e0",
        'X' => "00 9e|90 0e",
        'Y' => "00 57 a0|57 5e",
        'Z' => "00 90 0e 9e",
        'a' => "78 ~75 ~05 ~0e ~7e 7b|75 7e",
        'b' => "00 0e|08 ~05 ~75 ~7e ~0e 0b",
        'c' => "77 ~75 ~05 ~0e ~7e 7c",
        'd' => "70 7e|78 ~75 ~05 ~0e ~7e 7b",
        'e' => "09 79 ~75 ~05 ~0e ~7e 7c",
        'f' => "50 ~20 2e|05 55",
        'g' => "78 ~75 ~05 ~0e ~7e 7b|75 ~7i ~0i 0h",
        'h' => "00 0e|08 ~05 ~75 7e",
        'i' => "05 0e|01",
        'j' => "25 ~2i 0i|21",
        'k' => "00 0e|65 0b|38 7e",
        'l' => "00 ~0e 2e",
        'm' => "05 0e|08 ~05 ~55 5e|58 ~55 ~a5 ae",
        'n' => "05 0e|08 ~05 ~75 7e",
        'o' => "~05 ~75 ~7e ~0e z",
        'p' => "05 0i|08 ~05 ~75 ~7e ~0e 0b",
        'q' => "75 7i|78 ~75 ~05 ~0e ~7e 7b",
        'r' => "05 0e|09 ~05 45",
        's' => "66 ~65 ~05 ~09 ~69 ~6e ~0e 0d",
        't' => "21 ~2e 5e|05 55",
        'u' => "05 ~0e ~7e 7b|75 7e",
        'v' => "05 4e 85",
        'w' => "05 3e 66 9e c5",
        'x' => "05 7e|75 0e",
        'y' => "05 4e|85 ~2i 0i",
        'z' => "05 75 0e 7e",
        ' ' => "",
        '.' => "0e",
        ',' => "1e 0h",
        ':' => "07|0e",
        ';' => "17|1e 0h",
        '!' => "00 09|0e",
        '?' => "03 ~00 ~80 ~87 ~47 4a|4e",
        '\'' | '’' | '`' => "00 04",
        '"' => "00 04|30 34",
        '-' => "09 59",
        '–' => "09 89",
        '—' => "09 c9",
        '_' => "0g 8g",
        '+' => "09 89|45 4d",
        '=' => "07 87|0b 8b",
        '<' => "85 09 8d",
        '>' => "05 89 0d",
        '/' => "0f 70",
        '×' => "06 6c|66 0c",
        '*' => "33 3b|05 69|65 09",
        '%' => "~00 ~40 ~45 ~05 z|~79 ~b9 ~be ~7e z|90 2e",
        '(' => "30 ~04 ~0c 3g",
        ')' => "00 ~34 ~3c 0g",
        '[' => "30 00 0g 3g",
        ']' => "00 30 3g 0g",
        '#' => "30 2e|80 7e|04 a4|0a aa",
        _ => "05 75 7e 0e z",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEN: Lettering = Lettering { size: 14.0, weight: 0.12, color: Color::hex(0) };

    #[test]
    fn every_letter_is_drawn_and_no_two_look_alike() {
        let letters: Vec<char> = ('!'..='~').filter(char::is_ascii_alphanumeric).collect();
        let drawn: std::collections::HashSet<&str> =
            letters.iter().map(|&symbol| glyph(symbol)).collect();
        assert_eq!(drawn.len(), letters.len());
        for symbol in ".,:;-+/%()#'=<> ".chars() {
            assert_ne!(glyph(symbol), glyph('\u{0}'), "{symbol}");
        }
    }

    #[test]
    fn wider_texts_measure_wider() {
        assert!(PEN.width("row 3") < PEN.width("row 33"));
        assert!(PEN.width("i") < PEN.width("W"));
    }

    #[test]
    fn captions_break_between_words() {
        let lines = PEN.wrap("open row 3, column 5: a blind guess", 150.0);
        assert_eq!(lines.join(" "), "open row 3, column 5: a blind guess");
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|line| PEN.width(line) <= 150.0), "{lines:?}");
        assert!(PEN.wrap("", 150.0).is_empty());
    }

    #[test]
    fn a_word_wider_than_the_line_is_broken_inside() {
        let lines = PEN.wrap("minesweeper", 40.0);
        assert_eq!(lines.concat(), "minesweeper");
        assert!(lines.len() > 2);
        assert_eq!(PEN.wrap("ab", 0.0), ["a", "b"]);
    }
}
