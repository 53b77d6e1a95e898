//! How programs are grown, bred and judged.

use std::cell::RefCell;

use deminer_game::Rng;

use super::grid::{Game, Grid};
use super::machine::{Code, Machine};
use super::operation::Operation;
use crate::evolve::engine::Problem;
use crate::evolve::tree::{Symbol, Tree};

/// A main program and its two functions.
pub type Genome = [Tree<Operation>; 3];

/// Play on boards with one mine.
#[derive(Clone, Debug)]
pub struct Breeding {
    /// The boards.
    pub grid: Grid,
    /// Boards of other sizes, looked at once all boards of the first are cleared: as much again
    /// can be won there.
    pub others: Vec<Grid>,
    /// What a node costs: of programs that play alike the smaller is fitter.
    pub parsimony: f64,
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
        Self { grid: Grid::new(height, width), others: Vec::new(), parsimony: 0.0 }
    }

    /// Grows a branch: half of them full, half as it comes. Functions use no later ones, so
    /// every program comes to its end.
    fn grow(&self, branch: usize, rng: &mut Rng) -> Tree<Operation> {
        let height = FIRST_DEPTHS.start + rng.below(FIRST_DEPTHS.len());
        let full = rng.below(2) == 0;
        // The first six, then the program's own functions.
        let functions = &Operation::FUNCTIONS[..[8, 6, 7][branch]];
        let leaves = if branch == 0 { 9 } else { 10 };
        Tree::grow(|depth| {
            let leaf = depth >= height
                || depth > 0 && !full && rng.below(leaves + functions.len()) < leaves;
            match leaf {
                false => rng.pick(functions).expect("there are functions").0,
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

    /// The program that plays other boards best: of those that clear all boards of the first
    /// grid, the one whose worst share of cleared boards of any grid is greatest; of equals the
    /// first. None if no program clears the first grid.
    pub fn most_general<'a>(
        genomes: impl Iterator<Item = &'a Genome>,
        first: &Grid,
        grids: &[Grid],
    ) -> Option<&'a Genome> {
        let share =
            |genome: &Genome, grid: &Grid| Self::cleared(genome, grid) as f64 / grid.cells() as f64;
        let mut best: Option<(f64, &Genome)> = None;
        for genome in genomes.filter(|genome| share(genome, first) == 1.0) {
            let worst = grids.iter().map(|grid| share(genome, grid)).fold(1.0, f64::min);
            if best.is_none_or(|(least, _)| worst > least) {
                best = Some((worst, genome));
            }
        }
        best.map(|(_, genome)| genome)
    }
}

impl Problem for Breeding {
    type Genome = Genome;

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
            let mut worth = |grid: &Grid| {
                let board = |mine: usize| match grid.play(code, machine, 1 << mine) {
                    Game { won: true, .. } => 1.0,
                    Game { lost: false, opened, .. } => opened / 2.0,
                    Game { opened, .. } => opened / 4.0,
                };
                (0..grid.cells()).map(board).sum::<f64>() / grid.cells() as f64
            };
            let mut fitness = worth(&self.grid);
            if fitness == 1.0 && !self.others.is_empty() {
                let others: f64 = self.others.iter().map(worth).sum();
                fitness += others / self.others.len() as f64;
            }
            fitness - self.parsimony * self.size(genome) as f64
        })
    }

    fn perfect(&self) -> f64 {
        match (self.parsimony, self.others.len()) {
            (0.0, 0) => 1.0,
            (0.0, _) => 2.0,
            _ => f64::INFINITY,
        }
    }

    fn size(&self, genome: &Genome) -> usize {
        genome.iter().map(|tree| tree.nodes().len()).sum()
    }
}
