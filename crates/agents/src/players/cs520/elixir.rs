//! Elixir: a cell that cannot be a mine is safe, and one that cannot be safe is a mine.
//!
//! To find out, the cells near it are filled in so that every hint in a window around it is
//! satisfied, first with a mine in the cell, then without:
//!
//! ```text
//! # # # #
//! 1 2 2 1     a mine in the corner leaves the 1 below it satisfied, so the next cell is safe,
//!             the 2 wants the third cell, the next 2 the fourth, and the last 1 has two: the
//!             corner is safe
//! ```
//!
//! The window holds the hints within `radius - 1` steps of the cell, and so the unresolved cells
//! within `radius` steps. Fillings use at most the mines that are left. Cells of the window that
//! no chain of hints ties to the cell in question matter only through that, so they are looked at
//! only when few mines are left, or when something was found: a window that cannot be filled in
//! at all, because of a wrong flag, proves nothing.

use deminer_game::stop;
use deminer_game::{Cell, CellSet, Premise, Rng, Shape};
use deminer_inference::constraints::{Constraints, Filling, Need};
use deminer_inference::deduce::Fact;

use super::knowledge::Knowledge;
use super::step::Queues;

/// The name of the stage in reasons.
pub(crate) const NAME: &str = "elixir";

/// The radius of the usual window, nine cells wide.
pub(crate) const WIDE: u8 = 4;

/// The radius of the window right after a leap.
pub(crate) const NARROW: u8 = 3;

/// The most cells tried in a round.
const TRIES: usize = 32;

/// Nodes spent on a question before the answer is "possible".
const NODES: usize = 200_000;

/// The stage, with what it remembers of the game.
#[derive(Debug, Default)]
pub(crate) struct Elixir {
    /// The most cells tried in a round while the board is far from done; less after each round
    /// without result.
    patience: usize,
    /// The candidates of a round: all unresolved cells beside an open one.
    round: Vec<Cell>,
    /// How many of the resolved cells are taken in.
    seen: usize,
    /// For each cell the widest window in which it was found to be possibly a mine and possibly
    /// safe, with nothing near it resolved since; 0 if none. That holds for narrower windows
    /// too, as these hold fewer hints.
    undecided: Vec<u8>,
    puzzle: Puzzle,
}

/// What is proved about a cell, and the premises.
type CellFinding = (Fact, Vec<Premise>);

impl Elixir {
    /// Forgets everything, for a new game.
    pub fn begin(&mut self, shape: &Shape) {
        self.patience = shape.width() + shape.height();
        self.seen = 0;
        self.undecided.clear();
        self.undecided.resize(shape.size(), 0);
        self.puzzle.met = CellSet::new(shape.size());
    }

    /// One round: tries some of the unresolved cells beside open ones, drawn at random, until one
    /// of them is decided. Whether one was.
    pub fn solve(
        &mut self,
        known: &mut Knowledge,
        queues: &mut Queues,
        rng: &mut Rng,
        radius: u8,
    ) -> bool {
        self.forget(known);
        self.round.clear();
        self.round.extend(known.frontier());
        let capped = self.round.len() > TRIES;
        let patience = if known.is_below(90) { self.patience } else { usize::MAX };
        let tries = if capped { TRIES.min(patience) } else { self.round.len() };
        for place in 0..tries {
            let drawn = place + rng.below(self.round.len() - place);
            self.round.swap(place, drawn);
            let cell = self.round[place];
            if let Some((fact, premises)) = self.question(known, cell, radius) {
                queues.add([cell], fact, NAME, premises);
                return true;
            }
        }
        if capped {
            self.patience = self.patience / 2 + 1;
        }
        false
    }

    /// What was found near cells that have been resolved since holds no longer.
    fn forget(&mut self, known: &Knowledge) {
        for &cell in &known.resolved()[self.seen..] {
            clear_around(&mut self.undecided, known.shape(), cell, WIDE);
        }
        self.seen = known.resolved().len();
    }

    /// What the hints near a cell prove of it, if anything.
    fn question(&mut self, known: &Knowledge, cell: Cell, radius: u8) -> Option<CellFinding> {
        let scarce = self.scarce(known, cell, radius);
        if scarce.is_none() && self.undecided[cell.index()] >= radius {
            return None;
        }
        self.puzzle.met.clear();
        self.puzzle.gather(known, cell, |hint| is_within(known, cell, hint, radius - 1));
        let goal = if scarce.is_some() { Goal::FewestMines } else { Goal::Any };
        let fewest = [Fact::Mine, Fact::Safe].map(|fact| self.puzzle.fill(Some(fact), goal));
        match fewest {
            [None, None] => return None,
            [Some(_), Some(_)] if scarce.is_none() => {
                self.undecided[cell.index()] = radius;
                return None;
            }
            _ => {}
        }
        let mut premises = known.grounds(&self.puzzle.hints());
        let rest = self.fill_rest(known, cell, radius, goal)?;
        let affordable = |mines: &usize| scarce.is_none_or(|left| mines + rest <= left);
        let fact = match fewest.map(|mines| mines.filter(affordable)) {
            [Some(_), None] => Fact::Mine,
            [None, Some(_)] => Fact::Safe,
            _ => return None,
        };
        if fewest.iter().all(Option::is_some) {
            // It takes the mine total, and so all hints of the window.
            let mut hints = within(known.shape(), cell, radius - 1);
            hints.retain(|&hint| known.is_asking(hint));
            premises = known.grounds(&hints).into_iter().chain(known.total()).collect();
        }
        Some((fact, premises))
    }

    /// The mines left, if they are fewer than the cells of a window that could hold them.
    fn scarce(&self, known: &Knowledge, cell: Cell, radius: u8) -> Option<usize> {
        let left = known.mines_left()?;
        (left < self.round.len() && left < self.others(known, cell, radius).count() + 1)
            .then_some(left)
    }

    /// The other candidates in the window around a cell.
    fn others(&self, known: &Knowledge, cell: Cell, radius: u8) -> impl Iterator<Item = Cell> {
        let others = self.round.iter().copied();
        others.filter(move |&other| other != cell && is_within(known, cell, other, radius))
    }

    /// The mines that fill in what the window holds beside the puzzle; none if nothing does, or
    /// if the window holds no other cell to be filled in: then the paper does not look.
    fn fill_rest(
        &mut self,
        known: &Knowledge,
        cell: Cell,
        radius: u8,
        goal: Goal,
    ) -> Option<usize> {
        let fits = |&hint: &Cell| {
            !known.is_hint(hint) || known.left(hint) > 0 || known.admitted(hint) & 1 == 1
        };
        let others: Vec<Cell> = self.others(known, cell, radius).collect();
        if others.is_empty() || !within(known.shape(), cell, radius - 1).iter().all(fits) {
            return None;
        }
        let mut mines = 0;
        for other in others {
            let inside = |hint| is_within(known, cell, hint, radius - 1);
            if self.puzzle.gather(known, other, inside) {
                mines += self.puzzle.fill(None, goal)?;
            }
        }
        Some(mines)
    }

    /// Hints that prove a fact about a cell without the mine total, if those tied to it do.
    pub fn prove(&mut self, known: &Knowledge, cell: Cell, fact: Fact) -> Option<Vec<Cell>> {
        self.puzzle.met.clear();
        self.puzzle.gather(known, cell, |_| true);
        let refuted = self.puzzle.fill(Some(fact.opposite()), Goal::Any).is_none();
        refuted.then(|| self.puzzle.hints())
    }
}

/// Whether a cell is at most this number of steps from another.
fn is_within(known: &Knowledge, center: Cell, cell: Cell, steps: u8) -> bool {
    known.shape().distance(center, cell) <= usize::from(steps)
}

/// The cells at most this number of steps from a cell, with the cell itself.
fn within(shape: &Shape, center: Cell, steps: u8) -> Vec<Cell> {
    let mut cells = vec![center];
    let mut rim = 0..1;
    for _ in 0..steps {
        for place in rim.clone() {
            for &near in shape.neighbors(cells[place]) {
                if !cells.contains(&near) {
                    cells.push(near);
                }
            }
        }
        rim = rim.end..cells.len();
    }
    cells
}

/// Sets to 0 what belongs to the cells of the square around one; all cells within that many steps
/// are in it.
fn clear_around(values: &mut [u8], shape: &Shape, center: Cell, steps: u8) {
    let width = 2 * usize::from(steps);
    let steps = isize::from(steps);
    for down in -steps..=steps {
        let [first, last] = [-steps, steps].map(|right| shape.offset(center, down, right));
        match (first, last) {
            // A row in one piece.
            (Some(first), Some(last)) if last.index() == first.index() + width => {
                values[first.index()..=last.index()].fill(0);
            }
            _ => (-steps..=steps)
                .filter_map(|right| shape.offset(center, down, right))
                .for_each(|cell| values[cell.index()] = 0),
        }
    }
}

/// Unresolved cells connected by hints, to be filled in.
#[derive(Debug, Default)]
struct Puzzle {
    constraints: Constraints,
    filling: Filling,
    /// The content of each cell so far.
    filled: Vec<Option<Fact>>,
    /// The places of the filled cells, in the order in which they were filled.
    trail: Vec<u16>,
    nodes: usize,
    /// The cells met in this question.
    met: CellSet,
}

/// A filling does not satisfy the hints.
#[derive(Debug)]
struct Unfit;

/// What a filling is sought for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Goal {
    Any,
    FewestMines,
}

impl Puzzle {
    /// The cells of the hints.
    fn hints(&self) -> Vec<Cell> {
        self.constraints.clues.iter().map(|clue| clue.cell).collect()
    }

    /// Takes a cell, the hints of the window that see it, the cells they see, and so on. False if
    /// the cell has been met before.
    fn gather(&mut self, known: &Knowledge, start: Cell, inside: impl Fn(Cell) -> bool) -> bool {
        if !self.met.insert(start) {
            return false;
        }
        self.constraints.clear(known.shape().size());
        self.constraints.place(start);
        let mut next = 0;
        while let Some(&cell) = self.constraints.cells.get(next) {
            next += 1;
            for hint in known.hints_around(cell) {
                if inside(hint) && self.met.insert(hint) {
                    let need = Need::new(known.admitted(hint), 0, known.left(hint));
                    self.constraints.push(hint, need, known.unresolved_around(hint));
                }
            }
        }
        for &cell in &self.constraints.cells {
            self.met.insert(cell);
        }
        self.filling.clear(&self.constraints);
        self.filled.clear();
        self.filled.resize(self.constraints.cells.len(), None);
        true
    }

    /// The mines of a filling that satisfies the hints, with this in the first cell if it is
    /// given; none if there is no filling. If the nodes run out, or the answer is no longer wanted,
    /// it is 0 mines.
    fn fill(&mut self, first: Option<Fact>, goal: Goal) -> Option<usize> {
        self.nodes = if stop::is_raised() { 0 } else { NODES };
        let mut best = None;
        if let Some(fact) = first {
            self.put(0, fact);
        }
        if self.force(0).is_ok() {
            self.search(goal, &mut best);
        }
        self.undo(0);
        if self.nodes == 0 { Some(0) } else { best }
    }

    /// Searches for fillings of the empty cells.
    fn search(&mut self, goal: Goal, best: &mut Option<usize>) {
        let settled = match goal {
            Goal::Any => best.is_some(),
            Goal::FewestMines => best.is_some_and(|best| best <= self.filling.mines),
        };
        if self.nodes == 0 || settled {
            return;
        }
        self.nodes -= 1;
        let clues = 0..self.constraints.clues.len() as u16;
        let open = clues.filter(|&clue| self.filling.empty(clue) > 0);
        let Some(clue) = open.min_by_key(|&clue| self.filling.empty(clue)) else {
            *best = Some(self.filling.mines);
            return;
        };
        let empty = |place: &&u16| self.filled[usize::from(**place)].is_none();
        let cells = &self.constraints.clues[usize::from(clue)].cells;
        let place = *cells.iter().find(empty).expect("the clue has an empty cell");
        let mark = self.trail.len();
        for fact in [Fact::Safe, Fact::Mine] {
            self.put(place, fact);
            if self.force(mark).is_ok() {
                self.search(goal, best);
            }
            self.undo(mark);
        }
    }

    /// Fills a cell.
    fn put(&mut self, place: u16, fact: Fact) {
        self.filled[usize::from(place)] = Some(fact);
        self.trail.push(place);
        self.filling.put(&self.constraints, place, fact == Fact::Mine);
    }

    /// Fills the cells that follow from single hints, beginning at this entry of the trail.
    fn force(&mut self, mark: usize) -> Result<(), Unfit> {
        let mut next = mark;
        while let Some(&place) = self.trail.get(next) {
            next += 1;
            for turn in 0..self.constraints.seen_by[usize::from(place)].len() {
                let clue = self.constraints.seen_by[usize::from(place)][turn];
                let need = self.filling.need(&self.constraints, clue);
                if need.is_impossible() {
                    return Err(Unfit);
                }
                let Some(fact) = need.fact() else { continue };
                for cell in 0..self.constraints.clues[usize::from(clue)].cells.len() {
                    let place = self.constraints.clues[usize::from(clue)].cells[cell];
                    if self.filled[usize::from(place)].is_none() {
                        self.put(place, fact);
                    }
                }
            }
        }
        Ok(())
    }

    /// Empties all cells filled after this entry of the trail.
    fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let place = self.trail.pop().expect("longer than the mark");
            let fact = self.filled[usize::from(place)].take();
            self.filling.lift(&self.constraints, place, fact == Some(Fact::Mine));
        }
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::{Action, Board, Face, GameSeed, Rules, View};

    use super::*;
    use crate::players::cs520::knowledge::Status;
    use crate::players::cs520::pictures;

    /// A stage that has not asked about anything, with the candidates of a position.
    fn fresh(known: &mut Knowledge) -> Elixir {
        let mut elixir = Elixir::default();
        elixir.begin(known.shape());
        elixir.round.extend(known.frontier());
        elixir
    }

    /// Asks about every candidate on its own.
    fn check(radius: u8, pictures: &str) {
        pictures::check(pictures, |_, known, queues| {
            let mut elixir = fresh(known);
            for cell in elixir.round.clone() {
                if let Some((fact, premises)) = elixir.question(known, cell, radius) {
                    queues.add([cell], fact, NAME, premises);
                }
            }
        });
    }

    #[test]
    fn what_fits_in_no_filling_of_the_window_is_decided() {
        check(
            WIDE,
            "> what cannot be a mine is safe
             mines 2
             # # # #  ->  s * * s
             1 2 2 1      1 2 2 1

             > all cells follow from the hints of both ends; only one window holds them all
             mines 3
             # # # # # # #  ->  # # s * s # #
             1 1 1 1 1 1 1      1 1 1 1 1 1 1

             > two mines may be anywhere
             mines 2
             # # # #  ->  # # # #
             ? 1 1 ?      ? 1 1 ?

             > one mine must be where both 1s see it
             mines 1
             # # # #  ->  s # # s
             ? 1 1 ?      ? 1 1 ?

             > a wrong flag on the right: its 2 has only that and an open cell around it
             mines 3
             # # ? ? F  ->  # # ? ? F
             1 ? ? 2 ?      1 ? ? 2 ?

             > a cell alone in its window is not looked at
             mines 1
             # 1 ?  ->  # 1 ?
             ? ? ?      ? ? ?

             > two cells in a window are
             mines 2
             # 1 ?  ->  * 1 ?
             ? ? ?      ? ? ?
             ? 1 #      ? 1 *",
        );
        check(
            2,
            "> no window of radius 2 holds the hints of both ends
             mines 3
             # # # # # # #  ->  # # # # # # #
             1 1 1 1 1 1 1      1 1 1 1 1 1 1",
        );
    }

    #[test]
    fn patience_is_halved_by_rounds_in_vain() {
        // A long row of cells of which half are mines; no hint shows which.
        let position = format!("mines 40\n{}\n{}", "# ".repeat(80), "? ".repeat(80));
        let (view, mut known) = pictures::known(&position, 0.05);
        let mut queues = pictures::queues(&view);
        let mut elixir = Elixir::default();
        elixir.begin(view.shape());
        let mut patience = vec![elixir.patience];
        for _ in 0..4 {
            assert!(!elixir.solve(&mut known, &mut queues, &mut Rng::new(1), NARROW));
            patience.push(elixir.patience);
        }
        assert_eq!(patience, [82, 42, 22, 12, 7]);
    }

    /// All fillings of the other candidates of the window, as in the paper.
    fn by_all_fillings(known: &mut Knowledge, cell: Cell, radius: u8) -> Option<Fact> {
        let shape = known.shape().clone();
        let near = within(&shape, cell, radius);
        let mut others = known.frontier().to_vec();
        others.retain(|other| *other != cell && near.contains(other));
        let mut hints = within(&shape, cell, radius - 1);
        hints.retain(|&near| known.is_hint(near));
        let possible = |fact: Fact| {
            others.is_empty()
                || (0..1u32 << others.len()).any(|filling| {
                    let mine = |at: Cell| match known.status(at) {
                        Status::Flagged => true,
                        Status::Open => false,
                        Status::Unresolved if at == cell => fact == Fact::Mine,
                        Status::Unresolved => others
                            .iter()
                            .position(|&other| other == at)
                            .is_some_and(|place| filling >> place & 1 == 1),
                    };
                    let mines = filling.count_ones() as usize + usize::from(fact == Fact::Mine);
                    let fits = |&hint: &Cell| {
                        let around = shape.neighbors(hint).iter();
                        let count = around.filter(|&&near| mine(near)).count() as u8;
                        known.counts(hint) >> count & 1 == 1
                    };
                    mines <= known.mines_left().unwrap() && hints.iter().all(fits)
                })
        };
        match (possible(Fact::Mine), possible(Fact::Safe)) {
            (true, false) => Some(Fact::Mine),
            (false, true) => Some(Fact::Safe),
            _ => None,
        }
    }

    /// A position some moves into a game, with some flags, most of them right.
    fn random_position(rng: &mut Rng, rules: Rules) -> View {
        let seed = GameSeed { seed: rng.bits(), game: 0 };
        let mut board = Board::dealt(rules, seed);
        let shape = board.view().shape().clone();
        for _ in 0..3 + rng.below(shape.size()) {
            let cell = shape.nth(rng.below(shape.size())).unwrap();
            let mine = board.hides_mine(cell);
            if rng.below(3) == 0 && mine || rng.below(40) == 0 {
                board.act(Action::Flag(cell));
            } else if !mine {
                board.act(Action::Open(cell));
            }
        }
        board.view().clone()
    }

    #[test]
    fn questions_are_answered_as_by_all_fillings() {
        let mut rng = Rng::new(520);
        let mut found = [0; 3];
        for game in 0..1500 {
            let shape = ["rect", "torus", "hex"][game % 3];
            let clues = ["exact", "blind:0.3", "optimistic"][game / 3 % 3];
            let shape = Shape::new(shape.parse().unwrap(), 5, 4).unwrap();
            let rules = Rules::new(shape, 1 + rng.below(7)).unwrap().with_cascade(false);
            let rules = rules.with_clues(clues.parse().unwrap());
            let view = random_position(&mut rng, rules);
            if view.opened().is_empty() || view.openable().count() > 13 {
                continue;
            }
            let mut known = pictures::known_of(&view, 0.0);
            for radius in [2, NARROW, WIDE] {
                let mut elixir = fresh(&mut known);
                for cell in elixir.round.clone() {
                    assert!(view.face(cell) == Face::Covered);
                    let answer = elixir.question(&known, cell, radius).map(|found| found.0);
                    let expected = by_all_fillings(&mut known, cell, radius);
                    assert_eq!(answer, expected, "{cell:?} within {radius} of\n{view}");
                    found[answer.map_or(2, |fact| usize::from(fact == Fact::Safe))] += 1;
                }
            }
        }
        assert!(found.iter().all(|&count| count > 300), "{found:?}");
    }

    #[test]
    fn all_cells_within_so_many_steps_are_forgotten() {
        for width in 1..12 {
            for form in ["rect", "torus", "hex"] {
                let shape = Shape::new(form.parse().unwrap(), width, 12 - width).unwrap();
                for center in shape.cells() {
                    let mut values = vec![1; shape.size()];
                    clear_around(&mut values, &shape, center, NARROW);
                    let near = within(&shape, center, NARROW);
                    assert!(near.iter().all(|cell| values[cell.index()] == 0), "{shape:?}");
                    let close = |cell| shape.distance(center, cell) <= usize::from(NARROW);
                    assert!(shape.cells().all(|cell| close(cell) == near.contains(&cell)));
                }
            }
        }
    }

    /// Moves through games and asks about every candidate after each move, once with what was
    /// found before and once without.
    #[test]
    fn what_is_remembered_changes_no_answer() {
        let mut rng = Rng::new(521);
        for game in 0..24 {
            let form = ["rect", "torus", "hex"][game % 3].parse().unwrap();
            let shape = Shape::new(form, 7 + game % 5, 11).unwrap();
            let rules = Rules::new(shape, 14).unwrap().with_cascade(false);
            let mut board = Board::dealt(rules.clone(), GameSeed { seed: 8, game: game as u64 });
            let mut known = pictures::known_of(board.view(), 0.0);
            let mut elixir = Elixir::default();
            elixir.begin(rules.shape());
            for _ in 0..60 {
                let covered: Vec<Cell> = board.view().openable().collect();
                let Some(&cell) = rng.pick(&covered) else { break };
                let mine = board.hides_mine(cell);
                let action = if mine { Action::Flag(cell) } else { Action::Open(cell) };
                board.act(action);
                known.follow(board.view(), mine.then_some(cell));
                if rng.below(3) > 0 {
                    continue;
                }
                let radius = [NARROW, WIDE][rng.below(2)];
                elixir.forget(&known);
                let mut fresh = fresh(&mut known);
                elixir.round.clone_from(&fresh.round);
                for cell in fresh.round.clone() {
                    let [one, other] = [&mut elixir, &mut fresh]
                        .map(|elixir| elixir.question(&known, cell, radius).map(|found| found.0));
                    assert_eq!(one, other, "{cell:?} within {radius} of\n{}", board.view());
                }
            }
        }
    }
}
