//! Encodes views as numbers for networks.
//!
//! A view is first turned into codes, one small number for each cell, which are cheap to keep,
//! to compare and to turn about. An [`Encoding`] says what a network is given for each code.

use deminer_game::{Cell, Face, Shape, Shown, View, Window};
use serde::{Deserialize, Serialize};

/// What a network may know of one cell: 0 to 8 for an open number, then these.
pub type Code = u8;
/// Covered, without a flag.
pub const COVERED: Code = 9;
/// Covered, with a flag.
pub const FLAGGED: Code = 10;
/// Beyond the border of the board.
pub const OUTSIDE: Code = 11;

/// The code of a face; none is outside the board. An open cell without a number counts as an
/// open zero: networks do not see that clues are uncertain.
pub fn code(face: Option<Face>) -> Code {
    match face {
        None => OUTSIDE,
        Some(Face::Covered) => COVERED,
        Some(Face::Flagged | Face::Mine) => FLAGGED,
        Some(Face::Open { shown: Shown::Number(number), .. }) => number,
        Some(Face::Open { shown: Shown::Blank, .. }) => 0,
    }
}

/// The codes of a 5x5 window, row by row.
pub type Codes = [Code; Window::AREA];

/// Codes of a board that are kept up to date, ready to be cut into windows.
///
/// The board stands in a frame two cells wide, so a window is five runs of five codes:
///
/// ```text
/// - - - - - - -
/// - - - - - - -
/// - - # 1 . - -
/// - - # 2 1 - -
/// - - - - - - -
/// - - - - - - -
/// ```
///
/// On a torus the frame shows the other side.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    width: usize,
    codes: Vec<Code>,
    /// Where each place of the frame takes its code from.
    sources: Vec<Option<Cell>>,
    shape: Option<Shape>,
}

/// How far a window reaches from its center.
const REACH: usize = Window::SIDE / 2;

impl Frame {
    /// Takes the codes of a view; costs time in proportion to its cells.
    ///
    /// # Panics
    /// If the board is made of hexagons, which have no windows.
    pub fn update(&mut self, view: &View) {
        if self.shape.as_ref() != Some(view.shape()) {
            self.reshape(view.shape());
        }
        for (code_at, source) in self.codes.iter_mut().zip(&self.sources) {
            *code_at = code(source.map(|cell| view.face(cell)));
        }
    }

    fn reshape(&mut self, shape: &Shape) {
        assert!(shape.form() != deminer_game::Form::Hex, "hexagons have no windows");
        self.width = shape.width() + 2 * REACH;
        let origin = shape.nth(0).expect("a board has cells");
        let reach = REACH as isize;
        let rows = -reach..shape.height() as isize + reach;
        let columns = -reach..shape.width() as isize + reach;
        self.sources = rows
            .flat_map(|row| columns.clone().map(move |column| (row, column)))
            .map(|(row, column)| shape.offset(origin, row, column))
            .collect();
        self.codes = vec![OUTSIDE; self.sources.len()];
        self.shape = Some(shape.clone());
    }

    /// The window around a cell of the board.
    pub fn window(&self, cell: Cell) -> Codes {
        let shape = self.shape.as_ref().expect("a frame is filled before it is cut");
        let (row, column) = shape.position(cell);
        let mut codes = [OUTSIDE; Window::AREA];
        for (down, run) in codes.chunks_exact_mut(Window::SIDE).enumerate() {
            let start = (row + down) * self.width + column;
            run.copy_from_slice(&self.codes[start..start + Window::SIDE]);
        }
        codes
    }
}

/// The codes of a whole board, row by row.
pub fn board(view: &View) -> Vec<Code> {
    view.faces().iter().map(|&face| code(Some(face))).collect()
}

/// What a network is given for each code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// One number: -1 outside, 0 to 8, 9 covered, as it is.
    Ordinal,
    /// The same number, from 0 for an open zero to 1 for a covered cell.
    ScaledBoard,
    /// The same number, from 0 for a cell outside to 1 for a covered one.
    ScaledWindow,
    /// Ten channels: the numbers, covered. Outside is nothing at all.
    OneHot10,
    /// Eleven channels: the numbers, covered, outside.
    OneHot11,
    /// The same eleven, but what is outside is taken for covered.
    OneHot11Blurred,
    /// Twelve channels: covered, the numbers, flagged, outside.
    OneHot12,
    /// Ten channels as in `OneHot10`, and one for the density: mines for each covered cell.
    Density,
}

impl Encoding {
    /// Numbers given for each cell.
    pub const fn channels(self) -> usize {
        match self {
            Encoding::Ordinal | Encoding::ScaledBoard | Encoding::ScaledWindow => 1,
            Encoding::OneHot10 => 10,
            Encoding::OneHot11 | Encoding::OneHot11Blurred | Encoding::Density => 11,
            Encoding::OneHot12 => 12,
        }
    }

    /// The channel that a code switches on, if any.
    pub const fn channel(self, code: Code) -> Option<usize> {
        let plain = if code == FLAGGED { COVERED } else { code } as usize;
        match (self, code) {
            (Encoding::OneHot12, COVERED) => Some(0),
            (Encoding::OneHot12, FLAGGED | OUTSIDE) => Some(code as usize),
            (Encoding::OneHot12, number) => Some(number as usize + 1),
            (Encoding::Ordinal | Encoding::ScaledBoard | Encoding::ScaledWindow, _) => None,
            (Encoding::OneHot10 | Encoding::Density, OUTSIDE) => None,
            (Encoding::OneHot11, OUTSIDE) => Some(10),
            (Encoding::OneHot11Blurred, OUTSIDE) => Some(COVERED as usize),
            _ => Some(plain),
        }
    }

    /// The channels of a cell that are not zero, and what they hold.
    #[inline(always)]
    pub fn terms(self, code: Code, density: f32, mut term: impl FnMut(usize, f32)) {
        if matches!(self, Encoding::Ordinal | Encoding::ScaledBoard | Encoding::ScaledWindow) {
            let times = self.value(code);
            if times != 0.0 {
                term(0, times);
            }
            return;
        }
        if let Some(channel) = self.channel(code) {
            term(channel, 1.0);
        }
        if self == Encoding::Density {
            term(self.channels() - 1, density);
        }
    }

    /// The number given for a code where there is one for each cell.
    pub fn value(self, code: Code) -> f32 {
        let number = match code {
            OUTSIDE => -1.0,
            FLAGGED => f32::from(COVERED),
            plain => f32::from(plain),
        };
        match self {
            Encoding::ScaledBoard => number / f32::from(COVERED),
            Encoding::ScaledWindow => (number + 1.0) / f32::from(COVERED + 1),
            _ => number,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(position: &str) -> (View, Frame) {
        let view: View = position.parse().unwrap();
        let mut frame = Frame::default();
        frame.update(&view);
        (view, frame)
    }

    #[test]
    fn a_frame_shows_the_windows_of_the_game() {
        for position in [
            "mines 4\n# F 1 .\n# 3 2 1\n# # # #",
            "mines 3\nshape torus\n# # # # # 1\n# 1 2 3 # #",
            "mines 1\n# 1 #",
        ] {
            let (view, frame) = frame(position);
            for cell in view.shape().cells() {
                let window = Window::around(&view, cell).unwrap();
                assert_eq!(frame.window(cell), window.panes.map(code), "{position} {cell:?}");
            }
        }
    }

    #[test]
    fn a_frame_follows_boards_of_any_size() {
        let (_, mut held) = frame("mines 1\n# 1 #");
        let (view, fresh) = frame("mines 4\n# F 1 .\n# 3 2 1\n# # # #");
        held.update(&view);
        assert_eq!(held.codes, fresh.codes);
    }

    #[test]
    fn channels_are_those_of_the_papers() {
        let channels =
            |encoding: Encoding| [0, 8, COVERED, FLAGGED, OUTSIDE].map(|c| encoding.channel(c));
        assert_eq!(channels(Encoding::OneHot12), [1, 9, 0, 10, 11].map(Some));
        assert_eq!(channels(Encoding::OneHot11), [0, 8, 9, 9, 10].map(Some));
        assert_eq!(channels(Encoding::OneHot11Blurred), [0, 8, 9, 9, 9].map(Some));
        assert_eq!(channels(Encoding::OneHot10)[4], None);
        assert_eq!(Encoding::Ordinal.value(OUTSIDE), -1.0);
        assert_eq!(Encoding::ScaledWindow.value(OUTSIDE), 0.0);
        assert_eq!(Encoding::ScaledBoard.value(COVERED), 1.0);
    }
}
