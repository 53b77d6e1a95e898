//! `.mine`: positions of the JSMinesweeper analyzer.
//!
//! ```text
//! 4x2x2         width, height and all mines
//! HH10          0-8 open, H hidden, F and O flags, I a mine known but hidden,
//! FH10          ? the mine that exploded
//! ```
//!
//! The analyzer takes every other character for a hidden cell, and so does this reader.

use deminer_game::{ClueRule, Face, Rules, Shown, Size, View};

use crate::bytes::text;
use crate::mines::rectangle;
use crate::{Document, DocumentKind, Fault, Format, Place, ReadError, WriteError};

pub(crate) const ENTRY: Format = Format {
    name: "mine",
    about: "positions of JSMinesweeper",
    extensions: &["mine"],
    holds: &[DocumentKind::Position],
    binary: false,
    detect,
    read,
    encode: Some(encode),
};

fn detect(bytes: &[u8]) -> bool {
    let header =
        text(bytes).ok().and_then(|text| text.lines().find(|line| !line.trim().is_empty()));
    header.is_some_and(|line| size(line).is_some())
}

/// A size in digits; the names of levels belong to no file.
fn size(line: &str) -> Option<Size> {
    let digits = line.trim().starts_with(|symbol: char| symbol.is_ascii_digit());
    line.trim().parse().ok().filter(|_| digits)
}

fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    let lines = (1..).zip(text(bytes)?.lines());
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let (line, header) = lines
        .next()
        .ok_or_else(|| Fault::missing("the header, WIDTHxHEIGHTxMINES,").at(Place::File))?;
    let size = size(header).ok_or_else(|| {
        Fault::value("the header", header.trim(), "WIDTHxHEIGHTxMINES, such as 30x16x99")
            .at(Place::Line(line))
    })?;
    let shape = rectangle(size.width, size.height, Place::Line(line))?;
    let rules = Rules::new(shape.clone(), size.mines)
        .map_err(|error| Fault::of(error).at(Place::Line(line)))?;
    let mut faces = Vec::new();
    for (line, row) in lines {
        let row = row.trim();
        let found = row.chars().count();
        if found != size.width {
            let right = format!("{} characters, one for each cell", size.width);
            return Err(Fault::value("the row's length", found, right).at(Place::Line(line)));
        }
        let cells = shape.cells().skip(faces.len());
        faces.extend(cells.zip(row.chars()).map(|(cell, symbol)| {
            match symbol {
                'F' | 'O' => Face::Flagged,
                'I' | '?' => Face::Mine,
                '0'..='8' => Face::of_symbol(symbol, ClueRule::Exact, shape.degree(cell) as u8)
                    .expect("digits are symbols"),
                _ => Face::Covered,
            }
        }));
        if faces.len() == shape.size() {
            break;
        }
    }
    if faces.len() != shape.size() {
        return Err(Fault::cell_count(shape.size(), faces.len()).at(Place::File));
    }
    Ok(Document::Position(View::from_faces(rules, faces).expect("one face for each cell")))
}

fn encode(document: &Document) -> Result<Vec<u8>, WriteError> {
    let view = document.position()?;
    WriteError::unless_plain("mine", &view)?;
    let mut text = format!("{}\n", view.rules().size());
    for cell in view.shape().cells() {
        let (row, column) = view.shape().position(cell);
        text.push(match view.face(cell) {
            Face::Covered => 'H',
            Face::Flagged => 'F',
            Face::Mine => '?',
            Face::Open { shown: Shown::Number(number), .. } => char::from(b'0' + number),
            Face::Open { shown: Shown::Blank, .. } => {
                return Err(WriteError::blank("mine", row, column));
            }
        });
        if column + 1 == view.shape().width() {
            text.push('\n');
        }
    }
    Ok(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{check, check_faults, text_file};

    #[test]
    fn every_symbol_has_its_face() {
        check(&ENTRY, b"4x2x3\r\nHF08\r\n?IOH\r\n", "mines 3\n# F . 8\n* * F #");
    }

    #[test]
    fn unknown_characters_are_hidden_cells() {
        check(&ENTRY, "3x2x1\nx1\u{e9}\n-_H\n\n".as_bytes(), "mines 1\n# 1 #\n# # #");
    }

    #[test]
    fn faults_say_what_would_be_right() {
        check_faults(
            &ENTRY,
            text_file,
            r"3x2x1\nHHH => the board should have 6 cells, but has 3
              3x2x1\nHHH\nHH => line 3: the row's length is `2`, but should be 3 characters, one for each cell
              \n3x2\nHHH => line 2: the header is `3x2`, but should be WIDTHxHEIGHTxMINES, such as 30x16x99
              3x2x7\nHHH => line 1: 7 mines do not fit on 6 cells with start unsafe (at most 6)
              => the header, WIDTHxHEIGHTxMINES, is missing",
        );
    }
}
