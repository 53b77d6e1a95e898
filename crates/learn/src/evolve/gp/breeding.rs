//! How trees of checks are grown, bred and judged.

use std::cell::RefCell;

use deminer_game::Rng;

use super::check::{Check, Node, Offset};
use super::field::Field;
use super::fill::{Filler, Program};
use crate::evolve::engine::Problem;
use crate::evolve::tree::Tree;

/// How far offsets may reach: fewer than this many rows and columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// Offsets go fewer rows than this up or down.
    pub rows: i8,
    /// And fewer columns than this to either side.
    pub columns: i8,
}

/// How trees grow at random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// No leaf is nearer to the root.
    pub least: usize,
    /// No leaf is further away.
    pub most: usize,
}

/// What is asked of a tree of checks.
#[derive(Clone, Debug)]
pub struct Breeding {
    /// The fields to be filled in.
    pub fields: Vec<Field>,
    /// The checks there are.
    pub checks: Vec<Check>,
    /// The offsets there are.
    pub reach: Reach,
    /// How the first trees grow.
    pub growth: Growth,
    /// What a cell left unknown costs, as a share of the score.
    pub coverage: f64,
    /// What a node costs.
    pub parsimony: f64,
    /// Whether proved cells are remembered.
    pub memory: bool,
    /// Whether coins are tossed anew at every evaluation.
    pub stochastic: bool,
    /// No child has more nodes.
    pub largest: usize,
}

/// How subtrees grow that mutation puts in.
const MUTATION: Growth = Growth { least: 2, most: 5 };

impl Breeding {
    /// The most nodes of a child, unless more are asked for: the paper has no limit, and its trees
    /// grow without becoming better.
    pub const LARGEST: usize = 800;

    /// The paper's task on one field, with a limit of size.
    pub fn paper(field: Field, depth: usize) -> Self {
        let reach = Reach { rows: field.height as i8, columns: field.width as i8 };
        Self {
            fields: vec![field],
            checks: Check::PAPER.to_vec(),
            reach,
            growth: Growth { least: 3, most: depth },
            coverage: 0.0,
            parsimony: 0.0,
            memory: false,
            stochastic: false,
            largest: Self::LARGEST,
        }
    }

    fn offset(&self, rng: &mut Rng) -> Offset {
        let draw = |rng: &mut Rng, bound: i8| rng.below(2 * bound as usize - 1) as i8 - (bound - 1);
        loop {
            let down = draw(rng, self.reach.rows);
            let offset = Offset { down, right: draw(rng, self.reach.columns) };
            // A field of one cell has no other offset.
            if offset.distance() > 0 || (self.reach.rows, self.reach.columns) == (1, 1) {
                return offset;
            }
        }
    }

    /// Grows a tree: checks down to the least depth, then leaves or checks with even chances,
    /// and only leaves at a depth that is drawn once.
    fn grow(&self, growth: Growth, rng: &mut Rng) -> Tree<Node> {
        let height = growth.least + rng.below(growth.most + 1 - growth.least);
        Tree::grow(|depth| {
            let leaf = depth >= height || depth >= growth.least && rng.below(2) == 0;
            if leaf {
                Node::Offset(self.offset(rng))
            } else {
                Node::Check(*rng.pick(&self.checks).expect("there are checks"))
            }
        })
    }

    fn mutate(&self, tree: &mut Tree<Node>, rng: &mut Rng) {
        if rng.below(2) == 0 {
            return;
        }
        let subtree = self.grow(MUTATION, rng);
        let node = tree.pick(rng);
        let mut mutant = tree.clone();
        tree.replaced(node, subtree.nodes(), &mut mutant);
        if mutant.nodes().len() <= self.largest {
            *tree = mutant;
        }
    }

    /// The mean score of a tree on some fields, and the mean share of cells it leaves unknown.
    pub fn scores(&self, tree: &Tree<Node>, fields: &[Field], luck: Option<u64>) -> (f64, f64) {
        thread_local! {
            static FILLER: RefCell<Filler> = RefCell::default();
        }
        let mut program = Program::of(tree);
        program.coin = luck.unwrap_or(program.coin);
        FILLER.with_borrow_mut(|filler| {
            let (mut score, mut unknown) = (0.0, 0.0);
            for field in fields {
                let codes = filler.fill(&program, field, self.memory);
                score += field.score(codes);
                unknown += field.left_unknown(codes);
            }
            let count = fields.len() as f64;
            (score / count, unknown / count)
        })
    }
}

impl Problem for Breeding {
    type Genome = Tree<Node>;

    fn random(&self, rng: &mut Rng) -> Tree<Node> {
        self.grow(self.growth, rng)
    }

    fn breed(&self, parents: [&Tree<Node>; 2], children: &mut [Tree<Node>; 2], rng: &mut Rng) {
        let nodes = parents.map(|parent| parent.pick(rng));
        let [one, other] = children;
        let both = [(parents[0], nodes[0]), (parents[1], nodes[1])];
        Tree::exchange(both, [&mut *one, &mut *other]);
        for (child, parent) in [one, other].into_iter().zip(parents) {
            if child.nodes().len() > self.largest {
                child.clone_from(parent);
            }
            self.mutate(child, rng);
        }
    }

    fn fitness(&self, tree: &Tree<Node>, luck: u64) -> f64 {
        let (score, unknown) = self.scores(tree, &self.fields, self.stochastic.then_some(luck));
        score - self.coverage * unknown - self.parsimony * tree.nodes().len() as f64
    }

    fn perfect(&self) -> f64 {
        if self.parsimony == 0.0 { 1.0 } else { f64::INFINITY }
    }

    fn size(&self, tree: &Tree<Node>) -> usize {
        tree.nodes().len()
    }
}
