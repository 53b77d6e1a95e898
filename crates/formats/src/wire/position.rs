//! Positions.

use deminer_game::{ClueRule, Face, Shape, Size, View};
use serde::{Deserialize, Serialize};

use super::{Cascade, FieldError, FormWord, StartWord, Text, WireRules};

/// A row of a position: `#` covered, `F` flag, `.` or `0` to `8` open, `?` open without a clue,
/// `*` a mine shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(utoipa::ToSchema),
    schema(value_type = String, pattern = r"^[#HF.0-8?*]{1,100}$", min_length = 1, max_length = 100)
)]
pub struct PositionRow(
    /// The symbols.
    pub String,
);

/// A position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Position))]
#[serde(deny_unknown_fields)]
pub struct WirePosition {
    /// The cells, row by row.
    pub rows: Vec<PositionRow>,
    /// Mines on the whole board.
    pub mines: usize,
    /// How the cells lie together.
    pub shape: FormWord,
    /// What clues show.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub clues: Text<ClueRule>,
    /// What the first opened cell was promised.
    pub start: StartWord,
    /// Whether a zero opens its neighbors.
    pub cascade: Cascade,
}

impl WirePosition {
    /// A view as documents have it.
    pub fn of(view: &View) -> Self {
        let WireRules { board, shape, start, cascade, clues } = WireRules::of(view.rules());
        Self { rows: position_rows(view), mines: board.0.mines, shape, clues, start, cascade }
    }

    /// The view; a fault names its field, row and column.
    pub fn view(&self) -> Result<View, FieldError> {
        let width = self.rows.first().map_or(0, |PositionRow(row)| row.chars().count());
        if width == 0 {
            return Err(FieldError::new("rows", "there are no cells"));
        }
        let first = format!("the first row has {width}");
        for (row, PositionRow(content)) in self.rows.iter().enumerate() {
            let (at, length) = (format!("rows[{row}]"), (width, first.as_str()));
            check_row(&at, content, length, Face::SYMBOLS, "use # F . 0-8 ? or *")?;
        }
        let board = Text(Size { width, height: self.rows.len(), mines: self.mines });
        let &Self { shape, clues, start, cascade, .. } = self;
        let rules = WireRules { board, shape, start, cascade, clues }.rules();
        let rules = rules.map_err(|error| FieldError::new("mines", error.message))?;
        let symbols = self.rows.iter().flat_map(|PositionRow(row)| row.chars());
        let face = |(symbol, cell)| {
            let degree = rules.shape().degree(cell) as u8;
            Face::of_symbol(symbol, clues.0, degree).expect("every symbol was checked")
        };
        let faces = symbols.zip(rules.shape().cells()).map(face).collect();
        Ok(View::from_faces(rules, faces).expect("one face for each cell of the shape"))
    }
}

/// Checks that a row has this many cells, or says what it should have, and only these symbols.
pub(super) fn check_row(
    at: &str,
    row: &str,
    (width, should): (usize, &str),
    symbols: &str,
    right: &str,
) -> Result<(), FieldError> {
    let found = row.chars().count();
    if found != width {
        return Err(FieldError::new(at, format!("this row has {found} cells, {should}")));
    }
    match row.chars().enumerate().find(|(_, symbol)| !symbols.contains(*symbol)) {
        None => Ok(()),
        Some((column, symbol)) => {
            let message = format!("`{symbol}` is not a cell ({right})");
            Err(FieldError::new(format!("{at}[{column}]"), message))
        }
    }
}

/// The cells of a view, row by row.
pub fn position_rows(view: &View) -> Vec<PositionRow> {
    text_rows(view.shape(), |cell| view.face(cell)).into_iter().map(PositionRow).collect()
}

/// A symbol for each cell, row by row.
pub(super) fn text_rows<T: ToString>(
    shape: &Shape,
    symbol: impl Fn(deminer_game::Cell) -> T,
) -> Vec<String> {
    let symbols: Vec<String> = shape.cells().map(|cell| symbol(cell).to_string()).collect();
    symbols.chunks(shape.width()).map(<[String]>::concat).collect()
}
