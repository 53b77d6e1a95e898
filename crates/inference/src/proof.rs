//! Why a cell is proved: the clues that entail it, the simplest rule that finds it, a sentence.

mod fewest;
mod words;

use deminer_game::{Cell, Face, Premise, Proof, Shown, View};

use crate::deduce::{Fact, Facts, ProofStep, Question, Rung, chain, clues_of, prove_all, shrink};

/// The nodes that finding the premises of one cell may take. No position of the usual sizes
/// needs as many to leave out what can be; when they run out all the same, the premises still
/// entail the fact, but may be too many.
const NODES: usize = 4_000_000;

/// Why a covered cell is safe or a mine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The cell.
    pub cell: Cell,
    /// What it is.
    pub fact: Fact,
    /// The easiest rung of the ladder that finds it, all steps that lead to it counted.
    pub rung: Rung,
    /// Clues in row-major order and, where needed, the mine total, that entail the fact by
    /// themselves: from what these say, that open cells are safe and that mines shown are mines,
    /// it follows, and without any one of them it does not.
    pub premises: Vec<Premise>,
    /// Whether no fewer premises would do.
    pub minimum: bool,
    /// The length of the chain of conclusions by which the ladder reaches it.
    pub depth: usize,
}

impl Explanation {
    /// The explanation in a sentence about the view it was made for, without a capital or a
    /// full stop.
    pub fn sentence(&self, view: &View) -> String {
        words::sentence(self, view)
    }

    /// The same as the reason of a decision.
    pub fn proof(&self) -> Proof {
        Proof::new(self.rung.name(), self.premises.clone())
    }
}

/// Why a covered cell is safe or a mine; none if neither is proved.
///
/// To explain several cells of a view, call [`prove_all`] once and [`explain_each`].
pub fn explain(view: &View, cell: Cell) -> Option<Explanation> {
    explain_from(view, &prove_all(view), cell)
}

/// Why a covered cell is safe or a mine, given all that is proved of the view; none if nothing
/// is proved of the cell.
pub fn explain_from(view: &View, steps: &[ProofStep], cell: Cell) -> Option<Explanation> {
    explain_each(view, steps, [cell]).next()
}

/// The same for several cells; those of which nothing is proved are left out.
pub fn explain_each<'a>(
    view: &'a View,
    steps: &'a [ProofStep],
    cells: impl IntoIterator<Item = Cell> + 'a,
) -> impl Iterator<Item = Explanation> + 'a {
    let facts = Facts::of(view);
    cells.into_iter().filter_map(move |cell| explain_one(view, &facts, steps, cell))
}

fn explain_one(view: &View, facts: &Facts, steps: &[ProofStep], cell: Cell) -> Option<Explanation> {
    let chain = chain(steps, cell);
    let last = chain.last()?;
    let fact = last.conclusion.fact;
    let premises: Vec<Premise> =
        chain.iter().flat_map(|step| &step.conclusion.premises).copied().collect();
    let premises = sorted(&premises);
    let question = Question { view, facts, suppose: Some((cell, fact.opposite())) };
    let mut nodes = NODES;
    let (premises, minimum) = match shrink(&question, &premises, &mut nodes) {
        Some(set) => fewest::fewest(&question, set, &mut nodes),
        None => (premises, false),
    };
    let premises = sorted(&premises);
    Some(Explanation { cell, fact, rung: last.rung, premises, minimum, depth: last.depth })
}

/// Clues, and perhaps the mine total, that contradict each other, if no layout fits the view.
/// None of them can be left out, and no smaller set exists unless the nodes ran out or the set is
/// large. A clue that is impossible by itself, such as an 8 in a corner, stands alone, and so does
/// the mine total when more mines are shown or too few cells are covered.
///
/// None if a layout fits, or if the nodes run out before this is known.
pub fn conflict(view: &View) -> Option<Vec<Premise>> {
    let question = Question { view, facts: &Facts::of(view), suppose: None };
    let mut nodes = NODES;
    let clues = view.opened().iter().copied().map(Premise::Clue);
    let premises: Vec<Premise> = clues.chain([Premise::MineTotal]).collect();
    let set = shrink(&question, &premises, &mut nodes)?;
    Some(sorted(&fewest::fewest(&question, set, &mut nodes).0))
}

/// The clues among premises in row-major order, each once, and the mine total if it is there.
fn sorted(premises: &[Premise]) -> Vec<Premise> {
    let mut clues = clues_of(premises);
    clues.sort_unstable();
    clues.dedup();
    let total = premises.contains(&Premise::MineTotal).then_some(Premise::MineTotal);
    clues.into_iter().map(Premise::Clue).chain(total).collect()
}

/// The same view, in which only these clues can be read.
pub(crate) fn only(view: &View, clues: &[Cell]) -> View {
    let hide = |cell: Cell| match view.face(cell) {
        Face::Open { .. } if !clues.contains(&cell) => blank(view, cell),
        face => face,
    };
    let faces = view.shape().cells().map(hide).collect();
    View::from_faces(view.rules().clone(), faces).expect("as many faces as before")
}

/// How a cell looks that is open without a clue.
pub(crate) fn blank(view: &View, cell: Cell) -> Face {
    let clue = view.rules().clues().clue(Shown::Blank, view.shape().degree(cell) as u8);
    Face::Open { shown: Shown::Blank, clue }
}

#[cfg(test)]
mod tests;
