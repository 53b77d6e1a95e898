//! Proofs as JSON, the same in every document.

use deminer_game::{Cell, Premise, Shape};
use deminer_lab::analysis::Explanation;
use serde::Serialize;

/// A cell as row and column.
pub type Position = (usize, usize);

/// Why a cell is safe or a mine.
#[derive(Serialize)]
pub struct ProofShape {
    cell: Position,
    fact: &'static str,
    rule: &'static str,
    clues: Vec<Position>,
    mine_total: bool,
    minimum: bool,
    depth: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl ProofShape {
    /// An explanation, with its sentence where there is one.
    pub fn of(proof: &Explanation, shape: &Shape, why: Option<String>) -> Self {
        Self {
            cell: shape.position(proof.cell),
            fact: proof.fact.name(),
            rule: proof.rung.name(),
            clues: clues(&proof.premises).map(|cell| shape.position(cell)).collect(),
            mine_total: proof.premises.contains(&Premise::MineTotal),
            minimum: proof.minimum,
            depth: proof.depth,
            why,
        }
    }
}

/// The cells of the clues among premises.
pub fn clues(premises: &[Premise]) -> impl Iterator<Item = Cell> + '_ {
    premises.iter().filter_map(|premise| match premise {
        Premise::Clue(cell) => Some(*cell),
        _ => None,
    })
}
