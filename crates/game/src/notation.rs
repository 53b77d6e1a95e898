//! Boards as text: positions and layouts.
//!
//! ```text
//! mines 10            header: the mines of the whole board, or WIDTHxHEIGHTxMINES
//! shape torus         optional: rect (default), torus, hex
//! clues blind:0.1     optional: exact (default), blind:R, optimistic, cautious, cautious:degree
//! # F . 2 ? *         rows; spaces between cells do not matter
//! ```
//!
//! `#` or `H` covered, `F` flag, `.` or `0` open without mines around, `1`-`8` open, `?` open
//! without a clue, `*` a mine shown. A layout has only `*` for mines and `.` for the rest, and
//! needs no header.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{
    ClueRule, Face, Form, Layout, MAX_CELLS, ParseClueRuleError, Rules, RulesError, Shape,
    ShapeError, Size, UnknownWord, View,
};

/// Text that is no board, with the place of the fault. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{kind}", place(*line, *column))]
pub struct ParseError {
    /// The line of the fault, where it has one.
    pub line: Option<usize>,
    /// The column of the fault, where it has one.
    pub column: Option<usize>,
    /// What is wrong.
    pub kind: ParseErrorKind,
}

fn place(line: Option<usize>, column: Option<usize>) -> String {
    match (line, column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        (Some(line), None) => format!("line {line}: "),
        _ => String::new(),
    }
}

/// What is wrong with the text of a board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ParseErrorKind {
    /// Not a cell of a position.
    #[error(
        "`{0}` is not a cell (use # F . 0-8 ? or *), nor does a header start here (mines N, shape S or clues C)"
    )]
    Symbol(char),
    /// Not a cell of a layout.
    #[error("`{0}` is not a cell of a layout (use * for a mine and . for none)")]
    LayoutSymbol(char),
    /// A header word without its value.
    #[error("`{0}` needs a value after it")]
    NoValue(String),
    /// `mines` without a number.
    #[error("`{0}` is not a number of mines")]
    Mines(String),
    /// A header word twice.
    #[error("`{0}` is given twice")]
    Twice(String),
    /// A word where a header ends.
    #[error("`{0}` is not a header word (use mines N, shape S or clues C)")]
    Header(String),
    /// No such form.
    #[error(transparent)]
    Form(#[from] UnknownWord),
    /// No such clue rule.
    #[error(transparent)]
    Clues(#[from] ParseClueRuleError),
    /// No header gives the mines.
    #[error("the number of mines is missing (begin with a line such as `mines 10`)")]
    NoMines,
    /// No rows.
    #[error("there are no rows of cells")]
    NoRows,
    /// Rows of different lengths.
    #[error("this row has {found} cells, the first row has {expected}")]
    Ragged {
        /// Cells in this row.
        found: usize,
        /// Cells in the first row.
        expected: usize,
    },
    /// The header announces another size.
    #[error(
        "the header announces {expected} rows of {width} cells, but there are {found} rows of {found_width}"
    )]
    Size {
        /// Rows announced.
        expected: usize,
        /// Width announced.
        width: usize,
        /// Rows found.
        found: usize,
        /// Width found.
        found_width: usize,
    },
    /// The header announces another number of mines than the layout has.
    #[error("the header announces {expected} mines, the layout has {found}")]
    MineCount {
        /// Mines announced.
        expected: usize,
        /// Mines found.
        found: usize,
    },
    /// No such shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// No such rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
}

impl ParseErrorKind {
    fn at(self, line: usize, column: Option<usize>) -> ParseError {
        ParseError { line: Some(line), column, kind: self }
    }

    fn anywhere(self) -> ParseError {
        ParseError { line: None, column: None, kind: self }
    }
}

/// A board's text, cut into its parts: the symbols are not looked at yet.
struct Picture {
    size: Option<Size>,
    mines: Option<usize>,
    form: Form,
    clues: ClueRule,
    width: usize,
    height: usize,
    symbols: Vec<Symbol>,
}

#[derive(Clone, Copy)]
struct Symbol {
    symbol: char,
    line: usize,
    column: usize,
}

impl Picture {
    fn read(text: &str) -> Result<Self, ParseError> {
        let mut header = Header::default();
        let mut picture = Picture {
            size: None,
            mines: None,
            form: Form::Rect,
            clues: ClueRule::Exact,
            width: 0,
            height: 0,
            symbols: Vec::new(),
        };
        for (line, content) in (1..).zip(text.lines()) {
            let Some(first) = content.split_whitespace().next() else { continue };
            if picture.height == 0 && Header::starts(first) {
                header.read(content, line)?;
                continue;
            }
            picture.row(content, line)?;
        }
        if picture.height == 0 {
            return Err(ParseErrorKind::NoRows.anywhere());
        }
        if let Some(size) = header.size
            && (size.width, size.height) != (picture.width, picture.height)
        {
            return Err(ParseErrorKind::Size {
                expected: size.height,
                width: size.width,
                found: picture.height,
                found_width: picture.width,
            }
            .anywhere());
        }
        picture.size = header.size;
        picture.mines = header.mines.or(header.size.map(|size| size.mines));
        picture.form = header.form.unwrap_or_default();
        picture.clues = header.clues.unwrap_or_default();
        Ok(picture)
    }

    fn row(&mut self, content: &str, line: usize) -> Result<(), ParseError> {
        let before = self.symbols.len();
        let cells = (1..).zip(content.chars()).filter(|(_, symbol)| !symbol.is_whitespace());
        self.symbols.extend(cells.map(|(column, symbol)| Symbol { symbol, line, column }));
        let found = self.symbols.len() - before;
        if self.height == 0 {
            self.width = found;
        } else if found != self.width {
            // A symbol that is no cell explains a ragged row better than its length does.
            self.check_symbols()?;
            return Err(ParseErrorKind::Ragged { found, expected: self.width }.at(line, None));
        }
        self.height += 1;
        if self.symbols.len() > MAX_CELLS {
            let shape = ShapeError::TooLarge { width: self.width, height: self.height };
            return Err(ParseErrorKind::Shape(shape).at(line, None));
        }
        Ok(())
    }

    fn shape(&self) -> Result<Shape, ParseError> {
        Shape::new(self.form, self.width, self.height)
            .map_err(|error| ParseErrorKind::Shape(error).anywhere())
    }

    /// Rejects the first symbol that is not a cell of a position.
    fn check_symbols(&self) -> Result<(), ParseError> {
        let strange = |symbol: &&Symbol| Face::of_symbol(symbol.symbol, self.clues, 8).is_none();
        match self.symbols.iter().find(strange) {
            None => Ok(()),
            Some(&Symbol { symbol, line, column }) => {
                Err(ParseErrorKind::Symbol(symbol).at(line, Some(column)))
            }
        }
    }
}

#[derive(Default)]
struct Header {
    size: Option<Size>,
    mines: Option<usize>,
    form: Option<Form>,
    clues: Option<ClueRule>,
}

impl Header {
    /// Whether a line that begins with this word is a header.
    fn starts(word: &str) -> bool {
        matches!(word, "mines" | "shape" | "clues") || is_size(word)
    }

    fn read(&mut self, content: &str, line: usize) -> Result<(), ParseError> {
        let mut words = words(content);
        while let Some((column, word)) = words.next() {
            let fail = |kind: ParseErrorKind| kind.at(line, Some(column));
            if is_size(word) {
                let size: Size =
                    word.parse().map_err(|_| fail(ParseErrorKind::Mines(word.to_owned())))?;
                once(&mut self.size, size, word).map_err(fail)?;
                continue;
            }
            if !Header::starts(word) {
                return Err(fail(ParseErrorKind::Header(word.to_owned())));
            }
            let Some((at, value)) = words.next() else {
                return Err(fail(ParseErrorKind::NoValue(word.to_owned())));
            };
            let wrong = |kind: ParseErrorKind| kind.at(line, Some(at));
            match word {
                "mines" => {
                    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
                    let mines = value.parse().ok().filter(|_| digits);
                    let mines =
                        mines.ok_or_else(|| wrong(ParseErrorKind::Mines(value.to_owned())))?;
                    once(&mut self.mines, mines, word).map_err(fail)?;
                }
                "shape" => {
                    let form = value.parse().map_err(|error| wrong(ParseErrorKind::Form(error)))?;
                    once(&mut self.form, form, word).map_err(fail)?;
                }
                _ => {
                    let clues =
                        value.parse().map_err(|error| wrong(ParseErrorKind::Clues(error)))?;
                    once(&mut self.clues, clues, word).map_err(fail)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether the word has the form of a size: digits, `x`, digits, `x`, digits.
fn is_size(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['x', 'X']).collect();
    let number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.len() == 3 && parts.iter().all(number)
}

/// The words of a line with their columns, counted from 1 in characters.
fn words(content: &str) -> impl Iterator<Item = (usize, &str)> {
    content.split_whitespace().map(move |word| {
        let offset = word.as_ptr() as usize - content.as_ptr() as usize;
        (content[..offset].chars().count() + 1, word)
    })
}

fn once<T>(slot: &mut Option<T>, value: T, word: &str) -> Result<(), ParseErrorKind> {
    if slot.replace(value).is_some() {
        return Err(ParseErrorKind::Twice(word.to_owned()));
    }
    Ok(())
}

impl FromStr for View {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let picture = Picture::read(text)?;
        picture.check_symbols()?;
        let mines = picture.mines.ok_or_else(|| ParseErrorKind::NoMines.anywhere())?;
        let shape = picture.shape()?;
        let clues = picture.clues;
        let rules = Rules::new(shape.clone(), mines)
            .map_err(|error| ParseErrorKind::Rules(error).anywhere())?
            .with_clues(clues);
        let face = |(symbol, cell): (&Symbol, _)| {
            Face::of_symbol(symbol.symbol, clues, shape.degree(cell) as u8)
        };
        let faces = picture.symbols.iter().zip(shape.cells()).map(face).collect::<Option<_>>();
        let faces = faces.expect("every symbol was checked");
        Ok(View::from_faces(rules, faces).expect("one face for each cell of the shape"))
    }
}

impl FromStr for Layout {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let picture = Picture::read(text)?;
        let shape = picture.shape()?;
        let mut mines = Vec::new();
        for (&Symbol { symbol, line, column }, cell) in picture.symbols.iter().zip(shape.cells()) {
            match symbol {
                '*' => mines.push(cell),
                '.' => {}
                _ => return Err(ParseErrorKind::LayoutSymbol(symbol).at(line, Some(column))),
            }
        }
        if let Some(expected) = picture.mines.filter(|&expected| expected != mines.len()) {
            return Err(ParseErrorKind::MineCount { expected, found: mines.len() }.anywhere());
        }
        Ok(Layout::new(shape, mines).expect("each cell of the shape once at most"))
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Face::Covered => f.write_str("#"),
            Face::Flagged => f.write_str("F"),
            Face::Mine => f.write_str("*"),
            Face::Open { shown, .. } => shown.fmt(f),
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "mines {}", self.rules().mines())?;
        if self.shape().form() != Form::Rect {
            writeln!(f, "shape {}", self.shape().form())?;
        }
        if self.rules().clues() != ClueRule::Exact {
            writeln!(f, "clues {}", self.rules().clues())?;
        }
        write_rows(f, self.shape(), |cell| self.face(cell))
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "mines {}", self.total())?;
        if self.shape().form() != Form::Rect {
            writeln!(f, "shape {}", self.shape().form())?;
        }
        write_rows(f, self.shape(), |cell| if self.is_mine(cell) { '*' } else { '.' })
    }
}

/// Writes a symbol for each cell; odd rows of hexagons are shifted as they lie.
fn write_rows<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    shape: &Shape,
    symbol: impl Fn(crate::Cell) -> T,
) -> fmt::Result {
    for cell in shape.cells() {
        let (row, column) = shape.position(cell);
        let lead = match (column, shape.form()) {
            (0, Form::Hex) if row % 2 == 1 => " ",
            (0, _) => "",
            _ => " ",
        };
        write!(f, "{lead}{}", symbol(cell))?;
        if column + 1 == shape.width() {
            writeln!(f)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn error(text: &str) -> String {
        text.parse::<View>().unwrap_err().to_string()
    }

    #[test]
    fn positions_are_written_as_they_are_read() {
        for text in [
            "mines 6\n# F . 2\n? * 8 #\n",
            "mines 3\nshape torus\nclues blind:0.25\n# . ?\n",
            "mines 1\nshape hex\n# #\n . 1\n# #\n",
        ] {
            assert_eq!(text.parse::<View>().unwrap().to_string(), text);
        }
        let layout = "mines 2\nshape hex\n* .\n . .\n. *\n";
        assert_eq!(layout.parse::<Layout>().unwrap().to_string(), layout);
    }

    #[test]
    fn spelling_is_free_where_it_does_not_matter() {
        let plain: View = "mines 2\n# # 1\n# F .".parse().unwrap();
        assert_eq!("\n  mines 2\n\n  HH1\r\n  #F0\n\n".parse(), Ok(plain.clone()));
        assert_eq!("3x2x2\n##1\n#F0".parse(), Ok(plain.clone()));
        assert_eq!("mines 2 shape rect clues exact\n##1\n#F0".parse(), Ok(plain));
    }

    #[test]
    fn faults_name_their_place_and_what_would_be_right() {
        assert_eq!(
            error("mines 2\n# #\n# 9"),
            "line 3, column 3: `9` is not a cell (use # F . 0-8 ? or *), nor does a header start here (mines N, shape S or clues C)"
        );
        assert_eq!(error("mines 2\n# #\n#"), "line 3: this row has 1 cells, the first row has 2");
        assert_eq!(error("mines\n##"), "line 1, column 1: `mines` needs a value after it");
        assert_eq!(error("mines two\n##"), "line 1, column 7: `two` is not a number of mines");
        assert_eq!(error("mines 1 mines 2\n##"), "line 1, column 9: `mines` is given twice");
        assert_eq!(
            error("mines 1 boom\n##"),
            "line 1, column 9: `boom` is not a header word (use mines N, shape S or clues C)"
        );
        assert_eq!(
            error("##\n##"),
            "the number of mines is missing (begin with a line such as `mines 10`)"
        );
        assert_eq!(
            error("mines 3\nshape round\n##"),
            "line 2, column 7: `round` is not a shape (use rect, torus or hex)"
        );
        assert_eq!(error("mines 3"), "there are no rows of cells");
        assert_eq!(error(""), "there are no rows of cells");
        assert_eq!(
            error("mines 5\n##\n##"),
            "5 mines do not fit on 4 cells with start unsafe (at most 4)"
        );
        assert_eq!(
            error("3x3x2\n##\n##"),
            "the header announces 3 rows of 3 cells, but there are 2 rows of 2"
        );
        let wide = format!("mines 1\n{}", "#".repeat(65_536));
        assert!(error(&wide).contains("too many cells (at most 65535)"));
        let layout = "mines 2\n*.\n..".parse::<Layout>().unwrap_err().to_string();
        assert_eq!(layout, "the header announces 2 mines, the layout has 1");
        let layout = "*#\n..".parse::<Layout>().unwrap_err().to_string();
        assert_eq!(
            layout,
            "line 1, column 2: `#` is not a cell of a layout (use * for a mine and . for none)"
        );
    }

    #[test]
    fn a_position_may_hold_as_many_mines_as_cells() {
        assert_eq!("mines 4\n##\n##".parse::<View>().unwrap().rules().mines(), 4);
    }

    #[test]
    fn a_number_means_what_the_clue_rule_and_the_border_say() {
        let corner = |clues: &str| {
            let view: View = format!("mines 2\nclues {clues}\n2 #\n# #").parse().unwrap();
            view.face(view.shape().nth(0).unwrap()).clue().unwrap().counts().collect::<Vec<_>>()
        };
        assert_eq!(corner("exact"), [2]);
        assert_eq!(corner("optimistic"), [2, 3]);
        assert_eq!(corner("cautious"), [0, 1, 2]);
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(text in "(mines |shape |clues |[0-9]{1,6}|[#HF.*?x ]{0,9}|\n|\\PC){0,40}") {
            let _ = text.parse::<View>();
            let _ = text.parse::<Layout>();
        }
    }
}
