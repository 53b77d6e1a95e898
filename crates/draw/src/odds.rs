//! Odds as text: one number for each cell, colored by mine probability if the terminal has colors.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use deminer_game::{Cell, Estimates, Form, View};

use super::terminal::heat_style;
use super::theme::Heat;

/// The board with the mine probability of every covered cell in percent: `ok` is safe, `**` a mine;
/// other cells look as in the position.
///
/// ```text
///      0  1  2  3
///  0  33 ok ok 67
///  1  33  1  2 67
///  2  33 ok ok 67
/// ```
pub fn odds_text(view: &View, estimates: &Estimates, best: Option<Cell>) -> String {
    let shape = view.shape();
    let ruler = (shape.height() - 1).to_string().len().max(2);
    let mut text = " ".repeat(ruler + 1);
    for column in 0..shape.width() {
        let _ = write!(text, "{column:>3}");
    }
    text.push('\n');
    for row in 0..shape.height() {
        let _ = write!(text, "{row:>ruler$} ");
        if shape.form() == Form::Hex && row % 2 == 1 {
            text.push_str("  ");
        }
        for column in 0..shape.width() {
            let cell = shape.cell(row, column).expect("rows and columns of the board");
            let (symbol, style) = symbol(view, estimates, cell);
            let lead = if best == Some(cell) { '>' } else { ' ' };
            let _ = write!(text, "{lead}{style}{symbol:>2}{style:#}");
        }
        text.push('\n');
    }
    text
}

fn symbol(view: &View, estimates: &Estimates, cell: Cell) -> (String, Style) {
    let Some(mine) = estimates.mine(cell).filter(|_| view.face(cell).is_covered()) else {
        let quiet = Style::new().fg_color(Some(AnsiColor::BrightBlack.into()));
        return (view.face(cell).to_string(), quiet);
    };
    let symbol = match mine {
        0.0 => "ok".to_owned(),
        1.0 => "**".to_owned(),
        // Rounding must not make a cell look certain.
        _ => format!("{:02.0}", (100.0 * mine).clamp(1.0, 99.0)),
    };
    (symbol, heat_style(Heat::default(), mine))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risks_are_percentages_and_only_certainty_looks_certain() {
        let view: View = "mines 3\n# # # #\n# 1 2 #".parse().unwrap();
        let risks = [0.0, 0.001, 0.33, 1.0, 0.999, 0.0, 0.0, 0.5];
        let estimates = Estimates::of(8, view.shape().cells().zip(risks));
        let text = crate::terminal::plain(&odds_text(&view, &estimates, view.shape().nth(0)));
        assert_eq!(text, "     0  1  2  3\n 0 >ok 01 33 **\n 1  99  1  2 50\n");
    }
}
