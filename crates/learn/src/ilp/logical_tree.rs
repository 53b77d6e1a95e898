//! A first-order decision tree on the same examples, for comparison.
//!
//! After H. Blockeel and L. De Raedt, "Top-down induction of first-order logical decision trees"
//! (1998): a node asks whether a clause holds of the cell; those of which it does go on one way,
//! the others the other way. The clauses asked are the macros of some examples of the node, and
//! pairs of them about the same set, so that a question looks far enough ahead to say something.

use deminer_game::Rng;

use super::bottom::Bottom;
use super::clause::{Clause, Target};
use super::learn::Method;
use super::macros::{Chain, macros, merge};
use super::pool::{Bits, Pool};
use super::program::Program;
use super::situation::Situation;

/// How a tree is grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogicalGrowth {
    /// The most questions on a path.
    pub depth: usize,
    /// The fewest examples of a leaf.
    pub least: usize,
    /// Examples of a node whose macros may be asked.
    pub seeds: usize,
}

/// A first-order decision tree.
#[derive(Clone, Debug)]
pub enum LogicalTree {
    /// No more questions: examples of which the target holds, and all.
    Leaf(usize, usize),
    /// Asks whether a clause holds: the clause, where it does, and where it does not.
    Question(Box<Program>, [Box<LogicalTree>; 2]),
}

impl LogicalTree {
    /// Grows a tree; at each node the question is asked that saves most bits.
    pub fn grow(
        pool: &Pool,
        target: Target,
        method: &Method,
        growth: LogicalGrowth,
        rng: &mut Rng,
    ) -> Self {
        let positives = pool.positives(target);
        let grower = Grower { pool, target, method, growth, positives };
        grower.node(&Bits::all(pool.cases().len()), growth.depth, rng)
    }

    /// The share of examples like this of which the target holds.
    pub fn belief(&self, situation: &Situation) -> f64 {
        match self {
            LogicalTree::Leaf(positive, all) => *positive as f64 / (*all).max(1) as f64,
            LogicalTree::Question(program, [yes, no]) => {
                let answer = if program.covers(situation) { yes } else { no };
                answer.belief(situation)
            }
        }
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        match self {
            LogicalTree::Leaf(..) => 1,
            LogicalTree::Question(_, [yes, no]) => yes.leaves() + no.leaves(),
        }
    }
}

struct Grower<'a> {
    pool: &'a Pool,
    target: Target,
    method: &'a Method,
    growth: LogicalGrowth,
    positives: Bits,
}

impl Grower<'_> {
    fn node(&self, here: &Bits, depth: usize, rng: &mut Rng) -> LogicalTree {
        let (all, positive) = (here.count(), here.common(&self.positives));
        let leaf = LogicalTree::Leaf(positive, all);
        if depth == 0 || positive == 0 || positive == all {
            return leaf;
        }
        let mut best: Option<(f64, Program, Bits)> = None;
        for clause in self.questions(here, rng) {
            let program = Program::new(&clause);
            let yes = self.pool.covered(&program, here);
            let count = yes.count();
            if count.min(all - count) < self.growth.least {
                continue;
            }
            let yes_positive = yes.common(&self.positives);
            let left = bits(yes_positive, count) + bits(positive - yes_positive, all - count);
            let saved = bits(positive, all) - left;
            if best.as_ref().is_none_or(|(most, ..)| saved > *most) {
                best = Some((saved, program, yes));
            }
        }
        let Some((_, program, yes)) = best.filter(|(saved, ..)| *saved >= 1e-9) else {
            return leaf;
        };
        let mut no = here.clone();
        no.remove(&yes);
        let answers = [yes, no].map(|part| Box::new(self.node(&part, depth - 1, rng)));
        LogicalTree::Question(Box::new(program), answers)
    }

    /// What may be asked at a node.
    fn questions(&self, here: &Bits, rng: &mut Rng) -> Vec<Clause> {
        let mut places: Vec<usize> = here.iter().collect();
        rng.shuffle(&mut places);
        let mut questions: Vec<Clause> = Vec::new();
        for &place in places.iter().take(self.growth.seeds) {
            let situation = &self.pool.cases()[place].situation;
            let method = self.method;
            let bottom = Bottom::saturate(situation, &method.predicates, method.saturation);
            let single = macros(&bottom);
            let mut chains: Vec<Chain> = single.clone();
            for (at, one) in single.iter().enumerate() {
                for other in &single[..at] {
                    // About the same set: all but their last literals are the same.
                    if one.len() == other.len() && one[..one.len() - 1] == other[..other.len() - 1]
                    {
                        let mut both = one.clone();
                        merge(&mut both, other);
                        chains.push(both);
                    }
                }
            }
            for chain in chains.into_iter().filter(|chain| chain.len() <= method.bounds.body) {
                let clause = bottom.clause(self.target, &chain);
                if !questions.contains(&clause) {
                    questions.push(clause);
                }
            }
        }
        questions
    }
}

/// The bits needed to tell the positive examples from the others.
fn bits(positive: usize, all: usize) -> f64 {
    let part = |count: usize| match count {
        0 => 0.0,
        _ => -(count as f64) * (count as f64 / all as f64).log2(),
    };
    part(positive) + part(all - positive)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use deminer_game::View;
    use deminer_inference::deduce::Fact;

    use super::*;
    use crate::ilp::background::Reach;
    use crate::ilp::{Example, Setting, Surveyor};

    #[test]
    fn a_tree_asks_what_tells_safe_cells_from_mines() {
        let view: Arc<View> = Arc::new("mines 3\n# # # #\n? 1 2 ?".parse().unwrap());
        let label = |column| if column == 0 { Fact::Safe } else { Fact::Mine };
        let examples = (0..4).map(|column| Example::at(&view, (0, column), label(column)));
        let pool = Pool::new(examples.collect(), Reach::Near, &mut Surveyor::default());
        let growth = LogicalGrowth { depth: 3, least: 1, seeds: 4 };
        let method = Setting::ActiveGreedyMacros.method();
        let tree = LogicalTree::grow(&pool, Target::Safe, &method, growth, &mut Rng::new(1));
        let beliefs: Vec<f64> =
            pool.cases().iter().map(|case| tree.belief(&case.situation)).collect();
        assert_eq!(beliefs, [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(tree.leaves(), 2);
    }
}
