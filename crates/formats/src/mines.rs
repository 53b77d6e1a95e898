//! Layouts as boards are stored in files: lists of places and rows of bits.

use deminer_game::{CellSet, Form, Layout, Shape};

use crate::{Fault, Place, ReadError};

/// A rectangle; its size was read at the given place.
pub(crate) fn rectangle(width: usize, height: usize, place: Place) -> Result<Shape, ReadError> {
    Shape::new(Form::Rect, width, height).map_err(|error| Fault::Shape(error).at(place))
}

/// Mines gathered one by one, each checked where it was read.
pub(crate) struct Mines {
    shape: Shape,
    set: CellSet,
}

impl Mines {
    pub fn new(shape: Shape) -> Self {
        let set = CellSet::new(shape.size());
        Self { shape, set }
    }

    /// Adds a mine; row and column count from 0.
    pub fn add(&mut self, row: usize, column: usize, place: Place) -> Result<(), ReadError> {
        let (height, width) = (self.shape.height(), self.shape.width());
        let Some(cell) = self.shape.cell(row, column) else {
            return Err(Fault::MineOutside { row, column, height, width }.at(place));
        };
        if !self.set.insert(cell) {
            return Err(Fault::MineTwice { row, column }.at(place));
        }
        Ok(())
    }

    pub fn layout(self) -> Layout {
        Layout::new(self.shape, self.set.iter()).expect("each cell of the shape once at most")
    }
}

/// A layout from one bit for each cell, row by row; bits behind the last cell are dropped.
pub(crate) fn from_bits(shape: Shape, bits: impl Iterator<Item = bool>) -> Layout {
    let mines: Vec<_> =
        shape.cells().zip(bits).filter(|(_, bit)| *bit).map(|(cell, _)| cell).collect();
    Layout::new(shape, mines).expect("each cell of the shape once at most")
}

/// The lowest bits of a number, high bit first.
pub(crate) fn bits(number: u8, count: u32) -> impl Iterator<Item = bool> {
    (0..count).rev().map(move |bit| number >> bit & 1 == 1)
}

/// Packs one bit for each cell, row by row, into numbers of so many bits, high bit first; the
/// last number is filled up with zeros.
pub(crate) fn to_numbers(layout: &Layout, bits: usize) -> Vec<u8> {
    let mut numbers = vec![0; layout.shape().size().div_ceil(bits)];
    for mine in layout.mines() {
        numbers[mine.index() / bits] |= 1 << (bits - 1 - mine.index() % bits);
    }
    numbers
}
