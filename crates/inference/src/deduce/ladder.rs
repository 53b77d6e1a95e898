//! The ladder: rules tried from the easiest on, so that each cell is proved as simply as it can
//! be.

use deminer_game::{Cell, CellSet, Premise, View, stop};

use super::{Conclusion, Facts, RULES, Rung, asking, asks};

/// A conclusion, and how it was come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofStep {
    /// What was concluded, and what from.
    pub conclusion: Conclusion,
    /// The name of the rule that was applied.
    pub rule: &'static str,
    /// The hardest rung that was needed to come here, earlier steps included.
    pub rung: Rung,
    /// The length of the chain of conclusions that ends here: 1 for what follows from what is
    /// seen, one more than the longest of its premises' for what follows from other conclusions.
    pub depth: usize,
}

/// All that the rules prove, in the order of their proofs. Nothing is missing that the clues
/// and the mine total entail, unless case analysis ran out of nodes on a very wide region.
pub fn prove_all(view: &View) -> Vec<ProofStep> {
    prove(view, Rung::Contradiction)
}

/// What the rules up to a rung prove.
///
/// The easiest rule that proves anything is applied, then the easiest again, with the new facts:
/// a harder rule is tried only when no easier one can do more, so a cell that easy rules prove
/// is never proved by a hard one.
pub fn prove(view: &View, highest: Rung) -> Vec<ProofStep> {
    let mut facts = Facts::of(view);
    let mut depths = vec![0; view.shape().size()];
    let mut needed = Rung::SingleClue;
    let mut steps: Vec<ProofStep> = Vec::new();
    let mut clues = asking(view, &facts);
    while facts.unknown() > 0 && !stop::is_raised() {
        let found = RULES
            .iter()
            .take_while(|rule| rule.rung <= highest)
            .map(|rule| (rule, (rule.find)(view, &facts, &clues)))
            .find(|(_, conclusions)| !conclusions.is_empty());
        let Some((rule, conclusions)) = found else { break };
        needed = needed.max(rule.rung);
        for conclusion in conclusions {
            if !facts.learn(conclusion.cell, conclusion.fact) {
                continue;
            }
            let earlier = earlier(&conclusion).map(|cell| depths[cell.index()]);
            let depth = 1 + earlier.max().unwrap_or(0);
            depths[conclusion.cell.index()] = depth;
            steps.push(ProofStep { conclusion, rule: rule.name, rung: needed, depth });
        }
        clues.retain(|&clue| asks(view, &facts, clue));
    }
    steps
}

/// The steps that lead to a cell, in their order, the one about the cell last; none if no step
/// is about it.
pub fn chain(steps: &[ProofStep], cell: Cell) -> Vec<&ProofStep> {
    let cells = steps.iter().map(|step| step.conclusion.cell.index() + 1);
    let mut wanted = CellSet::new(cells.max().unwrap_or(0).max(cell.index() + 1));
    wanted.insert(cell);
    let mut chain = Vec::new();
    for step in steps.iter().rev() {
        if wanted.contains(step.conclusion.cell) {
            chain.push(step);
            for cell in earlier(&step.conclusion) {
                wanted.insert(cell);
            }
        }
    }
    chain.reverse();
    chain
}

/// The cells of the earlier conclusions that a conclusion rests on.
fn earlier(conclusion: &Conclusion) -> impl Iterator<Item = Cell> + '_ {
    conclusion.premises.iter().filter_map(|premise| match premise {
        Premise::Mine(cell) | Premise::Safe(cell) => Some(*cell),
        Premise::Clue(_) | Premise::MineTotal => None,
    })
}
