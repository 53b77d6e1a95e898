//! Our own text notation: positions and layouts as pictures.
//!
//! ```text
//! mines 3             the mines of the whole board
//! # # 1 .             # covered, F flag, . or 0 and 1-8 open, ? open without a clue,
//! # F 1 0             * a mine shown
//! ```
//!
//! A picture of nothing but `*` and `.` is a layout. So a position of nothing but mines and
//! zeros writes its zeros as `0`; one of nothing but mines reads back as their layout.

use deminer_game::{Face, Shown, View};

use crate::bytes::text;
use crate::{Document, DocumentKind, Format, ReadError, WriteError};

pub(crate) const ENTRY: Format = Format {
    name: "text",
    about: "our own pictures of positions and layouts",
    extensions: &["txt", "board"],
    holds: &[DocumentKind::Position, DocumentKind::Layout],
    binary: false,
    detect,
    read,
    encode: Some(encode),
};

fn detect(bytes: &[u8]) -> bool {
    let Ok(text) = text(bytes) else { return false };
    let Some(line) = text.lines().find(|line| !line.trim().is_empty()) else { return false };
    is_header(line)
        || line.chars().all(|symbol| symbol.is_whitespace() || Face::SYMBOLS.contains(symbol))
}

fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    let text = text(bytes)?;
    let mut cells = text
        .lines()
        .filter(|line| !is_header(line))
        .flat_map(str::chars)
        .filter(|symbol| !symbol.is_whitespace());
    if cells.all(|symbol| matches!(symbol, '*' | '.')) {
        return Ok(Document::Layout(text.parse()?));
    }
    Ok(Document::Position(text.parse()?))
}

/// Header words have a letter that no cell has, or an `x` between numbers.
fn is_header(line: &str) -> bool {
    let first = line.split_whitespace().next();
    line.contains(|symbol: char| symbol.is_ascii_lowercase())
        || first.is_some_and(|word| word.parse::<deminer_game::Size>().is_ok())
}

fn encode(document: &Document) -> Result<Vec<u8>, WriteError> {
    match document {
        Document::Position(view) => Ok(position(view).into_bytes()),
        other => Ok(other.layout()?.to_string().into_bytes()),
    }
}

fn position(view: &View) -> String {
    let text = view.to_string();
    let zero = Shown::Number(0);
    let like_layout = |face: &Face| match face {
        Face::Mine => true,
        Face::Open { shown, .. } => *shown == zero,
        Face::Covered | Face::Flagged => false,
    };
    if !view.faces().iter().all(like_layout) {
        return text;
    }
    let row = |line: &str| if is_header(line) { line.to_owned() } else { line.replace('.', "0") };
    text.lines().map(|line| row(line) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::fault;

    fn check(text: &str, kind: DocumentKind) {
        assert!(detect(text.as_bytes()), "{text}");
        let document = read(text.as_bytes()).unwrap();
        assert_eq!(document.kind(), kind, "{text}");
        assert_eq!(read(&encode(&document).unwrap()).unwrap(), document);
    }

    #[test]
    fn stars_and_dots_alone_are_a_layout() {
        check("*..\n.*.", DocumentKind::Layout);
        check("mines 2\nshape torus\n* . .\n. * .", DocumentKind::Layout);
        check("mines 2\n* . .\n. # .", DocumentKind::Position);
        check("mines 2\n* 0 0\n. * .", DocumentKind::Position);
        check("mines 1\nclues blind:0.25\n* 0 0\n0 0 0", DocumentKind::Position);
    }

    #[test]
    fn faults_keep_their_place() {
        assert_eq!(
            fault(&ENTRY, b"mines 2\n# #\n# 9"),
            "line 3, column 3: `9` is not a cell (use # F . 0-8 ? or *), nor does a header start here (mines N, shape S or clues C)"
        );
        let no_text = "byte 9: this is not text (text must be UTF-8)";
        assert_eq!(fault(&ENTRY, b"mines 2\n#\xff"), no_text);
    }
}
