//! The rules of a game: shape, mines, start, cascade and clues.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{ClueRule, Form, Shape, ShapeError};

/// What the first opened cell is promised.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Start {
    /// Nothing: it may be a mine.
    Unsafe,
    /// It is safe.
    #[default]
    Safe,
    /// It and its neighbors are safe. When the mines do not fit elsewhere, the neighbors
    /// receive the rest, in the order of the deal.
    Open,
}
crate::words!(Start, "a start": Unsafe = "unsafe", Safe = "safe", Open = "open");

/// Width, height and mines, as in `30x16x99`, or a level's name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    /// Cells in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Mines on the whole board.
    pub mines: usize,
}

impl Size {
    /// The boards with names of their own.
    pub const LEVELS: [(&'static str, Size); 3] = [
        ("beginner", Size { width: 9, height: 9, mines: 10 }),
        ("intermediate", Size { width: 16, height: 16, mines: 40 }),
        ("expert", Size { width: 30, height: 16, mines: 99 }),
    ];
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}x{}", self.width, self.height, self.mines)
    }
}

/// The text is no [`Size`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "`{0}` is not a board (use beginner, intermediate, expert or WIDTHxHEIGHTxMINES, such as 30x16x99)"
)]
pub struct ParseSizeError(String);

impl FromStr for Size {
    type Err = ParseSizeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some((_, size)) = Size::LEVELS.into_iter().find(|(name, _)| *name == text) {
            return Ok(size);
        }
        let digits = |part: &str| {
            part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok()).flatten()
        };
        let parts: Option<Vec<usize>> = text.split(['x', 'X']).map(digits).collect();
        match parts.as_deref() {
            Some(&[width, height, mines]) => Ok(Size { width, height, mines }),
            _ => Err(ParseSizeError(text.to_owned())),
        }
    }
}

/// The rules of a game. The mines always fit the shape and the start.
#[derive(Clone, PartialEq, Debug)]
pub struct Rules {
    shape: Shape,
    mines: usize,
    start: Start,
    cascade: bool,
    clues: ClueRule,
}

/// No game has these rules: no such shape, or more mines than the board and the start have room for.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct RulesError(String);

impl From<ShapeError> for RulesError {
    fn from(error: ShapeError) -> Self {
        Self(error.to_string())
    }
}

impl Rules {
    /// Plain rules on a shape: safe start, cascade, exact clues. Change them with
    /// [`with_start`](Self::with_start), [`with_cascade`](Self::with_cascade) and
    /// [`with_clues`](Self::with_clues).
    ///
    /// Any number of mines up to all cells is taken here, since an unsafe start has room for
    /// them; a start that needs a free cell is weakened to `unsafe` when all cells are mined.
    pub fn new(shape: Shape, mines: usize) -> Result<Self, RulesError> {
        let start = if mines >= shape.size() { Start::Unsafe } else { Start::Safe };
        Self::starting(shape, mines, start)
    }

    /// Plain rules with this start. `safe` and `open` need a cell without a mine.
    pub fn starting(shape: Shape, mines: usize, start: Start) -> Result<Self, RulesError> {
        Self { shape, mines, start, cascade: true, clues: ClueRule::Exact }.fitting()
    }

    /// Plain rules on a board of this form and size, with this start.
    pub fn on(form: Form, size: Size, start: Start) -> Result<Self, RulesError> {
        Self::starting(Shape::new(form, size.width, size.height)?, size.mines, start)
    }

    /// Plain rules on a rectangle.
    pub fn of(size: Size) -> Result<Self, RulesError> {
        Self::new(Shape::new(Form::Rect, size.width, size.height)?, size.mines)
    }

    /// Whether there are more layouts than `limit` if this number of cells is known to be safe.
    pub fn has_more_layouts(&self, most: u64, safe: usize) -> bool {
        let (cells, mines) = ((self.shape.size() - safe) as u128, self.mines as u128);
        let Some(free) = cells.checked_sub(mines) else { return false };
        let few = mines.min(free);
        let mut ways: u128 = 1;
        for taken in 0..few {
            ways = ways * (cells - taken) / (taken + 1);
            if ways > u128::from(most) {
                return true;
            }
        }
        false
    }

    /// The same with another start. `safe` and `open` need a cell without a mine.
    pub fn with_start(self, start: Start) -> Result<Self, RulesError> {
        Self { start, ..self }.fitting()
    }

    /// The same, with zeros opening their neighbors or not.
    pub fn with_cascade(self, cascade: bool) -> Self {
        Self { cascade, ..self }
    }

    /// The same with another clue rule.
    pub fn with_clues(self, clues: ClueRule) -> Self {
        Self { clues, ..self }
    }

    fn fitting(self) -> Result<Self, RulesError> {
        let (mines, cells, start) = (self.mines, self.shape.size(), self.start);
        let most = if start == Start::Unsafe { cells } else { cells - 1 };
        if mines <= most {
            return Ok(self);
        }
        Err(RulesError(format!(
            "{mines} mines do not fit on {cells} cells with start {start} (at most {most})"
        )))
    }

    /// The board's shape.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Mines on the whole board.
    #[inline]
    pub fn mines(&self) -> usize {
        self.mines
    }

    /// Cells without a mine on the whole board.
    #[inline]
    pub fn safe_cells(&self) -> usize {
        self.shape.size() - self.mines
    }

    /// What the first opened cell is promised.
    #[inline]
    pub fn start(&self) -> Start {
        self.start
    }

    /// Whether a proved zero opens its neighbors.
    #[inline]
    pub fn cascade(&self) -> bool {
        self.cascade
    }

    /// How counts become clues.
    #[inline]
    pub fn clues(&self) -> ClueRule {
        self.clues
    }

    /// Width, height and mines.
    pub fn size(&self) -> Size {
        Size { width: self.shape.width(), height: self.shape.height(), mines: self.mines }
    }
}

/// As a sentence part: `30x16x99, start safe`, naming only what is not plain.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.size())?;
        if self.shape.form() != Form::Rect {
            write!(f, " {}", self.shape.form())?;
        }
        write!(f, ", start {}", self.start)?;
        if !self.cascade {
            write!(f, ", no cascade")?;
        }
        if self.clues != ClueRule::Exact {
            write!(f, ", clues {}", self.clues)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_go_by_name_or_by_numbers() {
        assert_eq!("expert".parse(), Ok(Size { width: 30, height: 16, mines: 99 }));
        assert_eq!("8x9x10".parse(), Ok(Size { width: 8, height: 9, mines: 10 }));
        for wrong in
            ["", "8x9", "8x9x", "8x9x1x2", "8x9x-1", "8x9x+1", "exprt", "99999999999999999999x1x1"]
        {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn mines_must_fit_the_start() {
        let rules = |size: &str, start| Rules::of(size.parse().unwrap())?.with_start(start);
        assert!(rules("1x1x1", Start::Unsafe).is_ok());
        assert!(rules("1x1x0", Start::Safe).is_ok());
        assert!(rules("3x3x8", Start::Open).is_ok());
        let error = |size, start| rules(size, start).unwrap_err().to_string();
        let open = "9 mines do not fit on 9 cells with start open (at most 8)";
        assert_eq!(error("3x3x9", Start::Open), open);
        let all = "10 mines do not fit on 9 cells with start unsafe (at most 9)";
        assert_eq!(error("3x3x10", Start::Unsafe), all);
    }
}
