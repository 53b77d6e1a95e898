//! `.mbf`: boards of Minesweeper X, as a file or as a string of hexadecimal digits.
//!
//! ```text
//! 03 02   width, height
//! 00 01   mines, high byte first
//! 02 00   a column and a row for each mine, from 0
//! ```
//!
//! Arbiter's `.abf` is read alike.

use deminer_game::Layout;

use crate::bytes::{self, Bytes, text};
use crate::mines::{read_mines, rectangle};
use crate::{Document, DocumentKind, Fault, Format, Place, ReadError, WriteError};

pub(crate) const ENTRY: Format = Format {
    name: "mbf",
    about: "boards of Minesweeper X and Arbiter",
    extensions: &["mbf", "abf"],
    holds: &[DocumentKind::Layout],
    binary: true,
    detect: |bytes| parse(bytes).is_ok(),
    read: |bytes| parse(bytes).map(Document::Layout),
    encode: Some(|document| pack(&document.layout()?)),
};

pub(crate) const HEX_ENTRY: Format = Format {
    name: "mbf-hex",
    about: "boards of Minesweeper X as hexadecimal digits",
    extensions: &["hex"],
    holds: &[DocumentKind::Layout],
    binary: false,
    detect: |bytes| digits(bytes).is_ok_and(|bytes| parse(&bytes).is_ok()),
    read: |bytes| parse(&digits(bytes)?).map(Document::Layout),
    encode: Some(encode_hex),
};

fn parse(bytes: &[u8]) -> Result<Layout, ReadError> {
    let mut bytes = Bytes::new(bytes);
    let width = usize::from(bytes.byte("the width")?);
    let height = usize::from(bytes.byte("the height")?);
    let total = bytes.size("the number of mines")?;
    let mut list = bytes.section(2 * total, "the list of mines")?;
    bytes.end()?;
    read_mines(&mut list, total, rectangle(width, height, Place::Byte(0))?, 0, false)
}

fn pack(layout: &Layout) -> Result<Vec<u8>, WriteError> {
    let shape = layout.shape();
    WriteError::unless_small("mbf", shape, 255)?;
    let mut bytes = vec![shape.width() as u8, shape.height() as u8];
    bytes.extend((layout.total() as u16).to_be_bytes());
    for mine in layout.mines() {
        let (row, column) = shape.position(mine);
        bytes.extend([column as u8, row as u8]);
    }
    Ok(bytes)
}

fn digits(bytes: &[u8]) -> Result<Vec<u8>, ReadError> {
    let values =
        bytes::digits(text(bytes)?, 0, |symbol| symbol.to_digit(16), "a hexadecimal digit")?;
    if values.len() % 2 == 1 {
        let fault = Fault::value("the number of digits", values.len(), "even, two for each byte");
        return Err(fault.at(Place::File));
    }
    Ok(values.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

fn encode_hex(document: &Document) -> Result<Vec<u8>, WriteError> {
    let bytes = pack(&document.layout()?)?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((digits + "\n").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{check, check_faults, text_file};

    #[test]
    fn mines_are_pairs_of_column_and_row() {
        let (hex, picture) = (b"0302 0002 0200 0101", "mines 2\n. . *\n. * .");
        let document = check(&HEX_ENTRY, hex, picture);
        let bytes = ENTRY.write(&document).unwrap();
        assert_eq!(bytes, digits(hex).unwrap());
        check(&ENTRY, &bytes, picture);
    }

    #[test]
    fn faults_name_their_byte() {
        check_faults(
            &ENTRY,
            |hex| digits(hex.as_bytes()).unwrap(),
            "0302 0002 0000 => byte 4: the file ends too early: the list of mines needs 4 bytes, but only 2 are left
             0302 0001 0300 => byte 4: the mine in row 0, column 3 lies outside the board (2 rows of 3, counted from 0)
             0302 0002 0100 0100 => byte 6: the mine in row 0, column 1 is listed twice
             0302 0000 09 => byte 4: the file should end here, but 1 byte follows
             0002 0000 => byte 0: a board 0 wide and 2 high has no cells (both sides must be at least 1)",
        );
        check_faults(
            &HEX_ENTRY,
            text_file,
            "03z2 => byte 2: this symbol is `z`, but should be a hexadecimal digit
             030 => the number of digits is `3`, but should be even, two for each byte",
        );
    }

    #[test]
    fn long_sides_do_not_fit() {
        let layout = Document::Layout(".".repeat(256).parse().unwrap());
        let error = ENTRY.write(&layout).unwrap_err().to_string();
        assert_eq!(error, "mbf files cannot hold a width of 256 (at most 255)");
    }
}
