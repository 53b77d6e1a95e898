//! Finds optimal play by exhaustive search when few layouts are left.
//!
//! With exact clues, all that a player knows is which layouts are still possible.
//! Opening a cell keeps those that have it safe and show what was seen there, so a game is a set
//! of layouts that shrinks:
//!
//! ```text
//! mines 1
//! a b c      The mine is in a, b, c or d. Opening a keeps three of these layouts: it shows
//! d 1 ?      nothing if the mine is in c, else a 1, and then c is safe and distinguishes b from d. So
//!            three of four are won. Opening b keeps three too, and shows a 1 in all of them.
//! ```
//!
//! The value of a set is the number of its layouts that the best play wins. It does not depend on
//! which cells are open: an open cell is one that is safe and shows the same in every layout of
//! the set, and such a cell costs nothing and shows nothing new. For the same reason cascades do not
//! matter: what a zero opens, the player could open at no risk.
//!
//! * A cell that is safe in all layouts and does not show the same in all is opened first: it
//!   costs nothing.
//! * A cell that shows the same wherever it is safe is *dead*. Opening it last is never worse
//!   than opening it now, since a player who needs it safe may play as if it were. If only dead
//!   cells are left, nothing will ever be learned, and one layout can be won, no more: two layouts
//!   with as many mines have no set of safe cells in common that is complete for both.
//! * Any other cell is tried, safest first. It wins at most the layouts in which it is safe, and
//!   loses what its parts lose: when that leaves no more than the best so far, the rest of it is
//!   skipped. Each part knows how many layouts it must win to matter, and stops as soon as they
//!   cannot.
//!
//! Sets met before are looked up, with their value or what it cannot exceed; on small boards those
//! of earlier searches too. The search is exponential in the worst case, so it counts the sets it
//! opens up, and gives up honestly when they are too many.
//!
//! Where that is asked for, sets with many layouts are searched *narrowly*: only the safest guesses
//! are tried there, and play that is nearly optimal is found in a fraction of the time. What it
//! wins is still exact, but no longer known to be the most that can be won.

use std::ops::Range;

use arrayvec::ArrayVec;
use deminer_game::stop::{self, Pace};
use deminer_game::{
    Alternative, Cell, ClueKind, Decision, Face, Form, Rng, Rules, Shape, Shown, Start, View, Why,
};
use deminer_inference::odds::Layouts;
use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::parts::moves;
use crate::parts::risk::LISTED;

/// Solves endgames, one after another, with the same buffers.
///
/// ```
/// # use deminer_agents::search::endgame::Endgame;
/// # use deminer_inference::odds::{Engine, Layouts};
/// # use deminer_game::View;
/// let view: View = "mines 1\n# # #\n# 1 ?".parse().unwrap();
/// let (mut engine, mut layouts) = (Engine::default(), Layouts::default());
/// layouts.list(&view, engine.odds(&view).unwrap(), 256).unwrap();
/// let solved = Endgame::new(10_000).solve(&view, &layouts).unwrap();
/// assert_eq!((layouts.len(), solved.win), (4, 0.75));
/// ```
#[derive(Default)]
pub struct Endgame {
    /// How many sets may be opened up.
    budget: usize,
    nodes: usize,
    /// The cells to consider: covered, not a mine in all layouts, and not the same in all.
    cells: Vec<Cell>,
    /// What each of these cells shows in each layout, cell by cell, or [`MINE`].
    shows: Vec<u8>,
    layouts: usize,
    /// A random number for each layout; the sum of these numbers identifies a set of layouts.
    marks: Vec<u128>,
    /// What is known of each set opened up.
    known: FxHashMap<u128, Known>,
    /// The rules of a small board, whose layouts have marks for good: what was known of sets of
    /// them holds in the next search too.
    lasting: Option<Rules>,
    /// A stack of sets.
    sets: Vec<Number>,
    /// A stack of lists of cells that may show something new, with the layouts that have them safe.
    lists: Vec<(Count, Number)>,
    /// Sets with more layouts, if it is given, are searched narrowly.
    wide: Option<usize>,
    pace: Pace,
}

/// What is known of the value of a set.
#[derive(Clone, Copy)]
struct Known {
    /// The value, or what it does not exceed.
    most: Count,
    exact: bool,
    /// Whether the set has enough layouts to be kept for later searches.
    large: bool,
}

/// Where a set of layouts is on the stack of sets.
type Set = Range<usize>;

/// Where a list of cells is on the stack of lists.
type List = Range<usize>;

/// A layout, or a cell, by its number.
type Number = u32;

/// How many layouts.
type Count = u32;

/// Shown in place of a number; like the numbers it is a bit of a 16-bit set.
const MINE: u8 = 15;

/// Boards with at most this many layouts, such as 5x5 with five mines, are solved from the first
/// click on.
pub(crate) const SMALL: u64 = 60_000;

/// Whether a board has at most [`SMALL`] layouts after its first click.
pub(crate) fn is_small(view: &View) -> bool {
    let rules = view.rules();
    let is_survived = !view.opened().is_empty() || view.promises_safe_click();
    !rules.has_more_layouts(SMALL, usize::from(is_survived))
}

/// Sets of layouts that solving a small board may open up. None has needed as many.
pub(crate) const SMALL_NODES: usize = 20_000_000;

/// The most sets kept from search to search: some tens of megabytes.
const REMEMBERED: usize = 1 << 20;

/// The most sets kept within a search: about 70 megabytes. When there are more, small ones are
/// forgotten, and solved again where they are met again.
const MOST_REMEMBERED: usize = 7 << 18;

/// Sets with fewer layouts are dropped first: there are many, and they are quick to solve again.
const LARGE: usize = 24;

/// The best move and what it wins.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved {
    /// The best cell to open.
    pub best: Cell,
    /// The probability of winning from here on.
    pub win: f64,
    /// Cells considered, best first. A cell that cannot be better than another one has no `win`.
    pub alternatives: Vec<Alternative>,
}

impl Solved {
    /// The best move as a decision, with the other cells considered. A flag on it is wrong and is
    /// removed first.
    pub fn decide(mut self, view: &View) -> Decision {
        let risk = 1.0 - self.alternatives[0].safety;
        self.alternatives.truncate(LISTED);
        Decision::new(moves::open(view, self.best), Why::Risk(risk))
            .with_alternatives(self.alternatives)
    }
}

/// Answers for positions of one small board: its games often repeat.
pub(crate) struct Repeated<T> {
    rules: Option<Rules>,
    answers: FxHashMap<Vec<Face>, Result<T, Unsolved>>,
}

impl<T> Default for Repeated<T> {
    fn default() -> Self {
        Self { rules: None, answers: FxHashMap::default() }
    }
}

/// The most answers kept.
const ANSWERS: usize = 1 << 14;

impl<T: Clone> Repeated<T> {
    /// The answer that was given for this position before, or a new one.
    pub(crate) fn answer(
        &mut self,
        view: &View,
        solve: impl FnOnce() -> Result<T, Unsolved>,
    ) -> Result<T, Unsolved> {
        if self.rules.as_ref() != Some(view.rules()) {
            self.rules = Some(view.rules().clone());
            self.answers.clear();
        }
        if let Some(answer) = self.answers.get(view.faces()) {
            return answer.clone();
        }
        let answer = solve();
        if !stop::is_raised() {
            if self.answers.len() == ANSWERS {
                self.answers.clear();
            }
            self.answers.insert(view.faces().to_vec(), answer.clone());
        }
        answer
    }
}

/// Why an endgame is not solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unsolved {
    /// Clues that may show different things for the same layout.
    #[error("the clues are uncertain: a layout does not determine what its cells show")]
    Uncertain,
    /// Nothing to solve.
    #[error("no layouts are given, or more than {}", Number::MAX)]
    Layouts,
    /// No cell is left to open.
    #[error("every safe cell is open")]
    Over,
    /// The search was given up.
    #[error("the search stopped after {0} sets of layouts")]
    Budget(usize),
    /// The answer is no longer wanted.
    #[error("the search was stopped")]
    Stopped,
}

/// Which cells get an exact value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Depth {
    /// Those that may be best.
    Best,
    /// All.
    All,
}

impl Endgame {
    /// A solver that expands at most this number of sets of layouts.
    pub fn new(budget: usize) -> Self {
        Self { budget, ..Self::default() }
    }

    /// The best move of a view, given all layouts that fit it.
    pub fn solve(&mut self, view: &View, layouts: &Layouts) -> Result<Solved, Unsolved> {
        self.search(view, layouts, Depth::Best)
    }

    /// The same, with the exact probability of winning for every cell that may be safe.
    pub fn weigh(&mut self, view: &View, layouts: &Layouts) -> Result<Solved, Unsolved> {
        self.search(view, layouts, Depth::All)
    }

    /// The same with another budget, and narrowly in sets with more than `wide` layouts.
    pub(crate) fn within(&mut self, budget: usize, wide: usize) -> &mut Self {
        (self.budget, self.wide) = (budget, Some(wide));
        self
    }

    fn is_wide(&self, layouts: usize) -> bool {
        self.wide.is_some_and(|wide| layouts > wide)
    }

    /// How many sets of layouts the last search expanded.
    #[inline]
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    pub(crate) fn search(
        &mut self,
        view: &View,
        layouts: &Layouts,
        depth: Depth,
    ) -> Result<Solved, Unsolved> {
        if !has_exact_clues(view) {
            return Err(Unsolved::Uncertain);
        }
        if layouts.is_empty() || layouts.len() > Number::MAX as usize {
            return Err(Unsolved::Layouts);
        }
        self.read(view, layouts);
        let mut alternatives = if view.promises_safe_click() {
            self.first_clicks(view, layouts)?
        } else {
            self.moves(view, layouts, depth)?
        };
        // A stable sort: of equal wins the safest first, then row by row.
        alternatives.sort_by(|a, b| b.win.partial_cmp(&a.win).expect("no win is NaN"));
        let best = alternatives.first().ok_or(Unsolved::Over)?;
        let win = best.win.expect("the best move has been weighed");
        Ok(Solved { best: best.cell, win, alternatives })
    }

    /// Writes down what each cell shows in each layout.
    fn read(&mut self, view: &View, layouts: &Layouts) {
        self.nodes = 0;
        self.cells.clear();
        self.shows.clear();
        self.layouts = layouts.len();
        self.mark(view, layouts);
        let shape = view.shape();
        for cell in view.covered().filter(|&cell| !layouts.is_common_mine(cell)) {
            let near = shape.neighbors(cell);
            let common = near.iter().filter(|&&near| layouts.is_common_mine(near)).count() as u8;
            let own = layouts.place(cell);
            let places: ArrayVec<usize, 8> =
                near.iter().filter_map(|&near| layouts.place(near)).collect();
            if own.is_none() && places.is_empty() {
                continue;
            }
            self.cells.push(cell);
            self.shows.extend((0..layouts.len()).map(|layout| {
                if own.is_some_and(|own| layouts.is_mine(layout, own)) {
                    return MINE;
                }
                let mined = places.iter().filter(|&&place| layouts.is_mine(layout, place));
                common + mined.count() as u8
            }));
        }
        self.sets.clear();
        self.sets.extend(0..layouts.len() as Number);
        self.lists.clear();
        self.lists.extend((0..self.cells.len()).map(|cell| (0, cell as Number)));
    }

    /// Makes room for more sets.
    fn forget(&mut self) {
        self.known.retain(|_, known| known.large);
        if self.known.len() > REMEMBERED {
            self.known.clear();
        }
    }

    /// Gives each layout its mark: on small boards by where its mines are, so that sets are known
    /// again in later searches; on others by its number, which is quicker.
    fn mark(&mut self, view: &View, layouts: &Layouts) {
        let rules = view.rules();
        let is_small = rules.shape().size() <= 64 && is_small(view);
        if !is_small || self.lasting.as_ref() != Some(rules) {
            self.known.clear();
        } else if self.known.len() > REMEMBERED {
            self.forget();
        }
        if is_small {
            self.lasting.get_or_insert_with(|| rules.clone()).clone_from(rules);
            let bit = |cell: Cell| 1u64 << cell.index();
            let common = rules.shape().cells().filter(|&cell| layouts.is_common_mine(cell));
            let common = common.map(bit).fold(0, u64::wrapping_add);
            self.marks.clear();
            self.marks.extend((0..layouts.len()).map(|layout| {
                let undecided = layouts.undecided().iter().enumerate();
                let mines = undecided.filter(|&(place, _)| layouts.is_mine(layout, place));
                random_mark(mines.fold(common, |mines, (_, &cell)| mines + bit(cell)))
            }));
        } else {
            if self.lasting.take().is_some() {
                self.marks.clear();
            }
            let marked = self.marks.len();
            self.marks.extend((marked..layouts.len()).map(|layout| random_mark(layout as u64)));
        }
    }

    /// Every first click under a start that promises something: the layout is dealt after it, so
    /// each cell has layouts of its own.
    fn first_clicks(
        &mut self,
        view: &View,
        layouts: &Layouts,
    ) -> Result<Vec<Alternative>, Unsolved> {
        let mut alternatives: Vec<Alternative> = Vec::new();
        let mut weighed: Vec<((usize, usize), Option<f64>)> = Vec::new();
        for cell in view.covered() {
            // Cells that a turn or a mirror takes to each other win the same.
            let place = symmetric_place(view.shape(), cell);
            if let Some((_, win)) = weighed.iter().find(|(held, _)| *held == place) {
                let win = *win;
                alternatives.extend(win.map(|_| Alternative { cell, safety: 1.0, win }));
                continue;
            }
            let fewest = match view.rules().start() {
                Start::Open => {
                    let others = view.shape().size() - 1 - view.shape().degree(cell);
                    Some(view.rules().mines().saturating_sub(others) as u8)
                }
                Start::Unsafe | Start::Safe => None,
            };
            let from = self.sets.len();
            let number = self.cells.iter().position(|&held| held == cell);
            for layout in 0..layouts.len() {
                let shown = number.map_or(0, |number| self.shows[number * self.layouts + layout]);
                if shown != MINE && fewest.is_none_or(|fewest| shown == fewest || number.is_none())
                {
                    self.sets.push(layout as Number);
                }
            }
            let size = self.sets.len() - from;
            let won = self.value(from..self.sets.len(), 0..self.cells.len(), 0);
            self.sets.truncate(from);
            let won = won?;
            let win = (size > 0).then(|| f64::from(won) / size as f64);
            weighed.push((place, win));
            alternatives.extend(win.map(|_| Alternative { cell, safety: 1.0, win }));
        }
        Ok(alternatives)
    }

    /// Every move of a game under way, safest first.
    fn moves(
        &mut self,
        view: &View,
        layouts: &Layouts,
        depth: Depth,
    ) -> Result<Vec<Alternative>, Unsolved> {
        let all = 0..self.layouts;
        let share = |count: Count| f64::from(count) / layouts.len() as f64;
        let is_safe = |&cell: &Cell| layouts.place(cell).is_none() && !layouts.is_common_mine(cell);
        let mut alternatives: Vec<Alternative> = Vec::new();
        if view.covered().any(|cell| is_safe(&cell)) {
            let win = Some(share(self.value(all.clone(), 0..self.cells.len(), 0)?));
            let safe = view.covered().filter(is_safe);
            alternatives.extend(safe.map(|cell| Alternative { cell, safety: 1.0, win }));
            if depth == Depth::Best {
                return Ok(alternatives);
            }
        }
        let unsure = |&number: &usize| layouts.place(self.cells[number]).is_some();
        let safe = |number| {
            let shows = &self.shows[number * self.layouts..][..self.layouts];
            shows.iter().filter(|&&shown| shown != MINE).count() as Count
        };
        let mut tries: Vec<(Count, usize)> =
            (0..self.cells.len()).filter(unsure).map(|number| (safe(number), number)).collect();
        tries.sort_by_key(|&(safe, _)| std::cmp::Reverse(safe));
        // Once it is known what the best wins, the others have only to be seen to win less. On a
        // fresh board it is quicker to weigh one cell of those that are alike.
        let mut floor = match depth {
            Depth::Best if !view.is_fresh() && !self.is_wide(self.layouts) => {
                self.value(all.clone(), 0..self.cells.len(), 0)?.saturating_sub(1)
            }
            Depth::All | Depth::Best => 0,
        };
        let mut alike: Vec<((usize, usize), Option<f64>)> = Vec::new();
        for (safe, number) in tries {
            let cell = self.cells[number];
            let place = symmetric_place(view.shape(), cell);
            let weighed = alike.iter().find(|(held, _)| view.is_fresh() && *held == place);
            if let Some(&(_, win)) = weighed {
                alternatives.push(Alternative { cell, safety: share(safe), win });
                continue;
            }
            let won = if safe > floor {
                self.split(all.clone(), number, 0..self.cells.len(), floor)?
            } else {
                0
            };
            let win = (won > floor).then(|| share(won));
            if depth == Depth::Best {
                floor = floor.max(won);
            }
            alike.push((place, win));
            alternatives.push(Alternative { cell, safety: share(safe), win });
        }
        Ok(alternatives)
    }

    /// How many layouts of a set the best play wins; if no more than `floor`, perhaps only what
    /// they do not exceed. The cells may include some that show nothing new, but must include
    /// all that do.
    fn value(&mut self, set: Set, cells: List, floor: Count) -> Result<Count, Unsolved> {
        if set.len() < 2 || set.len() <= floor as usize {
            return Ok(set.len() as Count);
        }
        let marks = self.sets[set.clone()].iter().map(|&layout| self.marks[layout as usize]);
        let key = marks.fold(0u128, u128::wrapping_add);
        let large = set.len() >= LARGE;
        if let Some(known) = self.known.get(&key).filter(|held| held.exact || held.most <= floor) {
            return Ok(known.most);
        }
        if self.nodes == self.budget {
            return Err(Unsolved::Budget(self.budget));
        }
        self.nodes += 1;
        if self.pace.step(set.len() * cells.len()) {
            return Err(Unsolved::Stopped);
        }
        let from = self.lists.len();
        let won = match self.look_around(&set, cells.clone()) {
            Some(free) => self.split(set, free, cells, floor),
            None => self.best_guess(set, from, floor),
        };
        self.lists.truncate(from);
        let most = won?;
        if self.known.len() >= MOST_REMEMBERED {
            self.forget();
        }
        self.known.insert(key, Known { most, exact: most > floor, large });
        Ok(most)
    }

    /// Lists the cells that are worth a guess, and returns one that is safe and shows something new, if
    /// there is one.
    fn look_around(&mut self, set: &Set, cells: List) -> Option<usize> {
        for place in cells {
            let (_, cell) = self.lists[place];
            let shows = &self.shows[cell as usize * self.layouts..][..self.layouts];
            // No branch: whether a layout has a mine here cannot be predicted.
            let (mut safe, mut seen): (Count, u16) = (0, 0);
            for &layout in &self.sets[set.clone()] {
                let shown = shows[layout as usize];
                safe += Count::from(shown != MINE);
                seen |= 1 << (shown & 15);
            }
            let numbers = seen & !(1 << MINE);
            // A mine in all layouts, or dead.
            if numbers & numbers.wrapping_sub(1) == 0 {
                continue;
            }
            if safe as usize == set.len() {
                return Some(cell as usize);
            }
            self.lists.push((safe, cell));
        }
        None
    }

    /// The value of a set in which nothing is safe, with the cells worth a guess listed from
    /// `from` on; if no more than `floor`, perhaps only what it does not exceed.
    fn best_guess(&mut self, set: Set, from: usize, floor: Count) -> Result<Count, Unsolved> {
        let cells = from..self.lists.len();
        self.lists[cells.clone()]
            .sort_unstable_by_key(|&(safe, cell)| (std::cmp::Reverse(safe), cell));
        let mut best = floor.max(1);
        let (tries, enough) = match self.lists[cells.clone()].first() {
            Some(&(safest, _)) if self.is_wide(set.len()) => (NARROW, nearly(safest)),
            _ => (usize::MAX, 0),
        };
        for place in cells.clone().take(tries) {
            let (safe, cell) = self.lists[place];
            if safe <= best || safe < enough {
                break;
            }
            best = best.max(self.split(set.clone(), cell as usize, cells.clone(), best)?);
        }
        Ok(best)
    }

    /// How many layouts are won by opening this cell now; if no more than `floor`, perhaps only a
    /// bound that says so.
    fn split(
        &mut self,
        set: Set,
        cell: usize,
        cells: List,
        floor: Count,
    ) -> Result<Count, Unsolved> {
        let from = self.sets.len();
        let shows = &self.shows[cell * self.layouts..][..self.layouts];
        let mut sizes = [0usize; 9];
        for &layout in &self.sets[set.clone()] {
            if let Some(size) = sizes.get_mut(usize::from(shows[layout as usize])) {
                *size += 1;
            }
        }
        let mut ends = [from; 9];
        for shown in 1..9 {
            ends[shown] = ends[shown - 1] + sizes[shown - 1];
        }
        self.sets.resize(from + sizes.iter().sum::<usize>(), 0);
        for place in set {
            let layout = self.sets[place];
            if let Some(end) = ends.get_mut(usize::from(shows[layout as usize])) {
                self.sets[*end] = layout;
                *end += 1;
            }
        }
        let mut won = Ok((self.sets.len() - from) as Count);
        for (end, size) in ends.into_iter().zip(sizes) {
            let Ok(bound) = won else { break };
            if bound <= floor {
                break;
            }
            let others = bound - size as Count;
            won = self
                .value(end - size..end, cells.clone(), floor.saturating_sub(others))
                .map(|part| others + part);
        }
        self.sets.truncate(from);
        won
    }
}

/// Guesses that are tried in a wide set.
const NARROW: usize = 2;

/// Guesses that are less safe than this are not tried in a wide set.
fn nearly(safest: Count) -> Count {
    safest - safest / 10
}

/// A mark that looks random, always the same for the same seed.
fn random_mark(seed: u64) -> u128 {
    let mut rng = Rng::new(seed);
    u128::from(rng.bits()) << 64 | u128::from(rng.bits())
}

/// A place that stands for all to which turns and mirrors take a cell of a fresh board.
fn symmetric_place(shape: &Shape, cell: Cell) -> (usize, usize) {
    let (row, column) = shape.position(cell);
    let (row, column) = match shape.form() {
        Form::Rect => (row.min(shape.height() - 1 - row), column.min(shape.width() - 1 - column)),
        Form::Torus => (0, 0),
        Form::Hex => return (row, column),
    };
    if shape.width() == shape.height() { (row.min(column), row.max(column)) } else { (row, column) }
}

/// Whether a cell always shows the number of mines around it.
pub(crate) fn has_exact_clues(view: &View) -> bool {
    let clues = view.rules().clues();
    let shows = |degree, count| clues.likelihood(Shown::Number(count), count, degree);
    clues.kind() == ClueKind::Exact
        || (0..=8).all(|degree| (0..=degree).all(|count| shows(degree, count) == 1.0))
}

#[cfg(test)]
mod tests;
