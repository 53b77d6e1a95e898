//! Hints in steps: whether there is a safe move, where to look, which cell, and why.

use deminer_game::{Cell, CellSet, Face, Premise, Shape, View};
use deminer_inference::deduce::{Fact, ProofStep, prove_all};
use deminer_inference::proof::{Explanation, explain_from};
use thiserror::Error;

use crate::analysis::{AnalyzeOptions, Conflict};
use crate::reasons::{of_fifty_fifty, of_safe};

/// The easiest safe move, or the best guess where there is none. None when nothing is left to
/// open.
///
/// # Errors
/// If no arrangement of mines fits the position, or it is too wide to count.
pub fn hint(view: &View) -> Result<Option<Hint>, HintError> {
    Hint::of(view, AnalyzeOptions::default().budget)
}

/// Why there is no hint.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HintError {
    /// The position is impossible.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// Nothing is proved and the odds cannot be counted.
    #[error("{0}")]
    NoOdds(String),
}

/// The next move, with everything that explains it.
#[derive(Clone, Debug)]
pub struct Hint {
    /// Whether some move is certainly safe.
    pub safe_exists: bool,
    /// Where to look: what the move rests on, and what is around it.
    pub area: Vec<Cell>,
    /// The cell.
    pub cell: Cell,
    /// Whether it carries a flag that must go first.
    pub flagged: bool,
    /// The probability that it is safe.
    pub safety: f64,
    /// Why, a sentence each.
    pub reasons: Vec<String>,
    /// The clues that matter.
    pub clues: Vec<Cell>,
}

impl Hint {
    /// [`hint`] with a budget of additions for each region.
    ///
    /// Conclusions come in the order of the ladder, so the first safe cell is the one a person
    /// finds most easily. A covered cell without a flag goes before a wrong flag.
    ///
    /// # Errors
    /// As [`hint`].
    pub fn of(view: &View, budget: usize) -> Result<Option<Self>, HintError> {
        let analysis = AnalyzeOptions { budget, ..AnalyzeOptions::default() }.analyze(view)?;
        if analysis.odds.is_none() && analysis.safe.is_empty() {
            return Err(HintError::NoOdds(analysis.reason.unwrap_or_default()));
        }
        if analysis.safe.is_empty() {
            return Ok(analysis.best.map(|best| Self {
                safe_exists: view.promises_safe_click(),
                area: around(view.shape(), &[best.cell]),
                cell: best.cell,
                flagged: view.face(best.cell) == Face::Flagged,
                safety: best.safety,
                reasons: best.reasons,
                clues: clues_near(view, best.cell),
            }));
        }
        let steps = prove_all(view);
        let proved = steps.iter().filter(|step| step.conclusion.fact == Fact::Safe);
        let proved = proved.map(|step| step.conclusion.cell);
        let safe = proved.chain(analysis.safe.iter().copied());
        let plain = |cell: &Cell| view.face(*cell) == Face::Covered;
        let cell = safe.clone().find(plain).or_else(|| safe.clone().next());
        Ok(Some(Self::safe(view, &steps, cell.expect("some cell is safe"))))
    }

    /// The hint to open a certainly safe cell, given what is proved of the view.
    pub(crate) fn safe(view: &View, steps: &[ProofStep], cell: Cell) -> Self {
        let explanation = explain_from(view, steps, cell);
        let clues = explanation.as_ref().map_or(Vec::new(), clues_of);
        let mut area = clues.clone();
        area.push(cell);
        Self {
            safe_exists: true,
            area: around(view.shape(), &area),
            cell,
            flagged: view.face(cell) == Face::Flagged,
            safety: 1.0,
            reasons: of_safe(view.shape(), cell, explanation.map(|held| held.sentence(view))),
            clues,
        }
    }
}

impl Hint {
    /// The hint that two cells are a 50/50.
    pub(crate) fn fifty_fifty(view: &View, pair: [Cell; 2]) -> Self {
        let mut clues = pair.map(|cell| clues_near(view, cell)).concat();
        clues.sort_unstable();
        clues.dedup();
        Self {
            safe_exists: false,
            area: around(view.shape(), &pair),
            cell: pair[0],
            flagged: false,
            safety: 0.5,
            reasons: vec![of_fifty_fifty(view.shape(), pair)],
            clues,
        }
    }
}

/// The clues that an explanation rests on.
fn clues_of(explanation: &Explanation) -> Vec<Cell> {
    let clue = |premise: &Premise| match premise {
        Premise::Clue(cell) => Some(*cell),
        _ => None,
    };
    explanation.premises.iter().filter_map(clue).collect()
}

/// Open cells around one.
fn clues_near(view: &View, cell: Cell) -> Vec<Cell> {
    let near = view.shape().neighbors(cell).iter().copied();
    near.filter(|&near| view.face(near).clue().is_some()).collect()
}

/// Cells and all that touch them, row by row.
fn around(shape: &Shape, cells: &[Cell]) -> Vec<Cell> {
    let mut set = CellSet::new(shape.size());
    for &cell in cells {
        set.insert(cell);
        for &near in shape.neighbors(cell) {
            set.insert(near);
        }
    }
    shape.cells().filter(|&cell| set.contains(cell)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(position: &str) -> Option<Hint> {
        super::hint(&position.parse().unwrap()).unwrap()
    }

    #[test]
    fn the_easiest_safe_move_comes_first() {
        let hint = hint("mines 2\n# 1 # #\n1 1 # #").unwrap();
        assert!(hint.safe_exists && hint.safety == 1.0 && !hint.flagged);
        assert!(hint.area.contains(&hint.cell) && !hint.clues.is_empty());
        assert!(hint.reasons[0].ends_with("is safe."), "{:?}", hint.reasons);
    }

    #[test]
    fn without_a_safe_move_the_best_guess_is_told() {
        let hint = hint("mines 1\n# 1 .\n# 1 .").unwrap();
        assert!(!hint.safe_exists);
        assert_eq!((hint.safety, hint.clues.len()), (0.5, 2));
    }

    #[test]
    fn a_wrong_flag_is_a_move_only_if_there_is_no_other() {
        assert!(!hint("mines 1\nF 1 #").unwrap().safe_exists);
        let wrong = hint("mines 1\nF 1 1\n. 1 *").unwrap();
        assert!(wrong.flagged && wrong.safe_exists);
    }

    #[test]
    fn impossible_positions_and_finished_boards_have_none() {
        let view: View = "mines 2\n1 3 #\n# # #".parse().unwrap();
        assert!(matches!(super::hint(&view), Err(HintError::Conflict(_))));
        assert!(hint("mines 1\n* 1\n1 1").is_none());
    }
}
