//! Step-aside: finds hints that split the cells of another hint.
//!
//! A hint is a *child* of another, its *parent*, if all its unresolved cells are among the
//! parent's. Children write their shares onto their cells; what remains of the parent's mines
//! belongs to the cells without an entry:
//!
//! ```text
//! # # #        ½ ½ *
//! 1 2 ?   ->   1 2 ?     the 1 writes a half on each of its cells; that leaves 2 - 1 = 1 mine
//!                        for the one other cell of the 2
//! ```
//!
//! Children that share cells are used together where they agree on the share; where they do not,
//! fewer of them are tried. Averages can be wrong where three or more children overlap, so there
//! is a [sound](Config::sound) way that fills in the parent's cells in all ways instead.
//!
//! What a parent proves depends only on itself and its children. So a pass looks only at parents
//! near which something has changed since they were last tried without success; it finds the
//! same as a pass over the whole board.

use arrayvec::ArrayVec;
use deminer_game::{Cell, CellSet};
use deminer_inference::deduce::Fact;

use super::knowledge::{Knowledge, ONE};
use super::step::Queues;

/// The name of the stage in reasons.
pub(crate) const NAME: &str = "step-aside";

/// How the stage works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Config {
    /// Whether every way to fill in the parent's cells that parent and children admit is tried.
    /// If not, each child spreads its mines evenly over its cells, as in the paper.
    pub sound: bool,
    /// Whether averages that leave less than no mine, or more than one for each cell, decide the
    /// only cell that children share. Trying all ways does that anyway.
    pub shared: bool,
    /// Whether parents without result are left out until something changes.
    pub cache: bool,
}

/// A child of a parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub hint: Cell,
    /// Its cells, one bit for each of the parent's.
    pub cells: u8,
    share: i64,
}

/// A parent with its children.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub parent: Cell,
    pub cells: ArrayVec<Cell, 8>,
    /// The children, row by row, without those that have all the parent's cells: they leave
    /// nothing to decide.
    pub children: ArrayVec<Child, MOST_CHILDREN>,
    /// How many children there are, those included.
    count: usize,
}

/// Hints that share a cell with a parent lie in the 5x5 cells around it.
const MOST_CHILDREN: usize = 24;

/// Finds the children of parents, and remembers which parents are to be tried.
#[derive(Debug, Default)]
pub(crate) struct Parents {
    /// How many of the changes are taken in.
    seen: usize,
    waiting: Vec<Cell>,
    is_waiting: CellSet,
    /// The place of each cell among a parent's, from 1; 0 for all others.
    place: Vec<u8>,
}

impl Parents {
    /// Forgets everything, for a new game.
    pub fn begin(&mut self, cells: usize) {
        self.seen = 0;
        self.waiting.clear();
        self.is_waiting = CellSet::new(cells);
        self.place.clear();
        self.place.resize(cells, 0);
    }

    /// Hands over the parents to be tried that have children: those near which something has
    /// changed; with `cache` off all there are.
    pub fn take(&mut self, known: &Knowledge, cache: bool, relations: &mut Vec<Relation>) {
        if cache {
            self.gather(known);
        } else {
            let asking = known.shape().cells().filter(|&cell| known.is_asking(cell));
            asking.for_each(|cell| self.wait(cell));
        }
        relations.clear();
        for parent in std::mem::take(&mut self.waiting) {
            self.is_waiting.remove(parent);
            relations.extend(self.relation(known, parent));
        }
    }

    /// Lets all those wait that share a cell with a hint that changed. The parents of a hint that
    /// is done have lost cells with it, so they have changed themselves.
    fn gather(&mut self, known: &Knowledge) {
        let fresh = &known.changes()[self.seen..];
        self.seen = known.changes().len();
        for &hint in fresh.iter().filter(|&&hint| known.is_asking(hint)) {
            for cell in known.unresolved_around(hint) {
                known.hints_around(cell).for_each(|parent| self.wait(parent));
            }
        }
    }

    /// Lets a parent be tried the next time.
    fn wait(&mut self, parent: Cell) {
        if self.is_waiting.insert(parent) {
            self.waiting.push(parent);
        }
    }

    /// A hint with its children; none if there are none that leave something to decide.
    fn relation(&mut self, known: &Knowledge, parent: Cell) -> Option<Relation> {
        let cells: ArrayVec<Cell, 8> = known.unresolved_around(parent).collect();
        for (&cell, place) in cells.iter().zip(1..) {
            self.place[cell.index()] = place;
        }
        let all = ((1u16 << cells.len()) - 1) as u8;
        let mut relation = Relation { parent, cells, children: ArrayVec::new(), count: 0 };
        let mut met: ArrayVec<Cell, MOST_CHILDREN> = ArrayVec::new();
        for place in 0..relation.cells.len() {
            for hint in known.hints_around(relation.cells[place]) {
                let larger = usize::from(known.left(hint)) > relation.cells.len();
                if hint == parent || larger || met.contains(&hint) {
                    continue;
                }
                met.push(hint);
                let Some(cells) = self.places(known, hint) else { continue };
                relation.count += 1;
                if cells != all {
                    relation.children.push(Child { hint, cells, share: known.share(hint) });
                }
            }
        }
        for cell in &relation.cells {
            self.place[cell.index()] = 0;
        }
        relation.children.sort_unstable_by_key(|child| child.hint);
        (!relation.children.is_empty()).then_some(relation)
    }

    /// The places of a hint's cells among the parent's, one bit each; none if it has others.
    fn places(&self, known: &Knowledge, hint: Cell) -> Option<u8> {
        known.unresolved_around(hint).try_fold(0, |places, cell| {
            let place = self.place[cell.index()];
            (place > 0).then(|| places | 1 << (place - 1))
        })
    }
}

/// The stage, with what it remembers of the game.
#[derive(Debug, Default)]
pub(crate) struct Aside {
    parents: Parents,
    relations: Vec<Relation>,
}

impl Aside {
    /// Forgets everything, for a new game.
    pub fn begin(&mut self, cells: usize) {
        self.parents.begin(cells);
    }

    /// One pass: tries the parents, those with the fewest children first. After a success those
    /// with more children wait for the next pass. Whether anything was found.
    pub fn solve(&mut self, known: &Knowledge, queues: &mut Queues, config: Config) -> bool {
        self.parents.take(known, config.cache, &mut self.relations);
        self.relations.sort_unstable_by_key(|relation| (relation.count, relation.parent));
        let mut most = usize::MAX;
        for relation in &self.relations {
            if relation.count > most {
                self.parents.wait(relation.parent);
            } else if relation.solve(known, queues, config) {
                most = relation.count;
            }
        }
        most < usize::MAX
    }
}

/// Cells decided, by some of the children.
struct Finding {
    cells: u8,
    fact: Fact,
    children: u32,
}

impl Relation {
    /// Hands over what is decided; whether anything is.
    fn solve(&self, known: &Knowledge, queues: &mut Queues, config: Config) -> bool {
        let findings = match config.sound {
            false => self.by_average(known, config.shared),
            true => self.by_filling(known),
        };
        for finding in &findings {
            let children = bits(finding.children).map(|place| self.children[place].hint);
            let hints: Vec<Cell> = std::iter::once(self.parent).chain(children).collect();
            let cells = bits(u32::from(finding.cells)).map(|place| self.cells[place]);
            queues.add(cells, finding.fact, NAME, known.grounds(&hints));
        }
        !findings.is_empty()
    }

    /// What the first set of children decides, in the order of the paper: from all children down
    /// to one, and sets of one size by their first children.
    ///
    /// Children with the same cells and share write the same, and a set of children succeeds if
    /// and only if the set with all their likes does, which comes earlier. So only such sets are
    /// looked at.
    fn by_average(&self, known: &Knowledge, shared: bool) -> ArrayVec<Finding, 2> {
        let mut kinds: ArrayVec<(Child, u32), MOST_CHILDREN> = ArrayVec::new();
        for (place, child) in self.children.iter().enumerate() {
            let alike = |(kind, _): &&mut (Child, u32)| {
                (kind.cells, kind.share) == (child.cells, child.share)
            };
            match kinds.iter_mut().find(alike) {
                Some((_, members)) => *members |= 1 << place,
                None => kinds.push((*child, 1 << place)),
            }
        }
        let mut best = None;
        self.try_sets(known, &kinds, Written::default(), &mut best);
        let mut findings = ArrayVec::new();
        if let Some((written, fact, excess)) = best {
            let children = written.children;
            findings.push(Finding { cells: self.unwritten(&written), fact, children });
            if shared && excess && written.twice.count_ones() == 1 {
                findings.push(Finding { cells: written.twice, fact: fact.opposite(), children });
            }
        }
        findings
    }

    /// Adds each of the kinds to what is written, or leaves it out, and keeps the first success
    /// in the order of the paper.
    fn try_sets(
        &self,
        known: &Knowledge,
        kinds: &[(Child, u32)],
        written: Written,
        best: &mut Option<(Written, Fact, bool)>,
    ) {
        let Some(((child, members), others)) = kinds.split_first() else {
            let first = |best: &(Written, Fact, bool)| written.rank() > best.0.rank();
            if written.children != 0
                && best.as_ref().is_none_or(first)
                && let Some((fact, excess)) = self.verdict(known, &written)
            {
                *best = Some((written, fact, excess));
            }
            return;
        };
        if let Some(more) = written.with(child, *members) {
            self.try_sets(known, others, more, best);
        }
        self.try_sets(known, others, written, best);
    }

    /// The cells without an entry.
    fn unwritten(&self, written: &Written) -> u8 {
        ((1u16 << self.cells.len()) - 1) as u8 & !written.cells
    }

    /// What the parent's remaining mines make of the cells without an entry: none or less
    /// clears them, one for each or more makes them mines. Whether it was less, or more, too.
    fn verdict(&self, known: &Knowledge, written: &Written) -> Option<(Fact, bool)> {
        let cells = i64::from(self.unwritten(written).count_ones());
        if cells == 0 {
            return None;
        }
        let sum: i64 = bits(u32::from(written.cells)).map(|place| written.shares[place]).sum();
        let rest = known.warn(self.parent) - sum;
        let children = bits(written.children).map(|place| self.children[place].hint);
        let hints = std::iter::once(self.parent).chain(children);
        let margin = hints.map(|hint| known.margin_of(hint)).max().unwrap_or(0);
        if rest >= ONE * cells {
            Some((Fact::Mine, margin == 0 && rest > ONE * cells))
        } else if rest <= 0 {
            Some((Fact::Safe, margin == 0 && rest < 0))
        } else {
            known.judge(rest, cells, margin).map(|fact| (fact, false))
        }
    }

    /// What all fillings of the parent's cells agree on that it and its children admit; at most
    /// 2⁸ fillings.
    fn by_filling(&self, known: &Knowledge) -> ArrayVec<Finding, 2> {
        let admitted = known.admitted(self.parent);
        let children: ArrayVec<(u8, u16), MOST_CHILDREN> =
            self.children.iter().map(|child| (child.cells, known.admitted(child.hint))).collect();
        let admits = |mines: u8, counts: u16| counts >> mines.count_ones() & 1 == 1;
        let all = (1u16 << self.cells.len()) - 1;
        let fillings = (0..=all).map(|filling| filling as u8).filter(|&filling| {
            admits(filling, admitted)
                && children.iter().all(|&(cells, counts)| admits(filling & cells, counts))
        });
        let (mut safe, mut mines, mut any) = (all as u8, all as u8, false);
        for filling in fillings {
            any = true;
            safe &= !filling;
            mines &= filling;
        }
        let children = (1u32 << self.children.len()) - 1;
        let findings = [(safe, Fact::Safe), (mines, Fact::Mine)].into_iter();
        findings
            .filter(|&(cells, _)| any && cells != 0)
            .map(|(cells, fact)| Finding { cells, fact, children })
            .collect()
    }
}

/// What a set of children has written on the parent's cells.
#[derive(Clone, Copy, Debug, Default)]
struct Written {
    children: u32,
    cells: u8,
    /// Cells that children of different kinds have written on.
    twice: u8,
    shares: [i64; 8],
}

impl Written {
    /// With one more kind of children; none if they disagree with the others.
    fn with(mut self, child: &Child, members: u32) -> Option<Self> {
        let shared = self.cells & child.cells;
        if bits(u32::from(shared)).any(|place| self.shares[place] != child.share) {
            return None;
        }
        self.children |= members;
        self.cells |= child.cells;
        self.twice |= shared;
        bits(u32::from(child.cells)).for_each(|place| self.shares[place] = child.share);
        Some(self)
    }

    /// Sets of more children come first, then those whose first children come first.
    fn rank(&self) -> (u32, u32) {
        (self.children.count_ones(), self.children.reverse_bits())
    }
}

/// The places of the bits that are set.
pub(crate) fn bits(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |place| mask >> place & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::cs520::pictures;

    const PLAIN: Config = Config { sound: false, shared: false, cache: true };
    const SOUND: Config = Config { sound: true, ..PLAIN };
    const SHARED: Config = Config { shared: true, ..PLAIN };

    fn check(configs: &[Config], pictures: &str) {
        for &config in configs {
            pictures::check(pictures, |view, known, queues| {
                let mut aside = Aside::default();
                aside.begin(view.shape().size());
                aside.solve(known, queues, config);
            });
        }
    }

    #[test]
    fn children_decide_the_other_cells_of_their_parent() {
        check(
            &[PLAIN, SOUND],
            "> a mine beside the child's cells
             mines 2
             # # #  ->  # # *
             1 2 ?      1 2 ?

             > no mine beside the child's cells
             mines 2
             # # # #  ->  # # s #
             1 1 ? ?      1 1 ? ?",
        );
        // Of the children that disagree, the first 1 expects a half in two cells of the second,
        // the third a third in three of them; they share one. The first alone takes up the mine.
        check(
            &[PLAIN],
            "> flags are taken off first
             mines 4
             # # # F  ->  # # * F
             1 3 ? 1      1 3 ? 1
             ? F ? ?      ? F ? ?

             > children that disagree are tried apart
             mines 1
             # # # ?  ->  # # s ?
             1 1 1 ?      1 1 1 ?
             ? ? # ?      ? ? s ?

             > a hint with the same cells tells nothing
             mines 1
             ? # # ?  ->  ? # # ?
             ? 1 1 ?      ? 1 1 ?",
        );
    }

    #[test]
    fn after_a_success_parents_with_more_children_wait() {
        // The 2 on the left has one child, the one on the right two.
        let position = "mines 4\n# # # ? # # # ? ?\n1 2 ? ? 1 2 1 ? ?";
        let (view, known) = pictures::known(position, 0.05);
        let mut aside = Aside::default();
        aside.begin(view.shape().size());
        for answer in
            ["# # * ? # # # ? ?\n1 2 ? ? 1 2 1 ? ?", "# # # ? # # * ? ?\n1 2 ? ? 1 2 1 ? ?"]
        {
            let mut queues = pictures::queues(&view);
            assert!(aside.solve(&known, &mut queues, PLAIN));
            pictures::compare("one after the other", &view, &known, queues, answer);
        }
    }

    /// Three children that overlap: each expects a half of a mine in each of its cells, three
    /// together, which is all the 3 has. But the cells at the sides may be the mines of two
    /// children at once, and then the cell on top is the third mine.
    #[test]
    fn averages_of_overlapping_children_mislead() {
        check(
            &[PLAIN],
            "> the cell on top is taken for safe
             mines 3
             ? ? ? ? ?  ->  ? ? ? ? ?
             1 # # # 1      1 # s # 1
             ? # 3 # ?      ? # 3 # ?
             ? # 2 # ?      ? # 2 # ?
             ? ? ? ? ?      ? ? ? ? ?",
        );
        check(
            &[SOUND],
            "> nothing is decided
             mines 3
             ? ? ? ? ?  ->  ? ? ? ? ?
             1 # # # 1      1 # # # 1
             ? # 3 # ?      ? # 3 # ?
             ? # 2 # ?      ? # 2 # ?
             ? ? ? ? ?      ? ? ? ? ?",
        );
    }

    /// Two children with two mines of three cells each, and one cell in common, in a parent with
    /// three mines: they must share one.
    #[test]
    fn less_than_no_mine_left_means_a_shared_mine() {
        check(
            &[PLAIN],
            "> the shared cell is left alone
             mines 3
             ? ? 2 ? ?  ->  ? ? 2 ? ?
             ? # # # ?      ? # # # ?
             ? # 3 # 2      ? s 3 # 2
             ? # # # ?      ? s s # ?
             ? ? ? ? ?      ? ? ? ? ?",
        );
        check(
            &[SHARED, SOUND],
            "> the shared cell is a mine
             mines 3
             ? ? 2 ? ?  ->  ? ? 2 ? ?
             ? # # # ?      ? # # * ?
             ? # 3 # 2      ? s 3 # 2
             ? # # # ?      ? s s # ?
             ? ? ? ? ?      ? ? ? ? ?",
        );
    }

    #[test]
    fn uncertain_hints_are_reckoned_with_their_expectation() {
        // With two mines in three cells the 1 likely stands for two, and when it was seen the 0
        // made less than one likely in its cells: that leaves more than one for the last. In
        // truth nothing is sure.
        for (config, answer) in [(PLAIN, "# # *"), (SOUND, "# # #")] {
            let position = format!("> uncertain\nmines 2\nclues optimistic\n# # #   {answer}\n");
            check(&[config], &(position + "0 1 ?   . 1 ?"));
        }
    }
}
