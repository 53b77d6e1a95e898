//! The dense window networks of Tortay and Yurchenko, which learn from the games they play.

use deminer_game::Window;

use super::{Boards, Design, Layer, Net, Sight};
use crate::encode::Encoding;
use crate::train::Recipe;

/// Hidden layers 300-256-128.
pub(super) const SMALL: Design = Design {
    name: "sla-small",
    sight: Sight::Window,
    build: |_, _| build(&[300, 256, 128]),
    recipe: Recipe::of_self_play,
    boards: &["16x16x20", "16x16x25", "16x16x30", "16x16x35", "16x16x40"],
    boards_are: Boards::Stages,
};

/// Hidden layers 300-256-128-64.
pub(super) const LARGE_A: Design =
    Design { name: "sla-large-a", build: |_, _| build(&[300, 256, 128, 64]), ..SMALL };

/// Hidden layers 300-256-256-128.
pub(super) const LARGE_B: Design =
    Design { name: "sla-large-b", build: |_, _| build(&[300, 256, 256, 128]), ..SMALL };

/// The small network, taught by another player in its own games.
pub(super) const MSLA: Design =
    Design { name: "msla", recipe: Recipe::of_taught_self_play, ..SMALL };

fn build(hidden: &[usize]) -> Net {
    let encoding = Encoding::OneHot12;
    let inputs = Window::AREA * encoding.channels();
    Net::of_window(encoding, Net::dense(inputs, hidden, 1, |_| vec![Layer::Relu]))
}
