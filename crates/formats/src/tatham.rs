//! Game IDs of Mines in Simon Tatham's Portable Puzzle Collection, plain form.
//!
//! ```text
//! 9x9n10:0,0,u0c4…
//!
//! 9x9n10   width, height, mines; an `a` behind them allows guessing
//! 0,0      column and row opened first; not kept, a layout has no first cell
//! u        the mines follow as they lie (`m`: masked, which is not read here)
//! 0c4…     the cells row by row, four in each hexadecimal digit, the first in the high bit
//! ```

use deminer_game::Size;

use crate::bytes::{self, text};
use crate::mines::{bits, check_total, from_bits, rectangle, to_numbers};
use crate::{Document, DocumentKind, Fault, Format, Place, ReadError, WriteError};

pub(crate) const ENTRY: Format = Format {
    name: "tatham",
    about: "game IDs of Mines in Simon Tatham's puzzle collection",
    extensions: &[],
    holds: &[DocumentKind::Layout],
    binary: false,
    detect: |bytes| text(bytes).is_ok_and(|id| split(id.trim()).is_some()),
    read,
    encode: Some(encode),
};

/// The parts of a game ID that are kept: size, form, digits.
fn split(id: &str) -> Option<(Size, &str, &str)> {
    let (size, rest) = id.split_once(':')?;
    let (sides, mines) = size.trim_end_matches('a').split_once('n')?;
    let size: Size = format!("{sides}x{mines}").parse().ok()?;
    let (column, rest) = rest.split_once(',')?;
    let (row, mines) = rest.split_once(',')?;
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let form = mines.get(..1)?;
    (number(column) && number(row)).then_some((size, form, &mines[1..]))
}

fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    let id = text(bytes)?.trim();
    let (size, form, digits) = split(id).ok_or_else(|| {
        let right = "WIDTHxHEIGHTnMINES:COLUMN,ROW,u and hexadecimal digits";
        Fault::value("the game ID", id.chars().take(40).collect::<String>(), right).at(Place::File)
    })?;
    let at = id.len() - digits.len();
    if form != "u" {
        let right = "u (masked boards are not read)";
        return Err(Fault::value("the form", form, right).at(Place::Byte(at - 1)));
    }
    let shape = rectangle(size.width, size.height, Place::Byte(0))?;
    if digits.len() != shape.size().div_ceil(4) {
        let right = format!("{}, one for each four cells", shape.size().div_ceil(4));
        let fault = Fault::value("the number of digits", digits.len(), right);
        return Err(fault.at(Place::Byte(at)));
    }
    let digits = bytes::digits(digits, at, |symbol| symbol.to_digit(16), "a hexadecimal digit")?;
    let layout = from_bits(shape, digits.iter().flat_map(|&digit| bits(digit, 4)));
    check_total(&layout, size.mines, Place::File)?;
    Ok(Document::Layout(layout))
}

/// The first cell is the first one without a mine.
fn encode(document: &Document) -> Result<Vec<u8>, WriteError> {
    let layout = document.layout()?;
    let shape = layout.shape();
    WriteError::unless_rect("tatham", shape)?;
    let free = shape.cells().find(|&cell| !layout.is_mine(cell));
    let (row, column) = free.map_or((0, 0), |cell| shape.position(cell));
    let digits: String = to_numbers(&layout, 4).iter().map(|digit| format!("{digit:x}")).collect();
    let (width, height, mines) = (shape.width(), shape.height(), layout.total());
    Ok(format!("{width}x{height}n{mines}:{column},{row},u{digits}\n").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{check, check_faults, text_file};

    #[test]
    fn four_cells_make_a_digit() {
        for id in ["3x2n2:0,0,u28\n", "3x2n2a:2,1,u28"] {
            check(&ENTRY, id.as_bytes(), "mines 2\n. . *\n. * .");
        }
    }

    #[test]
    fn faults_name_their_byte() {
        check_faults(
            &ENTRY,
            text_file,
            "3x2n2:0,0,m28 => byte 10: the form is `m`, but should be u (masked boards are not read)
             3x2n2:0,0,u2 => byte 11: the number of digits is `1`, but should be 2, one for each four cells
             3x2n2:0,0,u2g => byte 12: this symbol is `g`, but should be a hexadecimal digit
             3x2n1:0,0,u28 => the file says 1 mine, but its board has 2",
        );
    }
}
