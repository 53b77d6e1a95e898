//! One clue at a time: a clue whose mines are all known clears the rest around it, and a clue
//! that needs all its unknown cells makes them mines.

use std::mem::{replace, take};

use deminer_game::{Cell, Premise, Proof, Shape, View};

use super::grounds::earlier;
use super::{Conclusion, Fact, Facts, Findings, Rule, Rung};
use crate::class::Class;
use crate::constraints::{Constraint, Need};

pub(super) const RULE: Rule = Rule {
    name: "single clue",
    rung: Rung::SingleClue,
    about: "a clue whose mines are all known clears the rest; one that needs all its cells mines them",
    find,
};

/// What each clue proves by itself, from the facts given and not from one another.
fn find(view: &View, facts: &Facts, clues: &[Cell]) -> Vec<Conclusion> {
    let mut findings = Findings::new(view);
    let known = |cell| facts.get(cell);
    for clue in clues.iter().filter_map(|&clue| Constraint::of(view, clue, known)) {
        if let Some(fact) = clue.need.fact() {
            findings.add(&clue.cells, fact, || premises(view, facts, &clue, fact));
        }
    }
    findings.list
}

/// The clue, and of the cells proved around it those that matter: mines where the greatest count
/// is reached, safe cells where the least leaves no choice.
fn premises(view: &View, facts: &Facts, clue: &Constraint<Cell>, fact: Fact) -> Vec<Premise> {
    let near = view.shape().neighbors(clue.cell);
    let mines = near.iter().filter(|&&cell| facts.get(cell) == Some(Fact::Mine)).count();
    let range = view.face(clue.cell).clue().and_then(|clue| clue.range());
    let (low, high) = range.map_or((0, 8), |(low, high)| (usize::from(low), usize::from(high)));
    let matters = |premise: &Premise| match premise {
        Premise::Safe(_) => fact == Fact::Mine || high > mines,
        Premise::Mine(_) => fact == Fact::Safe || low < mines + clue.cells.len(),
        Premise::Clue(_) | Premise::MineTotal => true,
    };
    let proved = near.iter().filter_map(|&cell| earlier(view, facts, cell)).filter(matters);
    std::iter::once(Premise::Clue(clue.cell)).chain(proved).collect()
}

/// What single clues prove, kept up to date as cells are opened.
///
/// ```text
/// # 1 . .      * 1 . .    the 1 on top has one covered cell, a mine; it satisfies the two 1s
/// 1 1 1 1  ->  1 1 1 1    below it, which clear the cells under them; that leaves the next 1
/// # # # #      s s s *    one cell, a mine
/// ```
///
/// Counts of unknown cells and mines around every open cell are kept, so that following a whole
/// game costs time in proportion to its cells.
///
/// Flags prove nothing.
#[derive(Debug, Default)]
pub struct SinglePoint {
    /// What is proved of each cell, in code: the codes around a cell add up to its [`Around`].
    facts: Vec<u8>,
    /// The same for the odds.
    classes: Vec<Class>,
    /// The need of each open cell's clue; [`Need::NOTHING`] for other cells.
    needs: Vec<Need>,
    /// The clue that proved each cell; meaningless where nothing is proved.
    by: Vec<Cell>,
    /// Open cells that still ask something, and some that no longer do, as opened. Those are
    /// dropped each time the list has grown beyond a length.
    asking: Vec<Cell>,
    most_asking: usize,
    /// How many cells of [`View::opened`] have been read.
    seen: usize,
    /// Clues that decide the unknown cells around them.
    decisive: Vec<Cell>,
    /// Cells opened without having been proved before.
    surprises: Vec<Cell>,
    /// What is around each cell, and marks on cells, when many are looked at once.
    sums: Vec<u8>,
    marks: Vec<u8>,
    /// Cells proved while covered, in the order of their proofs, and how many of them
    /// [`fresh`](Self::fresh) has handed over.
    proved: Vec<Cell>,
    told: usize,
    unknown: usize,
    mines: usize,
    /// A clue that what is known contradicts.
    misfit: Option<Cell>,
}

/// Copying keeps buffers, and leaves out what each update writes before it reads: thoughts copy
/// what is known again and again.
impl Clone for SinglePoint {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        let Self { facts, classes, needs, by, asking, most_asking, seen, decisive, .. } = other;
        self.facts.clone_from(facts);
        self.classes.clone_from(classes);
        self.needs.clone_from(needs);
        self.by.clone_from(by);
        self.asking.clone_from(asking);
        self.most_asking = *most_asking;
        self.seen = *seen;
        self.decisive.clone_from(decisive);
        let Self { proved, told, unknown, mines, misfit, .. } = other;
        self.proved.clone_from(proved);
        (self.told, self.unknown, self.mines, self.misfit) = (*told, *unknown, *mines, *misfit);
    }
}

/// A sum of codes: unknown cells in the low half, mines in the high one. No cell has more than
/// eight neighbors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Around(u8);

impl Around {
    /// Unknown cells.
    #[inline]
    const fn unknown(self) -> u8 {
        self.0 & 15
    }

    /// Known mines.
    #[inline]
    const fn mines(self) -> u8 {
        self.0 >> 4
    }
}

/// If more than one in this number of cells is new, it is cheaper to sum around all cells.
const MANY: usize = 16;

/// Up to this number of clues without unknown cells are not removed.
const LEAST_DROPPED: usize = 32;

const SAFE: u8 = 0;
const UNKNOWN: u8 = 1;
const MINE: u8 = 16;

const fn code(fact: Fact) -> u8 {
    match fact {
        Fact::Safe => SAFE,
        Fact::Mine => MINE,
    }
}

#[inline]
const fn decode(code: u8) -> Option<Fact> {
    match code {
        UNKNOWN => None,
        SAFE => Some(Fact::Safe),
        _ => Some(Fact::Mine),
    }
}

/// Marks of clues that decide: those of up to eight add up to a byte, each kind by itself.
const SAFE_MARK: u8 = 1;
const MINE_MARK: u8 = 16;

const fn mark(fact: Fact) -> u8 {
    match fact {
        Fact::Safe => SAFE_MARK,
        Fact::Mine => MINE_MARK,
    }
}

/// Of eight cells, or as many as there are, those that are unknown and have a sum: the lowest bit
/// of a byte for each.
#[inline]
fn unknown_hits(facts: &[u8], sums: &[u8]) -> u64 {
    let eight = |bytes: &[u8]| match bytes.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    // Both halves of a sum, one over the other: at most 15, and with 127 the top bit tells 0.
    let sums = (eight(sums) | eight(sums) >> 4) & (EACH * 15);
    eight(facts) & (EACH * u64::from(UNKNOWN)) & (sums + EACH * 127) >> 7
}

impl SinglePoint {
    /// Nothing seen, nothing proved.
    pub fn new(shape: &Shape) -> Self {
        let mut known = Self::default();
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
        self.facts.resize(shape.size(), UNKNOWN);
        self.classes.clear();
        self.classes.resize(shape.size(), Class::SEA);
        self.needs.clear();
        self.needs.resize(shape.size(), Need::NOTHING);
        self.by.resize(shape.size(), shape.nth(0).expect("boards have cells"));
        self.asking.clear();
        self.most_asking = LEAST_DROPPED;
        self.seen = 0;
        self.decisive.clear();
        self.proved.clear();
        self.told = 0;
        self.unknown = shape.size();
        self.mines = 0;
        self.misfit = None;
    }

    /// Reads a view of any game, also one with visible mines.
    pub(crate) fn take_in(&mut self, view: &View) {
        self.reset(view.shape());
        for cell in view.shown_mines() {
            self.facts[cell.index()] = MINE;
            self.classes[cell.index()] = Class::SHOWN;
            self.unknown -= 1;
            self.mines += 1;
        }
        self.update(view);
    }

    /// Reads the cells opened since the last update and draws all conclusions.
    pub fn update(&mut self, view: &View) {
        let old = replace(&mut self.seen, view.opened().len());
        let new = &view.opened()[old..];
        if new.len() * MANY > self.facts.len() {
            self.take_in_many(view, new);
        } else {
            self.take_in_few(view, new);
        }
        self.conclude(view);
    }

    /// Reads new clues one by one, and updates the old clues around them.
    fn take_in_few(&mut self, view: &View, new: &[Cell]) {
        self.surprises.clear();
        for &cell in new {
            self.classes[cell.index()] = Class::SHOWN;
            if self.is_unknown(cell) {
                self.facts[cell.index()] = SAFE;
                self.surprises.push(cell);
            }
        }
        self.unknown -= self.surprises.len();
        for surprise in 0..self.surprises.len() {
            self.tell_around(view, self.surprises[surprise], Fact::Safe);
        }
        for &cell in new {
            if self.look(view, cell, self.around(view, cell)) {
                self.asking.push(cell);
            }
        }
        if self.asking.len() > self.most_asking {
            let needs = &self.needs;
            self.asking.retain(|cell| needs[cell.index()].asks());
            self.most_asking = 2 * self.asking.len() + LEAST_DROPPED;
        }
    }

    /// Reads new clues with sums around all cells at once, twice: first it notes all that clues
    /// prove independently of one another, then it updates the clues.
    fn take_in_many(&mut self, view: &View, new: &[Cell]) {
        for &cell in new {
            let fact = &mut self.facts[cell.index()];
            self.unknown -= usize::from(*fact == UNKNOWN);
            *fact = SAFE;
            self.classes[cell.index()] = Class::SHOWN;
        }
        self.asking.extend_from_slice(new);
        self.look_around(view);
        self.decide_at_once(view);
        self.look_around(view);
    }

    /// Computes the need of every clue again, removes clues without unknown cells, and lists those
    /// that prove something.
    fn look_around(&mut self, view: &View) {
        view.shape().sums_around(&self.facts, &mut self.sums);
        let (mut asking, sums) = (take(&mut self.asking), take(&mut self.sums));
        let mut kept = 0;
        for at in 0..asking.len() {
            let cell = asking[at];
            if self.look(view, cell, Around(sums[cell.index()])) {
                asking[kept] = cell;
                kept += 1;
            }
        }
        asking.truncate(kept);
        (self.asking, self.sums) = (asking, sums);
    }

    /// Notes what the listed clues prove, without updating any clue. They are marked, and cells
    /// with marks around them are decided.
    fn decide_at_once(&mut self, view: &View) {
        self.marks.clear();
        self.marks.resize(self.facts.len(), 0);
        for &clue in &self.decisive {
            let fact = self.needs[clue.index()].fact().expect("the clue is decisive");
            self.marks[clue.index()] = mark(fact);
        }
        self.decisive.clear();
        view.shape().sums_around(&self.marks, &mut self.sums);
        for first in (0..self.facts.len()).step_by(8) {
            let mut hits = unknown_hits(&self.facts[first..], &self.sums[first..]);
            while hits != 0 {
                let cell = first + hits.trailing_zeros() as usize / 8;
                hits &= hits - 1;
                // Marks of both kinds: clues that contradict each other, as the next look finds.
                let fact = if self.sums[cell] < MINE_MARK { Fact::Safe } else { Fact::Mine };
                let cell = view.shape().nth(cell).expect("a cell of the board");
                let mut near = view.shape().neighbors(cell).iter();
                let by = near.find(|near| self.marks[near.index()] == mark(fact));
                self.note(cell, fact, *by.expect("the sum has a mark"));
            }
        }
    }

    /// Computes the need of an open cell's clue. Returns whether it has unknown cells.
    #[inline(always)]
    fn look(&mut self, view: &View, cell: Cell, around: Around) -> bool {
        let clue = view.face(cell).clue().expect("opened cells have clues").mask();
        if around.unknown() == 0 {
            if clue >> around.mines() & 1 == 0 {
                self.misfit = Some(cell);
            }
            return false;
        }
        let need = Need::new(clue, around.mines(), around.unknown());
        self.needs[cell.index()] = need;
        if need.is_impossible() {
            self.misfit = Some(cell);
        } else if need.fact().is_some() {
            self.decisive.push(cell);
        }
        true
    }

    /// Takes a fact about a covered cell as given and concludes all that follows.
    pub(crate) fn suppose(&mut self, view: &View, cell: Cell, fact: Fact) {
        match self.fact(cell) {
            Some(known) if known == fact => {}
            Some(_) => self.misfit = Some(cell),
            None => {
                self.note(cell, fact, cell);
                self.tell_around(view, cell, fact);
                self.conclude(view);
            }
        }
    }

    /// Lets the decisive clues decide, and those that become decisive by it.
    fn conclude(&mut self, view: &View) {
        while let Some(clue) = self.decisive.pop() {
            // Another clue may have decided the same cells meanwhile.
            let Some(fact) = self.needs[clue.index()].fact() else { continue };
            for &near in view.shape().neighbors(clue) {
                if self.is_unknown(near) {
                    self.note(near, fact, clue);
                    self.tell_around(view, near, fact);
                }
            }
        }
    }

    /// Notes what a clue has proved of an unknown cell.
    #[inline]
    fn note(&mut self, cell: Cell, fact: Fact, by: Cell) {
        self.facts[cell.index()] = code(fact);
        self.classes[cell.index()] = match fact {
            Fact::Safe => Class::SAFE,
            Fact::Mine => Class::MINE,
        };
        self.unknown -= 1;
        self.mines += usize::from(fact == Fact::Mine);
        self.by[cell.index()] = by;
        self.proved.push(cell);
    }

    /// Updates the clues around a cell that has become known.
    #[inline]
    fn tell_around(&mut self, view: &View, cell: Cell, fact: Fact) {
        for &near in view.shape().neighbors(cell) {
            self.tell(near, fact);
        }
    }

    /// Updates a clue, if there is one, after a cell around it has become known.
    #[inline]
    fn tell(&mut self, clue: Cell, fact: Fact) {
        let need = &mut self.needs[clue.index()];
        let before = replace(need, need.knowing(fact));
        if need.is_impossible() {
            self.misfit = Some(clue);
        } else if need.fact().is_some() && before.fact().is_none() {
            self.decisive.push(clue);
        }
    }

    /// A clue that contradicts what is known, if one was met.
    pub(crate) fn misfit(&self) -> Option<Cell> {
        self.misfit
    }

    /// Open cells, as opened, among them all that still ask something.
    pub(crate) fn asking(&self) -> &[Cell] {
        &self.asking
    }

    /// The need of an open cell's clue.
    #[inline]
    pub(crate) fn need(&self, cell: Cell) -> Need {
        self.needs[cell.index()]
    }

    /// What any cell would ask with a clue that admits everything.
    pub(crate) fn open_need(&self, view: &View, cell: Cell) -> Need {
        let around = self.around(view, cell);
        Need::new(u16::MAX, around.mines(), around.unknown())
    }

    /// How many known mines are around any cell.
    pub(crate) fn mines_around(&self, view: &View, cell: Cell) -> u8 {
        self.around(view, cell).mines()
    }

    #[inline]
    fn around(&self, view: &View, cell: Cell) -> Around {
        Around(view.shape().neighbors(cell).iter().map(|near| self.facts[near.index()]).sum())
    }

    /// Whether nothing is known of a cell.
    #[inline]
    fn is_unknown(&self, cell: Cell) -> bool {
        self.facts[cell.index()] == UNKNOWN
    }

    /// The class of each cell; no groups yet.
    pub(crate) fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// How many mines are shown or proved.
    pub(crate) fn mines(&self) -> usize {
        self.mines
    }

    /// What is proved about a cell; open cells are safe.
    #[inline]
    pub fn fact(&self, cell: Cell) -> Option<Fact> {
        decode(self.facts[cell.index()])
    }

    /// How many cells are neither open nor proved.
    #[inline]
    pub fn unknown(&self) -> usize {
        self.unknown
    }

    /// Hands over the covered cells proved since the last call, in the order of their proofs.
    #[inline]
    pub fn fresh(&mut self) -> impl Iterator<Item = (Cell, Fact)> + '_ {
        let told = replace(&mut self.told, self.proved.len());
        let fact = |&cell: &Cell| (cell, self.fact(cell).expect("proved"));
        self.proved[told..].iter().map(fact)
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
    use crate::boards;

    #[test]
    fn single_clues_prove_what_the_boards_say() {
        for block in boards::small() {
            let view: View = block.position.parse().unwrap();
            let known = SinglePoint::of(&view);
            boards::check_facts(&view, |cell| known.fact(cell), &block.answers["single clue"]);
        }
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
