//! One clue at a time: a clue whose mines are all known clears the rest around it, and a clue
//! that needs all its unknown cells makes them mines.

use deminer_game::{Cell, Clue, Face, Premise, Proof, Shape, View};

use super::need::{Need, earlier};
use super::{Conclusion, Fact, Facts, Findings, Rule, Rung};

pub(super) const RULE: Rule = Rule {
    name: "single clue",
    rung: Rung::SingleClue,
    about: "a clue whose mines are all known clears the rest; one that needs all its cells mines them",
    find,
};

/// What each clue proves by itself, from the facts given and not from one another.
fn find(view: &View, facts: &Facts) -> Vec<Conclusion> {
    let mut findings = Findings::new(view);
    for need in Need::all(view, facts) {
        let fact = match need.counts {
            1 => Fact::Safe,
            counts if counts == 1 << need.cells.len() => Fact::Mine,
            _ => continue,
        };
        findings.add(&need.cells, fact, || premises(view, facts, &need, fact));
    }
    findings.list
}

/// The clue, and of the cells proved around it those that matter: mines where the greatest count
/// is reached, safe cells where the least leaves no choice.
fn premises(view: &View, facts: &Facts, need: &Need, fact: Fact) -> Vec<Premise> {
    let near = view.shape().neighbors(need.clue);
    let mines = near.iter().filter(|&&cell| facts.get(cell) == Some(Fact::Mine)).count();
    let range = view.face(need.clue).clue().and_then(|clue| clue.range());
    let (low, high) = range.map_or((0, 8), |(low, high)| (usize::from(low), usize::from(high)));
    let matters = |premise: &Premise| match premise {
        Premise::Safe(_) => fact == Fact::Mine || high > mines,
        Premise::Mine(_) => fact == Fact::Safe || low < mines + need.cells.len(),
        Premise::Clue(_) | Premise::MineTotal => true,
    };
    let proved = near.iter().filter_map(|&cell| earlier(view, facts, cell)).filter(matters);
    std::iter::once(Premise::Clue(need.clue)).chain(proved).collect()
}

/// What single clues prove, kept up to date as cells are opened.
///
/// ```text
/// # 1 . .      * 1 . .    the 1 on top has one covered cell, a mine; it satisfies the two 1s
/// 1 1 1 1  ->  1 1 1 1    below it, which clear the cells under them; that leaves the next 1
/// # # # #      s s s *    one cell, a mine
/// ```
///
/// Counts of unknown cells and mines around every cell are kept, so that following a whole game
/// costs time in proportion to its cells.
///
/// Flags are the player's beliefs and prove nothing here.
#[derive(Clone, Debug)]
pub struct SinglePoint {
    facts: Vec<Option<Fact>>,
    around: Vec<Around>,
    /// The clue that proved each cell; meaningless where nothing is proved.
    by: Vec<Cell>,
    /// How many of [`View::opened`] are taken in.
    seen: usize,
    /// Clues that decide the unknown cells around them.
    decisive: Vec<Cell>,
    /// Cells opened without having been proved before.
    surprises: Vec<Cell>,
    /// Cells proved since they were last asked for, in the order of their proofs.
    fresh: Vec<(Cell, Fact)>,
    unknown: usize,
    mines: usize,
    /// A clue that what is known contradicts.
    misfit: Option<Cell>,
}

/// Unknown cells and known mines around a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Around {
    pub unknown: u8,
    pub mines: u8,
}

impl Around {
    /// The counts among the unknown cells that a clue admits, one bit each.
    #[inline]
    pub fn admitted(self, clue: Clue) -> u16 {
        (clue.mask() >> self.mines) & ((2 << self.unknown) - 1)
    }

    /// What a clue proves of the unknown cells by itself; an error if nothing fits it.
    #[inline]
    fn verdict(self, clue: Clue) -> Result<Option<Fact>, ()> {
        match self.admitted(clue) {
            0 => Err(()),
            _ if self.unknown == 0 => Ok(None),
            1 => Ok(Some(Fact::Safe)),
            counts if counts == 1 << self.unknown => Ok(Some(Fact::Mine)),
            _ => Ok(None),
        }
    }
}

impl SinglePoint {
    /// Nothing seen, nothing proved.
    pub fn new(shape: &Shape) -> Self {
        let mut known = Self {
            facts: Vec::new(),
            around: Vec::new(),
            by: Vec::new(),
            seen: 0,
            decisive: Vec::new(),
            surprises: Vec::new(),
            fresh: Vec::new(),
            unknown: 0,
            mines: 0,
            misfit: None,
        };
        known.reset(shape);
        known
    }

    /// All that single clues prove in a view.
    pub fn of(view: &View) -> Self {
        let mut known = Self::new(view.shape());
        known.take_in(view);
        known
    }

    /// Forgets everything, for a new game; keeps its buffers.
    pub fn reset(&mut self, shape: &Shape) {
        self.facts.clear();
        self.facts.resize(shape.size(), None);
        self.around.clear();
        let fresh = |cell| Around { unknown: shape.degree(cell) as u8, mines: 0 };
        self.around.extend(shape.cells().map(fresh));
        self.by.clear();
        self.by.extend(shape.cells());
        self.seen = 0;
        self.decisive.clear();
        self.fresh.clear();
        self.unknown = shape.size();
        self.mines = 0;
        self.misfit = None;
    }

    /// Takes in a view that may be of any game, mines shown included.
    pub(crate) fn take_in(&mut self, view: &View) {
        self.reset(view.shape());
        if view.covered_count() + view.opened().len() < view.shape().size() {
            for cell in view.shape().cells().filter(|&cell| view.face(cell) == Face::Mine) {
                self.learn(view, cell, Fact::Mine, cell);
            }
        }
        self.update(view);
    }

    /// Takes in the cells opened since the last update and concludes all that follows.
    pub fn update(&mut self, view: &View) {
        let shape = view.shape();
        let (seen, opened) = (self.seen, view.opened());
        let new = &opened[seen..];
        self.surprises.clear();
        for &cell in new {
            if self.facts[cell.index()].is_none() {
                self.facts[cell.index()] = Some(Fact::Safe);
                self.unknown -= 1;
                for near in shape.neighbors(cell) {
                    self.around[near.index()].unknown -= 1;
                }
                self.surprises.push(cell);
            }
        }
        self.seen = opened.len();
        for &cell in new {
            self.check(view, cell);
        }
        // At first all clues are new; later, old clues may have lost an unknown cell.
        if seen > 0 {
            for surprise in 0..self.surprises.len() {
                for &near in shape.neighbors(self.surprises[surprise]) {
                    self.check(view, near);
                }
            }
        }
        self.conclude(view);
    }

    /// Takes a covered cell for safe and concludes all that follows.
    pub(crate) fn suppose_safe(&mut self, view: &View, cell: Cell) {
        self.learn(view, cell, Fact::Safe, cell);
        self.conclude(view);
    }

    /// Sees whether an open cell's clue decides something now.
    #[inline]
    fn check(&mut self, view: &View, cell: Cell) {
        let Some(clue) = view.face(cell).clue() else { return };
        match self.around[cell.index()].verdict(clue) {
            Ok(Some(_)) => self.decisive.push(cell),
            Ok(None) => {}
            Err(()) => self.misfit = Some(cell),
        }
    }

    /// Lets the decisive clues decide, and those that become decisive by it.
    fn conclude(&mut self, view: &View) {
        while let Some(clue) = self.decisive.pop() {
            let counts = view.face(clue).clue().expect("only open cells have clues");
            // Another clue may have decided the same cells meanwhile.
            let Ok(Some(fact)) = self.around[clue.index()].verdict(counts) else { continue };
            for &near in view.shape().neighbors(clue) {
                if self.facts[near.index()].is_none() {
                    self.learn(view, near, fact, clue);
                }
            }
        }
    }

    /// Notes a fact and tells the cells around.
    fn learn(&mut self, view: &View, cell: Cell, fact: Fact, by: Cell) {
        if let Some(held) = self.facts[cell.index()] {
            if held != fact {
                self.misfit = Some(by);
            }
            return;
        }
        self.facts[cell.index()] = Some(fact);
        self.unknown -= 1;
        self.mines += usize::from(fact == Fact::Mine);
        self.by[cell.index()] = by;
        if view.face(cell).is_covered() {
            self.fresh.push((cell, fact));
        }
        for &near in view.shape().neighbors(cell) {
            let around = &mut self.around[near.index()];
            around.unknown -= 1;
            around.mines += u8::from(fact == Fact::Mine);
            self.check(view, near);
        }
    }

    /// A clue that contradicts what is known, if one was met.
    pub(crate) fn misfit(&self) -> Option<Cell> {
        self.misfit
    }

    /// Unknown cells and known mines around a cell.
    #[inline]
    pub(crate) fn around(&self, cell: Cell) -> Around {
        self.around[cell.index()]
    }

    /// How many mines are shown or proved.
    pub(crate) fn mines(&self) -> usize {
        self.mines
    }

    /// Becomes a copy of another, keeping its buffers.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.facts.clone_from(&other.facts);
        self.around.clone_from(&other.around);
        self.by.clone_from(&other.by);
        self.fresh.clone_from(&other.fresh);
        self.decisive.clear();
        (self.seen, self.unknown, self.mines) = (other.seen, other.unknown, other.mines);
        self.misfit = other.misfit;
    }

    /// What is proved of a cell; open cells are safe.
    pub fn fact(&self, cell: Cell) -> Option<Fact> {
        self.facts[cell.index()]
    }

    /// How many cells are neither open nor proved.
    pub fn unknown(&self) -> usize {
        self.unknown
    }

    /// Hands over the covered cells proved since the last call, in the order of their proofs.
    pub fn fresh(&mut self) -> std::vec::Drain<'_, (Cell, Fact)> {
        self.fresh.drain(..)
    }

    /// Why a covered cell is proved: the clue, and the cells around it that were known without
    /// being open.
    pub fn proof(&self, view: &View, cell: Cell) -> Option<Proof> {
        let fact = self.fact(cell)?;
        let clue = self.by[cell.index()];
        let mut premises = vec![Premise::Clue(clue)];
        for &near in view.shape().neighbors(clue) {
            match (fact, self.fact(near)) {
                (Fact::Safe, Some(Fact::Mine)) => premises.push(Premise::Mine(near)),
                (Fact::Mine, Some(Fact::Safe)) if view.face(near).is_covered() => {
                    premises.push(Premise::Safe(near));
                }
                _ => {}
            }
        }
        Some(Proof::new("single clue", premises))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::{self, Block};

    /// Compares what is proved, `s` safe and `*` mine, with the picture of the answer.
    fn check(block: &Block) {
        let view: View = block.position.parse().unwrap();
        let known = SinglePoint::of(&view);
        let symbol = |cell| match (view.face(cell), known.fact(cell)) {
            (face, Some(Fact::Safe)) if face.is_covered() => "s".to_owned(),
            (face, Some(Fact::Mine)) if face.is_covered() => "*".to_owned(),
            (face, _) => face.to_string(),
        };
        let found: String = view.shape().cells().map(symbol).collect();
        let expected: String = block.answers["single clue"].split_whitespace().collect();
        assert_eq!(found, expected, "{}\n{}", block.name, block.position);
    }

    #[test]
    fn single_clues_prove_what_the_boards_say() {
        boards::small().iter().for_each(check);
    }

    #[test]
    fn a_proof_names_its_clue_and_the_mines_it_counts() {
        let view: View = "mines 2\n# 1 . .\n1 1 1 1\n# # # #".parse().unwrap();
        let cell = |row, column| view.shape().cell(row, column).unwrap();
        let known = SinglePoint::of(&view);
        let proof = known.proof(&view, cell(2, 0)).unwrap();
        let clue = Premise::Clue(cell(1, 1));
        let mine = Premise::Mine(cell(0, 0));
        assert_eq!(proof, Proof::new("single clue", vec![clue, mine]));
        assert_eq!(known.proof(&view, cell(0, 0)).unwrap().premises, [Premise::Clue(cell(0, 1))]);
    }

    #[test]
    fn following_a_game_proves_what_one_look_does() {
        use deminer_game::{Action, Board, GameSeed, Layout, Rules};
        let rules = Rules::of("9x7x10".parse().unwrap()).unwrap();
        for game in 0..200 {
            let mut board = Board::dealt(rules.clone(), GameSeed { seed: 4, game });
            let mut known = SinglePoint::new(rules.shape());
            for cell in rules.shape().cells() {
                if !board.layout().is_some_and(|layout: &Layout| layout.is_mine(cell)) {
                    board.act(Action::Open(cell));
                }
                known.update(board.view());
                assert_eq!(known.facts, SinglePoint::of(board.view()).facts, "{}", board.view());
                let layout = board.layout().unwrap();
                for cell in rules.shape().cells() {
                    let fact = if layout.is_mine(cell) { Fact::Mine } else { Fact::Safe };
                    assert!(known.fact(cell).is_none_or(|found| found == fact), "unsound");
                }
            }
        }
    }
}
