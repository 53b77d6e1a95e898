//! The first program of the README.

use deminer::{View, analyze};

/// Finds the best move of a position.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let position: View = "mines 3\n# # # #\n# 1 2 #\n# # # #".parse()?;
    let analysis = analyze(&position)?;
    let best = analysis.best.ok_or("every safe cell is open")?;
    println!("{} safe cells; open {:?}", analysis.safe.len(), position.shape().position(best.cell));
    println!("{}", best.why());
    Ok(())
}
