//! Boards as text for a terminal, with colors if the terminal has them.
//!
//! The text is complete without colors: `#` covered, `F` flag, `X` wrong flag, `.` zero,
//! `?` no clue, `*` mine, and brackets around the cell of the last action. Each cell takes two
//! columns, so an expert board fits a terminal of 80.

use std::fmt::Write;

use anstyle::{Ansi256Color, AnsiColor, RgbColor, Style};
use deminer_game::{Cell, Form, Shown};

use super::board::{BoardPicture, Sight};
use super::theme::Heat;

/// Columns are numbered one by one up to this width.
const NARROW: usize = 10;

impl BoardPicture<'_> {
    /// The board as lines of text with ANSI styles. Captions are left out.
    pub fn text(&self) -> String {
        let shape = self.view.shape();
        let ruler = (shape.height() - 1).to_string().len();
        let mut lines = Lines::default();
        lines.write(RULER, &column_ruler(shape.width(), ruler));
        lines.end();
        for row in 0..shape.height() {
            lines.write(RULER, &format!("{row:>ruler$}"));
            if shape.form() == Form::Hex && row % 2 == 1 {
                lines.write(Style::new(), " ");
            }
            self.write_row(row, &mut lines);
            lines.end();
        }
        lines.text
    }

    fn write_row(&self, row: usize, lines: &mut Lines) {
        let shape = self.view.shape();
        let focus = self.focus();
        let mut closing = false;
        for column in 0..shape.width() {
            let cell = shape.cell(row, column).expect("rows and columns of the board");
            let style = self.style(cell);
            if closing {
                lines.write(BRACKET, "]");
            } else if focus == Some(cell) {
                lines.write(BRACKET, "[");
            } else {
                // Tiles with a background of their own are two columns wide.
                let shaded = style.get_bg_color().is_some();
                lines.write(if shaded { style } else { Style::new() }, " ");
            }
            closing = focus == Some(cell);
            lines.write(style, symbol(self.sight(cell)).encode_utf8(&mut [0; 4]));
        }
        if closing {
            lines.write(BRACKET, "]");
        }
    }

    fn style(&self, cell: Cell) -> Style {
        if let Some((mine, heat)) = self.belief(cell) {
            return heat_style(heat, mine);
        }
        match self.sight(cell) {
            Sight::Covered => Ansi256Color(250).on(TILE),
            Sight::Flag => Ansi256Color(216).on(TILE).bold(),
            Sight::WrongFlag => Ansi256Color(226).on(TILE).bold(),
            Sight::Mine => Ansi256Color(231).on(TILE).bold(),
            Sight::Blast => AnsiColor::BrightWhite.on(AnsiColor::Red).bold(),
            Sight::Open(Shown::Number(0) | Shown::Blank) => Style::new().dimmed(),
            Sight::Open(Shown::Number(number)) => {
                const DIGITS: [AnsiColor; 8] = [
                    AnsiColor::BrightBlue,
                    AnsiColor::Green,
                    AnsiColor::BrightRed,
                    AnsiColor::Magenta,
                    AnsiColor::Yellow,
                    AnsiColor::Cyan,
                    AnsiColor::BrightMagenta,
                    AnsiColor::BrightBlack,
                ];
                DIGITS[usize::from(number - 1) % DIGITS.len()].on_default().bold()
            }
        }
    }
}

/// Ink on the color of a mine probability.
pub(super) fn heat_style(heat: Heat, mine: f64) -> Style {
    let color = heat.color(mine);
    let ink = if color.brightness() > 0.5 { AnsiColor::Black } else { AnsiColor::BrightWhite };
    ink.on(RgbColor(color.red, color.green, color.blue))
}

const RULER: Style = Style::new().dimmed();
const BRACKET: Style = AnsiColor::BrightMagenta.on_default().bold();
const TILE: Ansi256Color = Ansi256Color(240);

fn symbol(sight: Sight) -> char {
    match sight {
        Sight::Covered => '#',
        Sight::Flag => 'F',
        Sight::WrongFlag => 'X',
        Sight::Mine | Sight::Blast => '*',
        Sight::Open(Shown::Number(0)) => '.',
        Sight::Open(Shown::Number(number)) => char::from(b'0' + number),
        Sight::Open(Shown::Blank) => '?',
    }
}

/// The numbers above the columns: each one on narrow boards, else every fifth.
fn column_ruler(width: usize, indent: usize) -> String {
    let step = if width <= NARROW { 1 } else { 5 };
    let mut line = String::new();
    for column in (0..width).step_by(step) {
        let place = indent + 1 + 2 * column;
        let _ = write!(line, "{:1$}{column}", "", place - line.len());
    }
    line
}

/// Text with as few style changes as possible.
#[derive(Default)]
struct Lines {
    text: String,
    pending: String,
    style: Style,
}

impl Lines {
    fn write(&mut self, style: Style, text: &str) {
        if style != self.style {
            self.flush();
            self.style = style;
        }
        self.pending.push_str(text);
    }

    fn flush(&mut self) {
        if !self.pending.is_empty() {
            let (style, pending) = (self.style, std::mem::take(&mut self.pending));
            let _ = write!(self.text, "{style}{pending}{style:#}");
        }
    }

    fn end(&mut self) {
        self.flush();
        self.text.push('\n');
    }
}

/// The text without its styles: without everything from an escape to the next `m`.
#[cfg(test)]
pub(super) fn plain(styled: &str) -> String {
    let mut parts = styled.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').expect("a style ends").1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Look;
    use deminer_game::{Estimates, Layout, View};

    fn check(picture: &BoardPicture<'_>, expected: &str) {
        let styled = picture.text();
        assert!(styled.contains('\u{1b}'));
        assert_eq!(plain(&styled), expected, "got\n{}", plain(&styled));
    }

    #[test]
    fn a_board_reads_well_without_colors() {
        let view: View = "mines 3\n. 1 # #\n. 2 F #\n? 2 # #".parse().unwrap();
        let shape = view.shape().clone();
        let at = |row, column| shape.cell(row, column).unwrap();
        check(&BoardPicture::new(&view), "  0 1 2 3\n0 . 1 # #\n1 . 2 F #\n2 ? 2 # #\n");
        let action = |row, column| BoardPicture::new(&view).action(at(row, column));
        check(&action(1, 1), "  0 1 2 3\n0 . 1 # #\n1 .[2]F #\n2 ? 2 # #\n");
        check(&action(2, 3), "  0 1 2 3\n0 . 1 # #\n1 . 2 F #\n2 ? 2 #[#]\n");
    }

    #[test]
    fn a_lost_board_shows_its_mines_and_wrong_flags() {
        let view: View = "mines 3\n. 1 # #\n. 2 F *\n? 2 # #".parse().unwrap();
        let layout: Layout = "..*.\n...*\n..*.".parse().unwrap();
        let (layout, exploded) = (Some(&layout), view.shape().cell(1, 3));
        let picture = BoardPicture { layout, exploded, ..BoardPicture::new(&view) };
        check(&picture, "  0 1 2 3\n0 . 1 * #\n1 . 2 X[*]\n2 ? 2 * #\n");
    }

    #[test]
    fn odd_rows_of_hexagons_are_shifted() {
        let view: View = "mines 1\nshape hex\n1 1 #\n# # #\n. 1 #".parse().unwrap();
        check(&BoardPicture::new(&view), "  0 1 2\n0 1 1 #\n1  # # #\n2 . 1 #\n");
    }

    #[test]
    fn an_expert_board_fits_eighty_columns() {
        let row = "# ".repeat(30) + "\n";
        let view: View = format!("mines 99\n{}", row.repeat(16)).parse().unwrap();
        let text = plain(&BoardPicture::new(&view).text());
        assert!(text.lines().all(|line| line.len() <= 64));
        let ruler = "   0         5         10        15        20        25";
        assert_eq!(text.lines().next(), Some(ruler));
    }

    #[test]
    fn estimates_color_the_background_only() {
        let view: View = "mines 1\n1 #".parse().unwrap();
        let estimates = Estimates::of(2, [(view.shape().nth(1).unwrap(), 1.0)]);
        let picture = BoardPicture::new(&view).estimates(&estimates);
        assert!(picture.text().contains("48;2;224;108;12"), "{:?}", picture.text());
        check(&picture, "  0 1\n0 1 #\n");
        let hidden = picture.look(Look { heat: None, ..Look::default() });
        assert!(!hidden.text().contains("48;2;"));
    }

    #[test]
    fn the_smallest_and_a_large_board_are_written() {
        let view: View = "mines 0\n#".parse().unwrap();
        check(&BoardPicture::new(&view).action(view.shape().nth(0).unwrap()), "  0\n0[#]\n");
        let row = "#".repeat(255) + "\n";
        let view: View = format!("mines 99\n{}", row.repeat(255)).parse().unwrap();
        assert_eq!(BoardPicture::new(&view).text().lines().count(), 256);
    }
}
