//! Grows a tree: chooses at each node the question with the greatest information gain.

use super::features::Features;
use super::samples::{Samples, Tally};
use super::tree::{Criterion, Node, Split, Test, Tree};

/// How a tree is grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// What it may ask about.
    pub features: Features,
    /// What it is to tell apart.
    pub criterion: Criterion,
    /// The most questions on a path.
    pub depth: usize,
    /// The fewest samples that a leaf may rest on.
    pub least: u64,
}

impl Default for Growth {
    /// The paper's: the raw codes, four classes, eight questions.
    fn default() -> Self {
        Self { features: Features::Raw, criterion: Criterion::Class, depth: 8, least: 1 }
    }
}

/// Grows a tree that separates the samples.
///
/// At each node the question is taken that saves most bits (the decrease of entropy), the first
/// of equals; a node where no question saves any, or that is deep enough, is a leaf. Greedy, as
/// such trees always are.
///
/// Columns have few codes, so nothing is sorted: a node counts its samples once by column, code
/// and class, and every question is read off the counts. Of two children only the smaller one is
/// counted; the other has the rest. A level costs at most rows × columns additions. Whole
/// numbers are added, so the tree does not depend on the order of the samples.
pub fn grow(samples: &Samples, growth: &Growth) -> Tree {
    let rows = Rows::new(growth.features, samples);
    let all: Vec<u32> = (0..rows.tallies.len() as u32).collect();
    let counts = rows.count(&all);
    let mut grower = Grower { growth, rows, nodes: Vec::new() };
    grower.node(all, counts, samples.total(), 0);
    Tree::new(growth.features, growth.criterion, grower.nodes)
}

/// The codes of each window, column by column within a row.
struct Rows {
    features: Features,
    codes: Vec<u8>,
    tallies: Vec<Tally>,
    /// Where the counts of each column begin; the last entry is their number.
    starts: Vec<usize>,
}

/// What the samples of a node add up to, for each code of each column.
type Counts = Vec<Tally>;

impl Rows {
    fn new(features: Features, samples: &Samples) -> Self {
        let mut codes = Vec::with_capacity(samples.windows() * features.columns().len());
        let mut tallies = Vec::with_capacity(samples.windows());
        let mut row = Vec::new();
        for (window, tally) in samples.sorted() {
            features.extract(window, &mut row);
            codes.extend(&row);
            tallies.push(tally);
        }
        let mut starts = vec![0];
        for column in features.columns() {
            starts.push(starts[starts.len() - 1] + usize::from(column.codes));
        }
        Self { features, codes, tallies, starts }
    }

    fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    fn count(&self, rows: &[u32]) -> Counts {
        let mut counts = vec![Tally::default(); self.starts[self.columns()]];
        for &row in rows {
            let tally = &self.tallies[row as usize];
            let codes = &self.codes[row as usize * self.columns()..][..self.columns()];
            for (&code, &start) in codes.iter().zip(&self.starts) {
                counts[start + usize::from(code)].add(tally);
            }
        }
        counts
    }

    fn code(&self, row: u32, column: usize) -> u8 {
        self.codes[row as usize * self.columns() + column]
    }
}

struct Grower<'a> {
    growth: &'a Growth,
    rows: Rows,
    nodes: Vec<Node>,
}

impl Grower<'_> {
    fn node(&mut self, rows: Vec<u32>, counts: Counts, tally: Tally, depth: usize) {
        let at = self.nodes.len();
        self.nodes.push(Node { tally, split: None });
        let best = (depth < self.growth.depth).then(|| self.best(&counts, &tally)).flatten();
        let Some((column, test, yes)) = best else { return };

        let (yes_rows, no_rows): (Vec<u32>, Vec<u32>) =
            rows.iter().partition(|&&row| test.admits(self.rows.code(row, column)));
        drop(rows);
        let mut no = tally;
        no.remove(&yes);
        let yes_is_smaller = yes_rows.len() <= no_rows.len();
        let fewer = self.rows.count(if yes_is_smaller { &yes_rows } else { &no_rows });
        let mut rest = counts;
        rest.iter_mut().zip(&fewer).for_each(|(count, less)| count.remove(less));
        let (yes_counts, no_counts) = if yes_is_smaller { (fewer, rest) } else { (rest, fewer) };
        self.node(yes_rows, yes_counts, yes, depth + 1);
        let place = self.nodes.len();
        self.nodes[at].split = Some(Split { column, test, no: place });
        self.node(no_rows, no_counts, no, depth + 1);
    }

    /// The question that saves most bits, and the samples for which the answer is yes.
    fn best(&self, counts: &Counts, tally: &Tally) -> Option<(usize, Test, Tally)> {
        /// Less than this many bits a sample is nothing but rounding.
        const ROUNDING: f64 = 1e-10;
        let criterion = self.growth.criterion;
        let bits = criterion.bits(tally);
        let mut most = ROUNDING * tally.samples() as f64;
        let mut best = None;
        for column in 0..self.rows.columns() {
            let codes = &counts[self.rows.starts[column]..self.rows.starts[column + 1]];
            let mut upto = Tally::default();
            for (code, here) in codes.iter().enumerate() {
                if here.samples() == 0 {
                    continue;
                }
                let test = self.rows.features.test(code as u8);
                upto.add(here);
                let yes = if let Test::Is(_) = test { *here } else { upto };
                let mut no = *tally;
                no.remove(&yes);
                if no.samples().min(yes.samples()) < self.growth.least.max(1) {
                    continue;
                }
                let saved = bits - criterion.bits(&yes) - criterion.bits(&no);
                if saved > most {
                    most = saved;
                    best = Some((column, test, yes));
                }
            }
        }
        best
    }
}
