//! The 5x5 window around a cell, as agents built on windows see the board.

use thiserror::Error;

use crate::{Cell, Face, Form, View};

/// The faces in the 5x5 square around a cell, row by row; none lies outside the board.
///
/// On a torus the window wraps, so a small torus shows some cells twice. Hexagons have no
/// square windows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Window {
    /// The faces, row by row; the cell itself is number 12.
    pub panes: [Option<Face>; Window::AREA],
}

/// Hexagons have no square windows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("hexagonal boards have no 5x5 windows (use shape rect or torus)")]
pub struct HexWindowError;

impl Window {
    /// Cells on a side.
    pub const SIDE: usize = 5;
    /// Cells in a window.
    pub const AREA: usize = Self::SIDE * Self::SIDE;

    /// The window around a cell.
    pub fn around(view: &View, cell: Cell) -> Result<Self, HexWindowError> {
        if view.shape().form() == Form::Hex {
            return Err(HexWindowError);
        }
        let reach = (Self::SIDE / 2) as isize;
        let mut panes = [None; Self::AREA];
        let steps =
            (-reach..=reach).flat_map(|down| (-reach..=reach).map(move |right| (down, right)));
        for (pane, (down, right)) in panes.iter_mut().zip(steps) {
            *pane = view.shape().offset(cell, down, right).map(|near| view.face(near));
        }
        Ok(Self { panes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The window around the cell, `-` for outside.
    fn check(position: &str, at: (usize, usize), expected: &str) {
        let view: View = position.parse().unwrap();
        let window = Window::around(&view, view.shape().cell(at.0, at.1).unwrap()).unwrap();
        let drawn = window.panes.map(|pane| pane.map_or("-".into(), |face| face.to_string()));
        assert_eq!(drawn.to_vec(), expected.split_whitespace().collect::<Vec<_>>());
    }

    #[test]
    fn windows_end_outside_the_board_and_wrap_on_a_torus() {
        check(
            "mines 4
             # F 1 .
             # 3 2 1
             # # # #",
            (0, 1),
            "- - - - -
             - - - - -
             - # F 1 .
             - # 3 2 1
             - # # # #",
        );
        check(
            "mines 3
             shape torus
             # # # # # 1
             # 1 2 3 # #",
            (0, 0),
            "# 1 # # #
             # # # 1 2
             # 1 # # #
             # # # 1 2
             # 1 # # #",
        );
    }

    #[test]
    fn hexagons_have_none() {
        let view: View = "mines 1\nshape hex\n###\n###".parse().unwrap();
        let cell = view.shape().nth(0).unwrap();
        assert_eq!(Window::around(&view, cell), Err(HexWindowError));
    }
}
