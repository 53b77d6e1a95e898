//! `?b=&m=` links: boards as PTTA, LlamaSweeper and JSMinesweeper share them.
//!
//! ```text
//! ?b=32&m=9g
//!
//! b   1, 2, 3: the levels 9x9, 16x16 and 30x16; else width and height, filled up with
//!     zeros to the same number of digits and joined: 3 2
//! m   the cells row by row, five in each of the digits 0-9a-v, the first in the high bit,
//!     1 for a mine: 01001 1(0000)
//! ```
//!
//! Some writers do not fill up the width. Where halves of `b` do not agree with the length of
//! `m`, other cuts are tried, and the only one that does is taken.

use deminer_game::{Layout, Shape};

use crate::bytes::{self, text};
use crate::mines::{bits, from_bits, rectangle, to_numbers};
use crate::{Document, DocumentKind, Fault, Format, Place, ReadError, WriteError};

pub(crate) const ENTRY: Format = Format {
    name: "link",
    about: "boards as ?b=&m= links of PTTA, LlamaSweeper and JSMinesweeper",
    extensions: &[],
    holds: &[DocumentKind::Layout],
    binary: false,
    detect,
    read,
    encode: Some(encode),
};

const LEVELS: [(&str, usize, usize); 3] = [("1", 9, 9), ("2", 16, 16), ("3", 30, 16)];
const DIGITS: &[u8; 32] = b"0123456789abcdefghijklmnopqrstuv";

/// The value of a parameter in a link, with its offset. The link may be a query alone.
pub(crate) fn parameter<'a>(link: &'a str, name: &str) -> Option<(usize, &'a str)> {
    let mut at = 0;
    for part in link.split(['?', '&', '#']) {
        if let Some(value) =
            part.trim_start().strip_prefix(name).and_then(|rest| rest.strip_prefix('='))
        {
            let value = value.split_whitespace().next().unwrap_or_default();
            return Some((at + part.len() - part.trim_start().len() + name.len() + 1, value));
        }
        at += part.len() + 1;
    }
    None
}

fn detect(bytes: &[u8]) -> bool {
    text(bytes).is_ok_and(|link| parameter(link, "b").is_some() && parameter(link, "m").is_some())
}

fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    let link = text(bytes)?;
    let missing = |what| move || Fault::missing(what).at(Place::File);
    let (size_at, size) = parameter(link, "b").ok_or_else(missing("the size, b=,"))?;
    let (mines_at, mines) = parameter(link, "m").ok_or_else(missing("the list of mines, m=,"))?;
    let shape = shape(size, mines.len(), Place::Byte(size_at))?;
    let numbers =
        bytes::digits(mines, mines_at, |symbol| symbol.to_digit(32), "one of 0-9 and a-v")?;
    let padding = numbers.len() * 5 - shape.size();
    if numbers.last().is_some_and(|last| last & ((1 << padding) - 1) != 0) {
        let at = mines.len() - 1;
        let right =
            format!("a digit whose last {padding} bits are zero, since the board ends before");
        let fault = Fault::value("the last digit", &mines[at..], right);
        return Err(fault.at(Place::Byte(mines_at + at)));
    }
    let cells = numbers.iter().flat_map(|&number| bits(number, 5));
    Ok(Document::Layout(from_bits(shape, cells)))
}

/// The board of a size field, given the number of digits in the list of mines.
fn shape(size: &str, digits: usize, place: Place) -> Result<Shape, ReadError> {
    let wrong = |right: &str| Fault::value("the size", size, right).at(place);
    if let Some(&(_, width, height)) = LEVELS.iter().find(|(name, ..)| *name == size) {
        let right = format!("{} digits for {width}x{height}", (width * height).div_ceil(5));
        if digits != (width * height).div_ceil(5) {
            return Err(Fault::value("the length of m=", digits, right).at(place));
        }
        return rectangle(width, height, place);
    }
    if !(2..=10).contains(&size.len()) || !size.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong("1, 2, 3 or width and height in equally many digits, such as 0916"));
    }
    let cut = |at: usize| {
        let (width, height): (usize, usize) = (size[..at].parse().ok()?, size[at..].parse().ok()?);
        (width > 0 && height > 0 && (width * height).div_ceil(5) == digits)
            .then_some((width, height))
    };
    let halves = cut(size.len() / 2).filter(|_| size.len().is_multiple_of(2));
    // Only a height with more digits than the width comes from a writer that fills up too little.
    let short = |&at: &usize| !size.starts_with('0') && !size[at..].starts_with('0');
    let mut others = (1..size.len().div_ceil(2)).filter(short).filter_map(cut);
    let sides = "width and height";
    match (halves, others.next(), others.next()) {
        (Some((width, height)), ..) | (None, Some((width, height)), None) => {
            rectangle(width, height, place)
        }
        (None, Some(_), Some(_)) => {
            Err(wrong(&format!("{sides} in equally many digits (several cuts are possible)")))
        }
        (None, None, _) => {
            let fill = format!("of a board whose cells fill the {digits} digits of m=, five each");
            Err(wrong(&format!("{sides} {fill}")))
        }
    }
}

fn encode(document: &Document) -> Result<Vec<u8>, WriteError> {
    let layout: Layout = document.layout()?;
    let shape = layout.shape();
    WriteError::unless_rect("link", shape)?;
    let (width, height) = (shape.width(), shape.height());
    let digits = width.max(height).to_string().len();
    let size = match LEVELS.iter().find(|level| (level.1, level.2) == (width, height)) {
        Some(level) => level.0.to_owned(),
        None => format!("{width:0digits$}{height:0digits$}"),
    };
    let digit = |number: &u8| char::from(DIGITS[usize::from(*number)]);
    let mines: String = to_numbers(&layout, 5).iter().map(digit).collect();
    Ok(format!("?b={size}&m={mines}\n").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{check, check_faults, text_file};

    #[test]
    fn five_cells_make_a_digit() {
        for link in
            ["?b=0302&m=9g", "https://example.org/board.html?x=y&m=9g&b=32#top", "b=0302&m=9g\n"]
        {
            check(&ENTRY, link.as_bytes(), "mines 3\n. * .\n. * *");
        }
    }

    #[test]
    fn a_width_not_filled_up_is_found_by_the_number_of_cells() {
        // 1 wide, 10 high: `110` for `0110`.
        let column = format!("mines 1\n*\n{}", ".\n".repeat(9));
        check(&ENTRY, b"?b=110&m=g0", column.trim_end());
        // Equal halves that fit are taken as they are: 11 wide, 10 high.
        assert_eq!(shape("1110", 22, Place::File).unwrap().width(), 11);
    }

    #[test]
    fn levels_go_by_number() {
        let layout = Document::Layout("*........\n".repeat(9).parse().unwrap());
        let link = String::from_utf8(encode(&layout).unwrap()).unwrap();
        assert_eq!(link, "?b=1&m=g10204080g1020400\n");
    }

    #[test]
    fn faults_name_their_byte() {
        check_faults(
            &ENTRY,
            text_file,
            "?b=0302&m=9w => byte 11: this symbol is `w`, but should be one of 0-9 and a-v
             ?b=0302&m=9h => byte 11: the last digit is `h`, but should be a digit whose last 4 bits are zero, since the board ends before
             ?b=0302&m=9 => byte 3: the size is `0302`, but should be width and height of a board whose cells fill the 1 digits of m=, five each
             ?b=0302 => the list of mines, m=, is missing
             ?b=3&m=0 => byte 3: the length of m= is `1`, but should be 96 digits for 30x16",
        );
    }
}
