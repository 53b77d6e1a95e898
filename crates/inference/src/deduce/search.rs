//! Searches for a way to place mines that fits some clues and, if it is used, the mine total. If
//! there is none, finds the clues that exclude it.

use arrayvec::ArrayVec;
use deminer_game::stop::{self, Pace};
use deminer_game::{Cell, CellSet, Premise, View};
use rustc_hash::FxHashSet;

use super::grounds::{clues_of, constraints};
use super::{Fact, Facts};
use crate::constraints::{Constraint, Constraints, Filling, Group};

/// What is known, and what is supposed in addition.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub view: &'a View,
    pub facts: &'a Facts,
    pub suppose: Option<(Cell, Fact)>,
}

/// The answer to a question.
pub(crate) enum Answer {
    /// Yes, and this is an example. Cells that none of the clues sees are empty, unless the mine
    /// total is used.
    Fits(Vec<Option<Fact>>),
    /// No.
    Impossible,
    /// The nodes ran out, or the answer is no longer wanted.
    Unknown,
}

impl Question<'_> {
    /// Whether mines can be placed so that each of these clues, and the mine total if it is one of
    /// the premises, admits them. Takes the nodes used from those given, one for each clue included.
    ///
    /// What single clues force is filled in first. The rest is searched group by group, in an
    /// order that finishes clues early; a case is what the clues begun still need and, with the
    /// total, the mines used, and no case is looked at twice.
    pub fn ask(&self, premises: &[Premise], nodes: &mut usize) -> Answer {
        if stop::is_raised() {
            return Answer::Unknown;
        }
        let clues = &clues_of(premises);
        let Some(rest) = nodes.checked_sub(clues.len()) else { return Answer::Unknown };
        *nodes = rest;
        let mut trial = Trial::new(self, clues);
        if trial.clash || trial.force().is_err() {
            return Answer::Impossible;
        }
        let constraints = constraints(self.view, &trial.facts, clues);
        let mut cases = Cases::of(self.view, &constraints, self.suppose.map(|(cell, _)| cell));
        if premises.contains(&Premise::MineTotal) {
            let Some(left) = self.view.rules().mines().checked_sub(trial.facts.mines()) else {
                return Answer::Impossible;
            };
            cases.total = Some((left, trial.facts.unknown() - constraints.cells.len()));
        }
        match cases.search(nodes) {
            Some(true) => Answer::Fits(trial.filled(&cases)),
            Some(false) => Answer::Impossible,
            None => Answer::Unknown,
        }
    }
}

/// Supposing this, a clue that single clues show cannot be satisfied, if they do.
pub(crate) fn blocked(question: &Question, clues: &[Cell]) -> Option<Cell> {
    Trial::new(question, clues).force().err()
}

/// Of premises that refute the supposition together, some that do so still, none of which can be
/// left out. The mine total is left out if it can be. None if the nodes do not suffice to tell
/// that they refute it, or the answer is no longer wanted.
///
/// Clues near the cell supposed of are preferred. The clues are tried in that order: the last of
/// the shortest run of them that refutes is necessary, and so on with that one fixed; each
/// costs a binary search.
pub(crate) fn shrink(
    question: &Question,
    premises: &[Premise],
    nodes: &mut usize,
) -> Option<Vec<Premise>> {
    let near = by_distance(question, &clues_of(premises));
    let mut order: Vec<Premise> = near.into_iter().map(|(clue, _)| Premise::Clue(clue)).collect();
    if premises.contains(&Premise::MineTotal) {
        order.push(Premise::MineTotal);
    }
    let mut kept: Vec<Premise> = Vec::new();
    let mut refuted = |run: &[Premise], kept: &[Premise]| {
        matches!(question.ask(&[run, kept].concat(), nodes), Answer::Impossible)
    };
    if !refuted(&order, &[]) {
        return None;
    }
    while !refuted(&[], &kept) {
        if stop::is_raised() {
            return None;
        }
        // The run of `high` refutes, that of `low` does not.
        let (mut low, mut high) = (0, order.len());
        while high - low > 1 {
            let middle = low.midpoint(high);
            if refuted(&order[..middle], &kept) {
                high = middle;
            } else {
                low = middle;
            }
        }
        order.truncate(high);
        // Nodes that run out in between may leave nothing to keep.
        kept.push(order.pop()?);
    }
    Some(kept)
}

/// The clues, nearest to the cell supposed of first, with their distances: 0 for those that see
/// it, one more for those that share an unknown cell with these, and so on; `usize::MAX` for
/// those not tied to it. Without a supposition all distances are 0.
pub(crate) fn by_distance(question: &Question, clues: &[Cell]) -> Vec<(Cell, usize)> {
    let Some((cell, _)) = question.suppose else {
        return clues.iter().map(|&clue| (clue, 0)).collect();
    };
    let shape = question.view.shape();
    let mut waiting = CellSet::of(shape.size(), clues.iter().copied());
    let mut reached = CellSet::of(shape.size(), [cell]);
    let near = shape.neighbors(cell).iter().copied().filter(|&clue| waiting.remove(clue));
    let mut order: Vec<(Cell, usize)> = near.map(|clue| (clue, 0)).collect();
    let mut next = 0;
    while let Some(&(clue, distance)) = order.get(next) {
        next += 1;
        for &near in shape.neighbors(clue) {
            if question.facts.get(near).is_none() && reached.insert(near) {
                let others = shape.neighbors(near).iter().copied();
                let others = others.filter(|&other| waiting.remove(other));
                order.extend(others.map(|other| (other, distance + 1)));
            }
        }
    }
    order.extend(waiting.iter().map(|clue| (clue, usize::MAX)));
    order
}

/// Facts that follow from a supposition by single clues.
struct Trial<'a> {
    view: &'a View,
    facts: Facts,
    asked: CellSet,
    stale: Vec<Cell>,
    /// The supposition contradicts what is known.
    clash: bool,
}

impl<'a> Trial<'a> {
    fn new(question: &Question<'a>, clues: &[Cell]) -> Self {
        let asked = CellSet::of(question.view.shape().size(), clues.iter().copied());
        let mut facts = question.facts.clone();
        let clash = question
            .suppose
            .is_some_and(|(cell, fact)| !facts.learn(cell, fact) && facts.get(cell) != Some(fact));
        Self { view: question.view, facts, asked, stale: clues.to_vec(), clash }
    }

    /// Fills in all that single clues force. The error is a clue that cannot be satisfied.
    fn force(&mut self) -> Result<(), Cell> {
        while let Some(clue) = self.stale.pop() {
            self.look(clue)?;
        }
        Ok(())
    }

    fn look(&mut self, clue: Cell) -> Result<(), Cell> {
        let constraint = Constraint::of(self.view, clue, |cell| self.facts.get(cell));
        let Constraint { need, cells, .. } =
            constraint.filter(|clue| !clue.need.is_impossible()).ok_or(clue)?;
        let Some(fact) = need.fact() else { return Ok(()) };
        for cell in cells {
            self.facts.learn(cell, fact);
            let near = self.view.shape().neighbors(cell).iter();
            self.stale.extend(near.filter(|&&near| self.asked.contains(near)));
        }
        Ok(())
    }

    /// The layout that the cases have found.
    fn filled(&self, cases: &Cases) -> Vec<Option<Fact>> {
        let mut layout: Vec<Option<Fact>> =
            self.view.shape().cells().map(|cell| self.facts.get(cell)).collect();
        let fact = |mine: bool| Some(if mine { Fact::Mine } else { Fact::Safe });
        let mut used = 0;
        for (group, &mines) in cases.groups.iter().zip(&cases.mines) {
            for (place, cell) in group.cells.iter().enumerate() {
                layout[cell.index()] = fact(place < usize::from(mines));
            }
            used += usize::from(mines);
        }
        if let Some((left, _)) = cases.total {
            let sea = layout.iter_mut().filter(|fact| fact.is_none());
            sea.enumerate().for_each(|(place, face)| *face = fact(place < left - used));
        }
        layout
    }
}

/// Cells that the same clues see, in the order of the search.
struct OrderedGroup {
    cells: Vec<Cell>,
    /// The clues that see them.
    clues: ArrayVec<u16, 8>,
    /// Clues that earlier groups have begun and not finished. Together with the mines used, only
    /// their mines so far matter for this group and the next ones.
    open: Vec<u16>,
    /// Cells in the groups after this one.
    after: usize,
}

/// Groups to be filled one after another.
struct Cases<'a> {
    constraints: &'a Constraints,
    groups: Vec<OrderedGroup>,
    /// The mines placed in each group, as far as it is filled.
    mines: Vec<u8>,
    filling: Filling,
    /// Mines left for all unknown cells, and unknown cells that are in no group.
    total: Option<(usize, usize)>,
}

impl<'a> Cases<'a> {
    fn of(view: &View, constraints: &'a Constraints, near: Option<Cell>) -> Self {
        let groups = ordered(view, constraints, near);
        let mines = vec![0; groups.len()];
        let mut filling = Filling::default();
        filling.clear(constraints);
        Self { constraints, groups, mines, filling, total: None }
    }

    /// Looks for a filling. On success the mines are in `mines`; none if the nodes run out, or the
    /// answer is no longer wanted.
    fn search(&mut self, nodes: &mut usize) -> Option<bool> {
        // The order may have been cut short.
        if stop::is_raised() {
            return None;
        }
        let mut pace = Pace::default();
        if !self.total_fits(self.groups.iter().map(|group| group.cells.len()).sum()) {
            return Some(false);
        }
        let mut failed: FxHashSet<Box<[u8]>> = FxHashSet::default();
        let mut key = Vec::new();
        // The next number of mines to try in each group.
        let mut next = vec![0u8; self.groups.len()];
        let mut depth = 0;
        while depth < self.groups.len() {
            let size = self.groups[depth].cells.len() as u8;
            self.write_key(depth, &mut key);
            let dead = next[depth] == 0 && failed.contains(key.as_slice());
            let mut placed = false;
            while !dead && !placed && next[depth] <= size {
                *nodes = nodes.checked_sub(1)?;
                if pace.step(1) {
                    return None;
                }
                placed = self.place(depth, next[depth]);
                next[depth] += 1;
            }
            if placed {
                depth += 1;
                continue;
            }
            if !dead {
                failed.insert(key.as_slice().into());
            }
            // Without the total, the groups after a point where no clue is open do not depend on
            // the groups before it.
            if depth == 0 || (self.total.is_none() && self.groups[depth].open.is_empty()) {
                return Some(false);
            }
            next[depth] = 0;
            depth -= 1;
            self.lift(depth);
        }
        Some(true)
    }

    /// Writes down what matters for the groups from here on.
    fn write_key(&self, depth: usize, key: &mut Vec<u8>) {
        key.clear();
        key.extend((depth as u16).to_le_bytes());
        if self.total.is_some() {
            key.extend((self.filling.mines as u16).to_le_bytes());
        }
        key.extend(self.groups[depth].open.iter().map(|&clue| self.filling.mines_of(clue)));
    }

    /// Puts mines into a group; takes them back if they do not fit.
    fn place(&mut self, depth: usize, mines: u8) -> bool {
        let OrderedGroup { cells, clues, after, .. } = &self.groups[depth];
        self.mines[depth] = mines;
        self.filling.add(clues, cells.len() as u8, mines);
        let admits = |&clue: &u16| !self.filling.need(self.constraints, clue).is_impossible();
        let fits = self.total_fits(*after) && clues.iter().all(admits);
        if !fits {
            self.lift(depth);
        }
        fits
    }

    /// Takes the mines out of a group.
    fn lift(&mut self, depth: usize) {
        let OrderedGroup { cells, clues, .. } = &self.groups[depth];
        self.filling.remove(clues, cells.len() as u8, self.mines[depth]);
    }

    /// Whether the remaining mines fit into the sea and this number of cells of empty groups.
    fn total_fits(&self, cells: usize) -> bool {
        let used = self.filling.mines;
        self.total.is_none_or(|(left, sea)| used <= left && left - used <= cells + sea)
    }
}

/// The groups of cells in an order that keeps few clues open: always one that an open clue sees,
/// the one that opens the fewest more clues; first one near the given cell. Cut short once it is
/// no longer wanted.
fn ordered(view: &View, constraints: &Constraints, near: Option<Cell>) -> Vec<OrderedGroup> {
    let clues = &constraints.clues;
    let mut waiting: Vec<Option<OrderedGroup>> = constraints
        .groups(0..clues.len() as u16)
        .into_iter()
        .map(|Group { cells, clues }| {
            Some(OrderedGroup { cells, clues, open: Vec::new(), after: 0 })
        })
        .collect();
    let mut of_clue: Vec<ArrayVec<usize, 8>> = vec![ArrayVec::new(); clues.len()];
    for (place, group) in waiting.iter().flatten().enumerate() {
        group.clues.iter().for_each(|&clue| of_clue[usize::from(clue)].push(place));
    }
    // The groups of each clue that wait; a clue is open if some of its groups do, but not all.
    let mut rest: Vec<usize> = of_clue.iter().map(|groups| groups.len()).collect();
    let mut open: Vec<u16> = Vec::new();
    let mut order: Vec<OrderedGroup> = Vec::with_capacity(waiting.len());

    let touching = near.and_then(|cell| {
        let near = view.shape().neighbors(cell);
        clues.iter().position(|clue| near.contains(&clue.cell))
    });
    let mut starts = touching.into_iter().chain(0..clues.len()).map(|clue| clue as u16);
    let mut pace = Pace::default();
    while order.len() < waiting.len() {
        if pace.step(8 * (1 + open.len())) {
            break;
        }
        let from: &[u16] = match open.first() {
            Some(_) => &open,
            None => {
                let start = starts.by_ref().find(|&clue| rest[usize::from(clue)] > 0);
                &[start.expect("a clue sees every group")]
            }
        };
        let cost = |place: usize| {
            let clues = waiting[place].as_ref().map_or(&[][..], |group| &group.clues);
            let change = |&clue: &u16| match (open.contains(&clue), rest[usize::from(clue)]) {
                (false, 2..) => 1,
                (true, 1) => -1,
                _ => 0,
            };
            clues.iter().map(change).sum::<isize>()
        };
        let candidates = from.iter().flat_map(|&clue| &of_clue[usize::from(clue)]).copied();
        let candidates = candidates.filter(|&place| waiting[place].is_some());
        let next = candidates.min_by_key(|&place| cost(place));
        let next = next.expect("an open clue has a group left");
        let mut group = waiting[next].take().expect("only waiting groups are chosen");
        group.open = open.clone();
        for &clue in &group.clues {
            rest[usize::from(clue)] -= 1;
            if !open.contains(&clue) {
                open.push(clue);
            }
        }
        open.retain(|&clue| rest[usize::from(clue)] > 0);
        order.push(group);
    }
    let mut after = 0;
    for group in order.iter_mut().rev() {
        group.after = after;
        after += group.cells.len();
    }
    order
}
