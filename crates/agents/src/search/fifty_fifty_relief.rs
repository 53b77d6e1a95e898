//! Guesses that an opening spares.
//!
//! If every other cell that sees two neighbors sees both, no clue can distinguish them. It takes mines all
//! around those that touch only one of them, most easily where the edge helps:
//!
//! ```text
//! a b m      with mines at m, no clue will show whether the mine is at a or at b: a 50/50 guess
//! . . m      decides the game. Opening a, b or an m before avoids that guess
//! . . .
//! ```

use deminer_game::{Cell, Shape};
use deminer_inference::odds::Odds;

/// Pairs less likely than this are left out.
const UNLIKELY: f64 = 1e-4;

/// How many times likelier the game is won if a cell turns out safe, for the pairs that will then
/// not have to be guessed: each would have cost one half of its probability.
pub fn relief(shape: &Shape, odds: &Odds, cell: Cell) -> f64 {
    let near = shape.neighbors(cell);
    let mut pairs: f64 = near.iter().map(|&other| pair(shape, odds, cell, other)).sum();
    // Pairs of which the cell touches only one.
    for &one in near {
        let beyond =
            shape.neighbors(one).iter().filter(|&&other| other != cell && !near.contains(&other));
        pairs += beyond.map(|&other| pair(shape, odds, one, other)).sum::<f64>();
    }
    1.0 + pairs / 2.0
}

/// About how likely a 50/50 arises later that opening this cell avoids, if it turns out safe.
pub fn avoided(shape: &Shape, odds: &Odds, cell: Cell) -> f64 {
    (2.0 * (relief(shape, odds, cell) - 1.0)).min(1.0)
}

/// About how likely just one of two neighbors is a mine, and so is all that touches only one of
/// them.
fn pair(shape: &Shape, odds: &Odds, one: Cell, other: Cell) -> f64 {
    let risk = |cell: Cell| odds.mine(cell).unwrap_or(0.0);
    let is_sure = |risk: f64| risk == 0.0 || risk == 1.0;
    let (first, second) = (risk(one), risk(other));
    if is_sure(first) || is_sure(second) {
        return 0.0;
    }
    let mut likely = first * (1.0 - second) + second * (1.0 - first);
    for (cell, twin) in [(one, other), (other, one)] {
        for &near in shape.neighbors(cell) {
            if near != twin && !shape.neighbors(twin).contains(&near) {
                likely *= risk(near);
                if likely < UNLIKELY {
                    return 0.0;
                }
            }
        }
    }
    likely
}

#[cfg(test)]
mod tests {
    use deminer_game::View;
    use deminer_inference::odds::Engine;

    use super::*;

    /// The relief of each cell in a row of a position.
    fn reliefs(position: &str, row: usize) -> Vec<f64> {
        let view: View = position.parse().unwrap();
        let odds = Engine::default().odds(&view).unwrap().clone();
        let width = view.shape().width();
        let cells = view.shape().cells().skip(row * width).take(width);
        cells.map(|cell| relief(view.shape(), &odds, cell)).collect()
    }

    #[test]
    fn a_pair_walled_in_by_mines_is_spared() {
        // One of the first two is a mine. Their risks alone do not show that exactly one is.
        let found = reliefs("mines 3\n# # # 2\n1 3 # 2\n. 1 1 1", 0);
        assert_eq!(found[..2], [1.25; 2]);
    }

    #[test]
    fn what_is_avoided_is_twice_what_it_costs() {
        let view: View = "mines 3\n# # # 2\n1 3 # 2\n. 1 1 1".parse().unwrap();
        let odds = Engine::default().odds(&view).unwrap().clone();
        assert_eq!(avoided(view.shape(), &odds, view.shape().nth(0).unwrap()), 0.5);
        // An open cell far from the pair avoids nothing.
        assert_eq!(avoided(view.shape(), &odds, view.shape().nth(8).unwrap()), 0.0);
    }

    #[test]
    fn in_the_open_corners_spare_most() {
        let rows = ["# # # # # # # # #"; 9].join("\n");
        let found = reliefs(&format!("mines 16\n{rows}"), 0);
        assert!(found[0] > found[4] && found[2] > found[4] && found[4] > 1.0, "{found:?}");
        // Far from the edges it takes six mines.
        let inland = reliefs(&format!("mines 16\n{rows}"), 4);
        assert!(inland[4] < found[4], "{inland:?}");
    }
}
