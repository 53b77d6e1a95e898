//! What the player knows of each cell, kept up to date move by move.
//!
//! Every cell has a status, and counts of the flags and of the unresolved cells around it. An
//! open cell with a number has a *hint*; what the hint still asks of its unresolved neighbors is
//! its *warn*, and warn divided by left is the *share* of a mine that it expects in each of them.
//!
//! ```text
//! F # #        the 2 has one flag and three unresolved cells around it: warn 1, left 3,
//! 1 2 #        so it expects a third of a mine in each of them
//! ```
//!
//! Opening or flagging a cell changes the counts of its neighbors and nothing else, so that a
//! whole game costs time in proportion to its cells.

use deminer_game::{Cell, ClueRule, Face, Premise, Rules, Shape, Shown, View};
use deminer_inference::deduce::Fact;

/// One mine, as an amount. Whole amounts divide evenly among one to eight cells (840 is a
/// multiple of all these numbers), so that shares are exact; what uncertain clues expect is
/// rounded to the nearest 2⁻²⁴.
pub(crate) const ONE: i64 = 840 << ROUNDING;
const ROUNDING: u32 = 24;

/// What is known of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// Covered, without a flag.
    Unresolved,
    /// Open, so it is safe.
    Open,
    /// Taken for a mine.
    Flagged,
}

/// What an open cell shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Hint {
    /// The number shown; none if the cell is not open or shows no number.
    shown: Option<u8>,
    /// The counts admitted, one bit each.
    counts: u16,
    /// The mines it expects among its unresolved neighbors.
    warn: i64,
}

/// The player's knowledge of one game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    shape: Shape,
    clues: ClueRule,
    /// The mines on the whole board, unless the player does without.
    total: Option<usize>,
    /// How near to 0 or 1 the share of an uncertain hint counts as such.
    margin: i64,
    status: Vec<Status>,
    hints: Vec<Hint>,
    /// Unresolved cells around each cell.
    left: Vec<u8>,
    /// Flagged cells around each cell.
    flagged: Vec<u8>,
    opened: usize,
    flags: usize,
    /// Mines that the view shows; they count as flagged.
    shown: usize,
    /// Unresolved cells beside an open one, and perhaps some that are resolved by now.
    frontier: Vec<Cell>,
    /// Hints that changed, in the order of the changes.
    changes: Vec<Cell>,
    /// Cells resolved, in the order of the moves.
    resolved: Vec<Cell>,
    /// Hints whose shares became none or one, with what that makes of the cells around.
    decided: Vec<(Cell, Fact)>,
}

impl Knowledge {
    /// Forgets everything, for a new game; keeps its buffers. `margin` is how near to 0 or 1 a
    /// share of an uncertain hint counts as such.
    pub fn begin(&mut self, rules: &Rules, know_mines: bool, margin: f64) {
        self.shape = rules.shape().clone();
        self.clues = rules.clues();
        self.total = know_mines.then_some(rules.mines());
        self.margin = (margin * ONE as f64) as i64;
        self.reset();
    }

    fn reset(&mut self) {
        let cells = self.shape.size();
        self.status.clear();
        self.status.resize(cells, Status::Unresolved);
        self.hints.clear();
        self.hints.resize(cells, Hint::default());
        self.left.clear();
        self.left.extend(self.shape.cells().map(|cell| self.shape.degree(cell) as u8));
        self.flagged.clear();
        self.flagged.resize(cells, 0);
        (self.opened, self.flags, self.shown) = (0, 0, 0);
        self.frontier.clear();
        self.changes.clear();
        self.resolved.clear();
        self.decided.clear();
    }

    /// Takes in what was opened since the last call, and the flag that the player has put
    /// meanwhile. Should the view not follow from what is known, because somebody else put
    /// flags, took some away or shows another position, everything is taken in anew; the answer
    /// is then false.
    pub fn follow(&mut self, view: &View, flag: Option<Cell>) -> bool {
        if let Some(cell) = flag.filter(|&cell| view.face(cell) == Face::Flagged) {
            self.flag(cell);
        }
        let follows = view.flag_count() + self.shown == self.flags
            && view.covered_count() + view.opened().len() + self.shown == self.shape.size()
            && view.opened().len() >= self.opened;
        if !follows {
            self.reset();
        }
        for &cell in &view.opened()[self.opened..] {
            self.open(cell, view.face(cell));
        }
        if !follows {
            for cell in view.shape().cells() {
                let face = view.face(cell);
                if matches!(face, Face::Flagged | Face::Mine) {
                    self.shown += usize::from(face == Face::Mine);
                    self.flag(cell);
                }
            }
        }
        follows
    }

    fn open(&mut self, cell: Cell, face: Face) {
        let Face::Open { shown, clue } = face else { unreachable!("opened cells are open") };
        let shape = self.shape.clone();
        self.resolve(cell, Status::Open);
        self.opened += 1;
        if let Shown::Number(number) = shown {
            self.hints[cell.index()] = Hint { shown: Some(number), counts: clue.mask(), warn: 0 };
            self.refresh(cell);
        }
        for &near in shape.neighbors(cell) {
            let index = near.index();
            let open = shape.degree(near) as u8 - self.left[index] - self.flagged[index];
            if open == 1 && self.status[index] == Status::Unresolved {
                self.frontier.push(near);
            }
            self.refresh(near);
        }
    }

    fn flag(&mut self, cell: Cell) {
        let shape = self.shape.clone();
        self.resolve(cell, Status::Flagged);
        self.flags += 1;
        for &near in shape.neighbors(cell) {
            self.flagged[near.index()] += 1;
            self.refresh(near);
        }
    }

    fn resolve(&mut self, cell: Cell, status: Status) {
        debug_assert_eq!(self.status[cell.index()], Status::Unresolved, "resolved once");
        self.status[cell.index()] = status;
        self.resolved.push(cell);
        for &near in self.shape.neighbors(cell) {
            self.left[near.index()] -= 1;
        }
    }

    /// Computes anew what a hint expects, and notes it if that decides the cells around it.
    fn refresh(&mut self, cell: Cell) {
        let Hint { shown: Some(_), .. } = self.hints[cell.index()] else { return };
        match self.expected(cell) {
            Some(warn) => self.hints[cell.index()].warn = warn,
            // A flag around is wrong: no count fits the number.
            None => self.hints[cell.index()].shown = None,
        }
        self.changes.push(cell);
        if let Some(fact) = self.verdict(cell) {
            self.decided.push((cell, fact));
        }
    }

    /// The mines that a hint expects among the unresolved cells around it; none if an uncertain
    /// hint admits nothing that they could hold.
    ///
    /// A certain hint expects its count less the flags. Of an uncertain one each count is as
    /// likely as the clue rule makes it show this number, times the chance that this many mines
    /// lie among the unresolved cells when each holds one at the rate of the whole board.
    fn expected(&self, cell: Cell) -> Option<i64> {
        let Hint { shown, counts, .. } = self.hints[cell.index()];
        let (flagged, left) = (self.flagged[cell.index()], self.left[cell.index()]);
        if counts.is_power_of_two() {
            let count = i64::from(counts.trailing_zeros());
            return Some((count - i64::from(flagged)) * ONE);
        }
        let shown = Shown::Number(shown?);
        let degree = self.shape.degree(cell) as u8;
        let (mines, among) = self.rate();
        let rate = (mines as f64 / among as f64).min(1.0);
        let (mut sum, mut weights) = (0.0, 0.0);
        // left choose more · rateᵐᵒʳᵉ · (1 − rate)ˡᵉᶠᵗ⁻ᵐᵒʳᵉ, from one to the next; a rate of 1
        // leaves only the last.
        let mut ways = 1.0;
        for more in 0..=left {
            let chance = ways * power(rate, more) * power(1.0 - rate, left - more);
            let weight = chance * self.clues.likelihood(shown, flagged + more, degree);
            sum += weight * f64::from(more);
            weights += weight;
            ways *= f64::from(left - more) / f64::from(more + 1);
        }
        (weights > 0.0).then(|| (sum / weights * (1u64 << ROUNDING) as f64).round() as i64 * 840)
    }

    /// What a hint makes of the unresolved cells around it: all safe if it expects none in them,
    /// all mines if it expects one in each. For an uncertain hint nearly will do.
    fn verdict(&self, cell: Cell) -> Option<Fact> {
        let left = i64::from(self.left(cell));
        if left == 0 || !self.is_hint(cell) {
            return None;
        }
        self.judge(self.warn(cell), left, self.margin_of(cell))
    }

    /// What the expected mines in this number of cells prove about them: exactly none or one in each decides,
    /// with a margin nearly none or one.
    pub fn judge(&self, warn: i64, cells: i64, margin: i64) -> Option<Fact> {
        if warn == 0 || warn < margin * cells && margin > 0 {
            Some(Fact::Safe)
        } else if warn == ONE * cells || warn > (ONE - margin) * cells && margin > 0 {
            Some(Fact::Mine)
        } else {
            None
        }
    }

    /// The margin that a hint's estimates have: none for a certain one.
    pub fn margin_of(&self, hint: Cell) -> i64 {
        if self.is_certain(hint) { 0 } else { self.margin }
    }

    /// Whether a hint admits one count only.
    pub fn is_certain(&self, hint: Cell) -> bool {
        self.hints[hint.index()].counts.is_power_of_two()
    }

    /// Hands over the hints that decide the cells around them, since the last call, in the order
    /// of the moves.
    pub fn take_decided(&mut self, decided: &mut Vec<(Cell, Fact)>) {
        decided.clear();
        std::mem::swap(&mut self.decided, decided);
    }

    /// The board.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// What is known of a cell.
    #[inline]
    pub fn status(&self, cell: Cell) -> Status {
        self.status[cell.index()]
    }

    /// Whether the cell is neither open nor flagged.
    #[inline]
    pub fn is_unresolved(&self, cell: Cell) -> bool {
        self.status(cell) == Status::Unresolved
    }

    /// Whether the cell is open and shows a number that can be true.
    #[inline]
    pub fn is_hint(&self, cell: Cell) -> bool {
        self.hints[cell.index()].shown.is_some()
    }

    /// Whether the cell is a hint with unresolved cells around it.
    #[inline]
    pub fn is_asking(&self, cell: Cell) -> bool {
        self.is_hint(cell) && self.left(cell) > 0
    }

    /// The mines that a hint expects among the unresolved cells around it.
    #[inline]
    pub fn warn(&self, hint: Cell) -> i64 {
        self.hints[hint.index()].warn
    }

    /// How many cells around are unresolved.
    #[inline]
    pub fn left(&self, cell: Cell) -> u8 {
        self.left[cell.index()]
    }

    /// The share of a mine that a hint expects in each unresolved cell around it.
    #[inline]
    pub fn share(&self, hint: Cell) -> i64 {
        self.warn(hint) / i64::from(self.left(hint))
    }

    /// The counts of mines among the unresolved cells around it that a hint admits, one bit
    /// each; none if it contradicts the flags.
    #[inline]
    pub fn admitted(&self, hint: Cell) -> u16 {
        let index = hint.index();
        self.hints[index].counts >> self.flagged[index] & ((2 << self.left[index]) - 1)
    }

    /// The counts of mines around it that a hint admits, one bit each.
    #[cfg(test)]
    pub fn counts(&self, hint: Cell) -> u16 {
        self.hints[hint.index()].counts
    }

    /// The unresolved cells around a cell.
    pub fn unresolved_around(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        let near = self.shape.neighbors(cell).iter().copied();
        near.filter(|&near| self.is_unresolved(near))
    }

    /// The hints around a cell.
    pub fn hints_around(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        self.shape.neighbors(cell).iter().copied().filter(|&near| self.is_hint(near))
    }

    /// The hints that changed since the game began, in the order of the changes.
    pub fn changes(&self) -> &[Cell] {
        &self.changes
    }

    /// The cells opened and flagged since the game began, in the order of the moves.
    pub fn resolved(&self) -> &[Cell] {
        &self.resolved
    }

    /// The unresolved cells beside an open one, in the order in which they came to be so.
    pub fn frontier(&mut self) -> &[Cell] {
        let status = &self.status;
        self.frontier.retain(|cell| status[cell.index()] == Status::Unresolved);
        &self.frontier
    }

    /// Whether a cell touches an open one.
    pub fn is_beside_open(&self, cell: Cell) -> bool {
        let index = cell.index();
        self.shape.degree(cell) as u8 > self.left[index] + self.flagged[index]
    }

    /// How many cells are open.
    pub fn opened(&self) -> usize {
        self.opened
    }

    /// The mines that are not flagged, where the mines are known.
    pub fn mines_left(&self) -> Option<usize> {
        self.total.map(|total| total.saturating_sub(self.flags))
    }

    /// How likely a mine is in a cell that no hint sees, as mines and the cells they are
    /// among. Flagged cells are among these cells as in the paper. A player that does without
    /// the mine total goes by the mines among the cells resolved so far, one more of each kind
    /// put in.
    pub fn rate(&self) -> (i64, i64) {
        let (mines, among) = match self.mines_left() {
            Some(mines) => (mines, self.shape.size() - self.opened),
            None => (self.flags + 1, self.flags + self.opened + 2),
        };
        (mines as i64, among.max(1) as i64)
    }

    /// Whether less than this percentage of the board is open or flagged.
    pub fn is_below(&self, percent: usize) -> bool {
        (self.opened + self.flags) * 100 < percent * self.shape.size()
    }

    /// These hints as premises, with what is known of the cells around them.
    pub fn grounds(&self, hints: &[Cell]) -> Vec<Premise> {
        let mut premises: Vec<Premise> = hints.iter().copied().map(Premise::Clue).collect();
        let mut around: Vec<Cell> =
            hints.iter().flat_map(|&hint| self.shape.neighbors(hint)).copied().collect();
        around.sort_unstable();
        around.dedup();
        premises.extend(around.into_iter().filter_map(|cell| match self.status(cell) {
            Status::Flagged => Some(Premise::Mine(cell)),
            Status::Open if !hints.contains(&cell) => Some(Premise::Safe(cell)),
            Status::Open | Status::Unresolved => None,
        }));
        premises
    }

    /// The mine total as a premise, with all the mines that were flagged.
    pub fn total(&self) -> impl Iterator<Item = Premise> + '_ {
        let flagged = self.shape.cells().filter(|&cell| self.status(cell) == Status::Flagged);
        std::iter::once(Premise::MineTotal).chain(flagged.map(Premise::Mine))
    }

    /// Why a hint decides the cells around it: the flags account for all its mines, or the safe
    /// cells leave no other place for them. An uncertain hint goes by both.
    pub fn grounds_of_verdict(&self, hint: Cell, fact: Fact) -> Vec<Premise> {
        let certain = self.is_certain(hint);
        let near = self.shape.neighbors(hint).iter();
        let known = near.filter_map(|&cell| match self.status(cell) {
            Status::Flagged if fact == Fact::Safe || !certain => Some(Premise::Mine(cell)),
            Status::Open if fact == Fact::Mine || !certain => Some(Premise::Safe(cell)),
            _ => None,
        });
        std::iter::once(Premise::Clue(hint)).chain(known).collect()
    }
}

/// A small power, the same on every machine.
fn power(base: f64, exponent: u8) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Board, Effect, Form, GameSeed, Rng};

    use super::*;
    use crate::players::cs520::pictures;

    /// What is known of a hint: unresolved and flagged cells around it, mines expected.
    type HintSummary = (u8, u8, Option<f64>);

    /// Everything looked at anew after each move, but for what uncertain hints expect: that is
    /// computed when something around them has changed, at the rate of that moment.
    struct Slow {
        hints: Vec<Option<HintSummary>>,
    }

    impl Slow {
        fn look(&mut self, view: &View) {
            let shape = view.shape();
            let left = view.rules().mines().saturating_sub(view.flag_count()) as f64;
            let rate = (left / (shape.size() - view.opened().len()) as f64).min(1.0);
            for &cell in view.opened() {
                let Face::Open { shown: shown @ Shown::Number(_), clue } = view.face(cell) else {
                    continue;
                };
                let around = |face| {
                    let near = shape.neighbors(cell).iter();
                    near.filter(|&&near| view.face(near) == face).count() as u8
                };
                let (left, flagged) = (around(Face::Covered), around(Face::Flagged));
                let old = self.hints[cell.index()];
                if old.is_some_and(|old| (old.0, old.1) == (left, flagged)) {
                    continue;
                }
                let expected = match clue.exact() {
                    // A number that once could not be true is never used again.
                    _ if old.is_some_and(|old| old.2.is_none()) => None,
                    Some(count) => Some(f64::from(count) - f64::from(flagged)),
                    None => {
                        let degree = shape.degree(cell) as u8;
                        let weight = |mines: u8| {
                            let chance = rate.powi(i32::from(mines))
                                * (1.0 - rate).powi(i32::from(left - mines));
                            let ways = (0..mines)
                                .fold(1.0, |ways, k| ways * f64::from(left - k) / f64::from(k + 1));
                            let rules = view.rules().clues();
                            ways * chance * rules.likelihood(shown, flagged + mines, degree)
                        };
                        let sum: f64 = (0..=left).map(weight).sum();
                        let mines = (0..=left).map(|mines| f64::from(mines) * weight(mines));
                        (sum > 0.0).then(|| mines.sum::<f64>() / sum)
                    }
                };
                self.hints[cell.index()] = Some((left, flagged, expected));
            }
        }
    }

    fn compare(known: &mut Knowledge, slow: &Slow, view: &View) {
        let shape = view.shape().clone();
        let mut frontier = known.frontier().to_vec();
        frontier.sort_unstable();
        let beside = |&cell: &Cell| {
            let open = |near: &Cell| matches!(view.face(*near), Face::Open { .. });
            view.face(cell) == Face::Covered && shape.neighbors(cell).iter().any(open)
        };
        assert_eq!(frontier, shape.cells().filter(beside).collect::<Vec<_>>(), "{view}");
        assert_eq!((known.opened, known.flags), (view.opened().len(), view.flag_count()));
        for cell in shape.cells() {
            let status = match view.face(cell) {
                Face::Covered => Status::Unresolved,
                Face::Flagged => Status::Flagged,
                Face::Open { .. } | Face::Mine => Status::Open,
            };
            assert_eq!(known.status(cell), status, "{cell:?} of\n{view}");
            let Some((left, flagged, expected)) = slow.hints[cell.index()] else {
                assert!(!known.is_hint(cell), "{cell:?} of\n{view}");
                continue;
            };
            let around = (known.left(cell), known.flagged[cell.index()]);
            assert_eq!(around, (left, flagged), "{cell:?} of\n{view}");
            assert_eq!(known.is_hint(cell), expected.is_some(), "{cell:?} of\n{view}");
            if let Some(expected) = expected {
                let warn = known.warn(cell) as f64 / ONE as f64;
                assert!((warn - expected).abs() < 1e-6, "{cell:?}: {warn} {expected}\n{view}");
            }
        }
    }

    /// Moves at random, most flags on mines.
    fn random_action(rng: &mut Rng, board: &Board) -> Action {
        let covered: Vec<Cell> = board.view().openable().collect();
        let &cell = rng.pick(&covered).expect("a live game has covered cells");
        let wrong = rng.below(20) == 0;
        if board.hides_mine(cell) != wrong { Action::Flag(cell) } else { Action::Open(cell) }
    }

    #[test]
    fn knowledge_kept_up_to_date_is_knowledge_looked_up_anew() {
        let mut rng = Rng::new(64);
        for game in 0..600 {
            let form = Form::ALL[game % 3];
            let clues = ["exact", "blind:0.3", "optimistic", "cautious", "cautious:degree"];
            let rules = Rules::new(Shape::new(form, 7, 5).unwrap(), 1 + rng.below(12)).unwrap();
            let rules = rules.with_clues(clues[game / 3 % 5].parse().unwrap());
            let rules = rules.with_cascade(game / 3 % 5 == 0 && game % 2 == 0);
            let mut board = Board::dealt(rules.clone(), GameSeed { seed: 3, game: game as u64 });
            let mut known = pictures::known_of(board.view(), 0.05);
            let mut slow = Slow { hints: vec![None; rules.shape().size()] };
            while board.state().outcome().is_none() && board.view().openable().next().is_some() {
                let action = random_action(&mut rng, &board);
                let effect = board.act(action);
                if matches!(effect, Effect::Exploded(_)) {
                    break;
                }
                let flag = (effect == Effect::Flagged).then(|| action.cell().unwrap());
                assert!(known.follow(board.view(), flag));
                slow.look(board.view());
                compare(&mut known, &slow, board.view());
            }
        }
    }

    #[test]
    fn what_others_did_is_taken_in_anew() {
        let mut known = Knowledge::default();
        let view: View = "mines 3\nF # *\n2 # #\n1 # #".parse().unwrap();
        known.begin(view.rules(), true, 0.0);
        assert!(!known.follow(&view, None));
        assert!(known.follow(&view, None));
        let status = |row, column| known.status(view.shape().cell(row, column).unwrap());
        assert_eq!((status(0, 0), status(0, 2)), (Status::Flagged, Status::Flagged));
        assert_eq!(known.mines_left(), Some(1));
        let fewer: View = "mines 3\n# # *\n2 # #\n1 # #".parse().unwrap();
        assert!(!known.follow(&fewer, None));
        assert_eq!(known.mines_left(), Some(2));
    }

    #[test]
    fn who_does_without_the_mine_total_goes_by_what_is_resolved() {
        let (view, mut known) = pictures::known("mines 3\nF # #\n2 1 #", 0.0);
        assert_eq!(known.rate(), (2, 4));
        known.begin(view.rules(), false, 0.0);
        known.follow(&view, None);
        assert_eq!((known.rate(), known.mines_left()), ((2, 5), None));
    }
}
