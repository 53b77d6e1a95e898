//! A cursor over the bytes of a file; every fault carries its offset.

use std::borrow::Cow;

use crate::{Fault, Place, ReadError};

/// Reads big-endian numbers and texts from a file, front to back.
#[derive(Clone)]
pub(crate) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub fn new(all: &'a [u8]) -> Self {
        Self { all, at: 0 }
    }

    /// Bytes read so far.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Bytes still to read.
    pub fn left(&self) -> usize {
        self.all.len() - self.at
    }

    /// The bytes still to read, without reading them.
    pub fn rest(&self) -> &'a [u8] {
        &self.all[self.at..]
    }

    /// The next bytes.
    pub fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], ReadError> {
        if count > self.left() {
            return Err(Fault::ended(what, count, self.left()).at(Place::Byte(self.at)));
        }
        let taken = &self.all[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    /// A section of its own whose offsets count on.
    pub fn section(&mut self, count: usize, what: &'static str) -> Result<Bytes<'a>, ReadError> {
        let at = self.at;
        self.take(count, what)?;
        Ok(Bytes { all: &self.all[..self.at], at })
    }

    /// Checks that everything was read.
    pub fn end(&self) -> Result<(), ReadError> {
        match self.left() {
            0 => Ok(()),
            left => Err(Fault::trailing(left).at(Place::Byte(self.at))),
        }
    }

    /// A number of this many bytes, at most 4.
    pub fn number(&mut self, bytes: usize, what: &'static str) -> Result<u32, ReadError> {
        let taken = self.take(bytes, what)?;
        Ok(taken.iter().fold(0, |number, &byte| number << 8 | u32::from(byte)))
    }

    /// A byte.
    pub fn byte(&mut self, what: &'static str) -> Result<u8, ReadError> {
        Ok(self.take(1, what)?[0])
    }

    /// A number of two bytes, as a size.
    pub fn size(&mut self, what: &'static str) -> Result<usize, ReadError> {
        Ok(self.number(2, what)? as usize)
    }

    /// A text that a zero byte ends.
    pub fn text(&mut self, what: &'static str) -> Result<String, ReadError> {
        let Some(length) = self.rest().iter().position(|&byte| byte == 0) else {
            let left = self.left();
            return Err(Fault::ended(what, left + 1, left).at(Place::Byte(self.at)));
        };
        let text = name(self.take(length, what)?);
        self.at += 1;
        Ok(text)
    }
}

/// The bytes as text.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, ReadError> {
    std::str::from_utf8(without_mark(bytes)).map_err(|error| {
        let place = Place::Byte(error.valid_up_to());
        Fault::of("this is not text (text must be UTF-8)").at(place)
    })
}

/// The digits of a text that begins at byte `start`; blanks are skipped.
pub(crate) fn digits(
    text: &str,
    start: usize,
    value: impl Fn(char) -> Option<u32>,
    right: &str,
) -> Result<Vec<u8>, ReadError> {
    let symbols = text.char_indices().filter(|(_, symbol)| !symbol.is_whitespace());
    let digit = |(at, symbol): (usize, char)| match value(symbol) {
        Some(digit) => Ok(digit as u8),
        None => Err(Fault::value("this symbol", symbol, right).at(Place::Byte(start + at))),
    };
    symbols.map(digit).collect()
}

/// The bytes as text, by lines: names in files of text have encodings of their own.
pub(crate) fn lossy_text(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = without_mark(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.split_inclusive(|&byte| byte == b'\n').map(name).collect()),
    }
}

/// A name, which files keep in the encoding of the machine that wrote them and do not tell: UTF-8;
/// GBK, where the letters that are not ASCII come in pairs of its common part; Windows-1252.
pub(crate) fn name(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(name) => name.to_owned(),
        Err(_) => foreign_name(bytes),
    }
}

#[cfg(feature = "encodings")]
fn foreign_name(bytes: &[u8]) -> String {
    use encoding_rs::{GBK, WINDOWS_1252};
    let mut words = bytes.chunk_by(|one, other| one.is_ascii() == other.is_ascii());
    let pairs = words.all(|word| {
        word[0].is_ascii() || (word.len() % 2 == 0 && word.iter().all(|&byte| byte > 0xa0))
    });
    let chinese =
        if pairs { GBK.decode_without_bom_handling_and_without_replacement(bytes) } else { None };
    chinese.unwrap_or_else(|| WINDOWS_1252.decode_without_bom_handling(bytes).0).into_owned()
}

/// What is not UTF-8 becomes `\u{fffd}`.
#[cfg(not(feature = "encodings"))]
fn foreign_name(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(all(test, feature = "encodings"))]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_their_encodings() {
        for (bytes, expected) in [
            (&b"J\xc3\xb6rg"[..], "J\u{f6}rg"),
            (b"J\xf6rg", "J\u{f6}rg"),
            (b"Jos\xe9", "Jos\u{e9}"),
            (b"\xcd\xf5\xbc\xd2\xc4\xfe", "\u{738b}\u{5bb6}\u{5b81}"),
            (b"Li \xc0\xee 99", "Li \u{674e} 99"),
            (b"", ""),
        ] {
            assert_eq!(name(bytes), expected);
        }
        let lines = lossy_text(b"Player: \xc0\xee\nProgram: Jos\xe9\n");
        assert_eq!(lines, "Player: \u{674e}\nProgram: Jos\u{e9}\n");
    }
}

/// The bytes behind a byte order mark.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The name of a program without what it says of its rights.
pub(crate) fn without_copyright(program: &str) -> String {
    let name = program.split("Copyright").next().unwrap_or_default().trim();
    name.trim_end_matches('.').to_owned()
}
