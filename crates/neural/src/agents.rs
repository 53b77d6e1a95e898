//! Players with a network inside.

pub(crate) mod full_board;
pub(crate) mod judge;
pub(crate) mod sla;
pub(crate) mod windowed;

use deminer_game::{ClueKind, Form, OptionEntry, Options, Supports, Values};

use crate::nets::Variant;

/// Windows wrap on a torus; hexagons have none, and nothing was learned of uncertain clues.
const WINDOWS: Supports =
    Supports { forms: &[Form::Rect, Form::Torus], clues: &[ClueKind::Exact], ..Supports::ALL };

/// Whole boards have borders.
const BOARDS: Supports =
    Supports { forms: &[Form::Rect], clues: &[ClueKind::Exact], ..Supports::ALL };

const ORIG: OptionEntry = OptionEntry {
    name: "orig",
    values: Values::Flag,
    about: "with the flaws of the authors' own program",
};

fn variant(options: &Options) -> Variant {
    if options.flag("orig") { Variant::Orig } else { Variant::Repaired }
}

const GDANSK: &str = "K. Lubarski, B. Samujło, K. Wszeborowski, Neural Networks in solving \
                      Minesweeper, Gdańsk University of Technology";
const KAIST: &str = "A. Tortay, O. Yurchenko, Minesweeper solver using NN, KAIST 2016";
