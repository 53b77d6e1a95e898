//! What clues still ask of the cells around them of which nothing is known.

use arrayvec::ArrayVec;
use deminer_game::{Cell, CellSet, Premise, View};

use super::{Fact, Facts};
use crate::need::{Need, upto};

/// What one clue asks, and of which cells: its counts less the mines known around it.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// Where the clue stands.
    pub clue: Cell,
    /// Its unknown cells, at least one.
    pub cells: ArrayVec<Cell, 8>,
    /// The numbers of mines among them that it admits, one bit each, at least one.
    pub counts: u16,
}

impl Asked {
    /// The need of the clue in this cell. None if there is no clue or nothing unknown around
    /// it, nor if no count fits: such a view proves nothing.
    pub fn of(view: &View, facts: &Facts, clue: Cell) -> Option<Self> {
        let admitted = view.face(clue).clue()?;
        let mut cells = ArrayVec::new();
        let mut mines = 0;
        for &near in view.shape().neighbors(clue) {
            match facts.get(near) {
                Some(Fact::Mine) => mines += 1,
                Some(Fact::Safe) => {}
                None => cells.push(near),
            }
        }
        let need = Need::new(admitted.mask(), mines, cells.len() as u8);
        let counts = need.counts();
        (!cells.is_empty() && counts != 0).then_some(Self { clue, cells, counts })
    }

    /// All needs that rule something out.
    pub fn all(view: &View, facts: &Facts) -> Vec<Self> {
        let clues = view.opened().iter();
        clues
            .filter_map(|&clue| Self::of(view, facts, clue))
            .filter(|need| need.counts != upto(need.cells.len() as u8))
            .collect()
    }

    /// The fewest mines it admits.
    pub fn low(&self) -> usize {
        self.counts.trailing_zeros() as usize
    }

    /// The most mines it admits.
    pub fn high(&self) -> usize {
        15 - self.counts.leading_zeros() as usize
    }
}

/// Needs tied together by unknown cells they share, as places in the list; cells of one region
/// tell nothing of those of another but through the mine total.
pub(super) fn regions(view: &View, needs: &[Asked]) -> Vec<Vec<usize>> {
    let mut at = vec![usize::MAX; view.shape().size()];
    for (place, need) in needs.iter().enumerate() {
        at[need.clue.index()] = place;
    }
    let mut reached = vec![false; needs.len()];
    let mut regions = Vec::new();
    for start in 0..needs.len() {
        if std::mem::replace(&mut reached[start], true) {
            continue;
        }
        let mut region = vec![start];
        let mut next = 0;
        while let Some(&place) = region.get(next) {
            next += 1;
            for &cell in &needs[place].cells {
                for near in view.shape().neighbors(cell) {
                    let other = at[near.index()];
                    if other != usize::MAX && !std::mem::replace(&mut reached[other], true) {
                        region.push(other);
                    }
                }
            }
        }
        regions.push(region);
    }
    regions
}

/// Unknown cells seen by the same needs, with the places of those needs in the list. No clue
/// can tell the cells of one group apart.
pub(super) fn groups(needs: &[&Asked]) -> Vec<(Vec<Cell>, ArrayVec<usize, 8>)> {
    let mut seen: Vec<(Cell, usize)> = Vec::new();
    for (place, need) in needs.iter().enumerate() {
        seen.extend(need.cells.iter().map(|&cell| (cell, place)));
    }
    seen.sort_unstable();
    let mut keyed: Vec<(ArrayVec<usize, 8>, Cell)> = seen
        .chunk_by(|one, other| one.0 == other.0)
        .map(|run| (run.iter().map(|&(_, place)| place).collect(), run[0].0))
        .collect();
    keyed.sort_unstable();
    keyed
        .chunk_by(|one, other| one.0 == other.0)
        .map(|run| (run.iter().map(|&(_, cell)| cell).collect(), run[0].0.clone()))
        .collect()
}

/// These clues as premises, and what was proved of covered cells around them.
pub(super) fn grounds(
    view: &View,
    facts: &Facts,
    clues: impl IntoIterator<Item = Cell>,
) -> Vec<Premise> {
    let mut cells = CellSet::new(view.shape().size());
    let mut premises = Vec::new();
    for clue in clues {
        premises.push(Premise::Clue(clue));
        for &near in view.shape().neighbors(clue) {
            cells.insert(near);
        }
    }
    premises.extend(cells.iter().filter_map(|cell| earlier(view, facts, cell)));
    premises
}

/// What was proved of a covered cell, as a premise.
pub(super) fn earlier(view: &View, facts: &Facts, cell: Cell) -> Option<Premise> {
    match facts.get(cell)? {
        _ if !view.face(cell).is_covered() => None,
        Fact::Mine => Some(Premise::Mine(cell)),
        Fact::Safe => Some(Premise::Safe(cell)),
    }
}
