//! `?analysis=` links: positions of the JSMinesweeper analyzer.
//!
//! The alphabet is `a-zA-Z0-9`. Two digits of width, two of height and four of mines, base 62,
//! come first; then the cells row by row, in runs of equal ones. Each kind of cell owns a block
//! of the alphabet, and the length of a run is a number written in the digits of its block, so
//! that the digits tell the kind:
//!
//! ```text
//! cell     0   1   2   3   4   5   6   7   8   I   H   F   O
//! digits  a-j k-q r-v w-A B-E F-H I-K  L   M  N-Q R-0 1-8  9
//! ```
//!
//! A block of one digit repeats it. `I` is a mine that is known, `H` a hidden cell, `F` a flag.
//! Numbers are lowered by the flags and known mines around them, which makes longer runs; `O`
//! is a flag that lowers nothing, for flags that the numbers cannot stand.

use deminer_game::{ClueRule, Face, Rules, Shown, View};

use crate::bytes::{self, text};
use crate::link::parameter;
use crate::mines::rectangle;
use crate::{Document, DocumentKind, Fault, Format, Place, ReadError, WriteError};

pub(crate) const ENTRY: Format = Format {
    name: "analysis",
    about: "positions as ?analysis= links of JSMinesweeper",
    extensions: &[],
    holds: &[DocumentKind::Position],
    binary: false,
    detect: |bytes| text(bytes).is_ok_and(|link| parameter(link, "analysis").is_some()),
    read,
    encode: Some(encode),
};

const ALPHABET: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// What a run is made of, with its digits in the alphabet.
struct Block {
    symbol: Symbol,
    first: usize,
    digits: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Symbol {
    /// Open, the number lowered.
    Lowered(u8),
    Mine,
    Hidden,
    Flag,
    OddFlag,
}

impl Symbol {
    /// Whether numbers around are lowered by it.
    fn lowers(self) -> bool {
        matches!(self, Symbol::Mine | Symbol::Flag)
    }
}

/// The blocks of the alphabet, from its first digit on.
fn blocks() -> impl Iterator<Item = Block> {
    let lowered = (0..).map(Symbol::Lowered).zip([10, 7, 5, 5, 4, 3, 3, 1, 1]);
    let others = [(Symbol::Mine, 4), (Symbol::Hidden, 10), (Symbol::Flag, 8), (Symbol::OddFlag, 1)];
    lowered.chain(others).scan(0, |next, (symbol, digits)| {
        let first = *next;
        *next += digits;
        Some(Block { symbol, first, digits })
    })
}

fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    let link = text(bytes)?;
    let (start, value) = parameter(link, "analysis")
        .ok_or_else(|| Fault::missing("the position, analysis=,").at(Place::File))?;
    let place = |symbol| ALPHABET.iter().position(|&known| char::from(known) == symbol);
    let digit = |symbol| place(symbol).map(|place| place as u32);
    let digits = bytes::digits(value, start, digit, "one of a-z, A-Z and 0-9")?;
    let digits: Vec<usize> = digits.into_iter().map(usize::from).collect();
    if digits.len() < 8 {
        return Err(Fault::ended("the header", 8, digits.len()).at(Place::Byte(start)));
    }
    let number = |digits: &[usize]| digits.iter().fold(0, |number, digit| number * 62 + digit);
    let (width, height, mines) =
        (number(&digits[..2]), number(&digits[2..4]), number(&digits[4..8]));
    let shape = rectangle(width, height, Place::Byte(start))?;
    let rules = Rules::new(shape.clone(), mines)
        .map_err(|error| Fault::of(error).at(Place::Byte(start + 4)))?;
    let symbols = runs(&digits[8..], start + 8, shape.size())?;

    let mut faces = Vec::with_capacity(symbols.len());
    for cell in shape.cells() {
        faces.push(match symbols[cell.index()] {
            Symbol::Mine => Face::Mine,
            Symbol::Hidden => Face::Covered,
            Symbol::Flag | Symbol::OddFlag => Face::Flagged,
            Symbol::Lowered(lowered) => {
                let near = shape.neighbors(cell).iter();
                let raised = near.filter(|near| symbols[near.index()].lowers()).count();
                let shown = Shown::Number(lowered + raised as u8);
                if usize::from(lowered) + raised > 8 {
                    let (row, column) = shape.position(cell);
                    let what = format!("the number in row {row}, column {column}");
                    let fault = Fault::value(what, usize::from(lowered) + raised, "at most 8");
                    return Err(fault.at(Place::Byte(start)));
                }
                Face::Open { shown, clue: ClueRule::Exact.clue(shown, shape.degree(cell) as u8) }
            }
        });
    }
    Ok(Document::Position(View::from_faces(rules, faces).expect("one face for each cell")))
}

/// The cells that the runs tell, exactly as many as asked for.
fn runs(digits: &[usize], start: usize, cells: usize) -> Result<Vec<Symbol>, ReadError> {
    let block_of = |digit: usize| {
        let holds = |block: &Block| digit < block.first + block.digits;
        blocks().find(holds).expect("the blocks cover the alphabet")
    };
    let mut symbols = Vec::new();
    let mut at = 0;
    while at < digits.len() {
        let block = block_of(digits[at]);
        let run = digits[at..].iter().take_while(|&&digit| block_of(digit).first == block.first);
        let (mut length, from) = (0usize, at);
        for digit in run {
            length = match block.digits {
                1 => length + 1,
                base => length.saturating_mul(base).saturating_add(digit - block.first),
            };
            at += 1;
        }
        let left = cells - symbols.len();
        if length == 0 || length > left {
            let right = format!("1 to {left}, the cells left of {cells}");
            let fault = Fault::value("the length of this run", length, right);
            return Err(fault.at(Place::Byte(start + from)));
        }
        symbols.extend(std::iter::repeat_n(block.symbol, length));
    }
    if symbols.len() < cells {
        return Err(Fault::cell_count(cells, symbols.len()).at(Place::Byte(start + at)));
    }
    Ok(symbols)
}

fn encode(document: &Document) -> Result<Vec<u8>, WriteError> {
    let view = document.position()?;
    WriteError::unless_plain("analysis", &view)?;
    let shape = view.shape();
    WriteError::unless_small("analysis", shape, 62 * 62 - 1)?;
    let mut link = String::from("?analysis=");
    let mut number = |value: usize, digits: u32| {
        for place in (0..digits).rev() {
            link.push(char::from(ALPHABET[value / 62usize.pow(place) % 62]));
        }
    };
    number(shape.width(), 2);
    number(shape.height(), 2);
    number(view.rules().mines(), 4);
    for run in lower(&view)?.chunk_by(|a, b| a == b) {
        write_run(&mut link, run[0], run.len());
    }
    link.push('\n');
    Ok(link.into_bytes())
}

/// Lowers the numbers by the mines shown and by as many flags as they stand.
fn lower(view: &View) -> Result<Vec<Symbol>, WriteError> {
    let shape = view.shape();
    let mut symbols = Vec::with_capacity(shape.size());
    for cell in shape.cells() {
        let (row, column) = shape.position(cell);
        symbols.push(match view.face(cell) {
            Face::Covered => Symbol::Hidden,
            Face::Flagged => Symbol::OddFlag,
            Face::Mine => Symbol::Mine,
            Face::Open { shown: Shown::Blank, .. } => {
                return Err(WriteError::blank("analysis", row, column));
            }
            Face::Open { shown: Shown::Number(number), .. } => {
                let near = shape.neighbors(cell).iter();
                let mines = near.filter(|near| view.face(**near) == Face::Mine).count() as u8;
                let lowered = number.checked_sub(mines);
                Symbol::Lowered(lowered.ok_or_else(|| {
                    WriteError(format!(
                        "analysis files cannot hold the clue in row {row}, column {column}: \
                         more mines are shown around it than it says"
                    ))
                })?)
            }
        });
    }
    for cell in shape.cells().filter(|&cell| view.face(cell) == Face::Flagged) {
        let near = shape.neighbors(cell);
        if near.iter().all(|near| symbols[near.index()] != Symbol::Lowered(0)) {
            symbols[cell.index()] = Symbol::Flag;
            for near in near {
                if let Symbol::Lowered(number) = &mut symbols[near.index()] {
                    *number -= 1;
                }
            }
        }
    }
    Ok(symbols)
}

fn write_run(link: &mut String, symbol: Symbol, length: usize) {
    let block = blocks().find(|block| block.symbol == symbol).expect("every symbol has a block");
    let digit = |value: usize| char::from(ALPHABET[block.first + value]);
    if block.digits == 1 {
        link.extend(std::iter::repeat_n(digit(0), length));
        return;
    }
    let places = length.ilog(block.digits);
    link.extend(
        (0..=places).rev().map(|place| digit(length / block.digits.pow(place) % block.digits)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{check_faults, text_file};

    fn check(link: &str, position: &str) {
        let document = read(link.as_bytes()).unwrap();
        let view = document.position().unwrap();
        assert_eq!(Ok(view), position.parse());
        let written = String::from_utf8(encode(&document).unwrap()).unwrap();
        let (_, value) = parameter(link, "analysis").unwrap();
        assert_eq!(written, format!("?analysis={value}\n"));
    }

    #[test]
    fn runs_are_numbers_in_the_digits_of_their_cells() {
        // Width 4, height 3, one mine; twelve zeros in base 10.
        check("?analysis=aeadaaaabc", "mines 0\n....\n....\n....");
        // Ten covered cells, a 1, a covered cell.
        check("https://example.org/?a=b&analysis=aeadaaabSRlS&z=1#q", "mines 1\n####\n####\n##1#");
        // A seventh and eighth repeat their only digit.
        check("analysis=acabaaaaLL", "mines 0\n7 7");
    }

    #[test]
    fn flags_and_known_mines_lower_the_numbers_around_them() {
        check("?analysis=adacaaac2cOc", "mines 2\nF 2 .\n* 2 .");
        // The flag on the right is wrong: it lowers nothing.
        check("?analysis=adabaaab2b9", "mines 1\nF 1 F");
    }

    #[test]
    fn faults_name_their_byte() {
        check_faults(
            &ENTRY,
            text_file,
            "?analysis=aeadaaaab- => byte 19: this symbol is `-`, but should be one of a-z, A-Z and 0-9
             ?analysis=aeadaaaabd => byte 18: the length of this run is `13`, but should be 1 to 12, the cells left of 12
             ?analysis=aeadaaaabb => byte 20: the board should have 12 cells, but has 11
             ?analysis=aead => byte 10: the file ends too early: the header needs 8 bytes, but only 4 are left
             ?analysis=9999aaaabb => byte 10: a board 3843 wide and 3843 high has too many cells (at most 65535)",
        );
    }

    #[test]
    fn what_the_link_cannot_say_is_refused() {
        for (position, message) in [
            ("mines 1\n# ?", "cannot hold the open cell without a clue in row 0, column 1"),
            (
                "mines 1\n* 0",
                "cannot hold the clue in row 0, column 1: more mines are shown around it than it says",
            ),
            ("mines 1\nshape hex\n# #", "hold rectangular boards only, not hex boards"),
            ("mines 1\nclues optimistic\n# #", "hold exact clues only, not optimistic"),
        ] {
            let view = Document::Position(position.parse().unwrap());
            let refused = ENTRY.write(&view).unwrap_err().to_string();
            assert_eq!(refused, format!("analysis files {message}"));
        }
    }
}
