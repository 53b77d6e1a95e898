//! Layouts as boards are stored in files: lists of places and rows of bits.

use deminer_game::{Cell, CellSet, Form, Layout, Shape};

use crate::bytes::Bytes;
use crate::{Fault, Place, ReadError};

/// A rectangle; its size was read at the given place.
pub(crate) fn rectangle(width: usize, height: usize, place: Place) -> Result<Shape, ReadError> {
    Shape::new(Form::Rect, width, height).map_err(|error| Fault::of(error).at(place))
}

/// The layout with these mines, no two of which are the same.
pub(crate) fn layout(shape: Shape, mines: impl IntoIterator<Item = Cell>) -> Layout {
    Layout::new(shape, mines).expect("each cell of the shape once at most")
}

/// The layout with these mines: a byte each for column and row, or first the row where `row_first`,
/// counted from `first`.
pub(crate) fn read_mines(
    bytes: &mut Bytes,
    total: usize,
    shape: Shape,
    first: usize,
    row_first: bool,
) -> Result<Layout, ReadError> {
    let mut mines = CellSet::new(shape.size());
    for _ in 0..total {
        let place = Place::Byte(bytes.at());
        let mut side = |what| {
            let number = usize::from(bytes.byte(what)?);
            number.checked_sub(first).ok_or_else(|| Fault::value(what, 0, "at least 1").at(place))
        };
        let (row, column) = if row_first {
            (side("a mine's row")?, side("a mine's column")?)
        } else {
            let column = side("a mine's column")?;
            (side("a mine's row")?, column)
        };
        let wrong = match shape.cell(row, column) {
            Some(cell) if mines.insert(cell) => continue,
            Some(_) => "is listed twice".to_owned(),
            None => {
                let (height, width) = (shape.height(), shape.width());
                format!("lies outside the board ({height} rows of {width}, counted from 0)")
            }
        };
        let message = format!("the mine in row {row}, column {column} {wrong}");
        return Err(Fault::Text(message).at(place));
    }
    Ok(layout(shape, mines.iter()))
}

/// Checks the number of mines that a file announces.
pub(crate) fn check_total(
    layout: &Layout,
    announced: usize,
    place: Place,
) -> Result<(), ReadError> {
    let (found, s) = (layout.total(), if announced == 1 { "" } else { "s" });
    let message = format!("the file says {announced} mine{s}, but its board has {found}");
    if found == announced { Ok(()) } else { Err(Fault::Text(message).at(place)) }
}

/// A layout from one bit for each cell, row by row; bits behind the last cell are dropped.
pub(crate) fn from_bits(shape: Shape, bits: impl Iterator<Item = bool>) -> Layout {
    let mines = shape.cells().zip(bits).filter(|(_, bit)| *bit).map(|(cell, _)| cell);
    layout(shape, mines)
}

/// The lowest bits of a number, high bit first.
pub(crate) fn bits(number: u8, count: u32) -> impl Iterator<Item = bool> {
    (0..count).rev().map(move |bit| number >> bit & 1 == 1)
}

/// Packs one bit for each cell, row by row, into numbers of `bits` bits, high bit first; the
/// last number is filled up with zeros.
pub(crate) fn to_numbers(layout: &Layout, bits: usize) -> Vec<u8> {
    let mut numbers = vec![0; layout.shape().size().div_ceil(bits)];
    for mine in layout.mines() {
        numbers[mine.index() / bits] |= 1 << (bits - 1 - mine.index() % bits);
    }
    numbers
}
