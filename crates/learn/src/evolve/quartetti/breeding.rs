//! How programs are grown, bred and judged.

use std::cell::RefCell;

use deminer_game::Rng;

use super::grid::Grid;
use super::machine::{Code, Machine};
use super::operation::Operation;
use crate::evolve::engine::Problem;
use crate::evolve::tree::{Symbol, Tree};

/// A main program and its two functions.
pub type Genome = [Tree<Operation>; 3];

/// Play on boards with one mine.
#[derive(Clone, Debug)]
pub struct Breeding {
    grid: Grid,
}

/// First trees are so deep, and children no deeper and no larger.
const FIRST_DEPTHS: std::ops::Range<usize> = 2..7;
const DEEPEST: usize = 17;
const LARGEST: usize = 250;
/// Eight crossings at functions for one at leaves.
const AT_FUNCTIONS: usize = 8;

impl Breeding {
    /// All boards of this size with one mine.
    pub fn new(height: usize, width: usize) -> Self {
        Self { grid: Grid::new(height, width) }
    }

    /// Grows a branch: half of them full, half as it comes. Functions use no later ones, so
    /// every program comes to its end.
    fn grow(&self, branch: usize, rng: &mut Rng) -> Tree<Operation> {
        let height = FIRST_DEPTHS.start + rng.below(FIRST_DEPTHS.len());
        let full = rng.below(2) == 0;
        let functions: &[Operation] = &[
            Operation::Move,
            Operation::Mark,
            Operation::Uncover,
            Operation::Count,
            Operation::Then,
            Operation::IfCovered,
            Operation::First,
            Operation::Second,
        ];
        let functions = match branch {
            0 => functions,
            1 => &functions[..6],
            _ => &functions[..7],
        };
        let leaves = if branch == 0 { 9 } else { 10 };
        Tree::grow(|depth| {
            let leaf = depth >= height
                || depth > 0 && !full && rng.below(leaves + functions.len()) < leaves;
            match leaf {
                false => *rng.pick(functions).expect("there are functions"),
                true => match rng.below(leaves) {
                    9 => Operation::Argument,
                    direction => Operation::Direction(direction as u8),
                },
            }
        })
    }

    /// A node to cross at: mostly functions.
    fn node(tree: &Tree<Operation>, rng: &mut Rng) -> usize {
        let wants_function = rng.below(AT_FUNCTIONS + 1) < AT_FUNCTIONS;
        let such = |node: &usize| (tree.nodes()[*node].arity() > 0) == wants_function;
        let nodes: Vec<usize> = (0..tree.nodes().len()).filter(such).collect();
        rng.pick(&nodes).copied().unwrap_or(0)
    }

    /// How many of all boards with one mine a program clears.
    pub fn cleared(genome: &Genome, grid: &Grid) -> usize {
        let code = Code::of(genome);
        let mut machine = Machine::default();
        (0..grid.cells()).filter(|mine| grid.play(&code, &mut machine, 1 << mine).won).count()
    }
}

impl Problem for Breeding {
    type Genome = Genome;

    const NAME: &'static str = "quartetti";

    fn random(&self, rng: &mut Rng) -> Genome {
        [0, 1, 2].map(|branch| self.grow(branch, rng))
    }

    fn breed(&self, parents: [&Genome; 2], children: &mut [Genome; 2], rng: &mut Rng) {
        // Only like branches are crossed; the larger, the more often.
        let sizes = parents[0].each_ref().map(|tree| tree.nodes().len());
        let draw = rng.below(sizes.iter().sum());
        let branch = usize::from(draw >= sizes[0]) + usize::from(draw >= sizes[0] + sizes[1]);
        let nodes = parents.map(|parent| Self::node(&parent[branch], rng));
        let [one, other] = children;
        for (child, parent) in [&mut *one, &mut *other].into_iter().zip(parents) {
            child.clone_from(parent);
        }
        let both = [(&parents[0][branch], nodes[0]), (&parents[1][branch], nodes[1])];
        Tree::exchange(both, [&mut one[branch], &mut other[branch]]);
        for (child, parent) in [one, other].into_iter().zip(parents) {
            let tree = &child[branch];
            if tree.nodes().len() > LARGEST || tree.depth() > DEEPEST {
                child[branch].clone_from(&parent[branch]);
            }
        }
    }

    /// A cleared board counts 1; another half the share of its free cells that were uncovered,
    /// and half of that if a mine was.
    fn fitness(&self, genome: &Genome, _: u64) -> f64 {
        thread_local! {
            static MACHINE: RefCell<(Code, Machine)> = RefCell::default();
        }
        MACHINE.with_borrow_mut(|(code, machine)| {
            code.read(genome);
            let worth = |mine: usize| {
                let game = self.grid.play(code, machine, 1 << mine);
                match (game.won, game.lost) {
                    (true, _) => 1.0,
                    (false, false) => game.opened / 2.0,
                    (false, true) => game.opened / 4.0,
                }
            };
            (0..self.grid.cells()).map(worth).sum::<f64>() / self.grid.cells() as f64
        })
    }

    fn perfect(&self) -> f64 {
        1.0
    }

    fn size(&self, genome: &Genome) -> usize {
        genome.iter().map(|tree| tree.nodes().len()).sum()
    }

    fn write(&self, genome: &Genome) -> String {
        genome.each_ref().map(Tree::to_string).join(" ; ")
    }

    fn read(&self, text: &str) -> Result<Genome, (usize, String)> {
        let mut start = 0;
        let mut trees = Vec::new();
        for part in text.split(" ; ") {
            let tree = Tree::read(part).map_err(|error| (start + error.column, error.fault))?;
            trees.push(tree);
            start += part.len() + 3;
        }
        let count = trees.len();
        trees.try_into().map_err(|_| (1, format!("expected three trees, found {count}")))
    }
}
