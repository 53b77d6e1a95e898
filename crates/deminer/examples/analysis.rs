//! Analyzes a position: odds of each cell, certain cells with proofs, the best move.
//!
//! `cargo run -p deminer --example analysis`

use std::error::Error;

use deminer::{View, analyze};

/// `#` is a covered cell; `mines` is the total on the board.
const POSITION: &str = "mines 4
    # # # # #
    # 2 2 2 #
    # 1 . 1 #
    # 1 . 1 #";

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let view: View = POSITION.parse()?;
    let shape = view.shape();
    let analysis = analyze(&view)?;
    for row in 0..shape.height() {
        let cells = (0..shape.width()).filter_map(|column| shape.cell(row, column));
        let odds = cells.map(|cell| match analysis.mine_probability(cell) {
            Some(mine) => format!("{:4.0} %", 100.0 * mine),
            None => format!("{:>6}", view.face(cell).to_string()),
        });
        println!("{}", odds.collect::<Vec<_>>().join(" "));
    }
    for proof in analysis.proofs.iter().flatten() {
        println!("{}", proof.sentence(&view));
    }
    let best = analysis.best.ok_or("every safe cell is open")?;
    println!(
        "best: {:?}, {:.1} % safe. {}",
        shape.position(best.cell),
        100.0 * best.safety,
        best.why()
    );
    Ok(())
}
