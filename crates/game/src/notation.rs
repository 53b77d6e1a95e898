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

use crate::{ClueRule, Face, Form, Layout, MAX_CELLS, Rules, Shape, ShapeError, Size, View};

/// Text that is no board, with the place of the fault. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{message}", place(*line, *column))]
pub struct ParseError {
    /// The line of the fault, where it has one.
    pub line: Option<usize>,
    /// The column of the fault, where it has one.
    pub column: Option<usize>,
    /// What is wrong and what would be right.
    pub message: String,
}

fn place(line: Option<usize>, column: Option<usize>) -> String {
    match (line, column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        (Some(line), None) => format!("line {line}: "),
        _ => String::new(),
    }
}

impl ParseError {
    /// A fault at a line and a column.
    fn at(line: usize, column: usize, message: impl fmt::Display) -> Self {
        Self { line: Some(line), column: Some(column), message: message.to_string() }
    }

    /// A fault of a whole line.
    fn on(line: usize, message: impl fmt::Display) -> Self {
        Self { line: Some(line), column: None, message: message.to_string() }
    }

    /// A fault of the whole text.
    fn anywhere(message: impl fmt::Display) -> Self {
        Self { line: None, column: None, message: message.to_string() }
    }
}

/// A board's text, cut into its parts: the symbols are not looked at yet.
#[derive(Default)]
struct Picture {
    header: Header,
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
        let mut picture = Picture::default();
        for (line, content) in (1..).zip(text.lines()) {
            let Some(first) = content.split_whitespace().next() else { continue };
            if picture.height == 0 && Header::starts(first) {
                picture.header.read(content, line)?;
                continue;
            }
            picture.row(content, line)?;
        }
        if picture.height == 0 {
            return Err(ParseError::anywhere("there are no rows of cells"));
        }
        let Picture { width: found_width, height: found, .. } = picture;
        if let Some(Size { width, height, .. }) = picture.header.size
            && (width, height) != (found_width, found)
        {
            return Err(ParseError::anywhere(format_args!(
                "the header announces {height} rows of {width} cells, \
                 but there are {found} rows of {found_width}"
            )));
        }
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
            let expected = self.width;
            let message = format!("this row has {found} cells, the first row has {expected}");
            return Err(ParseError::on(line, message));
        }
        self.height += 1;
        if self.symbols.len() > MAX_CELLS {
            return Err(ParseError::on(line, ShapeError::too_large(self.width, self.height)));
        }
        Ok(())
    }

    fn shape(&self) -> Result<Shape, ParseError> {
        let form = self.header.form.unwrap_or_default();
        Shape::new(form, self.width, self.height).map_err(ParseError::anywhere)
    }

    /// Rejects the first symbol that is not a cell of a position.
    fn check_symbols(&self) -> Result<(), ParseError> {
        let strange = |symbol: &&Symbol| !Face::SYMBOLS.contains(symbol.symbol);
        match self.symbols.iter().find(strange) {
            None => Ok(()),
            Some(&Symbol { symbol, line, column }) => {
                let message = format!(
                    "`{symbol}` is not a cell (use # F . 0-8 ? or *), nor does a header start here \
                     (mines N, shape S or clues C)"
                );
                Err(ParseError::at(line, column, message))
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
            let fail = |message: String| ParseError::at(line, column, message);
            let fresh = if is_size(word) {
                let size = word.parse().map_err(|_| format!("`{word}` is not a number of mines"));
                self.size.replace(size.map_err(fail)?).is_none()
            } else if !Header::starts(word) {
                let right = "use mines N, shape S or clues C";
                return Err(fail(format!("`{word}` is not a header word ({right})")));
            } else {
                let Some((at, value)) = words.next() else {
                    return Err(fail(format!("`{word}` needs a value after it")));
                };
                self.set(word, value).map_err(|message| ParseError::at(line, at, message))?
            };
            if !fresh {
                return Err(fail(format!("`{word}` is given twice")));
            }
        }
        Ok(())
    }

    /// Sets the value of a word; false if it had one.
    fn set(&mut self, word: &str, value: &str) -> Result<bool, String> {
        Ok(match word {
            "mines" => {
                let digits = value.bytes().all(|byte| byte.is_ascii_digit());
                let mines = value.parse().ok().filter(|_| digits);
                let mines = mines.ok_or_else(|| format!("`{value}` is not a number of mines"))?;
                self.mines.replace(mines).is_none()
            }
            "shape" => {
                let form = value.parse::<Form>().map_err(|error| error.to_string())?;
                self.form.replace(form).is_none()
            }
            _ => {
                let clues = value.parse::<ClueRule>().map_err(|error| error.to_string())?;
                self.clues.replace(clues).is_none()
            }
        })
    }

    /// The mines of the whole board, where some line says them.
    fn total(&self) -> Option<usize> {
        self.mines.or(self.size.map(|size| size.mines))
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

impl FromStr for View {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let picture = Picture::read(text)?;
        picture.check_symbols()?;
        let mines = picture.header.total().ok_or_else(|| {
            let begin = "begin with a line such as `mines 10`";
            ParseError::anywhere(format_args!("the number of mines is missing ({begin})"))
        })?;
        let shape = picture.shape()?;
        let clues = picture.header.clues.unwrap_or_default();
        let rules = Rules::new(shape.clone(), mines).map_err(ParseError::anywhere)?;
        let rules = rules.with_clues(clues);
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
                _ => {
                    let right = "use * for a mine and . for none";
                    let message = format!("`{symbol}` is not a cell of a layout ({right})");
                    return Err(ParseError::at(line, column, message));
                }
            }
        }
        let (expected, found) = (picture.header.total().unwrap_or(mines.len()), mines.len());
        if expected != found {
            let message = format!("the header announces {expected} mines, the layout has {found}");
            return Err(ParseError::anywhere(message));
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
        write_header(f, self.rules().mines(), self.shape())?;
        if self.rules().clues() != ClueRule::Exact {
            writeln!(f, "clues {}", self.rules().clues())?;
        }
        write_rows(f, self.shape(), |cell| self.face(cell))
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_header(f, self.total(), self.shape())?;
        write_rows(f, self.shape(), |cell| if self.is_mine(cell) { '*' } else { '.' })
    }
}

fn write_header(f: &mut fmt::Formatter<'_>, mines: usize, shape: &Shape) -> fmt::Result {
    writeln!(f, "mines {mines}")?;
    match shape.form() {
        Form::Rect => Ok(()),
        form => writeln!(f, "shape {form}"),
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
        let table = r"
            mines 2\n# #\n# 9 => line 3, column 3: `9` is not a cell (use # F . 0-8 ? or *), nor does a header start here (mines N, shape S or clues C)
            mines 2\n# #\n# => line 3: this row has 1 cells, the first row has 2
            mines\n## => line 1, column 1: `mines` needs a value after it
            mines two\n## => line 1, column 7: `two` is not a number of mines
            mines 1 mines 2\n## => line 1, column 9: `mines` is given twice
            mines 1 boom\n## => line 1, column 9: `boom` is not a header word (use mines N, shape S or clues C)
            ##\n## => the number of mines is missing (begin with a line such as `mines 10`)
            mines 3\nshape round\n## => line 2, column 7: `round` is not a shape (use rect, torus or hex)
            mines 3 => there are no rows of cells
            => there are no rows of cells
            mines 5\n##\n## => 5 mines do not fit on 4 cells with start unsafe (at most 4)
            3x3x2\n##\n## => the header announces 3 rows of 3 cells, but there are 2 rows of 2";
        for line in table.lines().skip(1) {
            let (text, message) = line.trim().split_once("=> ").unwrap();
            assert_eq!(error(&text.trim_end().replace("\\n", "\n")), message, "{text}");
        }
        let wide = format!("mines 1\n{}", "#".repeat(65_536));
        assert!(error(&wide).contains("too many cells (at most 65535)"));
        let layout = |text: &str| text.parse::<Layout>().unwrap_err().to_string();
        let count = "the header announces 2 mines, the layout has 1";
        assert_eq!(layout("mines 2\n*.\n.."), count);
        let symbol = "`#` is not a cell of a layout (use * for a mine and . for none)";
        assert_eq!(layout("*#\n.."), format!("line 1, column 2: {symbol}"));
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
