//! Linear models on 5x5 windows, without hidden layers.
//!
//! The baselines of the student project that Tortay and Yurchenko build on (L. Gardea, G. Koontz
//! and R. Silva, "Training a Minesweeper Solver", 2015): a linear regression of the risk, and a
//! linear support vector machine that parts mines from safe cells.

use deminer_game::{Size, Window};

use super::{Boards, Design, Net, Output, Sight, Variant};
use crate::encode::Encoding;
use crate::train::Recipe;

/// The sum is the risk.
pub(super) const REGRESSION: Design = Design {
    name: "reg-lin",
    sight: Sight::Window,
    build,
    recipe: |_| Recipe::of_sums(),
    boards: &["4x4x3", "5x5x5", "8x8x10", "16x16x40"],
    boards_are: Boards::Each,
};

/// The sum is at most 0 for what is surely safe, at least 1 for a sure mine.
pub(super) const MACHINE: Design =
    Design { name: "svm-lin", recipe: |_| Recipe::of_margins(), ..REGRESSION };

fn build(_: Variant, _: Size) -> Net {
    let encoding = Encoding::OneHot11;
    let layers = Net::dense(Window::AREA * encoding.channels(), &[], 1, |_| Vec::new());
    Net { output: Output::Plain, ..Net::of_window(encoding, layers) }
}
